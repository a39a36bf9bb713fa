"""Concurrent creation, use and revocation of API keys."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Lock
from typing import Any

import pytest
from django.db import connection

from accounts.models import Account, Event
from apikeys.models import ApiKey
from core import clock
from tests.client import PASSWORD, Answer, Api
from tests.factories import ApiKeyFactory
from tests.keys import events, forged, listed, make_key, verify
from tests.people import existing, existing_session

from .crowd import ROUNDS, ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16
LIVE_MAX = 100


class UpdatedRows:
    """The number of rows that all threads together have updated."""

    def __init__(self) -> None:
        self.count = 0
        self._lock = Lock()

    def counting(self, act: Callable[[], Answer]) -> Answer:
        """Run the block, and count the rows that this thread's connection updates."""
        with connection.execute_wrapper(self._count):
            return act()

    def _count(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith("UPDATE"):
            with self._lock:
                self.count += context["cursor"].rowcount
        return result


def test_concurrent_uses_of_a_key_are_recorded_once() -> None:
    callers = [Api() for _ in range(CALLERS)]
    session = existing_session(existing("alice"))

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            key, updated = make_key(session)["key"], UpdatedRows()
            if number % 2:
                used = clock.now() - timedelta(minutes=5)
                ApiKey.objects.filter(prefix=key[:11]).update(last_used_at=used)

            answers = crowd.at_once(
                *[partial(updated.counting, partial(verify, key, api=caller)) for caller in callers]
            )

            assert {answer.status for answer in answers} == {200}
            assert updated.count == 1


def test_concurrent_refusals_of_a_key_are_recorded_once() -> None:
    callers = [Api() for _ in range(CALLERS)]
    session = existing_session(existing("alice"))

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            key = make_key(session)["key"]

            answers = crowd.at_once(*[partial(verify, forged(key), api=caller) for caller in callers])

            assert {(answer.status, answer.code) for answer in answers} == {(401, "invalid_api_key")}
            assert len(events(session.person, "api_key_rejected")) == number + 1


def test_concurrent_revocations_revoke_a_key_once() -> None:
    callers = [Api() for _ in range(CALLERS)]
    session = existing_session(existing("alice"))

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            key = make_key(session)
            path = f"/v1/api-keys/{key['api_key']['id']}"

            answers = crowd.at_once(*[partial(caller.delete, path, token=session.access) for caller in callers])

            assert Counter(answer.status for answer in answers) == {200: 1, 404: CALLERS - 1}
            assert {answer.code for answer in answers if answer.status != 200} == {"api_key_not_found"}
            assert len(events(session.person, "api_key_revoked")) == number + 1
            assert verify(key["key"]).code == "invalid_api_key"


def test_concurrent_calls_never_exceed_the_limit_of_keys_per_account() -> None:
    callers = [Api() for _ in range(CALLERS)]
    room = CALLERS // 2

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))
            ApiKeyFactory.create_batch(LIVE_MAX - room, account=session.person.account())

            answers = crowd.at_once(
                *[partial(caller.post, "/v1/api-keys", {"name": "x"}, token=session.access) for caller in callers]
            )

            assert Counter(answer.status for answer in answers) == {201: room, 400: CALLERS - room}
            assert {answer.code for answer in answers if answer.status != 201} == {"bad_request"}
            assert len(listed(session)) == LIVE_MAX
            assert len(events(session.person, "api_key_created")) == room


def test_the_events_of_a_deleted_account_contain_no_ip_and_no_user_agent() -> None:
    with Crowd(4) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = existing_session(existing(f"alice{number}"))
            revoked, used = make_key(session), make_key(session)["key"]
            path, password = f"/v1/api-keys/{revoked['api_key']['id']}", {"current_password": PASSWORD}

            deleted, *others = crowd.at_once(
                partial(session.api.post, "/v1/delete-account", password, token=session.access),
                partial(Api().delete, path, token=session.access),
                partial(Api().post, "/v1/api-keys", {"name": "x"}, token=session.access),
                partial(verify, forged(used)),
            )

            assert deleted.status == 200
            assert {answer.status for answer in others} <= {200, 201, 401, 404}
            assert not Account.objects.exists()
            assert not ApiKey.objects.exists()
            assert not Event.objects.filter(user_id=session.person.user_id).exclude(ip="", user_agent="").exists()
            assert verify(used).code == "invalid_api_key"
