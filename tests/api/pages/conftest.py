"""The fixtures of all tests of pages."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from tests.pages import Browser


@pytest.fixture
def browser() -> Browser:
    """A browser that has opened no page."""
    return Browser()


@pytest.fixture
def configure(settings: Settings) -> Callable[..., None]:
    """Change the service's settings until the end of the test."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change
