import json
import re
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
import time_machine

from apikeys.models import ApiKey
from core import clock
from tests.client import Answer, Api
from tests.factories import ApiKeyFactory
from tests.keys import events, listed, make_key, revoke, verify
from tests.people import Person, SignedIn
from tests.rows import each

NOW = "2026-03-01T12:00:00.000000Z"
TEN_YEARS_ON = "2036-02-27T12:00:00.000000Z"
NAME, SCOPE, TTL = "bad_request", "invalid_api_key_scope", "invalid_api_key_ttl"


def create(session: SignedIn, **members: Any) -> Answer:
    return session.api.post("/v1/api-keys", {"name": "Backup", **members}, token=session.access)


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_a_new_key_is_shown_once_with_all_its_data(session: SignedIn) -> None:
    answer = create(session, scopes=["reports:read"], expires_in_days=3650)

    assert answer.status == 201
    assert answer.data == {
        "key": answer.data["key"],
        "notice": answer.data["notice"],
        "api_key": {
            "id": answer.data["api_key"]["id"],
            "name": "Backup",
            "prefix": answer.data["key"][:11],
            "scopes": ["reports:read"],
            "expires_at": TEN_YEARS_ON,
            "expired": False,
            "created_at": NOW,
        },
    }
    assert re.fullmatch(r"ak_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}", answer.data["key"])
    assert re.fullmatch(
        r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", listed(session)[0]["id"]
    )
    assert answer.data["notice"].startswith("Copy the key now")


def test_a_key_needs_only_a_name(session: SignedIn) -> None:
    key = make_key(session)["api_key"]

    assert (key["scopes"], key["expires_at"], key["expired"]) == ([], None, False)


def test_only_the_digest_of_a_key_is_stored(session: SignedIn) -> None:
    key = make_key(session)["key"]

    row = ApiKey.objects.get()

    assert bytes(row.digest) == sha256(key.encode()).digest()
    secret = key[12:]
    assert not [value for value in vars(row).values() if secret in str(value) or secret.encode() in str(value).encode()]
    assert secret not in str(listed(session))
    (event,) = events(session.person, "api_key_created")
    assert event.metadata == {"prefix": key[:11]}


def test_no_two_keys_are_alike(session: SignedIn) -> None:
    first, second = make_key(session), make_key(session)

    assert first["key"][:11] != second["key"][:11]
    assert first["key"][11:] != second["key"][11:]
    assert first["api_key"]["id"] < second["api_key"]["id"]


@pytest.mark.parametrize("name", ["x", "x" * 100, "𝕏" * 100, " ", "Backup\tof\n\N{RIGHT-TO-LEFT OVERRIDE}<b>"])
def test_a_name_is_stored_unchanged(session: SignedIn, name: str) -> None:
    assert make_key(session, name=name)["api_key"]["name"] == name
    assert listed(session)[0]["name"] == name


@each("name", ["", "x" * 101, "a\0b", None, 5, True, ["Backup"], {}])
def test_a_name_is_a_text_of_1_to_100_characters(session: SignedIn, name: object) -> None:
    answer = create(session, name=name)

    assert refusal(answer) == (400, NAME)
    assert answer.body["error"]["message"].startswith("name: ")
    assert not ApiKey.objects.exists()


def test_a_name_is_required(session: SignedIn) -> None:
    answer = session.api.post("/v1/api-keys", {"scopes": []}, token=session.access)

    assert refusal(answer) == (400, NAME)
    assert answer.body["error"]["message"] == "name: is required."


@pytest.mark.parametrize(
    "scopes",
    [
        [],
        ["b", "a", "b", "A", "a"],
        ["x" * 100],
        ["reports:read", "*", "a/b?c=d&e", '"', "\\", "Größe", "日本語", "🗝"],
        [str(number) for number in range(50)],
    ],
)
def test_scopes_are_stored_unchanged_and_in_their_order(session: SignedIn, scopes: list[str]) -> None:
    made = make_key(session, scopes=scopes)

    assert made["api_key"]["scopes"] == scopes
    assert listed(session)[0]["scopes"] == scopes
    assert verify(made["key"]).data["api_key"]["scopes"] == scopes


