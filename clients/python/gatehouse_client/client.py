"""A client that keeps a session alive."""

import base64
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol, Self
from urllib.parse import quote

import httpx

from .api import Profile, TypedRequests
from .errors import GatehouseError
from .storage import Memory, Storage

PATIENCE_SECONDS = 30
"""The longest wait for an answer. The service gives up earlier, so a repeated refresh does not overtake the first."""

RETRY_SECONDS = 1
RETRY_SECONDS_MAX = 10
RENEWAL_SHARE = 0.9
"""The client refreshes after this share of an access token's lifetime."""

SESSION_ENDED = ("invalid_token", "token_reused")


class Key(Protocol):
    """A key that proves its possession. `ProofKey` of `gatehouse_client.proofs` is one."""

    def proof(self, method: str, url: str, *, token: str | None = None) -> str:
        """Return a proof for one request. `token` is the access token that the request contains."""

    def learn(self, response: httpx.Response) -> bool:
        """Keep the nonce of the response for later proofs, and return whether it is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactor:
    """A login that waits for its second factor. `methods` are those of the account, such as `totp`.

    This client has no method for passkeys, because a passkey needs a browser.
    """

    methods: Sequence[str]
    _complete: Callable[[str, Mapping[str, str]], None] = field(repr=False)

    def totp(self, code: str) -> None:
        """Complete the login with the six digits of an authenticator app."""
        self._complete("/v1/login/totp", {"code": code})

    def recovery_code(self, code: str) -> None:
        """Complete the login with a recovery code."""
        self._complete("/v1/login/recovery-code", {"code": code})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reauthentication:
    """The ways by which a signed-in user proves their identity again. A wrong proof raises GatehouseError."""

    _prove: Callable[[Mapping[str, str]], object] = field(repr=False)

    def password(self, password: str) -> None:
        """Prove by the password."""
        self._prove({"password": password})

    def totp(self, code: str) -> None:
        """Prove by the six digits of an authenticator app."""
        self._prove({"code": code})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Session:
    """The tokens of a session, in the form of the storage.

    `key` is the Idempotency-Key of the next refresh. The key is stored together with the tokens. So each repetition of
    that refresh has the same key, also after a crash. `is_sent` states whether such a refresh was sent. `renew_at` is a
    time on the client's own clock.
    """

    access_token: str
    refresh_token: str
    key: str
    is_sent: bool
    renew_at: float

    @property
    def user(self) -> str:
        """The id of the user."""
        return str(_claims(self.access_token)["sub"])


class Gatehouse(TypedRequests):
    """A client with one session at most. Threads can share it.

    `storage` keeps the session. Without it, the session is kept in memory. `on_signed_out` is called after the session
    has ended, by a logout or because the service refused a refresh. Network failures never end the session.

    `on_reauthentication_required` is called when a request needs a recent login. It asks the user for a proof and passes
    it to a method of its argument. The request is then sent once more. Threads at the same time share a call. It must
    send no request that needs a recent login itself. Without it, the request raises `reauthentication_required`.

    `key` binds each new session to a key (DPoP), so that its tokens are useless elsewhere. A session that began without a
    key goes on without one.
    """

    def __init__(
        self,
        base_url: str,
        *,
        storage: Storage | None = None,
        on_signed_out: Callable[[], None] = lambda: None,
        on_reauthentication_required: Callable[[Reauthentication], object] | None = None,
        key: Key | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._storage = storage or Memory()
        self._on_signed_out = on_signed_out
        self._key = key
        self._on_reauthentication_required = on_reauthentication_required
        self._http = httpx.Client(timeout=PATIENCE_SECONDS)
        # Only a thread with this lock changes the storage or refreshes. `on_signed_out` may sign in again.
        self._lock = threading.RLock()
        self._proof_lock = threading.Lock()
        self._proofs = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections. The session stays."""
        self._http.close()

    @property
    def is_signed_in(self) -> bool:
        """Whether the client has a session. The service may have ended it."""
        return self._load() is not None

    def login(self, email: str, password: str) -> SecondFactor | None:
        """Start a session. If the account has a second factor, return the paused login instead."""
        return self.sign_in("/v1/login", {"email": email, "password": password})

    def sign_in(self, path: str, body: Mapping[str, Any]) -> SecondFactor | None:
        """Start a session by any route that answers as `POST /v1/login`, such as `/v1/magic-link/complete`."""
        answer = self._call("POST", path, body, is_bound=True)
        if "pending_token" in answer:
            pending_token = answer["pending_token"]

            def complete(path: str, proof: Mapping[str, str]) -> None:
                self.sign_in(path, {"pending_token": pending_token, **proof})

            return SecondFactor(methods=answer["methods"], _complete=complete)
        with self._lock:
            self._store(answer)
        return None

    def logout(self) -> None:
        """End the session.

        The client deletes its tokens even if this raises GatehouseError. The session then still exists at the service.
        """
        session = self._load()
        if session is None:
            return
        try:
            session_id = _claims(self._token_of(session.user).access_token)["jti"]
            self._call_as(session.user, "POST", "/v1/logout", {"session_id": session_id})
        except GatehouseError as error:
            if error.code not in SESSION_ENDED:
                raise
        finally:
            with self._lock:
                self._sign_out(session.user)

    def me(self) -> Profile:
        """Return the signed-in account: its id, address, second factors and time of sign-up."""
        return self.request("GET", "/v1/me")

    def access_token(self, *, refused: str | None = None) -> str:
        """Return a valid access token, after a refresh if necessary.

        Pass a token as `refused` when a service refused it. The result is then a newer token of the same user. Raises
        GatehouseError `signed_out` without a session, the service's error when the session has ended, and `no_answer`.
        """
        session = self._load()
        if session is None:
            raise _signed_out()
        user = _claims(refused)["sub"] if refused else session.user
        return self._token_of(user, refused=refused).access_token

    @property
    def auth(self) -> httpx.Auth:
        """The authentication of httpx for a service of your own: `httpx.get(url, auth=gatehouse.auth)`.

        A key-bound token has a proof in each request. After a 401, the request is sent once more with a newer token. Use it
        only for services that you trust with the token.
        """
        session = self._load()
        if session is None:
            raise _signed_out()
        user = session.user
        return _TokenAuth(lambda refused: self._token_of(user, refused=refused).access_token, self._key)

    def _token_of(self, user: str, *, refused: str | None = None) -> _Session:
        """Return a session of the user with a valid access token.

        Another user may sign in during each wait, in another thread. The call that needs the token is not that user's,
        so this raises `signed_out`.
        """
        session = self._load_for(user)
        if session.access_token != refused and time.time() < session.renew_at:
            return session
        with self._lock:
            current = self._load_for(user)
            if current.access_token != session.access_token:
                return current  # Another thread has refreshed.
            return self._refresh(current)

    def _request(self, method: str, path: str, body: Any, parameters: Mapping[str, Any]) -> Any:
        if not path.startswith("/"):
            raise ValueError("A path begins with a slash.")
        in_path = set(re.findall(r"{(\w+)}", path))
        path = re.sub(r"{(\w+)}", lambda name: quote(str(parameters[name[1]]), safe=""), path)
        query = {name: value for name, value in parameters.items() if name not in in_path}
        session = self._load()
        if session is None:
            return self._call(method, path, body, query=query)
        return self._call_as(session.user, method, path, body, query=query)

    def reauthentication(self) -> Reauthentication:
        """Let the user prove their identity again. The session then counts as a recent login."""
        session = self._load()
        if session is None:
            raise _signed_out()
        return self._reauthentication(session.user)

    def _reauthentication(self, user: str) -> Reauthentication:
        return Reauthentication(_prove=lambda proof: self._try_as(user, "POST", "/v1/reauthenticate", proof))

    def _call_as(self, user: str, method: str, path: str, body: Any, *, query: Mapping[str, Any] | None = None) -> Any:
        """Call as the user, and once more after a reauthentication if the service demanded it."""
        ask, proofs = self._on_reauthentication_required, self._proofs
        try:
            return self._try_as(user, method, path, body, query=query)
        except GatehouseError as error:
            if ask is None or error.code != "reauthentication_required":
                raise
        with self._proof_lock:
            # A higher number means that another thread has asked the user meanwhile.
            if self._proofs == proofs:
                ask(self._reauthentication(user))
                self._proofs += 1
        return self._try_as(user, method, path, body, query=query)

    def _try_as(self, user: str, method: str, path: str, body: Any, *, query: Mapping[str, Any] | None = None) -> Any:
        """Call with the access token of the user, and once more after a refresh if the service refused the token."""
        token = self._token_of(user).access_token
        try:
            return self._call(method, path, body, query=query, token=token)
        except GatehouseError as error:
            if error.code != "invalid_access_token":
                raise
        return self._call(method, path, body, query=query, token=self._token_of(user, refused=token).access_token)

    def _refresh(self, session: _Session) -> _Session:
        """Exchange the tokens, and repeat the exchange once if no answer arrived. Needs the lock.

        Each repetition waits a little: if it overtook the first request, the first would replace its tokens.
        """

        def exchange() -> Any:
            return self._call(
                "POST",
                "/v1/refresh",
                {"refresh_token": session.refresh_token},
                key=session.key,
                is_bound=_is_bound(session.access_token),
            )

        if session.is_sent:
            _pause(RETRY_SECONDS)
        else:
            self._save(replace(session, is_sent=True))
        try:
            try:
                pair = exchange()
            except GatehouseError as error:
                if not _is_temporary(error):
                    raise
                _pause(error.retry_after or RETRY_SECONDS)
                pair = exchange()
        except GatehouseError as error:
            if error.code in SESSION_ENDED:
                self._sign_out(session.user)
            raise
        return self._store(pair)

    def _load(self) -> _Session | None:
        text = self._storage.load()
        return _Session(**json.loads(text)) if text else None

    def _load_for(self, user: str) -> _Session:
        session = self._load()
        if session is None or session.user != user:
            raise _signed_out()
        return session

    def _store(self, pair: Any) -> _Session:
        claims = _claims(pair["access_token"])
        session = _Session(
            access_token=pair["access_token"],
            refresh_token=pair["refresh_token"],
            key=secrets.token_urlsafe(16),
            is_sent=False,
            # The two clocks may differ. The lifetime is the same on both.
            renew_at=time.time() + (claims["exp"] - claims["iat"]) * RENEWAL_SHARE,
        )
        self._save(session)
        return session

    def _save(self, session: _Session) -> None:
        self._storage.save(json.dumps(asdict(session)))

    def _sign_out(self, user: str) -> None:
        """Delete the tokens of the user. The tokens of another user stay."""
        session = self._load()
        if session is not None and session.user == user:
            self._storage.save(None)
            self._on_signed_out()

    def _call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        token: str | None = None,
        key: str | None = None,
        is_bound: bool = False,
    ) -> Any:
        """Return the payload of the answer. Raises GatehouseError.

        A request with a bound token has a proof, and so has one with `is_bound`: its answer has tokens.
        """
        auth = _ProofAuth(self._key if token or is_bound else None, token)
        headers = {"Idempotency-Key": key} if key else {}
        try:
            # httpx would delete a query in the path for empty `params`.
            response = self._http.request(
                method, f"{self._base_url}{path}", json=body, params=query or None, headers=headers, auth=auth
            )
        except httpx.HTTPError as cause:
            raise _no_answer(status=0) from cause
        try:
            answer = response.json()
            if response.is_success:
                return answer["data"]
            error = GatehouseError(
                code=answer["error"]["code"],
                message=answer["error"]["message"],
                status=response.status_code,
                details=answer["error"].get("details", ()),
                retry_after=int(response.headers.get("Retry-After", 0)) or None,
            )
        except (ValueError, KeyError, TypeError) as cause:
            raise _no_answer(status=response.status_code) from cause
        raise error


