"""The client in clients/python against a running service, through a proxy that loses answers."""

import base64
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Semaphore, current_thread, main_thread
from typing import Any

import httpx
import pytest

from gatehouse_client import Gatehouse, GatehouseError, Memory, Reauthentication
from gatehouse_client.proofs import ProofKey
from tests.browser.service import Service, Visitor
from tests.client import PASSWORD
from tests.loopback import Peer, response, serving
from tests.processes.running import PATIENCE, ROOT
from tests.second_factors import app_of

from .proxy import Proxy

pytestmark = pytest.mark.once

README = ROOT / "clients" / "python" / "README.md"
REFRESH = "/v1/refresh"
OVERLOADED = response(
    b'{"error": {"code": "overloaded", "message": "Try again later."}}',
    status="503 Service Unavailable",
    headers="Content-Type: application/json\r\nRetry-After: 1\r\n",
)
Open = Callable[..., Gatehouse]


def access_token(user_id: str) -> str:
    """Return a token with the claims that a client reads."""
    claims = json.dumps({"iat": 0, "exp": 900, "sub": user_id})
    return f"a.{base64.urlsafe_b64encode(claims.encode()).decode()}.c"


STORED = {
    "access_token": access_token("alice"),
    "refresh_token": "srt_1",
    "key": "k" * 22,
    "is_sent": True,
    "renew_at": 0,
}
UNACCEPTED = response(
    b'{"error": {"code": "invalid_access_token", "message": "Refresh it."}}', status="401 Unauthorized"
)


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the client repeat a refresh almost at once."""
    monkeypatch.setattr("gatehouse_client.client.RETRY_SECONDS_MAX", 0.01)


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


@pytest.fixture
def open_client(proxy: Proxy) -> Iterator[Open]:
    """Make a client of the service behind the proxy. The fixture closes each client."""
    opened: list[Gatehouse] = []

    def start(base_url: str = proxy.url, **options: Any) -> Gatehouse:
        opened.append(Gatehouse(base_url, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def gatehouse(open_client: Open, alice: Visitor) -> Gatehouse:
    """A client with a session of alice."""
    gatehouse = open_client()
    assert gatehouse.login(alice.email, PASSWORD) is None
    return gatehouse


def held(storage: Memory) -> Any:
    """Return the stored session."""
    return json.loads(storage.load() or "null")


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect an error with this code."""
    with pytest.raises(GatehouseError) as raised:
        yield
    assert raised.value.code == code


def test_a_login_starts_a_session_that_requests_use(gatehouse: Gatehouse) -> None:
    sessions = gatehouse.request("GET", "/v1/sessions")

    assert [session["current"] for session in sessions].count(True) == 1


def test_me_is_the_signed_in_account(gatehouse: Gatehouse, alice: Visitor) -> None:
    account = gatehouse.me()

    assert (account["email"], account["email_verified"], account["factors"]) == (alice.email, False, [])


def test_the_client_refreshes_after_the_service_refused_its_access_token(
    open_client: Open, alice: Visitor, proxy: Proxy
) -> None:
    storage = Memory()
    gatehouse = open_client(storage=storage)
    gatehouse.login(alice.email, PASSWORD)
    header, payload, _ = gatehouse.access_token().split(".")
    storage.save(json.dumps({**held(storage), "access_token": f"{header}.{payload}.AAAA"}))

    assert gatehouse.request("GET", "/v1/sessions")

    assert [one.path for one in proxy.seen] == ["/v1/login", "/v1/sessions", REFRESH, "/v1/sessions"]


def test_the_client_refreshes_before_its_access_token_expires(open_client: Open, alice: Visitor, proxy: Proxy) -> None:
    storage = Memory()
    gatehouse = open_client(storage=storage)
    gatehouse.login(alice.email, PASSWORD)
    storage.save(json.dumps({**held(storage), "renew_at": 0}))

    assert gatehouse.request("GET", "/v1/sessions")

    assert [one.path for one in proxy.seen] == ["/v1/login", REFRESH, "/v1/sessions"]


def test_an_error_that_does_not_concern_the_access_token_causes_no_refresh(proxy: Proxy, gatehouse: Gatehouse) -> None:
    with refused("invalid_credentials"):
        gatehouse.request("POST", "/v1/delete-account", {"current_password": "a wrong password"})

    assert proxy.keys(path=REFRESH) == []


