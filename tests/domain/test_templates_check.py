"""`manage.py check` reports TEMPLATES that the service's mails and pages cannot use."""

from typing import Any

import pytest
from pytest_django import Settings

from accounts.checks import check_templates

DJANGO = "django.template.backends.django.DjangoTemplates"
BY_LOADER = {"loaders": ["django.template.loaders.app_directories.Loader"]}


@pytest.mark.parametrize("engine", [{"APP_DIRS": True}, {"OPTIONS": BY_LOADER}])
def test_an_engine_that_reads_the_templates_of_apps_is_accepted(settings: Settings, engine: dict[str, Any]) -> None:
    settings.TEMPLATES = [{"BACKEND": DJANGO, **engine}]

    assert check_templates() == []


@pytest.mark.parametrize(
    "templates",
    [
        [],
        [{"BACKEND": DJANGO, "DIRS": ["/srv/site/templates"]}],
        [{"BACKEND": DJANGO, "APP_DIRS": True, "OPTIONS": {"autoescape": False}}],
    ],
)
def test_an_engine_without_the_templates_or_without_escaping_is_an_error(
    settings: Settings, templates: list[dict[str, Any]]
) -> None:
    settings.TEMPLATES = templates

    (found,) = check_templates()

    assert found.id == "authsvc.E011"
