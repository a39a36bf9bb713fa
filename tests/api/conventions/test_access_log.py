"""The access log contains one line for each request."""

import logging
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from core.http.access_log import PATH_MAX, printable
from tests.people import Person, existing_session
from tests.rows import each

CALLER = "203.0.113.9"
SECRET = "Zm9v-_" * 7 + "x"


def line_of(caplog: pytest.LogCaptureFixture, method: str, path: str) -> dict[str, Any]:
    with caplog.at_level(logging.INFO, logger="authsvc.access"):
        Client(REMOTE_ADDR=CALLER).generic(method, path)
    *_, record = [record for record in caplog.records if record.name == "authsvc.access"]
    return vars(record)


@pytest.mark.parametrize("path", ["/v1/nonsense", "/v1/admin%0Ausers", "/v1/health/"])
def test_an_unknown_path_is_logged_without_a_route(caplog: pytest.LogCaptureFixture, path: str) -> None:
    line = line_of(caplog, "GET", f"{path}?token=sesame")

    assert (line["route"], line["path"], line["ip"]) == ("", path.replace("%0A", "\\n"), CALLER)


def test_a_known_path_is_logged_with_its_route(caplog: pytest.LogCaptureFixture, alice: Person) -> None:
    session = existing_session(alice)
    row, *_ = alice.api.get("/v1/sessions", token=session.access).data

    line = line_of(caplog, "DELETE", f"/v1/sessions/{row['id']}")

    assert (line["route"], line["path"]) == ("v1/sessions/<str:session_id>", f"/v1/sessions/{row['id']}")
    assert (line["ip"], line["status"]) == (CALLER, 401)


@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a middleware of the site refuses the Host first")
def test_a_request_to_a_foreign_host_is_logged_with_its_client(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="authsvc.access"):
        Client(REMOTE_ADDR=CALLER, HTTP_HOST="evil.example").get("/v1/verify")

    (record,) = [record for record in caplog.records if record.name == "authsvc.access"]
    assert (vars(record)["ip"], vars(record)["status"]) == (CALLER, 400)


@each(
    "path, logged",
    [
        ("/v1/verify", "/v1/verify"),
        ("/mail/magic-link#token=" + SECRET, "/mail/magic-link#token=[redacted]"),
        (f"/srt_{SECRET}/ak_abcdefgh_{SECRET}/x", "/[redacted]/[redacted]/x"),
        (f"/eyJ{SECRET}.eyJ{SECRET}.{SECRET}", "/[redacted].[redacted].[redacted]"),
        ("/01a1fd7f-8a59-70bd-8e98-a7342831606a", "/01a1fd7f-8a59-70bd-8e98-a7342831606a"),
        ("/a\u202eb\x1b[31m\r\nc", "/a\\u202eb\\x1b[31m\\r\\nc"),
    ],
)
def test_a_path_is_logged_without_credentials_and_control_characters(path: str, logged: str) -> None:
    assert printable(path) == logged


@pytest.mark.parametrize("filler", ["a/", "a" * 50 + "/", "\u202e", "ü/"])
def test_a_long_path_is_truncated_without_showing_a_part_of_a_credential(filler: str) -> None:
    for length in range(0, 5 * PATH_MAX, 3):
        shown = printable("/" + (filler * length)[:length] + "/" + SECRET + "/x" * 40)

        assert len(shown) <= PATH_MAX
        assert SECRET[:20] not in shown
