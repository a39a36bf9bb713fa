"""A session ends while its access token changes a credential."""

from functools import partial

import pytest

from apikeys.models import ApiKey
from tests.client import Api
from tests.people import SignedIn, sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CHANGES = 6


def log_out(session: SignedIn, session_id: str) -> set[str]:
    """End the session. Return the account's keys as they are after the answer."""
    answer = session.api.post("/v1/logout", {"session_id": session_id}, token=session.access)
    assert answer.status == 200
    return key_ids(session)


def make_key(session: SignedIn) -> str:
    answer = session.api.post("/v1/api-keys", {"name": "k"}, token=session.access)
    return answer.code if answer.status != 201 else "made"


def key_ids(session: SignedIn) -> set[str]:
    return {str(key) for key in ApiKey.objects.filter(account=session.person.account()).values_list("pk", flat=True)}


def test_no_credential_is_added_after_the_end_of_the_session_was_acknowledged() -> None:
    outcomes = set()
    with Crowd(CHANGES + 1) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = sign_up(f"alice{number}", api=Api()).log_in()
            (listed,) = session.api.get("/v1/sessions", token=session.access).data

            before, *made = crowd.at_once(
                partial(log_out, session, listed["id"]), *[partial(make_key, session)] * CHANGES
            )

            assert key_ids(session) == before
            assert made.count("made") == len(before)
            outcomes |= set(made)
    assert outcomes <= {"made", "invalid_access_token"}
