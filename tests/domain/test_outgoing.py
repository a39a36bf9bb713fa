"""The guarded HTTP client, against real servers on loopback."""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
import requests
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from core.conf import core_settings
from core.outgoing import Answer, AnswerTooLarge, NoAnswer, OutgoingError, TargetRefused, exchange, fetch
from core.outgoing.exchange import is_public
from tests.loopback import Peer, answering, dripping, response, serving
from tests.patience import is_soon
from tests.rows import each
from tests.tls import trusted_context

pytestmark = pytest.mark.once

TRUSTED_BY_DEFAULT = requests.adapters.DEFAULT_CA_BUNDLE_PATH
SOON = 3
"""Seconds. The value is far above the limits of the tests and far below the time of a dripping server."""


def call(url: str, **changed: Any) -> Answer:
    usual: dict[str, Any] = {
        "method": "GET",
        "headers": {},
        "body": None,
        "timeout_seconds": SOON,
        "max_bytes": 1000,
        "allow_private": True,
    }
    return fetch(url=url, **{**usual, **changed})


def test_an_answer_has_status_headers_and_body() -> None:
    with serving(answering(response(b"short and stout", status="418 Teapot", headers="X-Kind: tea\r\n"))) as peer:
        answer = call(peer.url("/brew?cups=2"), method="POST", headers={"X-Milk": "no"}, body=b"please")

    assert (answer.status, answer.headers["x-kind"], answer.body) == (418, "tea", b"short and stout")
    (received,) = peer.received
    assert received.line == "POST /brew?cups=2 HTTP/1.1"
    assert received.body == b"please"
    assert received.headers == {
        "Host": f"127.0.0.1:{peer.port}",
        "Content-Length": "6",
        "User-Agent": "authsvc",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "X-Milk": "no",
    }


def test_a_redirect_is_returned_and_not_followed() -> None:
    with serving(answering(response(b"in time"))) as elsewhere:
        moved = response(status="302 Found", headers=f"Location: {elsewhere.url()}\r\n")
        with serving(answering(moved)) as peer:
            answer = call(peer.url())

    assert (answer.status, answer.headers["Location"]) == (302, elsewhere.url())
    assert elsewhere.received == []


def test_a_chunked_body_is_assembled() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    with serving(answering(chunked)) as peer:
        assert call(peer.url()).body == b"abcde"


def test_a_body_of_exactly_the_limit_is_accepted() -> None:
    with serving(answering(response(b"x" * 1000))) as peer:
        assert len(call(peer.url(), max_bytes=1000).body) == 1000


@pytest.mark.parametrize(
    "answer",
    [
        response(b"x" * 1001),
        b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + b"x" * 1001 + b"\r\n0\r\n\r\n",
    ],
    ids=["with a length", "until the end", "chunked"],
)
def test_a_larger_body_is_refused(answer: bytes) -> None:
    with serving(answering(answer)) as peer, pytest.raises(AnswerTooLarge):
        call(peer.url(), max_bytes=1000)


def test_an_unread_body_may_be_malformed() -> None:
    head = b"HTTP/1.1 503 Later\r\nRetry-After: 7\r\nContent-Length: 10\r\n\r\nbroken"
    with serving(answering(head)) as peer:
        answer = call(peer.url(), max_bytes=None)

    assert (answer.status, answer.headers["retry-after"], answer.body) == (503, "7", b"")


def test_a_truncated_body_is_no_answer() -> None:
    with serving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbroken")) as peer, pytest.raises(NoAnswer):
        call(peer.url())


def test_an_endless_body_is_cut_off() -> None:
    with serving(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536)) as peer:
        with pytest.raises(AnswerTooLarge):
            call(peer.url())

        assert peer.has_disconnected.wait(SOON)


def test_a_compressed_body_is_not_decompressed() -> None:
    with serving(answering(response(b"\x1f\x8bnonsense", headers="Content-Encoding: gzip\r\n"))) as peer:
        assert call(peer.url()).body == b"\x1f\x8bnonsense"


