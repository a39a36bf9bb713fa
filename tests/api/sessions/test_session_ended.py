"""Each act that ends sessions records one event, which names every valid access token of these sessions by its `jti`."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt as pyjwt
import pytest
import time_machine
from django.conf import settings as django_settings
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.lifecycle import AccountListener, account_listeners
from accounts.models import Event
from core.clock import rfc3339
from sessions_app.families.revocation import IDS_MAX, Cause
from sessions_app.models import Family, Token
from tests import password_resets
from tests.client import PASSWORD, Api
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LIFETIME = timedelta(seconds=900)
NEW_PASSWORD = "another horse battery"


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def id_of(session: SignedIn) -> str:
    """Return the `jti` of the access token, which is an id of the session."""
    claims: dict[str, Any] = pyjwt.decode(session.access, options={"verify_signature": False})
    return str(claims["jti"])


def ends(person: Person) -> list[Any]:
    """Return the metadata of the account's events, the oldest first."""
    return list(
        Event.objects.filter(type="session_ended", user_id=person.user_id)
        .order_by("id")
        .values_list("metadata", flat=True)
    )


def log_out(session: SignedIn) -> None:
    session.api.post("/v1/logout", {"session_id": id_of(session)}, token=session.access)


def end_from_list(session: SignedIn) -> None:
    session.api.delete(f"/v1/sessions/{id_of(session)}", token=session.access)


def log_out_everywhere(session: SignedIn) -> None:
    session.api.post("/v1/logout-all", token=session.access)


def use_twice(session: SignedIn) -> None:
    assert session.api.post("/v1/refresh", {"refresh_token": session.refresh}).status == 200
    assert session.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "token_reused"


def change_password(session: SignedIn) -> None:
    body = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}
    session.api.post("/v1/change-password", body, token=session.access)


def reset_password(session: SignedIn) -> None:
    password_resets.reset(Api(), password_resets.mailed_token(session.person), NEW_PASSWORD)


def take_over(session: SignedIn) -> None:
    email = session.person.email
    Api().post("/v1/magic-link/request", {"email": email})
    Api().post("/v1/magic-link/complete", {"token": token_in(delivered(email)[-1])})


def delete_account(session: SignedIn) -> None:
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)


def delete_the_user_in_the_host(session: SignedIn) -> None:
    session.person.account().user.delete()


def change_password_in_the_host(session: SignedIn) -> None:
    user: Any = session.person.account().user
    user.set_password(NEW_PASSWORD)
    user.save()
    assert not session.is_live()


ACTS: dict[Callable[[SignedIn], None], tuple[Cause, bool]] = {
    # The cause, and whether the act ends the account's other sessions too.
    log_out: (Cause.LOGOUT, False),
    end_from_list: (Cause.SESSION_REVOKED, False),
    use_twice: (Cause.TOKEN_REUSED, False),
    log_out_everywhere: (Cause.LOGOUT_ALL, True),
    change_password: (Cause.PASSWORD_CHANGED, True),
    reset_password: (Cause.PASSWORD_CHANGED, True),
    take_over: (Cause.ACCOUNT_TAKEN_OVER, True),
    delete_account: (Cause.ACCOUNT_DELETED, True),
}
if django_settings.AUTH_USER_MODEL != "authsvc_accounts.User":
    ACTS[change_password_in_the_host] = (Cause.PASSWORD_CHANGED, True)
    ACTS[delete_the_user_in_the_host] = (Cause.ACCOUNT_DELETED, True)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_each_act_records_its_cause_and_the_sessions_that_it_ended(
    alice: Person, bob: Person, act: Callable[[SignedIn], None]
) -> None:
    cause, ends_all = ACTS[act]
    if act is reset_password:
        # The first reset of an unproven address is a takeover.
        password_resets.prove_address(alice)
    session, other, theirs = alice.log_in(), alice.log_in(), bob.log_in()

    act(session)

    (ended,) = ends(alice)
    expected = {id_of(session), id_of(other)} if ends_all else {id_of(session)}
    if act is use_twice:
        expected |= {str(pk) for pk in Token.objects.exclude(family__revoked_at=None).values_list("pk", flat=True)}
    assert ended == {
        "cause": cause,
        "session_ids": ended["session_ids"],
        "last_expiry": rfc3339(NOON + LIFETIME),
    }
    assert set(ended["session_ids"]) == expected
    assert len(ended["session_ids"]) == len(expected)
    assert theirs.is_live()
    assert ends(bob) == []


def test_the_event_has_neither_address_nor_user_agent(alice: Person) -> None:
    log_out(alice.log_in())

    event = Event.objects.get(type="session_ended")
    assert (event.ip, event.user_agent) == ("", "")


