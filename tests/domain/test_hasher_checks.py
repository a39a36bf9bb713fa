"""`manage.py check` reports PASSWORD_HASHERS of a host project that would lock users out."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from accounts.checks import check_hashers

HASHERS = "django.contrib.auth.hashers"
PBKDF2, ARGON2, MD5 = (
    f"{HASHERS}.PBKDF2PasswordHasher",
    f"{HASHERS}.Argon2PasswordHasher",
    f"{HASHERS}.MD5PasswordHasher",
)
COSTS_OF_DJANGO = {"ARGON2_MEMORY_KIB": "102400", "ARGON2_TIME": "2", "ARGON2_PARALLELISM": "8"}
UPGRADE = {"PASSWORD_HASH_UPGRADE": "on"}

in_a_host = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project asks no PASSWORD_HASHERS"
)


@in_a_host
@pytest.mark.parametrize(
    ("hashers", "variables", "found"),
    [
        ([PBKDF2, ARGON2], {}, []),
        ([PBKDF2], {}, ["authsvc.E005"]),
        ([MD5, ARGON2], {}, ["authsvc.W013"]),
        ([MD5], {}, ["authsvc.E005", "authsvc.W013"]),
        ([PBKDF2, ARGON2], UPGRADE, ["authsvc.W014"]),
        ([ARGON2], UPGRADE, ["authsvc.W014"]),
        ([ARGON2], UPGRADE | COSTS_OF_DJANGO, []),
    ],
)
def test_a_list_causes_an_error_or_a_warning(
    settings: Settings, hashers: list[str], variables: dict[str, str], found: list[str]
) -> None:
    settings.PASSWORD_HASHERS = hashers
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    messages: list[Any] = check_hashers()

    assert [message.id for message in messages] == found
    assert all(message.hint for message in messages)


@in_a_host
def test_a_finding_names_the_algorithms(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [ARGON2, MD5]

    (warning,) = check_hashers()

    assert warning.msg == "PASSWORD_HASHERS contains algorithms that the service cannot verify: md5."


@pytest.mark.skipif(django_settings.AUTH_USER_MODEL != "authsvc_accounts.User", reason="only the standalone project")
def test_the_standalone_project_runs_no_hasher_check(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [MD5]

    assert check_hashers() == []