@each(
    "scopes",
    [
        [str(number) for number in range(51)],
        [""],
        ["x" * 101],
        ["a b"],
        [" a"],
        ["a "],
        [" "],
        ["a\n"],
        ["a\tb"],
        ["a\0b"],
        ["a\x1bb"],
        ["a\x7fb"],
        ["a\x85b"],
        ["a\u00a0b"],
        ["a\u2028b"],
        ["a\u200bb"],
        ["a\u202eb"],
        ["a\u3000b"],
        ["a", ""],
        [None],
        [1],
        [True],
        [["a"]],
        [{}],
        "reports:read",
        "",
        {"a": "b"},
        {},
        5,
        False,
        None,
    ],
)
def test_scopes_are_at_most_50_texts_of_1_to_100_printable_characters(session: SignedIn, scopes: object) -> None:
    assert refusal(create(session, scopes=scopes)) == (400, SCOPE)
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize(("days", "expires_at"), [(0, None), (1, "2026-03-02T12:00:00.000000Z"), (3650, TEN_YEARS_ON)])
def test_a_key_expires_after_the_given_days_and_with_0_never(
    session: SignedIn, days: int, expires_at: str | None
) -> None:
    assert make_key(session, expires_in_days=days)["api_key"]["expires_at"] == expires_at


@each("days", [-1, 3651, 2**31, 2**63, 2**64, True, False, "5", "", 1.0, 0.0, 1.5, None, [], [1], {}, "a\0b"])
def test_a_lifetime_is_an_integer_from_0_to_3650(session: SignedIn, days: object) -> None:
    raw = json.dumps({"name": "Backup", "expires_in_days": days}).encode()

    answer = session.api.send("POST", "/v1/api-keys", raw, token=session.access)

    assert refusal(answer) == (400, TTL)
    assert not ApiKey.objects.exists()


def test_unknown_members_change_nothing(session: SignedIn, bob: Person) -> None:
    made = make_key(session, user_id=bob.user_id, prefix="ak_aaaaaaaa", key="mine", created_at="2020-01-01", id="1")

    assert listed(session) == [made["api_key"] | {"last_used_at": None}]
    assert listed(bob.log_in()) == []


@pytest.mark.parametrize("raw", [b"{", b"[]", b"null", b'"name"', b'{"name": "\\ud800"}'])
def test_a_body_is_a_json_object(session: SignedIn, raw: bytes) -> None:
    assert refusal(session.api.send("POST", "/v1/api-keys", raw, token=session.access)) == (400, "bad_request")


def test_the_name_is_checked_before_the_scopes_and_the_lifetime_last(session: SignedIn) -> None:
    wrong = {"name": "", "scopes": 5, "expires_in_days": -1}

    codes = [
        create(session, **wrong).code,
        create(session, **wrong | {"name": "Backup"}).code,
        create(session, **wrong | {"name": "Backup", "scopes": []}).code,
    ]

    assert codes == [NAME, SCOPE, TTL]


def test_an_account_has_at_most_100_valid_keys(session: SignedIn, travel: time_machine.Traveller) -> None:
    expiring = make_key(session, expires_in_days=1)["api_key"]
    for _ in range(98):
        make_key(session)
    assert create(session).status == 201

    full = create(session)

    assert refusal(full) == (400, "bad_request")
    assert "100" in full.body["error"]["message"]
    assert ApiKey.objects.count() == 100
    travel.shift(timedelta(days=1) - timedelta(microseconds=1))
    again = session.person.log_in()
    assert create(again).status == 400
    travel.shift(timedelta(microseconds=1))
    assert create(again).status == 201
    assert create(again).status == 400
    assert revoke(again, listed(again)[1]["id"]).status == 200
    assert create(again).status == 201
    assert create(again).status == 400
    assert revoke(again, expiring["id"]).status == 200
    assert create(again).status == 400


def test_the_limit_counts_each_account_separately(session: SignedIn, bob: Person) -> None:
    ApiKeyFactory.create_batch(100, account=session.person.account())

    assert create(session).status == 400
    assert create(bob.log_in()).status == 201


def test_a_new_key_is_recorded_for_its_owner(session: SignedIn) -> None:
    made = make_key(session)

    (event,) = events(session.person, "api_key_created")
    assert (event.ip, event.user_agent) == (session.api.ip, session.api.user_agent)
    assert event.metadata == {"prefix": made["api_key"]["prefix"]}
    assert event.created_at == clock.now()


@pytest.mark.parametrize("members", [{"name": ""}, {"scopes": [""]}, {"expires_in_days": -1}])
def test_a_refused_creation_is_not_recorded(session: SignedIn, members: dict[str, object]) -> None:
    create(session, **members)

    assert not events(session.person, "api_key_created")


@pytest.mark.parametrize(
    ("token", "code"), [(None, "missing_auth_header"), ("x", "invalid_access_token"), ("", "missing_auth_header")]
)
def test_a_caller_without_a_token_creates_no_key(api: Api, token: str | None, code: str) -> None:
    assert refusal(api.post("/v1/api-keys", {"name": "Backup"}, token=token)) == (401, code)