@pytest.mark.parametrize(
    "talk",
    [
        dripping(b"", b""),
        dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
        dripping(b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"x"),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
    ids=["silence", "header", "continue", "body", "chunks"],
)
def test_the_deadline_applies_to_the_whole_exchange(talk: Any) -> None:
    with serving(talk) as peer:
        before = monotonic()
        with pytest.raises(NoAnswer):
            call(peer.url(), timeout_seconds=0.2)

        took = monotonic() - before
        assert took >= 0.2
        assert is_soon(took, limit=1)
        assert len(peer.received) == 1


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\n\r\n"], ids=["header", "body"])
def test_a_dripping_server_loses_its_connection_at_the_deadline(start: bytes) -> None:
    with serving(dripping(start, b"x")) as peer:
        with pytest.raises(NoAnswer):
            call(peer.url(), timeout_seconds=0.1)

        assert peer.has_disconnected.wait(SOON)


def test_the_deadline_applies_to_a_name_server_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer = threading.Event()
    real = socket.getaddrinfo

    def getaddrinfo(host: str, *args: Any, **more: Any) -> list[Any]:
        if host == "slow.example":
            may_answer.wait(SOON)
        return list(real("127.0.0.1", *args, **more))

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with serving(answering(response())) as peer:
        before = monotonic()
        with pytest.raises(NoAnswer):
            call(peer.url(host="slow.example"), timeout_seconds=0.1)
        assert is_soon(monotonic() - before, limit=1)

        may_answer.set()
        join_calls()

    assert peer.received == []


def test_the_deadline_applies_to_a_tls_handshake() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        before = monotonic()
        with pytest.raises(NoAnswer):
            call(f"https://127.0.0.1:{silent.getsockname()[1]}/", timeout_seconds=0.1)

        assert is_soon(monotonic() - before, limit=1)
        # Python leaves a socket open that is reset before its TLS handshake begins.
        join_calls()


def join_calls() -> None:
    """Wait for the threads of calls whose deadline has passed."""
    for thread in threading.enumerate():
        if thread.name == "outgoing":
            thread.join(SOON)


@pytest.mark.parametrize(
    "answer",
    [b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut"],
    ids=["nothing", "another protocol", "a body cut short"],
)
def test_an_incomplete_answer_raises_no_answer(answer: bytes) -> None:
    with serving(answering(answer)) as peer, pytest.raises(NoAnswer):
        call(peer.url())


def test_a_closed_port_raises_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with pytest.raises(NoAnswer):
        call(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 64 + ".example", "a..b"])
def test_a_name_without_an_address_raises_no_answer(host: str) -> None:
    with pytest.raises(NoAnswer):
        call(f"http://{host}/")


@each(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "0",
        "１２７.0.0.1",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fd00::1]",
        "[fe80::1]",
        "[ff02::1]",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
    ],
)
def test_no_spelling_of_a_private_address_is_called(host: str) -> None:
    with serving(answering(response())) as peer, pytest.raises(TargetRefused):
        call(peer.url(host=host), allow_private=False)

    assert peer.received == []


@each(
    "url",
    [
        "",
        "127.0.0.1/",
        "//127.0.0.1/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://127.0.0.1:65536/",
        "http://127.0.0.1:http/",
        "http://[::1/",
        "http://alice@127.0.0.1/",
        "http://alice:secret@127.0.0.1/",
    ],
)
def test_a_forbidden_url_is_refused(url: str) -> None:
    with pytest.raises(TargetRefused):
        call(url)


@pytest.mark.parametrize("value", ["key\r\nX-Other: 1", "key\u20ac"])
def test_a_malformed_header_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(TargetRefused) as caught:
        call("http://127.0.0.1:9/", headers={"Authorization": value})

    assert "key" not in str(caught.value)


@hypothesis.settings(max_examples=50)
@given(url=st.text() | st.text().map("http://{}".format) | st.text().map("https://a{}/".format))
def test_any_text_is_either_refused_or_a_plain_http_url(url: str) -> None:
    try:
        request = exchange._prepare(method="GET", url=url, headers={}, body=None)
    except TargetRefused:
        return

    parts = urlsplit(request.url or "")
    assert parts.scheme in ("http", "https")
    assert parts.hostname
    assert "@" not in parts.netloc


@each(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - the client refuses this address
        "10.0.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "169.254.169.254",
        "172.31.255.255",
        "192.0.0.192",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::8.8.8.8",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "64:ff9b:1::808:808",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "2002:808:808::1",
        "3fff::1",
        "fc00::1",
        "fe80::1%1",
        "fec0::1",
        "ff0e::1",
        "4000::1",
    ],
)
def test_special_addresses_and_tunnels_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@each("address", ["1.1.1.1", "100.128.0.1", "172.32.0.1", "223.255.255.255", "2001:4860:4860::8888", "2606:4700::1111"])
def test_an_internet_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["1.1.1.1", "127.0.0.1"])

    with serving(answering(response())) as peer, pytest.raises(TargetRefused):
        call(peer.url(host="mixed.example"), allow_private=False)

    assert peer.received == []