def test_the_event_names_each_valid_access_token_of_the_session_and_no_expired_one(
    alice: Person, travel: time_machine.Traveller
) -> None:
    first = alice.log_in()
    travel.shift(600)
    second = first.refreshed()
    travel.shift(299)
    third = second.refreshed()

    travel.shift(1)
    log_out(third)

    # The first token expires at this moment.
    assert ends(alice) == [
        {
            "cause": "logout",
            "session_ids": [id_of(third), id_of(second)],
            "last_expiry": rfc3339(NOON + timedelta(seconds=899) + LIFETIME),
        }
    ]


def test_the_event_names_the_token_that_a_repeated_refresh_superseded(alice: Person) -> None:
    session, header = alice.log_in(), {"Idempotency-Key": "A" * 22}
    for _ in range(2):
        answer = session.api.post("/v1/refresh", {"refresh_token": session.refresh}, headers=header)
    newest = SignedIn(person=alice, api=alice.api, access=answer.data["access_token"], refresh="")

    log_out(newest)

    (ended,) = ends(alice)
    assert set(ended["session_ids"]) == {str(pk) for pk in Token.objects.values_list("pk", flat=True)}
    assert len(ended["session_ids"]) == 3


def test_a_session_without_a_valid_access_token_has_its_present_id_and_an_expiry_in_the_past(
    alice: Person, travel: time_machine.Traveller
) -> None:
    unused = alice.log_in()
    travel.shift(3600)
    session = alice.log_in()

    session.api.delete(f"/v1/sessions/{id_of(unused)}", token=session.access)

    assert ends(alice) == [
        {
            "cause": "session_revoked",
            "session_ids": [id_of(unused)],
            "last_expiry": rfc3339(NOON + timedelta(seconds=3600)),
        }
    ]


def test_an_expired_session_is_not_ended_again_but_its_last_access_token_is(
    alice: Person, settings: Settings, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "REFRESH_ABSOLUTE_SECONDS": "1000"}
    old = alice.log_in()
    travel.shift(500)
    old_but_used = alice.log_in()
    travel.shift(999)
    last = old_but_used.refreshed()
    travel.shift(1)
    session = alice.log_in()

    log_out_everywhere(session)

    (ended,) = ends(alice)
    assert ended["session_ids"] == [id_of(session), id_of(last)]
    assert not old.is_live()


class Listener(AccountListener):
    """A listener that keeps the arguments of its calls."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def session_ended(self, **given: Any) -> None:
        """Keep the arguments."""
        self.calls.append(given)


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A registered listener."""
    listener = Listener()
    account_listeners.register(listener)
    yield listener
    account_listeners.unregister(listener)


def test_a_listener_gets_the_sessions_of_each_act_once(alice: Person, listener: Listener) -> None:
    session, other = alice.log_in(), alice.log_in()

    log_out_everywhere(session)

    (given,) = listener.calls
    assert given == {
        "account_id": alice.account().pk,
        "session_ids": given["session_ids"],
        "cause": "logout_all",
        "now": NOON,
    }
    assert set(given["session_ids"]) == {id_of(session), id_of(other)}


def test_a_second_end_records_nothing(alice: Person) -> None:
    session = alice.log_in()
    log_out(session)

    log_out(session)
    log_out_everywhere(session)

    assert len(ends(alice)) == 1


def test_an_act_that_ends_many_sessions_records_several_events_with_different_times(alice: Person) -> None:
    session = alice.log_in()
    mine = Family.objects.get()
    ids = [id_of(session)]
    for number in range(2 * IDS_MAX):
        family = Family.objects.create(
            account=mine.account,
            current_token_id=mine.current_token_id,
            started_at=NOON,
            authenticated_at=NOON,
            idle_expires_at=mine.idle_expires_at,
            absolute_expires_at=mine.absolute_expires_at,
        )
        token = Token.objects.create(family=family, digest=number.to_bytes(32), created_at=NOON)
        Family.objects.filter(pk=family.pk).update(current_token_id=token.pk)
        ids.append(str(token.pk))

    log_out_everywhere(session)

    events = list(Event.objects.filter(type="session_ended").order_by("created_at"))
    assert [len(event.metadata["session_ids"]) for event in events] == [IDS_MAX, IDS_MAX, 1]
    assert [event.created_at - NOON for event in events] == [timedelta(microseconds=number) for number in range(3)]
    assert sorted(one for event in events for one in event.metadata["session_ids"]) == sorted(ids)


def test_a_logout_needs_two_statements_for_the_event(
    alice: Person, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    session = alice.log_in()

    # The account, the caller's session, the session, its end, the tokens, two events, the sessions of applications that
    # end with it, their logout tokens, and the savepoint of the test.
    with django_assert_max_num_queries(11):
        log_out(session)


def test_a_refresh_records_no_end(alice: Person) -> None:
    alice.log_in().refreshed()

    assert ends(alice) == []