def test_a_request_causes_one_refresh_at_most(open_client: Open) -> None:
    pair = {"access_token": f"{access_token('alice')}2", "refresh_token": "srt_2"}
    fresh = response(json.dumps({"data": pair}).encode())
    storage = Memory()
    storage.save(json.dumps({**STORED, "renew_at": time.time() + 60}))

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        send(fresh if REFRESH in peer.received[-1].line else UNACCEPTED)

    with serving(talk) as peer:
        gatehouse = open_client(peer.url(""), storage=storage)
        with refused("invalid_access_token"):
            gatehouse.request("GET", "/v1/sessions")

    assert [one.line.split()[1] for one in peer.received] == ["/v1/sessions", REFRESH, "/v1/sessions"]
    assert gatehouse.is_signed_in


def test_a_request_is_not_repeated_as_another_user_who_signed_in_meanwhile(open_client: Open) -> None:
    storage = Memory()
    storage.save(json.dumps({**STORED, "renew_at": time.time() + 60}))

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        storage.save(json.dumps({**STORED, "access_token": access_token("bob"), "renew_at": time.time() + 60}))
        send(UNACCEPTED)

    with serving(talk) as peer:
        gatehouse = open_client(peer.url(""), storage=storage)
        with refused("signed_out"):
            gatehouse.request("GET", "/v1/sessions")

    assert len(peer.received) == 1


class CountedLoads(Memory):
    """A storage that counts how often a thread other than the main one has loaded the session."""

    def __init__(self) -> None:
        super().__init__()
        self.loads = Semaphore(0)

    def load(self) -> str | None:
        text = super().load()
        if current_thread() is not main_thread():
            self.loads.release()
        return text


@pytest.mark.parametrize(
    "call",
    [
        lambda gatehouse: gatehouse.request("POST", "/v1/logout-all"),
        lambda gatehouse: gatehouse.access_token(refused=STORED["access_token"]),
        lambda gatehouse: gatehouse.logout(),
    ],
)
def test_a_call_that_waits_for_a_refresh_never_goes_out_as_another_user_who_signs_in(
    open_client: Open, call: Callable[[Gatehouse], object]
) -> None:
    bob = json.dumps({"data": {"access_token": access_token("bob"), "refresh_token": "srt_2"}}).encode()
    ended = response(b'{"error": {"code": "invalid_token", "message": "Sign in."}}', status="401 Unauthorized")
    storage = CountedLoads()
    storage.save(json.dumps(STORED))
    waiting: list[Future[object]] = []

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        path = peer.received[-1].line.split()[1]
        if path == REFRESH:
            # The main thread holds the lock. The other thread waits for it after it has loaded the session twice.
            waiting.append(pool.submit(call, gatehouse))
            assert all(storage.loads.acquire(timeout=PATIENCE) for _ in range(2))
        send({REFRESH: ended, "/v1/login": response(bob)}.get(path, UNACCEPTED))

    with serving(talk) as peer, ThreadPoolExecutor(1) as pool:
        gatehouse: Gatehouse = open_client(
            peer.url(""), storage=storage, on_signed_out=lambda: gatehouse.login("bob@example.com", PASSWORD)
        )
        with refused("invalid_token"):
            gatehouse.access_token()
        with refused("signed_out"):
            waiting[0].result(PATIENCE)

    assert [one.line.split()[1] for one in peer.received] == [REFRESH, "/v1/login"]
    assert held(storage)["refresh_token"] == "srt_2"


def test_a_token_of_another_user_does_not_replace_a_refused_one(gatehouse: Gatehouse, proxy: Proxy) -> None:
    with refused("signed_out"):
        gatehouse.access_token(refused=access_token("bob"))

    assert proxy.keys(path=REFRESH) == []


def test_a_refresh_whose_answer_was_lost_is_repeated_with_its_key(gatehouse: Gatehouse, proxy: Proxy) -> None:
    proxy.lose_answers(1, path=REFRESH)

    fresh = gatehouse.access_token(refused=gatehouse.access_token())
    again = gatehouse.access_token(refused=fresh)

    first, second, third = proxy.keys(path=REFRESH)
    assert first == second != third
    assert gatehouse.access_token() == again


