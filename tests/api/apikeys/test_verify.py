from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings

from accounts.models import Event
from apikeys.models import ApiKey
from core import clock
from tests.client import PASSWORD, Answer, Api
from tests.contract.tables import ROUTES, USER, Route
from tests.keys import events, forged, listed, make_key, revoke, verify
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn
from tests.rows import each

STANDALONE_USER = "authsvc_accounts.User"
FIVE_MINUTES = timedelta(minutes=5)
MOMENT = timedelta(microseconds=1)
OTHER_ROUTES = [route for route in ROUTES if route.auth is USER and route.name != "GET /v1/verify"]


def as_header(key: str) -> Answer:
    return verify(key)


def as_bearer(key: str) -> Answer:
    return Api().get("/v1/verify", token=key)


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def last_used_at(key: str) -> datetime | None:
    return ApiKey.objects.get(prefix=key[:11]).last_used_at


both_ways = pytest.mark.parametrize("present", [as_header, as_bearer])


@both_ways
def test_verify_returns_the_owner_and_the_data_of_a_key(session: SignedIn, present: Callable[[str], Answer]) -> None:
    made = make_key(session, scopes=["b", "a"], expires_in_days=1)

    answer = present(made["key"])

    assert answer.data == {
        "user_id": session.person.user_id,
        "api_key": {
            "id": made["api_key"]["id"],
            "name": "Backup",
            "scopes": ["b", "a"],
            "expires_at": "2026-03-02T12:00:00.000000Z",
        },
    }


def test_verify_shows_that_a_key_never_expires(session: SignedIn) -> None:
    assert verify(make_key(session)["key"]).data["api_key"]["expires_at"] is None


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
def test_the_scheme_is_case_insensitive(api: Api, session: SignedIn, scheme: str) -> None:
    key = make_key(session)["key"]

    for token in (key, session.access):
        answer = api.get("/v1/verify", headers={"Authorization": f"{scheme} {token}"})
        assert answer.data["user_id"] == session.person.user_id


def test_a_head_request_is_answered_too(api: Api, session: SignedIn) -> None:
    answer = api.call("HEAD", "/v1/verify", headers={"X-API-Key": make_key(session)["key"]})

    assert (answer.status, answer.body) == (200, None)


def test_a_post_request_with_a_key_is_refused(api: Api, session: SignedIn) -> None:
    assert api.post("/v1/verify", headers={"X-API-Key": make_key(session)["key"]}).status == 405


@pytest.mark.parametrize("credential", ["the key", "an access token", "anothers key", "junk", "Basic YTpi"])
def test_both_headers_at_once_are_refused(session: SignedIn, credential: str) -> None:
    key, other = make_key(session)["key"], make_key(session)["key"]
    authorization = {
        "the key": f"Bearer {key}",
        "an access token": f"Bearer {session.access}",
        "anothers key": f"Bearer {other}",
    }.get(credential, credential)

    answer = Api().get("/v1/verify", headers={"X-API-Key": key, "Authorization": authorization})

    assert refusal(answer) == (401, "invalid_api_key")
    assert last_used_at(key) is None
    assert not events(session.person, "api_key_rejected")


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_key_is_refused(session: SignedIn, blank: str) -> None:
    with_a_token = session.api.get("/v1/verify", token=session.access, headers={"X-API-Key": blank})

    assert refusal(verify(blank)) == (401, "invalid_api_key")
    assert refusal(with_a_token) == (401, "invalid_api_key")


def malformed_keys(key: str) -> list[str]:
    """Return malformed keys that match no existing key."""
    prefix, secret = key[:11], key[12:]
    return [
        prefix,
        f"{prefix}_",
        key[:-1],
        f"{key}A",
        f"{key}\n",
        f" {key} x",
        f"{prefix}-{secret}",
        f"AK_{key[3:]}",
        f"ak_{'a' * 8}_{secret}",
        f"ak_{'ä' * 8}_{secret}",
        f"{prefix}_{'=' * 43}",
        f"{prefix}_{'é' * 43}",
        secret,
        "x" * 10_000,
        "ak_",
        "%00",
        "' OR 1=1 --",
    ]