Flow = Generator[httpx.Request, httpx.Response, httpx.Response]


class _ProofAuth(httpx.Auth):
    """Adds the token, if there is one, and a proof of the key."""

    def __init__(self, key: Key | None, token: str | None) -> None:
        self._key = key
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        yield from _send(request, self._key, self._token)


class _TokenAuth(httpx.Auth):
    """Adds the newest access token of the user. Repeats the request once with a newer one after a 401."""

    requires_request_body = True

    def __init__(self, token_of: Callable[[str | None], str], key: Key | None) -> None:
        self._token_of = token_of
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        token = self._token_of(None)
        response = yield from _send(request, self._key, token)
        if response.status_code == httpx.codes.UNAUTHORIZED:
            yield from _send(request, self._key, self._token_of(token))


def _send(request: httpx.Request, key: Key | None, token: str | None) -> Flow:
    """Send the request. Send it once more when the server wants another nonce. An unbound token has no proof."""
    is_bound = token is None or _is_bound(token)
    if token is not None:
        request.headers["Authorization"] = f"{'DPoP' if is_bound else 'Bearer'} {token}"
    if key is None or not is_bound:
        return (yield request)
    request.headers["DPoP"] = key.proof(request.method, str(request.url), token=token)
    response = yield request
    if key.learn(response) and response.status_code == httpx.codes.UNAUTHORIZED:
        request.headers["DPoP"] = key.proof(request.method, str(request.url), token=token)
        response = yield request
        key.learn(response)
    return response


def _pause(seconds: float) -> None:
    time.sleep(min(seconds, RETRY_SECONDS_MAX))


def _is_temporary(error: GatehouseError) -> bool:
    return error.code == "no_answer" or error.status == httpx.codes.TOO_MANY_REQUESTS or error.status >= 500  # noqa: PLR2004 - all 5xx


def _claims(access_token: str) -> Any:
    """Return the claims of the token without a verification: the client trusts its own service."""
    payload = access_token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def _is_bound(token: str) -> bool:
    # An API key is no JWT, and is never bound.
    return "." in token and "cnf" in _claims(token)


def _signed_out() -> GatehouseError:
    return GatehouseError(code="signed_out", message="The user is not signed in, or no longer. Sign in.", status=0)


def _no_answer(*, status: int) -> GatehouseError:
    return GatehouseError(code="no_answer", message="The service sent no answer. Try again later.", status=status)
