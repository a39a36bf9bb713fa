"""Malformed settings stop the start. Misspelt settings and keys that open nothing cause a warning."""

import base64
from typing import Any

import pytest
from django.conf import settings

from tests.client import PASSWORD

from .conftest import Run
from .running import Running, call

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site has settings of its own"),
]


NO_ORIGINS = [("CORS_ALLOWED_ORIGINS", value) for value in ("*", "https://app.example.com:*", "http://*:*")]


# Every command loads the settings in the same way, so the other two commands need only one value of each kind of setting.
@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("serve", "SECRET_KEY", ""),
        ("serve", "RATE_LIMITS", "login=20"),
        ("serve", "RATE_LIMITS", "foo=3/m"),
        ("serve", "CACHE_URL", "foo"),
        *[("serve", *variable) for variable in NO_ORIGINS],
        ("check", "SECRET_KEY", ""),
        ("check", "RATE_LIMITS", "login=20"),
        ("migrate", "SECRET_KEY", ""),
        ("migrate", "RATE_LIMITS", "login=20"),
    ],
)
def test_a_missing_or_malformed_setting_stops_every_command(manage: Run, command: str, name: str, value: str) -> None:
    running = manage(command, **{name: value})

    assert running.exit_code() == 1
    assert f"{name} must be " in running.err.read_text().splitlines()[-1]


def test_a_loopback_host_may_have_any_port_in_the_list_of_origins_and_a_misspelt_variable_causes_one_warning(
    serve: Run,
) -> None:
    origins = "http://localhost:*,https://app.example.com"
    running = serve(CORS_ALLOWED_ORIGINS=origins, BASE_URI="http://localhost:8000")
    port = running.await_ready()

    def allowed(origin: str) -> str | None:
        return call(port, "GET", "/v1/health", origin=origin).headers.get("Access-Control-Allow-Origin")

    for origin in ("http://localhost:5173", "http://localhost", "https://app.example.com"):
        assert allowed(origin) == origin
    refused = ("https://localhost:5173", "http://localhost:5173.evil.example", "http://localhost.evil.example", "null")
    assert [allowed(origin) for origin in refused] == [None] * 4
    logged = running.logged("the browser refuses the calls of a page, add its origin to CORS_ALLOWED_ORIGINS")
    assert {line["origin"] for line in logged} <= set(refused)
    assert logged
    assert running.err.read_text().count("BASE_URI is not a setting of the service.") == 1


def findings(running: Running) -> list[dict[str, Any]]:
    """Return the warnings of the start about the encryption keys."""
    return [line for line in running.logged("a check has a finding") if line["check"] == "authsvc.W007"]


def test_a_key_that_does_not_open_the_stored_secrets_causes_a_warning_at_the_start(serve: Run) -> None:
    keys = [base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2)]
    first = serve("--no-worker", ENCRYPTION_KEY=keys[0])
    port = first.await_ready()
    body = {"email": "alice@example.com", "password": PASSWORD}
    call(port, "POST", "/v1/signup", body)
    access = call(port, "POST", "/v1/login", body).data["access_token"]
    assert call(port, "POST", "/v1/totp/enroll", token=access).status == 200
    first.stop()

    second = serve("--no-worker", ENCRYPTION_KEY=keys[1])
    third = serve("--no-worker", ENCRYPTION_KEY=",".join(reversed(keys)))

    second.await_ready()
    third.await_ready()
    (finding,) = findings(second)
    assert finding["reason"] == "ENCRYPTION_KEY does not decrypt all authenticator secrets in the database."
    assert not findings(third)


MISSPELT = {
    "ARGON2_MEMORY_KB": "ARGON2_MEMORY_KIB",
    "ENCRYPTION_KEYS": "ENCRYPTION_KEY",
    "LOG_SHIPPING_HASHKEY": "LOG_SHIPPING_HASH_KEY",
    "PASSWORD_MINLENGTH": "PASSWORD_MIN_LENGTH",
    "WEBHOOK_RETRIES_AFTER_SECONDS": "WEBHOOK_RETRY_SECONDS",
}
FOREIGN = [
    *("HOME", "LANG", "LC_ALL", "LOGNAME", "PWD", "SHELL", "TERM", "USER", "http_proxy", "SSH_AUTH_SOCK"),
    *("DATABASE_HOST", "EMAIL_HOST", "LOG_DIR", "PASSWORD_STORE_DIR", "REDIS_URL", "TEST_DATABASE_URL"),
    "S3_SECRET_KEY",
]


def test_a_misspelt_variable_causes_one_warning_that_names_the_setting_and_those_of_other_programs_cause_none(
    manage: Run,
) -> None:
    checked = manage("check", **dict.fromkeys([*MISSPELT, *FOREIGN], "1"))

    assert checked.exit_code() == 0
    warnings = [line for line in checked.err.read_text().splitlines() if line.startswith("?: ")]
    assert warnings == [f"?: (authsvc.W019) {name} is not a setting of the service." for name in sorted(MISSPELT)]
    for setting in MISSPELT.values():
        assert f"\tHINT: The setting with the most similar name is {setting}.\n" in checked.err.read_text()
    assert f"identified {len(MISSPELT)} issues" in checked.err.read_text()
