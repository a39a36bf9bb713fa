"""Fixtures of the tests that install the wheel in other Django sites. No Django runs in the process of these tests."""

import os
from pathlib import Path

import pytest

from .environments import Workshop

SITES = ("dj-rest-auth", "django-allauth", "djangorestframework-simplejwt", "granian", "wagtail")
"""The packages of the foreign sites."""


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The wheel and the environments of this run."""
    directory = tmp_path_factory.getbasetemp()
    # Each worker of pytest-xdist has a directory of its own below the directory of the run.
    return Workshop(directory=directory.parent if "PYTEST_XDIST_WORKER" in os.environ else directory)


@pytest.fixture(scope="session")
def wheel(workshop: Workshop) -> Path:
    """The wheel."""
    return workshop.wheel()


@pytest.fixture(scope="session")
def without_extras(workshop: Workshop) -> Path:
    """The interpreter of an environment with the wheel and without its extras."""
    return workshop.environment("gatehouse")


@pytest.fixture(scope="session")
def python(workshop: Workshop) -> Path:
    """The interpreter of an environment with the wheel, its extras and the packages of the foreign sites."""
    return workshop.environment("gatehouse[all]", *SITES)
