"""Sessions end during the refreshes and logins that would continue them."""

from collections.abc import Callable
from functools import partial
from threading import Event

import pytest

from core.clock import now
from core.keys.jwt import verify_access_token
from sessions_app.families.ended_sessions import list_revocations
from sessions_app.models import Family
from tests.client import Answer, Api
from tests.people import Person, SignedIn, sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

NEW_PASSWORD = "another horse battery"


def log_out(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    (listed,) = api.get("/v1/sessions", token=newest.access).data
    return api.post("/v1/logout", {"session_id": listed["id"]}, token=newest.access).status == 200


def revoke(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    (listed,) = api.get("/v1/sessions", token=newest.access).data
    return api.delete(f"/v1/sessions/{listed['id']}", token=newest.access).status == 200


def log_out_everywhere(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    return api.post("/v1/logout-all", token=newest.access).status == 200


def reuse(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    return api.post("/v1/refresh", {"refresh_token": rotated.refresh}).code == "token_reused"


def change_password(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    passwords = {"current_password": newest.person.password, "new_password": NEW_PASSWORD}
    return api.post("/v1/change-password", passwords, token=newest.access).status == 200


def delete_account(api: Api, rotated: SignedIn, newest: SignedIn) -> bool:
    password = {"current_password": newest.person.password}
    return api.post("/v1/delete-account", password, token=newest.access).status == 200


WAYS = (log_out, revoke, log_out_everywhere, reuse, change_password, delete_account)
WAYS_THAT_RAISE_THE_EPOCH = (change_password, delete_account)


def acknowledge(end: Callable[[], bool], *, ended: Event) -> bool:
    """End the sessions, and set the event after the answer."""
    try:
        return end()
    finally:
        ended.set()


def until_refused(act: Callable[[], Answer], *, ended: Event) -> Answer:
    """Repeat the act until an answer refuses it, and return the refusal.

    No act that began after the end may succeed.
    """
    while True:
        was_ended = ended.is_set()
        answer = act()
        if answer.status != 200:
            return answer
        assert not was_ended, "An acknowledged end was undone."


class Holder:
    """A client that always uses its newest refresh token. `access` are the access tokens that it got."""

    def __init__(self, session: SignedIn) -> None:
        self._api = session.api
        self.token = session.refresh
        self.access = [session.access]

    def refresh(self) -> Answer:
        """Exchange the newest refresh token."""
        answer = self._api.post("/v1/refresh", {"refresh_token": self.token})
        if answer.status == 200:
            self.token = answer.data["refresh_token"]
            self.access.append(answer.data["access_token"])
        return answer


def revoked_ids() -> set[str]:
    """Return the ids in the list of revocations."""
    return {one for entry in list_revocations(since=None, now=now()).revocations for one in entry.session_ids}


def id_of(access_token: str) -> str:
    return verify_access_token(access_token, now=now()).token_id


def has_live_session(person: Person) -> bool:
    return Family.objects.filter(account__email_key=person.email, revoked_at=None).exists()


@pytest.mark.parametrize("end", WAYS)
def test_no_refresh_succeeds_after_the_end_of_its_session_and_each_access_token_is_revoked(
    end: Callable[..., bool],
) -> None:
    api, other = Api(), Api()

    with Crowd(2) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person = sign_up(f"alice{number}", api=api)
            rotated = person.log_in()
            newest = rotated.refreshed()
            holder, ended = Holder(newest), Event()

            refusal, was_ended = crowd.at_once(
                partial(until_refused, holder.refresh, ended=ended),
                partial(acknowledge, partial(end, other, rotated, newest), ended=ended),
            )

            assert was_ended
            assert (refusal.status, refusal.code) == (401, "invalid_token")
            assert holder.refresh().code == "invalid_token"
            assert not has_live_session(person)
            assert {id_of(token) for token in (rotated.access, *holder.access)} <= revoked_ids()


@pytest.mark.parametrize("end", WAYS_THAT_RAISE_THE_EPOCH)
def test_no_login_succeeds_with_a_password_that_was_replaced(end: Callable[..., bool]) -> None:
    api, other, another = Api(), Api(), Api()

    with Crowd(3) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person = sign_up(f"alice{number}", api=api)
            session = person.log_in()
            old_password, ended = {"email": person.email, "password": person.password}, Event()

            first, second, was_ended = crowd.at_once(
                partial(until_refused, partial(api.post, "/v1/login", old_password), ended=ended),
                partial(until_refused, partial(other.post, "/v1/login", old_password), ended=ended),
                partial(acknowledge, partial(end, another, session, session), ended=ended),
            )

            assert was_ended
            assert first.code == second.code == "invalid_credentials"
            assert not has_live_session(person)
