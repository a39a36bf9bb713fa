"""The sessions, second factors and API keys of a user."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from mfa.models import Passkey, RecoveryCode, Totp
from sessions_app.models import Token
from sessions_app.oauth import discovery
from tests import issuers, passkeys
from tests.authenticator import Authenticator
from tests.client import Api
from tests.keys import make_key, revoke
from tests.operators import Console
from tests.people import Person, existing_session, sign_up
from tests.rows import each
from tests.second_factors import begin_totp, complete_by_recovery_code, enroll_totp, generate_codes, pause

from .invalid_numbers import invalid_numbers

LISTS = ("sessions", "api-keys")


def test_the_sessions_are_those_that_the_user_sees(console: Console, alice: Person) -> None:
    alice.log_in(Api(ip="198.51.100.9", user_agent=""))
    session = existing_session(alice)

    data = console.get(f"/users/{alice.user_id}/sessions").data

    listed = session.api.get("/v1/sessions", token=session.access).data
    assert data == {"sessions": [{**entry, "current": False} for entry in listed], "count": 2, "limit": 50}
    assert [entry["ip"] for entry in listed] == [alice.api.ip, "198.51.100.9"]


def test_the_operators_own_session_is_current(console: Console) -> None:
    console.session.person.log_in(Api(ip="198.51.100.9"))

    listed = console.get(f"/users/{console.user_id}/sessions").data["sessions"]

    assert [(entry["ip"], entry["current"]) for entry in listed] == [("198.51.100.9", False), (console.api.ip, True)]


def test_ended_sessions_are_not_listed(console: Console, alice: Person) -> None:
    session = existing_session(alice)
    session.api.post("/v1/logout-all", token=session.access)

    assert console.get(f"/users/{alice.user_id}/sessions").data == {"sessions": [], "count": 0, "limit": 50}


def test_the_identities_are_those_that_the_user_sees(
    console: Console, alice: Person, bob: Person, configure: Callable[..., None]
) -> None:
    session = existing_session(alice)
    discovery.forget()
    with issuers.running() as issuer:
        configure(**issuer.variables())
        issuers.link(alice.api, issuer, issuers.user(), token=session.access)

    data = console.get(f"/users/{alice.user_id}/identities").data

    assert data == session.api.get("/v1/identities", token=session.access).data
    assert [identity["provider"] for identity in data["identities"]] == ["acme"]
    assert console.get(f"/users/{bob.user_id}/identities").data == {"identities": []}
    assert console.get("/users/unknown/identities").code == "not_found"


def test_the_lists_of_others_stay_out(console: Console, alice: Person, bob: Person) -> None:
    session = existing_session(bob)
    enroll_totp(session)
    generate_codes(session)
    make_key(session)

    found = [console.get(f"/users/{alice.user_id}/{name}").data for name in ("sessions", "factors", "api-keys")]

    assert found == [
        {"sessions": [], "count": 0, "limit": 50},
        {"totp_enabled_at": None, "passkeys": [], "recovery_codes": 0, "lines": []},
        {"api_keys": [], "count": 0, "limit": 50},
    ]


def test_the_factors_are_shown_with_the_number_of_unused_codes(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    passkeys.register(session, Authenticator())
    codes = generate_codes(session)
    complete_by_recovery_code(alice.api, pause(alice), codes[0])

    data = console.get(f"/users/{alice.user_id}/factors").data

    assert data == {
        "totp_enabled_at": "2026-03-10T12:00:00.000000Z",
        "passkeys": session.api.get("/v1/passkeys", token=session.access).data,
        "recovery_codes": 9,
        "lines": [
            "Authenticator app, since 10 March 2026",
            "Passkey: Passkey, since 10 March 2026",
            "Recovery codes: 9",
        ],
    }
    assert len(data["passkeys"]) == 1


def test_an_app_without_confirmation_is_no_factor(console: Console, alice: Person) -> None:
    begin_totp(alice.log_in())

    assert console.get(f"/users/{alice.user_id}/factors").data["totp_enabled_at"] is None


def test_factors_are_shown_without_an_encryption_key(
    console: Console, alice: Person, configure: Callable[..., None]
) -> None:
    enroll_totp(existing_session(alice))

    configure(ENCRYPTION_KEY="")

    assert console.get(f"/users/{alice.user_id}/factors").data["totp_enabled_at"] is not None


def test_the_api_keys_are_those_that_the_user_sees(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    session = existing_session(alice)
    make_key(session, name="expired", expires_in_days=1)
    revoke(session, make_key(session, name="revoked")["api_key"]["id"])
    make_key(session, name="live")
    travel.shift(timedelta(days=1))
    console, session = console.renewed(), existing_session(alice)

    data = console.get(f"/users/{alice.user_id}/api-keys").data

    listed = session.api.get("/v1/api-keys", token=session.access).data
    assert data == {"api_keys": listed, "count": 2, "limit": 50}
    assert [(key["name"], key["expired"]) for key in listed] == [("live", False), ("expired", True)]


def test_the_keys_are_not_configured_while_the_feature_is_off(
    console: Console, alice: Person, configure: Callable[..., None]
) -> None:
    configure(API_KEYS_ENABLED="off")

    answer = console.get(f"/users/{alice.user_id}/api-keys")

    assert (answer.status, answer.code) == (404, "not_configured")


def test_a_limit_keeps_the_newest_entries(console: Console, alice: Person) -> None:
    session = existing_session(alice)
    for name in ("first", "second", "third"):
        existing_session(alice)
        make_key(session, name=name)

    found = {name: console.get(f"/users/{alice.user_id}/{name}", {"limit": 2}).data for name in LISTS}

    listed = session.api.get("/v1/sessions", token=session.access).data
    assert [entry["id"] for entry in found["sessions"]["sessions"]] == [entry["id"] for entry in listed[:2]]
    assert [key["name"] for key in found["api-keys"]["api_keys"]] == ["third", "second"]
    assert {(page["count"], page["limit"]) for page in found.values()} == {(2, 2)}


@each("name", LISTS)
@each("limit", invalid_numbers(1, 500))
def test_a_limit_out_of_bounds_is_refused(console: Console, name: str, limit: str) -> None:
    assert console.get(f"/users/{console.user_id}/{name}", f"limit={limit}").code == "bad_request"


def test_no_answer_contains_a_secret_or_a_digest(console: Console, alice: Person) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    passkeys.register(session, Authenticator())
    codes = generate_codes(session)
    key = make_key(session)["key"]

    text = "".join(
        str(console.get(f"/users/{alice.user_id}/{name}").body) for name in ("sessions", "factors", "api-keys")
    )

    stored: list[Any] = [
        *Token.objects.values_list("digest", flat=True),
        *Totp.objects.values_list("secret", flat=True),
        *Passkey.objects.values_list("public_key", flat=True),
        *RecoveryCode.objects.values_list("digest", flat=True),
    ]
    assert not [value for value in (app.secret, key, session.refresh, *codes) if value in text]
    assert not [value for value in stored if bytes(value).hex() in text]


@pytest.mark.parametrize("name", ["sessions", "factors", "api-keys"])
def test_only_operators_see_what_a_user_holds(console: Console, alice: Person, name: str) -> None:
    path, session = f"/v1/admin/users/{alice.user_id}/{name}", sign_up("eve").log_in()

    assert session.api.get(path, token=session.access).code == "not_operator"
    assert session.api.get(path).code == "missing_auth_header"


@each("name", ["sessions", "factors", "api-keys"])
@each("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_ends_or_removes_anything(console: Console, alice: Person, name: str, method: str) -> None:
    assert console.call(method, f"/users/{alice.user_id}/{name}", {}).code == "method_not_allowed"
