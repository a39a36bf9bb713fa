"""`manage.py check --deploy`, as an administrator runs it before the first start."""

import base64
import secrets

import pytest
from django.conf import settings

from tests.operators import only_on_full

from .conftest import Run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    only_on_full,
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site checks itself"),
]


def key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


def good() -> dict[str, str]:
    """Return the variables of a deployment in which there is nothing to find."""
    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "BASE_URL": "https://auth.example.com",
        "ENCRYPTION_KEY": key(),
        "SETTINGS_ENCRYPTION_KEY": key(),
        "EMAIL_URL": "smtps://mailer:secret@mail.example.com",
        "RATE_LIMITS": "on",
        "ARGON2_MEMORY_KIB": "19456",
        "ARGON2_TIME": "2",
    }


def test_a_full_deployment_that_is_well_configured_has_no_finding(manage: Run) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **good())

    assert (checked.exit_code(), checked.err.read_text()) == (0, "")
    assert checked.out.read_text().startswith("System check identified no issues")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("BASE_URL", "http://auth.example.com", "BASE_URL is not https: tokens would travel in clear."),
        ("EMAIL_URL", "off", "EMAIL_URL sends no mail: a forgotten password cannot be got around."),
        ("RATE_LIMITS", "login=off,mail=off", "RATE_LIMITS bounds none of this: login, mail."),
        ("ARGON2_TIME", "1", "ARGON2_MEMORY_KIB and ARGON2_TIME make hashes that are cheap to guess at."),
        ("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS is *: any Host is taken for the service's."),
    ],
)
def test_a_weak_setting_is_the_one_finding(manage: Run, name: str, value: str, sentence: str) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **{**good(), name: value})

    assert checked.exit_code() == 1
    assert sentence in checked.err.read_text()
    assert "identified 1 issue" in checked.err.read_text()
