from datetime import timedelta
from uuid import UUID

import pytest
import time_machine

from apikeys.models import ApiKey
from core import clock
from tests.client import Api
from tests.keys import events, listed, make_key, revoke, verify
from tests.people import Person, SignedIn

UNKNOWN = "0199f3a2-7c11-7abc-8def-0123456789ab"


def test_a_revoked_key_is_invalid(session: SignedIn) -> None:
    made, other = make_key(session), make_key(session)

    answer = revoke(session, made["api_key"]["id"])

    assert (answer.status, answer.data) == (200, {"status": "api key revoked"})
    assert verify(made["key"]).code == "invalid_api_key"
    assert verify(other["key"]).status == 200


def test_a_revocation_is_recorded_for_the_owner(session: SignedIn) -> None:
    made = make_key(session)

    revoke(session, made["api_key"]["id"])

    (event,) = events(session.person, "api_key_revoked")
    assert (event.ip, event.user_agent) == (session.api.ip, session.api.user_agent)
    assert event.metadata == {"prefix": made["api_key"]["prefix"]}


def test_foreign_unknown_revoked_and_malformed_ids_get_the_same_answer(session: SignedIn, bob: Person) -> None:
    own = make_key(session)["api_key"]["id"]
    revoke(session, own)
    foreign = make_key(bob.log_in())["api_key"]["id"]
    expired = make_key(session, expires_in_days=1)["api_key"]["id"]
    ids = [
        foreign,
        own,
        UNKNOWN,
        UNKNOWN.upper(),
        expired.upper(),
        UUID(expired).hex,
        f"{{{expired}}}",
        f"urn:uuid:{expired}",
        "x",
        "a%00b",
        "%20",
        "ak_abcdefgh",
    ]

    raws = [
        session.api.client.delete(f"/v1/api-keys/{key_id}", headers={"Authorization": f"Bearer {session.access}"})
        for key_id in ids
    ]
    answers = [revoke(session, key_id) for key_id in ids]

    assert {(answer.status, answer.code) for answer in answers} == {(404, "api_key_not_found")}
    assert len({raw.content for raw in raws}) == 1
    assert len({tuple(item for item in raw.headers.items() if item[0] != "X-Request-ID") for raw in raws}) == 1
    assert ApiKey.objects.filter(revoked_at=None).count() == 2
    assert len(events(session.person, "api_key_revoked")) == 1
    assert not events(bob, "api_key_revoked")


def test_an_expired_key_can_be_revoked(alice: Person, session: SignedIn, travel: time_machine.Traveller) -> None:
    made = make_key(session, expires_in_days=1)
    travel.shift(timedelta(days=1))
    again = alice.log_in()

    assert revoke(again, made["api_key"]["id"]).data == {"status": "api key revoked"}

    assert listed(again) == []


def test_a_revocation_stores_its_time_and_is_final(session: SignedIn, travel: time_machine.Traveller) -> None:
    made = make_key(session)
    revoke(session, made["api_key"]["id"])
    revoked_at = clock.now()

    travel.shift(60)
    revoke(session, made["api_key"]["id"])

    assert ApiKey.objects.get().revoked_at == revoked_at


@pytest.mark.parametrize(("token", "code"), [(None, "missing_auth_header"), ("x", "invalid_access_token")])
def test_a_caller_without_a_token_revokes_no_key(api: Api, session: SignedIn, token: str | None, code: str) -> None:
    made = make_key(session)

    answer = api.delete(f"/v1/api-keys/{made['api_key']['id']}", token=token)

    assert (answer.status, answer.code) == (401, code)
    assert verify(made["key"]).status == 200