def test_a_name_is_resolved_once_and_kept_in_the_host_header(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(monkeypatch, ["127.0.0.1"])

    with serving(answering(response(b"here"))) as peer:
        assert call(peer.url(host="once.example")).body == b"here"

    assert asked == ["once.example"]
    assert peer.received[0].headers["Host"] == f"once.example:{peer.port}"


def test_the_next_address_of_a_name_is_tried_when_one_refuses_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["127.0.0.2", "127.0.0.1"])

    with serving(answering(response(b"here"))) as peer:
        assert call(peer.url(host="two.example")).body == b"here"


def test_proxies_and_passwords_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login alice password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(answering(response(b"by the proxy"))) as proxy, serving(answering(response(b"itself"))) as peer:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())
            monkeypatch.setenv(name.upper(), proxy.url())
        monkeypatch.setenv("no_proxy", "")

        assert call(peer.url()).body == b"itself"

    assert proxy.received == []
    assert "Authorization" not in peer.received[0].headers


def test_a_certificate_is_checked_against_the_name_and_not_the_address(
    tls_peer: tuple[Peer, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    peer, server_names = tls_peer
    resolving(monkeypatch, ["127.0.0.1"])

    assert call(peer.url(scheme="https", host="good.example")).body == b"sealed"
    with pytest.raises(NoAnswer, match="TLS"):
        call(peer.url(scheme="https", host="evil.example"))

    assert server_names == ["good.example", "evil.example"]
    assert [received.headers["Host"] for received in peer.received] == [f"good.example:{peer.port}"]


def test_a_certificate_of_an_unknown_issuer_is_not_trusted(
    tls_peer: tuple[Peer, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    peer, _ = tls_peer
    resolving(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(requests.adapters, "DEFAULT_CA_BUNDLE_PATH", TRUSTED_BY_DEFAULT)

    with pytest.raises(NoAnswer, match="TLS"):
        call(peer.url(scheme="https", host="good.example"))


def test_the_operator_can_name_authorities_beside_the_public_ones(
    tls_peer: tuple[Peer, list[str]], monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    peer, _ = tls_peer
    resolving(monkeypatch, ["127.0.0.1"])
    own, public = tmp_path / "trusted.pem", tmp_path / "public"
    public.mkdir()
    other = trusted_context(public, monkeypatch, host="public.example")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OUTGOING_CA_FILE": str(own)}

    with serving(answering(response(b"public")), tls=other) as known:
        assert call(peer.url(scheme="https", host="good.example")).body == b"sealed"
        assert call(known.url(scheme="https", host="public.example")).body == b"public"
        with pytest.raises(NoAnswer, match="TLS"):
            call(peer.url(scheme="https", host="evil.example"))
    (tmp_path / "empty.pem").touch()
    for wrong in ("nowhere.pem", "empty.pem"):
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OUTGOING_CA_FILE": str(tmp_path / wrong)}
        with pytest.raises(ImproperlyConfigured, match="OUTGOING_CA_FILE must be the path of a readable PEM file"):
            core_settings()


def test_no_error_shows_the_url() -> None:
    with serving(answering(b"")) as peer, pytest.raises(OutgoingError) as caught:
        call(peer.url("/hooks/secret?key=secret"))

    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__


def resolving(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> list[str]:
    """Resolve every name to the given addresses. Return the list of the requested names."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host: str, port: int | None, *args: Any, **more: Any) -> list[Any]:
        if not host.endswith(".example"):
            return list(real(host, port, *args, **more))
        asked.append(host)
        return [entry for address in addresses for entry in real(address, port, *args, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.fixture
def tls_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Peer, list[str]]]:
    """Run a trusted TLS peer for good.example. Return the peer and the list of requested server names."""
    context = trusted_context(tmp_path, monkeypatch, host="good.example")
    server_names: list[str] = []
    context.set_servername_callback(lambda _socket, name, _context: server_names.append(name or ""))
    with serving(answering(response(b"sealed")), tls=context) as peer:
        yield peer, server_names
