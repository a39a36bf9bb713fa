import pytest
from django.test import RequestFactory
from pytest_django import Settings

from core.http.client import client_of
from tests.rows import each

pytestmark = pytest.mark.once

PROXY, FAR_PROXY, CALLER, FORGED = "10.0.0.1", "10.0.0.2", "203.0.113.9", "198.51.100.1"


def seen_from(peer: str, forwarded: str | None = None, user_agent: str = "") -> str:
    headers = {"User-Agent": user_agent} | ({"X-Forwarded-For": forwarded} if forwarded is not None else {})
    return client_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)).ip


@each(
    "peer, forwarded, ip",
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
def test_only_addresses_appended_by_trusted_proxies_are_trusted(
    settings: Settings, peer: str, forwarded: str | None, ip: str
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TRUSTED_PROXIES": "10.0.0.0/8"}

    assert seen_from(peer, forwarded) == ip


@each(
    "forwarded, ip",
    [
        (f"for={CALLER}", CALLER),
        (f"For={CALLER};proto=https;by={PROXY}", CALLER),
        (f"by={PROXY}; for={CALLER}:4711", CALLER),
        (f"for={FORGED}, for={CALLER}", CALLER),
        (f"for={FORGED}, for={CALLER};host=example.com, for={FAR_PROXY}", CALLER),
        ('for="[2001:DB8::1]:443"', "2001:db8::1"),
        ("for=[2001:db8::1]", "2001:db8::1"),
        (f'for={FORGED};host="a, for={CALLER}', CALLER),
        (f'for={CALLER};host="a,for={FORGED};b="', CALLER),
        (f'for={CALLER};host="for={FORGED}"', CALLER),
        (f'for={CALLER};host=";for={FORGED};"', CALLER),
        (f'host=";for={FORGED};";for={CALLER}', CALLER),
        (f'for="{FORGED}", for=unknown', PROXY),
        (f"for={FORGED}, for=_hidden", PROXY),
        (f"for={FORGED}, proto=https", PROXY),
        (f"for={FORGED}, for", PROXY),
        (CALLER, PROXY),
        ("", PROXY),
        (f"for={FORGED}" + f",for={FAR_PROXY}" * 100, FAR_PROXY),
        ('",' * 4000, PROXY),
        ("; " * 4000 + "x", PROXY),
    ],
)
def test_the_forwarded_header_counts_where_the_proxy_sets_it(settings: Settings, forwarded: str, ip: str) -> None:
    own = {"TRUSTED_PROXIES": "10.0.0.0/8", "PROXY_IP_HEADER": "Forwarded"}
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **own}
    headers = {"Forwarded": forwarded, "X-Forwarded-For": FORGED}

    assert client_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)).ip == ip
    assert client_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=CALLER)).ip == CALLER


@pytest.mark.parametrize("name", ["X-Real-IP", "Clientip"])
def test_only_the_configured_header_counts(settings: Settings, name: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TRUSTED_PROXIES": "10.0.0.0/8", "PROXY_IP_HEADER": name}
    others = {"X-Forwarded-For": FORGED, "Forwarded": f"for={FORGED}"}

    for headers, ip in (({name: CALLER, **others}, CALLER), (others, PROXY)):
        assert client_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)).ip == ip


def test_without_trusted_proxies_the_header_is_ignored() -> None:
    assert seen_from(PROXY, CALLER) == PROXY


def test_a_user_agent_is_stored_without_control_characters_and_shortened() -> None:
    request = RequestFactory().get("/", headers={"User-Agent": "a\x1b[31m\u202eb" + "x" * 600}, REMOTE_ADDR=CALLER)

    assert client_of(request).user_agent == ("a[31mb" + "x" * 600)[:512]