def test_a_malformed_key_is_refused_and_writes_nothing(session: SignedIn) -> None:
    key = make_key(session)["key"]
    before = Event.objects.count()

    for text in malformed_keys(key):
        assert refusal(verify(text)) == (401, "invalid_api_key"), text

    assert Event.objects.count() == before
    assert ApiKey.objects.filter(last_used_at=None, last_rejected_at=None).exists()


def test_a_text_without_the_format_of_a_key_needs_no_query(session: SignedIn, django_assert_num_queries: Any) -> None:
    key = make_key(session)["key"]

    with django_assert_num_queries(0):
        verify(key[:-1])
    with django_assert_num_queries(1):
        verify(f"ak_{'a' * 8}{key[11:]}")


@both_ways
def test_a_key_is_valid_until_exactly_its_expiry(
    session: SignedIn, travel: time_machine.Traveller, present: Callable[[str], Answer]
) -> None:
    key = make_key(session, expires_in_days=1)["key"]

    travel.shift(timedelta(days=1) - MOMENT)
    assert present(key).status == 200
    travel.shift(MOMENT)
    answer = present(key)
    assert refusal(answer) == (401, "invalid_api_key")
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'


@both_ways
def test_wrong_revoked_and_expired_keys_get_the_same_answer(
    session: SignedIn, travel: time_machine.Traveller, present: Callable[[str], Answer]
) -> None:
    revoked, expired, kept = make_key(session), make_key(session, expires_in_days=1), make_key(session)
    revoke(session, revoked["api_key"]["id"])
    travel.shift(timedelta(days=1))

    answers = [
        present(key)
        for key in (revoked["key"], expired["key"], forged(kept["key"]), f"ak_{'a' * 8}_{'A' * 43}", "ak_x")
    ]

    assert {refusal(answer) for answer in answers} == {(401, "invalid_api_key")}
    assert len({answer.body["error"]["message"] for answer in answers}) == 1


def test_a_use_is_stored_at_most_every_five_minutes(session: SignedIn, travel: time_machine.Traveller) -> None:
    key = make_key(session)["key"]
    assert last_used_at(key) is None

    verify(key)
    first = clock.now()
    assert last_used_at(key) == first
    travel.shift(FIVE_MINUTES - MOMENT)
    verify(key)
    assert last_used_at(key) == first
    travel.shift(MOMENT)
    verify(key)

    assert last_used_at(key) == first + FIVE_MINUTES
    assert listed(session)[0]["last_used_at"] == "2026-03-01T12:05:00.000000Z"


def test_a_recently_used_key_takes_one_query(session: SignedIn, django_assert_num_queries: Any) -> None:
    key = make_key(session)["key"]
    verify(key)

    with django_assert_num_queries(1):
        assert verify(key).status == 200


def test_a_refused_key_takes_one_query_after_the_first_refusal(
    session: SignedIn, django_assert_num_queries: Any
) -> None:
    key = make_key(session)["key"]
    verify(forged(key))

    with django_assert_num_queries(1):
        assert verify(forged(key)).status == 401


