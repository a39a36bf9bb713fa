"""Signing keys rotate under two web processes without an effect on callers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import jwt
import pytest

from tests.client import PASSWORD, Answer

from .conftest import Run
from .running import call, until

CALLERS = 4


@dataclass
class Caller:
    """A client that logs in, refreshes and verifies its tokens, on a new connection for each call."""

    port: int
    email: str
    rounds: int = 0
    tokens: list[str] = field(default_factory=list)
    refusals: list[Any] = field(default_factory=list)

    def go_on(self, stop: Event) -> None:
        """Call the service until `stop` is set or a call is refused."""
        while not stop.is_set() and not self.refusals:
            pair = self._ask("POST", "/v1/login", {"email": self.email, "password": PASSWORD})
            for _ in range(2):
                if pair is not None:
                    self.tokens.append(pair["access_token"])
                    self.verify(self.tokens[-1])
                    pair = self._ask("POST", "/v1/refresh", {"refresh_token": pair["refresh_token"]})
            self.verify(self.tokens[0])
            self.rounds += 1

    def verify(self, token: str) -> None:
        """Call verify with the token. Any of the web processes may answer."""
        self._ask("GET", "/v1/verify", token=token)

    def _ask(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Any:
        answer = call(self.port, method, path, body, token=token)
        if answer.status == 200:
            return answer.data
        self.refusals.append((method, path, answer.status, answer.body))
        return None


@dataclass(frozen=True)
class Verifier:
    """Another service that knows only the issuer's key set, and keeps a copy of it."""

    copy: jwt.PyJWKSet

    @classmethod
    def with_key_set(cls, answer: Answer) -> "Verifier":
        """Return a service that keeps this key set."""
        return cls(jwt.PyJWKSet.from_dict(answer.body))

    def accept(self, token: str) -> bool:
        """Return whether the token is valid under the kept key set."""
        if kid_of(token) not in {key.key_id for key in self.copy.keys}:
            return False
        jwt.decode(token, self.copy[kid_of(token)], audience="authsvc", issuer="http://localhost:8000")
        return True


def kid_of(token: str) -> str:
    return str(jwt.get_unverified_header(token)["kid"])


@contextmanager
def calling(callers: list[Caller]) -> Iterator[None]:
    stop = Event()
    with ThreadPoolExecutor(len(callers)) as threads:
        running = [threads.submit(caller.go_on, stop) for caller in callers]
        try:
            yield
        finally:
            stop.set()
        for future in running:
            future.result()


@pytest.mark.once
def test_a_rotation_affects_no_caller_and_only_an_immediate_one_affects_other_services(serve: Run, manage: Run) -> None:
    port = serve("--workers", "2", "--no-worker").await_ready()
    callers = [Caller(port, f"alice{number}@example.com") for number in range(CALLERS)]
    for caller in callers:
        assert call(port, "POST", "/v1/signup", {"email": caller.email, "password": PASSWORD}).status == 201

    def key_set() -> Answer:
        return call(port, "GET", "/.well-known/jwks.json")

    def rotate(*how: str) -> None:
        assert manage("signing_keys", "rotate", *how).exit_code() == 0

    def await_rounds(number: int) -> None:
        goals = [(caller, caller.rounds + number) for caller in callers]
        until(
            lambda: all(caller.refusals or caller.rounds >= goal for caller, goal in goals),
            what="rounds of all callers",
        )

    def await_new_key(known: set[str]) -> None:
        """Wait until every caller has a token of a new key."""
        until(
            lambda: all(caller.refusals or kid_of(caller.tokens[-1]) not in known for caller in callers),
            what="tokens of the new key",
        )

    with calling(callers):
        await_rounds(1)
        at_first = Verifier.with_key_set(key_set())

        rotate()
        until(lambda: len(key_set().body["keys"]) == 2, what="the next key")
        await_rounds(2)
        # Until other services must renew their copy, the service signs with no key that the copy lacks.
        assert all(at_first.accept(token) for caller in callers for token in caller.tokens)

        known = {kid_of(caller.tokens[-1]) for caller in callers}
        for _ in range(2):
            rotate("--now")
            await_new_key(known)
            await_rounds(2)
            known |= {kid_of(caller.tokens[-1]) for caller in callers}

    assert [caller.refusals for caller in callers] == [[]] * CALLERS
    tokens = [token for caller in callers for token in caller.tokens]
    assert {kid_of(token) for token in tokens} == known
    assert len(known) == 3
    assert not all(map(at_first.accept, tokens))
    # A process may publish a change up to a second late.
    until(lambda: all(map(Verifier.with_key_set(key_set()).accept, tokens)), what="a key set with all keys")
    for token in {kid_of(token): token for token in tokens}.values():
        for _ in range(10):
            callers[0].verify(token)
    assert callers[0].refusals == []
