import socket
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any

import pytest

from console.reports import oauth_health
from console.reports.oauth_health import Probed, status_of
from sessions_app.oauth import discovery
from tests import issuers
from tests.loopback import Peer, Talk, answering, response, serving
from tests.operators import Console
from tests.patience import is_soon, patient
from tests.rows import each

PATH = "/oauth/health"
PROVIDERS = ["google", "github", "microsoft", "gitlab", "discord", "apple"]
SECRET = "client-secret-5e1c"

Configure = Callable[..., None]


def silence(peer: Peer, _send: Callable[[bytes], object]) -> None:
    """Send nothing until the test ends."""
    peer.is_over.wait(20)


def provider(name: str, url: str) -> dict[str, str]:
    variable = f"OAUTH_{name.upper()}"
    return {
        f"{variable}_CLIENT_ID": "client-id",
        f"{variable}_CLIENT_SECRET": SECRET,
        f"{variable}_AUTHORIZE_URL": url,
    }


def entry(console: Console, name: str = "google") -> dict[str, Any]:
    entries = {entry["provider"]: entry for entry in console.get(PATH).data["providers"]}
    return dict(entries[name])


def test_unconfigured_providers_are_listed_and_not_called(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []
    monkeypatch.setattr(oauth_health, "fetch", lambda **given: called.append(given))

    assert console.get(PATH).data == {
        "providers": [{"provider": name, "configured": False, "status": "not_configured"} for name in PROVIDERS]
    }
    assert called == []


@pytest.mark.parametrize("missing", ["CLIENT_ID", "CLIENT_SECRET"])
def test_a_provider_needs_an_id_and_a_secret(console: Console, configure: Configure, missing: str) -> None:
    with serving(answering(response())) as peer:
        configure(**provider("google", peer.url()) | {f"OAUTH_GOOGLE_{missing}": ""})

        assert entry(console) == {"provider": "google", "configured": False, "status": "not_configured"}
        assert peer.received == []


@pytest.mark.parametrize(
    ("answer", "status", "http_status"),
    [
        (response(), "degraded", 200),
        (response(status="302 Found", headers="Location: /login\r\n"), "degraded", 302),
        (response(status="400 Bad Request"), "ok", 400),
        (response(status="404 Not Found"), "ok", 404),
        (response(status="429 Too Many Requests"), "ok", 429),
        (response(status="499 Odd"), "ok", 499),
        (response(b"x" * 1_000_000, status="400 Bad Request"), "ok", 400),
        (response(status="500 Internal Server Error"), "degraded", 500),
        (response(status="503 Service Unavailable"), "degraded", 503),
        (response(b"x" * 1_000_000, status="502 Bad Gateway"), "degraded", 502),
        (b"", "unreachable", 0),
        (b"SSH-2.0-OpenSSH\r\n", "unreachable", 0),
        (b"HTTP/1.1", "unreachable", 0),
    ],
)
def test_the_status_of_a_configured_provider_depends_on_its_answer(
    console: Console, configure: Configure, answer: bytes, status: str, http_status: int
) -> None:
    with serving(answering(answer)) as peer:
        configure(**provider("google", peer.url("/authorize")))
        found = entry(console)

    latency_ms = found.pop("latency_ms")
    assert found == {"provider": "google", "configured": True, "status": status, "http_status": http_status}
    assert isinstance(latency_ms, int)
    assert 0 <= latency_ms < 5000
    assert len(peer.received) == 1


@each(
    "url, status, location, health",
    [
        ("https://acme.example/authorize", 200, "", "ok"),
        ("https://acme.example/authorize", 302, "/login", "ok"),
        ("https://acme.example/authorize", 302, "https://acme.example:443/login", "ok"),
        ("https://acme.example/authorize", 302, "https://other.example/login", "degraded"),
        ("https://acme.example/authorize", 302, "//other.example/login", "degraded"),
        ("https://acme.example/authorize", 400, "https://other.example/login", "ok"),
        ("http://acme.example/authorize", 200, "", "degraded"),
        ("http://acme.example/authorize", 302, "https://acme.example/authorize", "degraded"),
        ("http://acme.example/authorize", 400, "", "ok"),
        ("https://acme.example/authorize", 500, "", "degraded"),
    ],
)
def test_a_redirect_to_another_host_and_an_answer_without_tls_are_degraded(
    url: str, status: int, location: str, health: str
) -> None:
    assert status_of(Probed(url=url, status=status, location=location)) == health


def test_an_issuer_of_the_settings_is_probed_at_the_page_that_it_states(console: Console, configure: Configure) -> None:
    discovery.forget()
    with issuers.running() as issuer:
        configure(**issuer.variables("acme"))
        found = entry(console, "acme")

    assert (found["configured"], found["status"], found["http_status"]) == (True, "ok", 400)
    assert [asked.path for asked in issuer.asked] == ["/.well-known/openid-configuration", "/authorize"]


def test_an_issuer_without_valid_metadata_is_unreachable(console: Console, configure: Configure) -> None:
    discovery.forget()
    with issuers.running() as issuer:
        issuer.metadata = {"issuer": "https://other.example"}
        configure(**issuer.variables("acme"))

        assert (entry(console, "acme")["status"], entry(console, "acme")["http_status"]) == ("unreachable", 0)


def test_a_probe_is_a_get_request_without_credentials(console: Console, configure: Configure) -> None:
    with serving(answering(response())) as peer:
        configure(**provider("github", peer.url("/authorize?tenant=a")))
        entry(console)

    (request,) = peer.received
    assert (request.line, request.body) == ("GET /authorize?tenant=a HTTP/1.1", b"")
    assert "client-id" not in str(request)
    assert SECRET not in str(request)
    assert not {"authorization", "cookie", "referer"} & {name.lower() for name in request.headers}


def test_a_closed_port_is_unreachable(console: Console, configure: Configure) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    configure(**provider("apple", f"http://127.0.0.1:{port}/"))

    found = entry(console, "apple")

    assert (found["status"], found["http_status"]) == ("unreachable", 0)


def test_a_name_without_an_address_is_unreachable(console: Console, configure: Configure) -> None:
    configure(**provider("apple", "https://nobody.invalid/authorize"))

    assert entry(console, "apple")["status"] == "unreachable"


def test_a_probe_takes_at_most_five_seconds() -> None:
    assert oauth_health.TIMEOUT_SECONDS == 5


def test_six_silent_providers_take_as_long_as_one(
    console: Console, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth_health, "TIMEOUT_SECONDS", 0.8)
    with ExitStack() as stack:
        peers = [stack.enter_context(serving(silence)) for _ in PROVIDERS]
        for name, peer in zip(PROVIDERS, peers, strict=True):
            configure(**provider(name, peer.url()))
        started = monotonic()
        entries = console.get(PATH).data["providers"]
        took = monotonic() - started

    assert [(entry["provider"], entry["status"], entry["http_status"]) for entry in entries] == [
        (name, "unreachable", 0) for name in PROVIDERS
    ]
    assert all(800 <= entry["latency_ms"] < 1000 * patient(2.4) for entry in entries)
    assert took >= 0.8
    assert is_soon(took, limit=2.4)
    assert [len(peer.received) for peer in peers] == [1] * 6


def test_a_silent_provider_does_not_affect_the_others(
    console: Console, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth_health, "TIMEOUT_SECONDS", 0.8)
    talks: dict[str, Talk] = {
        "google": silence,
        "github": answering(response(status="400 Bad Request")),
        "gitlab": answering(b""),
    }
    with ExitStack() as stack:
        for name, talk in talks.items():
            configure(**provider(name, stack.enter_context(serving(talk)).url()))
        entries = console.get(PATH).data["providers"]

    assert {entry["provider"]: entry["status"] for entry in entries} == {
        "google": "unreachable",
        "github": "ok",
        "microsoft": "not_configured",
        "gitlab": "unreachable",
        "discord": "not_configured",
        "apple": "not_configured",
    }


def test_no_answer_contains_a_client_id_a_secret_or_a_url(console: Console, configure: Configure) -> None:
    configure(**provider("google", "http://inner-network.invalid/authorize"))

    text = str(console.get(PATH).body)

    assert not any(secret in text for secret in (SECRET, "client-id", "inner-network"))