def test_an_access_token_takes_no_query(session: SignedIn, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert session.api.get("/v1/verify", token=session.access).data == {"user_id": session.person.user_id}


def test_a_refusal_is_recorded_once_per_key_in_five_minutes(session: SignedIn, travel: time_machine.Traveller) -> None:
    one, other = make_key(session)["key"], make_key(session)["key"]
    stranger = Api(ip="198.51.100.66", user_agent="curl")

    for key in (forged(one), forged(one), forged(other), one[:-43] + "B" * 43):
        verify(key, api=stranger)

    first, second = events(session.person, "api_key_rejected")
    assert (first.metadata, second.metadata) == ({"prefix": one[:11]}, {"prefix": other[:11]})
    assert (first.ip, first.user_agent) == (stranger.ip, "curl")
    travel.shift(FIVE_MINUTES - MOMENT)
    verify(forged(one))
    assert len(events(session.person, "api_key_rejected")) == 2
    travel.shift(MOMENT)
    verify(forged(one))
    assert len(events(session.person, "api_key_rejected")) == 3
    assert last_used_at(one) is None


def test_refusals_and_uses_do_not_hide_each_other(session: SignedIn) -> None:
    key = make_key(session)["key"]

    verify(forged(key))
    assert verify(key).status == 200
    assert last_used_at(key) == clock.now()
    verify(forged(key))

    assert len(events(session.person, "api_key_rejected")) == 1


def test_the_use_of_a_revoked_or_expired_key_is_recorded(session: SignedIn, travel: time_machine.Traveller) -> None:
    revoked, expired = make_key(session), make_key(session, expires_in_days=1)
    revoke(session, revoked["api_key"]["id"])
    travel.shift(timedelta(days=1))

    verify(revoked["key"])
    verify(expired["key"])

    prefixes = [event.metadata["prefix"] for event in events(session.person, "api_key_rejected")]
    assert prefixes == [revoked["api_key"]["prefix"], expired["api_key"]["prefix"]]


@each("route", OTHER_ROUTES)
def test_all_other_routes_refuse_a_key(session: SignedIn, route: Route) -> None:
    key = make_key(session)["key"]
    before = Event.objects.count()

    bearer = Api().call(route.method, route.url, {}, token=key)
    header = Api().call(route.method, route.url, {}, headers={"X-API-Key": key})

    assert refusal(bearer) == (401, "invalid_access_token")
    assert bearer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    assert refusal(header) == (401, "missing_auth_header")
    assert Event.objects.count() == before
    assert last_used_at(key) is None


def test_a_key_is_neither_a_password_nor_a_refresh_token(session: SignedIn) -> None:
    key = make_key(session)["key"]

    assert session.api.post("/v1/refresh", {"refresh_token": key}).code == "invalid_token"
    login = session.api.post("/v1/login", {"email": session.person.email, "password": key})
    assert login.code == "invalid_credentials"


def test_keys_survive_a_new_password_a_logout_everywhere_and_a_lock(session: SignedIn) -> None:
    key = make_key(session)["key"]

    session.api.post("/v1/logout-all", token=session.access)
    assert verify(key).status == 200
    passwords = {"current_password": PASSWORD, "new_password": "another horse battery"}
    again = session.person.log_in()
    assert again.api.post("/v1/change-password", passwords, token=again.access).status == 200
    assert verify(key).status == 200
    for _ in range(6):
        session.api.post("/v1/login", {"email": session.person.email, "password": "wrong"})
    assert session.person.account().locked_until
    assert verify(key).status == 200


def test_the_keys_of_a_deleted_account_are_deleted(session: SignedIn, bob: Person) -> None:
    key, other = make_key(session)["key"], make_key(bob.log_in())["key"]

    deleted = session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert deleted.status == 200
    before = Event.objects.count()
    assert refusal(verify(key)) == (401, "invalid_api_key")
    assert Event.objects.count() == before
    assert [row.prefix for row in ApiKey.objects.all()] == [other[:11]]
    assert verify(other).status == 200


@pytest.mark.skipif(django_settings.AUTH_USER_MODEL == STANDALONE_USER, reason="only a site's users can be shut out")
def test_the_keys_of_a_deactivated_user_are_valid_again_after_the_reactivation(session: SignedIn) -> None:
    key = make_key(session)["key"]
    user: Any = session.person.account().user
    user.is_active = False
    user.save()

    assert refusal(verify(key)) == (401, "invalid_api_key")
    assert len(events(session.person, "api_key_rejected")) == 1
    assert last_used_at(key) is None
    user.is_active = True
    user.save()
    assert verify(key).status == 200


def test_the_mail_after_a_takeover_lists_the_keys_that_ended(session: SignedIn, travel: time_machine.Traveller) -> None:
    forger = "Backup\n- Session: Chrome\u2028on\r\nmacOS"
    kept, revoked, odd = make_key(session), make_key(session), make_key(session, name=forger)
    revoke(session, revoked["api_key"]["id"])
    session.api.post("/v1/magic-link/request", {"email": session.person.email})
    *_, mail = delivered(session.person.email)
    travel.shift(timedelta(minutes=1))

    session.api.post("/v1/magic-link/complete", {"token": token_in(mail)})

    (takeover,) = delivered(session.person.email)
    lines = [line for line in text_of(takeover).splitlines() if line.startswith("- ")]
    assert [line for line in lines if "key" in line] == [
        f"- API key: Backup - Session: Chrome on macOS, {odd['api_key']['prefix']}, since 1 March 2026",
        f"- API key: Backup, {kept['api_key']['prefix']}, since 1 March 2026",
    ]
    assert sum(line.startswith("- Session:") for line in lines) == 1