def test_a_session_survives_two_lost_answers(gatehouse: Gatehouse, proxy: Proxy) -> None:
    token = gatehouse.access_token()
    proxy.lose_answers(2, path=REFRESH)

    with refused("no_answer"):
        gatehouse.access_token(refused=token)

    assert gatehouse.is_signed_in
    assert gatehouse.access_token(refused=token) != token
    assert len(set(proxy.keys(path=REFRESH))) == 1


def test_a_client_that_starts_after_a_crash_repeats_the_key(open_client: Open, alice: Visitor, proxy: Proxy) -> None:
    storage = Memory()
    crashed = open_client(storage=storage)
    crashed.login(alice.email, PASSWORD)
    proxy.lose_answers(2, path=REFRESH)
    with refused("no_answer"):
        crashed.access_token(refused=crashed.access_token())

    restarted = open_client(storage=storage)
    restarted.access_token(refused=restarted.access_token())

    assert len(set(proxy.keys(path=REFRESH))) == 1


def test_threads_share_one_refresh(gatehouse: Gatehouse, proxy: Proxy) -> None:
    token = gatehouse.access_token()

    with ThreadPoolExecutor(8) as pool:
        fresh = {call.result() for call in [pool.submit(gatehouse.access_token, refused=token) for _ in range(8)]}

    assert len(fresh) == 1
    assert len(proxy.keys(path=REFRESH)) == 1


def test_a_session_that_the_service_ended_signs_the_client_out_once(
    open_client: Open, alice: Visitor, service: Service
) -> None:
    calls: list[str] = []
    gatehouse = open_client(on_signed_out=lambda: calls.append("signed out"))
    gatehouse.login(alice.email, PASSWORD)
    token = gatehouse.access_token()
    assert service.post("/v1/logout-all", token=alice.access).status == 200

    with refused("invalid_token"):
        gatehouse.access_token(refused=token)

    assert not gatehouse.is_signed_in
    assert calls == ["signed out"]
    with refused("signed_out"):
        gatehouse.access_token()
    with refused("missing_auth_header"):
        gatehouse.request("GET", "/v1/sessions")


def test_the_callback_can_sign_in_again(open_client: Open, alice: Visitor, service: Service) -> None:
    client: Gatehouse = open_client(on_signed_out=lambda: client.login(alice.email, PASSWORD))
    client.login(alice.email, PASSWORD)
    token = client.access_token()
    service.post("/v1/logout-all", token=alice.access)

    with refused("invalid_token"):
        client.access_token(refused=token)

    assert client.request("GET", "/v1/sessions")


def test_an_overloaded_service_signs_no_client_out(open_client: Open) -> None:
    storage = Memory()
    storage.save(json.dumps(STORED))
    with serving(lambda _peer, send: send(OVERLOADED)) as peer:
        outage = open_client(peer.url(""), storage=storage)
        with pytest.raises(GatehouseError) as raised:
            outage.request("GET", "/v1/sessions")

    error = raised.value
    assert (error.code, error.status, error.message, error.retry_after) == ("overloaded", 503, "Try again later.", 1)
    assert [one.line for one in peer.received] == ["POST /v1/refresh HTTP/1.1"] * 2
    assert outage.is_signed_in


@pytest.mark.parametrize(
    "answer",
    [
        response(b"<h1>Bad Gateway</h1>", status="502 Bad Gateway"),
        response(b"<h1>Unauthorized</h1>", status="401 Unauthorized"),
        response(b"{}"),
        response(b'{"data": {"access_token": '),
        response(b"[]"),
        b"",
    ],
)
def test_an_answer_that_is_not_of_the_service_signs_no_client_out(answer: bytes, open_client: Open) -> None:
    storage = Memory()
    storage.save(json.dumps(STORED))
    with serving(lambda _peer, send: send(answer)) as peer:
        gatehouse = open_client(peer.url(""), storage=storage)

        with refused("no_answer"):
            gatehouse.access_token()

    assert len(peer.received) == 2
    assert held(storage) == STORED


def test_a_logout_ends_the_session_at_the_service(open_client: Open, alice: Visitor, service: Service) -> None:
    storage = Memory()
    gatehouse = open_client(storage=storage)
    gatehouse.login(alice.email, PASSWORD)
    refresh_token = held(storage)["refresh_token"]

    gatehouse.logout()
    gatehouse.logout()

    assert storage.load() is None
    assert service.post(REFRESH, {"refresh_token": refresh_token}).code == "invalid_token"


