"""DRF views of a site that refuse the access tokens of ended sessions."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.conf import settings as django_settings
from django.db import OperationalError, connection
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import Event
from core import clock
from core.clock import rfc3339
from sessions_app.families.ended_sessions import PAGE_MAX
from sessions_app.site.revocation_list import RevocationList
from tests.client import PASSWORD, Api
from tests.people import Person, SignedIn
from tests.races.crowd import Crowd

pytestmark = [pytest.mark.urls("tests.api.host_site.revocation_site"), pytest.mark.django_db(transaction=True)]

_days = count()


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    """Remove the DRF defaults of the host site, because these tests use views of the site."""
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    """Freeze the clock, for each test on a later day, because the views keep their lists."""
    with time_machine.travel(
        datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(days=next(_days)), tick=False
    ) as traveller:
        yield traveller


def status(path: str, session: SignedIn) -> int:
    answer: Any = Api().client.get(path, headers={"Authorization": f"Bearer {session.access}"})
    return int(answer.status_code)


def log_out(session: SignedIn) -> None:
    for row in session.api.get("/v1/sessions", token=session.access).data:
        if row["current"]:
            session.api.post("/v1/logout", {"session_id": row["id"]}, token=session.access)


def end_at(moment: datetime, count: int) -> list[str]:
    ids = [str(uuid4()) for _ in range(count)]
    Event.objects.bulk_create(
        Event(
            type="session_ended",
            user_id="x",
            metadata={"cause": "logout", "session_ids": [one], "last_expiry": rfc3339(moment + timedelta(minutes=5))},
            created_at=moment + timedelta(microseconds=number),
        )
        for number, one in enumerate(ids)
    )
    return ids


def test_the_list_refuses_a_token_when_it_is_read_again_and_the_check_refuses_it_at_once(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session, other = alice.log_in(), alice.log_in()
    assert {status(path, session) for path in ("/live", "/listed", "/default")} == {200}

    log_out(session)

    assert [status(path, session) for path in ("/live", "/listed", "/default")] == [401, 200, 200]
    travel.shift(5)
    assert [status(path, session) for path in ("/listed", "/default")] == [200, 401]
    travel.shift(5)
    assert [status(path, session) for path in ("/listed", "/default")] == [401, 401]
    assert {status(path, other) for path in ("/live", "/listed", "/default")} == {200}


def test_the_refusal_is_that_of_a_token_that_is_not_valid(alice: Person) -> None:
    session = alice.log_in()
    log_out(session)

    revoked, wrong = (
        Api().client.get("/default", headers={"Authorization": f"Bearer {token}"})
        for token in (session.access, f"{session.access}x")
    )

    assert revoked.status_code == wrong.status_code == 401
    assert revoked.headers["WWW-Authenticate"] == wrong.headers["WWW-Authenticate"] == "Bearer"
    assert revoked.json() == wrong.json()


@pytest.mark.parametrize("path", ["/live", "/listed", "/default"])
def test_the_token_of_a_deleted_account_is_refused_at_once(alice: Person, path: str) -> None:
    session = alice.log_in()
    assert status(path, session) == 200

    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert status(path, session) == 401


@pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a site's users can be shut out"
)
@pytest.mark.parametrize("path", ["/live", "/listed", "/default"])
def test_the_token_of_an_inactive_user_is_refused_at_once(alice: Person, path: str) -> None:
    session = alice.log_in()
    user: Any = alice.account().user
    user.is_active = False
    user.save()

    assert status(path, session) == 401


def test_the_list_is_read_once_for_all_requests_of_its_time(
    db: None, travel: time_machine.Traveller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    listed = RevocationList(seconds=5)
    (ended,) = end_at(clock.now(), 1)

    with django_assert_num_queries(1):
        answers = [listed.has(token_id=one, now=clock.now()) for one in (ended, "x") * 10]
    travel.shift(5)
    with django_assert_num_queries(1):
        listed.has(token_id="x", now=clock.now())

    assert answers == [True, False] * 10


def test_the_list_has_every_page_and_forgets_what_has_expired(travel: time_machine.Traveller) -> None:
    listed = RevocationList(seconds=5)
    ids = end_at(clock.now(), PAGE_MAX + 1)

    assert all(listed.has(token_id=one, now=clock.now()) for one in ids)
    travel.shift(299)
    assert all(listed.has(token_id=one, now=clock.now()) for one in ids)
    travel.shift(5)
    assert not any(listed.has(token_id=one, now=clock.now()) for one in ids)


def test_the_list_is_complete_after_a_page_that_failed() -> None:
    listed = RevocationList(seconds=5)
    ids = end_at(clock.now(), PAGE_MAX + 1)
    numbers = count(1)

    def lose_the_second(execute: Any, *query: Any) -> Any:
        if next(numbers) == 2:
            raise OperationalError
        return execute(*query)

    with connection.execute_wrapper(lose_the_second):
        with pytest.raises(OperationalError):
            listed.has(token_id=ids[0], now=clock.now())
        found = [listed.has(token_id=one, now=clock.now()) for one in ids]

    assert all(found)


def test_parallel_requests_read_the_list_once_and_all_see_it(travel: time_machine.Traveller) -> None:
    listed = RevocationList(seconds=5)
    (ended,) = end_at(clock.now(), 1)

    with Crowd(8) as crowd:
        answers = crowd.at_once(*[partial(listed.has, token_id=ended, now=clock.now())] * 8)

    assert answers == [True] * 8
