from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings as django_settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Event
from core.keys.opaque import digest
from sessions_app.models import Family, Token
from tests.client import Api
from tests.people import Person


def refresh(api: Api, token: object) -> str:
    answer = api.post("/v1/refresh", {"refresh_token": token})
    return answer.code if answer.status >= 400 else "ok"


def later(**delta: float) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + timedelta(**delta))  # noqa: TID251


def test_a_refresh_returns_a_new_pair_and_revokes_the_used_token(api: Api, alice: Person) -> None:
    first = alice.log_in()

    second = first.refreshed()

    assert second.refresh != first.refresh
    assert api.get("/v1/verify", token=second.access).data == {"user_id": alice.user_id}
    assert second.is_live()


def test_reuse_of_a_rotated_token_ends_the_session(api: Api, alice: Person) -> None:
    first = alice.log_in()
    second = first.refreshed()

    assert refresh(api, first.refresh) == "token_reused"

    assert refresh(api, second.refresh) == "invalid_token"
    assert refresh(api, first.refresh) == "token_reused"
    assert Event.objects.filter(type="token_reuse_detected", user_id=alice.user_id).count() == 1


def test_reuse_ends_no_other_session(api: Api, alice: Person) -> None:
    other = alice.log_in()
    first = alice.log_in()
    first.refreshed()

    refresh(api, first.refresh)

    assert other.is_live()


@pytest.mark.parametrize(
    "token", ["", "srt_", "srt_" + "A" * 43, "A" * 47, "srt_" + "A" * 42 + "\u00e9", "spt_" + "A" * 43, "x" * 9000]
)
def test_a_token_that_was_never_issued_is_invalid(api: Api, token: str) -> None:
    answer = api.post("/v1/refresh", {"refresh_token": token})

    assert (answer.status, answer.code) == (401, "invalid_token")


def test_an_access_token_does_not_refresh(api: Api, alice: Person) -> None:
    assert refresh(api, alice.log_in().access) == "invalid_token"


def test_a_token_unused_for_thirty_days_is_invalid(api: Api, alice: Person) -> None:
    session = alice.log_in()

    with later(days=30, seconds=1):
        assert refresh(api, session.refresh) == "invalid_token"


def test_each_refresh_restarts_the_idle_time_up_to_the_absolute_limit(alice: Person) -> None:
    session = alice.log_in()

    for month in range(1, 7):
        with later(days=29 * month):
            session = session.refreshed()
    with later(days=180, seconds=1):
        assert not session.is_live()


def test_only_the_digest_of_a_token_is_stored(alice: Person) -> None:
    session = alice.log_in()

    assert bytes(Token.objects.get().digest) == digest(session.refresh)
    assert len(Token.objects.get().digest) == 32


def test_the_session_keeps_its_start_and_shows_the_ip_address_of_the_last_refresh(alice: Person) -> None:
    session = alice.log_in()
    started_at = Family.objects.get().started_at
    elsewhere = Api(ip="198.51.100.9", user_agent="curl/8")

    tokens = elsewhere.post("/v1/refresh", {"refresh_token": session.refresh}).data

    (listed,) = elsewhere.get("/v1/sessions", token=tokens["access_token"]).data
    assert (listed["ip"], listed["user_agent"]) == ("198.51.100.9", "curl/8")
    assert listed["created_at"] == started_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.mark.skipif(
    connection.vendor != "postgresql" or django_settings.AUTH_USER_MODEL != "authsvc_accounts.User",
    reason="SQLite needs several statements, and a host project reads the user before",
)
def test_a_refresh_takes_one_statement_on_postgresql(alice: Person) -> None:
    session = alice.log_in().refreshed()

    with CaptureQueriesContext(connection) as captured:
        session.refreshed()

    assert [query["sql"].split()[0] for query in captured if "SAVEPOINT" not in query["sql"]] == ["WITH"]


def test_a_missing_member_is_named(api: Api) -> None:
    answer = api.post("/v1/refresh", {})

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"] == "refresh_token: is required."