def test_a_logout_without_an_answer_deletes_the_tokens(gatehouse: Gatehouse, proxy: Proxy) -> None:
    proxy.lose_answers(1, path="/v1/logout")

    with refused("no_answer"):
        gatehouse.logout()

    assert not gatehouse.is_signed_in


def test_a_second_factor_completes_a_login(open_client: Open, alice: Visitor, gatehouse: Gatehouse) -> None:
    app = app_of(gatehouse.request("POST", "/v1/totp/enroll")["otpauth_url"])
    gatehouse.request("POST", "/v1/totp/confirm", {"code": app.code(steps=-1)})
    codes = gatehouse.request("POST", "/v1/recovery-codes/generate")["codes"]

    other = open_client()
    paused = other.login(alice.email, PASSWORD)
    assert paused is not None
    assert "totp" in paused.methods
    assert not other.is_signed_in
    with refused("invalid_totp_code"):
        paused.totp(app.wrong_code())
    paused.totp(app.code())
    assert other.request("GET", "/v1/sessions")

    paused = other.login(alice.email, PASSWORD)
    assert paused is not None
    paused.recovery_code(codes[0])
    assert other.request("GET", "/v1/sessions")


def test_a_request_that_needs_a_recent_login_is_sent_again_after_a_proof(
    open_client: Open, alice: Visitor, service: Service, proxy: Proxy
) -> None:
    asked: list[str] = []

    def ask(proof: Reauthentication) -> None:
        asked.append("password")
        with refused("invalid_credentials"):
            proof.password("a wrong password")
        proof.password(PASSWORD)

    gatehouse = open_client(on_reauthentication_required=ask)
    gatehouse.login(alice.email, PASSWORD)
    service.let_logins_age()

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda name: gatehouse.request("POST", "/v1/api-keys", {"name": name}), ("a", "b")))

    assert [one["api_key"]["name"] for one in made] == ["a", "b"]
    # A thread whose first request arrives after the proof needs no second one.
    assert asked == ["password"]
    assert 3 <= [one.path for one in proxy.seen].count("/v1/api-keys") <= 4


def test_a_request_is_sent_again_once_at_most_after_a_reauthentication(
    open_client: Open, alice: Visitor, service: Service, proxy: Proxy
) -> None:
    gatehouse = open_client(on_reauthentication_required=lambda _proof: None)
    gatehouse.login(alice.email, PASSWORD)
    service.let_logins_age()

    with refused("reauthentication_required"):
        gatehouse.request("POST", "/v1/api-keys", {"name": "deploy"})

    assert [one.path for one in proxy.seen].count("/v1/api-keys") == 2


def test_without_the_function_a_code_makes_the_session_recent(
    gatehouse: Gatehouse, alice: Visitor, service: Service, open_client: Open
) -> None:
    app = app_of(gatehouse.request("POST", "/v1/totp/enroll")["otpauth_url"])
    gatehouse.request("POST", "/v1/totp/confirm", {"code": app.code(steps=-1)})
    service.let_logins_age()

    with refused("reauthentication_required"):
        gatehouse.request("POST", "/v1/recovery-codes/generate")
    gatehouse.reauthentication().totp(app.code())

    assert gatehouse.request("POST", "/v1/recovery-codes/generate")["codes"]
    with refused("signed_out"):
        open_client().reauthentication()


def test_a_magic_link_starts_a_session(open_client: Open, alice: Visitor, service: Service) -> None:
    gatehouse = open_client()
    gatehouse.request("POST", "/v1/magic-link/request", {"email": alice.email})

    paused = gatehouse.sign_in("/v1/magic-link/complete", {"token": service.token_mailed_to(alice.email)})

    assert paused is None
    assert gatehouse.request("GET", "/v1/sessions")


def test_an_error_states_its_code_status_and_broken_rules(open_client: Open) -> None:
    with pytest.raises(GatehouseError) as raised:
        open_client().request("POST", "/v1/signup", {"email": "bob@example.com", "password": "short"})

    error = raised.value
    assert (error.code, error.status, error.details) == ("password_policy_violation", 400, ("min_length",))
    assert error.message


