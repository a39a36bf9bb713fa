from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from sessions_app.oauth import discovery
from tests import issuers
from tests.issuers import Issuer

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _no_kept_metadata() -> None:
    discovery.forget()


@pytest.fixture
def configure(settings: Settings) -> Configure:
    """Change the service's settings until the end of the test."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


@pytest.fixture
def issuer(configure: Configure) -> Iterator[Issuer]:
    """A configured issuer under the name acme, which proves no address."""
    with issuers.running() as made:
        configure(**made.variables())
        yield made


@pytest.fixture
def trusted(issuer: Issuer, configure: Configure) -> Issuer:
    """The issuer acme, whose verified addresses count as proof."""
    configure(OAUTH_TRUSTED_EMAIL=issuer.url)
    return issuer
