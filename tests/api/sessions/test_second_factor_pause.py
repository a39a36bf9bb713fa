"""A login asks the registry of second factors. These tests register a factor of their own."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from core.clock import now
from core.errors import RateLimited
from core.http.client import Client
from sessions_app.models import Family, PendingLogin
from tests.client import PASSWORD, Api
from tests.people import Person
from tests.third_factor import Card, registered


class FakeFactor(Card):
    """A second factor that the accounts in `holders` have. It uses one of the contract's method names.

    `paused` lists the accounts and addresses of the paused logins. `refuses` makes the factor refuse a pause.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.paused: list[tuple[str, str]] = []
        self.refuses = False

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        pending = PendingLogin.objects.get(pk=pending_id)
        assert (pending.account_id, pending.created_at) == (account_id, now)
        if self.refuses:
            raise RateLimited(retry_after=7)
        self.paused.append((str(account_id), client.ip))


@pytest.fixture
def first_factor() -> Iterator[FakeFactor]:
    """A registered factor that no account has yet."""
    factor = FakeFactor("passkey")
    with registered(factor):
        yield factor


@pytest.fixture
def other_factor() -> Iterator[FakeFactor]:
    """Another registered factor that no account has yet."""
    factor = FakeFactor("totp")
    with registered(factor):
        yield factor


def log_in(api: Api, person: Person) -> Any:
    return api.post("/v1/login", {"email": person.email, "password": PASSWORD}).data


def test_a_login_with_a_factor_pauses_and_returns_no_tokens(api: Api, alice: Person, first_factor: FakeFactor) -> None:
    first_factor.holders[alice.user_id] = now()

    paused = log_in(api, alice)

    assert paused == {
        "second_factor_required": True,
        "pending_token": paused["pending_token"],
        "methods": ["passkey"],
    }
    assert paused["pending_token"].startswith("spt_")
    assert len(paused["pending_token"]) == 47
    assert not Family.objects.exists()


def test_a_pending_token_is_refused_by_other_routes(api: Api, alice: Person, first_factor: FakeFactor) -> None:
    first_factor.holders[alice.user_id] = now()
    token = log_in(api, alice)["pending_token"]

    assert api.get("/v1/sessions", token=token).code == "invalid_access_token"
    assert api.get("/v1/verify", token=token).code == "invalid_access_token"
    assert api.post("/v1/refresh", {"refresh_token": token}).code == "invalid_token"


def test_accounts_without_the_factor_log_in_without_a_pause(
    api: Api, alice: Person, bob: Person, first_factor: FakeFactor
) -> None:
    first_factor.holders[alice.user_id] = now()

    assert set(log_in(api, bob)) == {"access_token", "refresh_token"}


def test_each_pause_calls_the_hook_of_an_enrolled_factor_once(
    api: Api, alice: Person, first_factor: FakeFactor, other_factor: FakeFactor
) -> None:
    first_factor.holders[alice.user_id] = now()

    log_in(api, alice)
    log_in(api, alice)

    assert first_factor.paused == [(alice.user_id, "203.0.113.7")] * 2
    assert other_factor.paused == []


def test_a_pause_calls_the_hooks_of_all_enrolled_factors(
    api: Api, alice: Person, first_factor: FakeFactor, other_factor: FakeFactor
) -> None:
    first_factor.holders[alice.user_id] = now()
    other_factor.holders[alice.user_id] = now()

    assert log_in(api, alice)["methods"] == ["passkey", "totp"]

    assert first_factor.paused == other_factor.paused == [(alice.user_id, "203.0.113.7")]


def test_a_login_without_a_pause_calls_no_hook(api: Api, alice: Person, first_factor: FakeFactor) -> None:
    log_in(api, alice)

    assert first_factor.paused == []


def test_an_error_of_a_hook_undoes_the_pause(api: Api, alice: Person, first_factor: FakeFactor) -> None:
    first_factor.holders[alice.user_id] = now()
    first_factor.refuses = True

    answer = api.post("/v1/login", {"email": alice.email, "password": PASSWORD})

    assert (answer.status, answer.code) == (429, "rate_limited")
    assert not PendingLogin.objects.exists()


def test_a_paused_login_does_not_reset_the_failures(api: Api, alice: Person, first_factor: FakeFactor) -> None:
    first_factor.holders[alice.user_id] = now()
    api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    log_in(api, alice)

    assert alice.account().failed_attempts == 1
