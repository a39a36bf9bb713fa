"""Passwords known from breaches: the offline list, and a range API on loopback."""

import logging
import socket
from hashlib import sha1
from typing import Any

import pytest
from pytest_django import Settings

from accounts.errors import PasswordBreached
from accounts.passwords import breaches
from accounts.passwords.breaches import check_breached
from tests.loopback import answering, dripping, response, serving

pytestmark = pytest.mark.once

UNCOMMON = "vier Füchse, kein Huhn"
DIGEST = sha1(UNCOMMON.encode(), usedforsecurity=False).hexdigest().upper()
PADDING = "".join(f"{number:035X}:0\r\n" for number in range(800))


@pytest.mark.parametrize("password", ["password", "PassWord", " password ", "ｐａｓｓｗｏｒｄ"])
def test_a_common_password_is_breached(settings: Settings, password: str) -> None:
    settings.AUTH_SERVICE = {}

    with pytest.raises(PasswordBreached):
        check_breached(password=password)


def test_an_uncommon_password_passes_the_offline_list(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": "offline"}

    check_breached(password=UNCOMMON)


def test_nothing_is_breached_when_the_check_is_off(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": "off"}

    check_breached(password="password")


@pytest.mark.parametrize("suffix", [DIGEST[5:], DIGEST[5:].lower()])
@pytest.mark.parametrize("path", ["/range", "/range/"])
def test_the_range_api_is_asked_for_a_prefix_with_padding(settings: Settings, suffix: str, path: str) -> None:
    with serving(answering(response(f"{PADDING}{suffix}:3\r\n".encode()))) as api:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": api.url(path)}
        with pytest.raises(PasswordBreached):
            check_breached(password=UNCOMMON)

    (received,) = api.received
    assert received.line == f"GET /range/{DIGEST[:5]} HTTP/1.1"
    assert received.headers["Add-Padding"] == "true"
    assert DIGEST[5:] not in str(received).upper()


def test_the_normalized_form_is_looked_up(settings: Settings) -> None:
    with serving(answering(response(f"{DIGEST[5:]}:3".encode()))) as api:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": api.url()}
        with pytest.raises(PasswordBreached):
            check_breached(password=UNCOMMON.replace("ü", "u\u0308"))


@pytest.mark.parametrize("line", ["", f"{DIGEST[5:]}:0\r\n"], ids=["unknown", "padding"])
def test_a_password_unknown_to_the_range_api_passes_even_if_the_offline_list_has_it(
    settings: Settings, caplog: pytest.LogCaptureFixture, line: str
) -> None:
    with serving(answering(response((PADDING + line).encode()))) as api:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": api.url()}
        check_breached(password=UNCOMMON)
        check_breached(password="password")

    assert caplog.messages == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        response(),
        response(b"<html>Sign in to the hotel's network</html>"),
        response(f"{PADDING}{DIGEST[5:30]}".encode()),
        response(PADDING.encode(), status="500 Oh"),
        response(status="302 Found", headers="Location: /elsewhere\r\n"),
        response(b"x" * (breaches.RANGE_MAX_BYTES + 1)),
        b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n" + PADDING.encode(),
    ],
    ids=["nothing", "empty", "a page", "a broken line", "an error", "a redirect", "too much", "cut short"],
)
def test_the_offline_list_decides_when_the_range_api_answers_improperly(
    settings: Settings, caplog: pytest.LogCaptureFixture, answer: bytes
) -> None:
    with serving(answering(answer)) as api:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": api.url()}
        assert_offline_list_decides(caplog)


def test_the_offline_list_decides_when_the_range_api_is_too_slow(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert breaches.RANGE_SECONDS == 2
    monkeypatch.setattr(breaches, "RANGE_SECONDS", 0.1)

    with serving(dripping(b"HTTP/1.1 200 OK\r\n\r\n", PADDING[:39].encode())) as api:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": api.url()}
        assert_offline_list_decides(caplog)


def test_the_offline_list_decides_when_the_range_api_is_unreachable(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings.AUTH_SERVICE = {"BREACHED_PASSWORDS": f"http://127.0.0.1:{free.getsockname()[1]}/range"}

    assert_offline_list_decides(caplog)


def assert_offline_list_decides(caplog: Any) -> None:
    check_breached(password=UNCOMMON)
    with pytest.raises(PasswordBreached):
        check_breached(password="password")

    warning = "the range API of breached passwords did not answer correctly, the offline list is used"
    assert caplog.record_tuples == [("authsvc.breaches", logging.WARNING, warning)] * 2
    assert all(record.exc_info is None for record in caplog.records)
