"""Malformed settings stop the start, and other wrong settings cause a warning."""

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


@pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("check",), ("migrate",)], ids=lambda command: command[0]
)
@pytest.mark.parametrize(
    ("name", "value"),
    [("SECRET_KEY", ""), ("RATE_LIMITS", "login=20"), ("RATE_LIMITS", "foo=3/m"), ("CACHE_URL", "foo")],
)
def test_a_missing_or_malformed_setting_stops_every_command(
    manage: Run, command: tuple[str, ...], name: str, value: str
) -> None:
    running = manage(*command, **{name: value})

    assert running.exit_code() == 1
    assert f"{name} must be " in running.err.read_text().splitlines()[-1]


def findings(running: Running) -> list[dict[str, Any]]:
    """Return the warnings of the start about the encryption keys."""
    return [line for line in running.logged("a check has a finding") if line["check"] == "authsvc.W007"]


def test_a_key_that_does_not_open_the_stored_secrets_causes_a_warning_at_the_start(serve: Run) -> None:
    keys = [base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2)]
    first = serve(ENCRYPTION_KEY=keys[0])
    port = first.await_ready()
    body = {"email": "alice@example.com", "password": PASSWORD}
    call(port, "POST", "/v1/signup", body)
    access = call(port, "POST", "/v1/login", body).data["access_token"]
    assert call(port, "POST", "/v1/totp/enroll", token=access).status == 200
    first.stop()

    second, third = serve(ENCRYPTION_KEY=keys[1]), serve(ENCRYPTION_KEY=",".join(reversed(keys)))

    second.await_ready()
    third.await_ready()
    (finding,) = findings(second)
    assert finding["reason"] == "ENCRYPTION_KEY does not open all authenticator secrets in the database."
    assert not findings(third)
