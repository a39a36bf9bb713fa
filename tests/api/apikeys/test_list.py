from datetime import timedelta

import pytest
import time_machine

from tests.client import Api
from tests.keys import listed, make_key, revoke, verify
from tests.people import Person, SignedIn


def test_an_account_without_keys_has_an_empty_list(session: SignedIn) -> None:
    assert listed(session) == []


def test_keys_are_a_bare_list_with_the_newest_first(session: SignedIn, travel: time_machine.Traveller) -> None:
    older = make_key(session, name="Backup", scopes=["b", "a"], expires_in_days=30)["api_key"]
    twin = make_key(session, name="Twin")["api_key"]
    travel.shift(1)
    newest = make_key(session, name="Deploy")["api_key"]

    assert listed(session) == [key | {"last_used_at": None} for key in (newest, twin, older)]
    assert older == {
        "id": older["id"],
        "name": "Backup",
        "prefix": older["prefix"],
        "scopes": ["b", "a"],
        "expires_at": "2026-03-31T12:00:00.000000Z",
        "expired": False,
        "created_at": "2026-03-01T12:00:00.000000Z",
    }


def test_an_expired_key_is_still_listed_as_expired(
    alice: Person, session: SignedIn, travel: time_machine.Traveller
) -> None:
    make_key(session, expires_in_days=1)

    travel.shift(timedelta(days=1) - timedelta(microseconds=1))
    (before,) = listed(alice.log_in())
    travel.shift(timedelta(microseconds=1))
    (after,) = listed(alice.log_in())

    assert before["expired"] is False
    assert after == before | {"expired": True}


def test_a_revoked_key_is_not_listed(session: SignedIn) -> None:
    revoked, kept = make_key(session)["api_key"], make_key(session)["api_key"]

    revoke(session, revoked["id"])

    assert [key["id"] for key in listed(session)] == [kept["id"]]


def test_each_user_sees_only_their_own_keys(session: SignedIn, bob: Person) -> None:
    make_key(session)

    assert listed(bob.log_in()) == []


def test_the_list_shows_the_last_use_but_not_a_refusal(session: SignedIn) -> None:
    used, refused = make_key(session), make_key(session)

    verify(used["key"])
    verify(refused["key"][:-1])

    assert [key["last_used_at"] for key in listed(session)] == [None, "2026-03-01T12:00:00.000000Z"]


@pytest.mark.parametrize(("token", "code"), [(None, "missing_auth_header"), ("x", "invalid_access_token")])
def test_a_caller_without_a_token_sees_no_keys(api: Api, token: str | None, code: str) -> None:
    answer = api.get("/v1/api-keys", token=token)

    assert (answer.status, answer.code) == (401, code)


def test_the_whole_list_takes_two_queries(session: SignedIn, django_assert_num_queries: object) -> None:
    for _ in range(10):
        make_key(session)

    with django_assert_num_queries(2):  # type: ignore[operator]  # the account and its keys
        assert len(listed(session)) == 10
