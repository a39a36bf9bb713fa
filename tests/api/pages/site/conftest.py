"""The templates of a host site."""

import copy
from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture
def templates(settings: Settings, tmp_path: Path) -> Path:
    """A directory of templates of the site, which come before those of the apps."""
    engines = copy.deepcopy(settings.TEMPLATES)
    engines[0]["DIRS"] = [tmp_path]
    settings.TEMPLATES = engines
    (tmp_path / "authsvc_pages").mkdir()
    return tmp_path