def test_parameters_fill_the_path_and_the_query(gatehouse: Gatehouse, proxy: Proxy) -> None:
    with refused("not_found"):
        gatehouse.request("DELETE", "/v1/sessions/{session_id}", session_id="../a b")
    with pytest.raises(GatehouseError):
        gatehouse.request("GET", "/v1/admin/users", q="bob@example.com", limit=5)

    assert [one.path for one in proxy.seen[-2:]] == [
        "/v1/sessions/..%2Fa%20b",
        "/v1/admin/users?q=bob%40example.com&limit=5",
    ]


def test_a_path_cannot_change_the_host(gatehouse: Gatehouse) -> None:
    untyped: Any = gatehouse.request

    with pytest.raises(ValueError, match="slash"):
        untyped("GET", "@eve.example.com/")


def test_a_body_that_is_not_json_is_an_error_of_the_application(gatehouse: Gatehouse) -> None:
    untyped: Any = gatehouse.request

    with pytest.raises(TypeError, match="serializable"):
        untyped("POST", "/v1/api-keys", {"name": object()})


def test_no_token_reaches_a_log_or_an_error(
    gatehouse: Gatehouse, proxy: Proxy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = gatehouse.access_token()
    proxy.lose_answers(2, path=REFRESH)

    with pytest.raises(GatehouseError) as raised:
        gatehouse.access_token(refused=token)

    texts = [caplog.text, repr(raised.value), repr(gatehouse)]
    assert not [
        secret for secret in ("eyJ", "srt_", proxy.keys(path=REFRESH)[0] or "") for text in texts if secret in text
    ]


def test_the_storage_of_the_readme_keeps_the_session(open_client: Open, alice: Visitor, tmp_path: Path) -> None:
    (code,) = [
        block for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL) if "class File" in block
    ]
    names: dict[str, Any] = {}
    exec(code.partition("\n\n\ngatehouse = ")[0], names)  # noqa: S102 - the code is on our own page
    path = tmp_path / "session"

    open_client(storage=names["File"](path)).login(alice.email, PASSWORD)

    restarted = open_client(storage=names["File"](path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert restarted.request("GET", "/v1/sessions")
    restarted.logout()
    assert not path.exists()


def test_a_key_binds_the_session_and_a_copy_of_its_tokens_is_useless(
    open_client: Open, alice: Visitor, service: Service
) -> None:
    storage, key = Memory(), ProofKey()
    gatehouse = open_client(storage=storage, key=key, base_url=service.url)
    gatehouse.login(alice.email, PASSWORD)
    access = gatehouse.access_token()

    assert gatehouse.me()["email"] == alice.email
    assert httpx.get(f"{service.url}/v1/me", headers={"Authorization": f"Bearer {access}"}).status_code == 401
    newer = gatehouse.access_token(refused=access)
    assert newer != access
    mine = httpx.get(f"{service.url}/v1/me?a=1", auth=gatehouse.auth)
    assert mine.json()["data"]["email"] == alice.email
    thief = Memory()
    thief.save(storage.load())
    for stolen in (
        open_client(storage=thief, base_url=service.url),
        open_client(storage=thief, key=ProofKey(), base_url=service.url),
    ):
        with refused("invalid_token"):
            stolen.access_token(refused=newer)
        thief.save(storage.load())
    assert gatehouse.access_token(refused=newer) != newer
    gatehouse.logout()
    assert not gatehouse.is_signed_in


def test_an_old_nonce_costs_one_more_request(open_client: Open, alice: Visitor, service: Service) -> None:
    key = ProofKey()
    gatehouse = open_client(key=key, base_url=service.url)
    gatehouse.login(alice.email, PASSWORD)
    key._nonces = dict.fromkeys(key._nonces, "old")

    assert gatehouse.me()["email"] == alice.email


def test_a_session_without_a_key_goes_on_without_one(open_client: Open, alice: Visitor, service: Service) -> None:
    storage = Memory()
    open_client(storage=storage, base_url=service.url).login(alice.email, PASSWORD)

    gatehouse = open_client(storage=storage, key=ProofKey(), base_url=service.url)

    assert gatehouse.access_token(refused=gatehouse.access_token())
    assert gatehouse.me()["email"] == alice.email
    answered = httpx.get(f"{service.url}/v1/me", auth=gatehouse.auth)
    assert answered.status_code == 200
