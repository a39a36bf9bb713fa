import pytest
from django.test import RequestFactory
from pytest_django import Settings

from accounts.core.client import client_of

PROXY, FAR_PROXY, CALLER, FORGED = "10.0.0.1", "10.0.0.2", "203.0.113.9", "198.51.100.1"


def seen_from(peer: str, forwarded: str | None = None, user_agent: str = "") -> str:
    headers = {"User-Agent": user_agent} | ({"X-Forwarded-For": forwarded} if forwarded is not None else {})
    return client_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)).ip


@pytest.mark.parametrize(
    ("peer", "forwarded", "ip"),
    [
        (PROXY, CALLER, CALLER),
        (PROXY, f"{FORGED}, {CALLER}", CALLER),
        (PROXY, f"{FORGED}, {CALLER}, {FAR_PROXY}", CALLER),
        (PROXY, f"{FORGED},{CALLER}", CALLER),
        (PROXY, f"{FAR_PROXY}, {PROXY}", FAR_PROXY),
        (PROXY, "", PROXY),
        (PROXY, None, PROXY),
        (PROXY, "nonsense", PROXY),
        (PROXY, f"{CALLER}, nonsense", PROXY),
        (PROXY, f"nonsense, {CALLER}", CALLER),
        (PROXY, f"{CALLER}:443", CALLER),
        (PROXY, "[2001:DB8:0::1]:443", "2001:db8::1"),
        (PROXY, "[2001:db8::1]", "2001:db8::1"),
        (PROXY, f"{FORGED}, [nonsense]:443", PROXY),
        (PROXY, "2001:DB8:0::1", "2001:db8::1"),
        ("::ffff:10.0.0.1", CALLER, CALLER),
        (CALLER, FORGED, CALLER),
        ("", FORGED, ""),
        ("@", FORGED, ""),
    ],
)
def test_only_what_trusted_proxies_appended_is_believed(
    settings: Settings, peer: str, forwarded: str | None, ip: str
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TRUSTED_PROXIES": "10.0.0.0/8"}

    assert seen_from(peer, forwarded) == ip


def test_without_trusted_proxies_the_header_counts_for_nothing() -> None:
    assert seen_from(PROXY, CALLER) == PROXY


def test_a_user_agent_loses_control_characters_and_what_is_too_long() -> None:
    request = RequestFactory().get("/", headers={"User-Agent": "a\x1b[31m\u202eb" + "x" * 600}, REMOTE_ADDR=CALLER)

    assert client_of(request).user_agent == ("a[31mb" + "x" * 600)[:512]
