import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from pytest_django import Settings

from accounts.models import Account, Event
from core.db import sql
from core.db.ids import new_id
from core.http.client import Client
from sessions_app.conf import DetectionSettings
from sessions_app.detection import facts as detection_facts
from sessions_app.detection.facts import FailureFacts, LoginFacts
from sessions_app.detection.signals import detect_failure_signals, detect_login_signals, detect_spray
from tests.client import CHROME_ON_MAC, PASSWORD, Api
from tests.people import Person, sign_up
from tests.races.crowd import Crowd
from tests.rows import each

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOME = Client(ip="203.0.113.7", user_agent=CHROME_ON_MAC)
CALLERS = 8
ROUNDS = 5

QUIET = LoginFacts(
    known_logins=3,
    ip_is_known=True,
    network_is_known=True,
    device_is_known=True,
    user_failures=0,
    ip_failures=0,
    token_was_reused=False,
    sessions=1,
)
FAILURE = FailureFacts(user_failures=1, ip_failures=1, accounts=1, unknown_accounts=0)
LIMITS = DetectionSettings()


@each(
    "seen, found",
    [
        (QUIET, []),
        (replace(QUIET, ip_is_known=False), ["new_ip"]),
        (replace(QUIET, device_is_known=False), ["new_device"]),
        (replace(QUIET, known_logins=2, ip_is_known=False, device_is_known=False), []),
        (replace(QUIET, user_failures=4), []),
        (replace(QUIET, user_failures=5), ["user_failure_velocity"]),
        (replace(QUIET, ip_failures=19), []),
        (replace(QUIET, ip_failures=20), ["ip_failure_velocity"]),
        (replace(QUIET, token_was_reused=True), ["token_reuse"]),
        (replace(QUIET, sessions=10), []),
        (replace(QUIET, sessions=11), ["concurrent_sessions"]),
        (
            LoginFacts(
                known_logins=50,
                ip_is_known=False,
                network_is_known=False,
                device_is_known=False,
                user_failures=50,
                ip_failures=200,
                token_was_reused=True,
                sessions=100,
            ),
            [
                "new_ip",
                "new_device",
                "user_failure_velocity",
                "ip_failure_velocity",
                "token_reuse",
                "concurrent_sessions",
            ],
        ),
    ],
)
def test_a_login_is_suspicious_from_the_limits_on(seen: LoginFacts, found: list[str]) -> None:
    assert list(detect_login_signals(seen, limits=LIMITS)) == found


@each(
    "seen, found, sprayed",
    [
        (FAILURE, [], []),
        (replace(FAILURE, user_failures=5), ["user_failure_velocity"], []),
        (replace(FAILURE, ip_failures=20, accounts=9), ["ip_failure_velocity"], []),
        (replace(FAILURE, ip_failures=20, accounts=10), [], ["account_spray"]),
        (replace(FAILURE, accounts=0, unknown_accounts=10), [], ["unknown_account_spray"]),
        (replace(FAILURE, accounts=1, unknown_accounts=9), [], ["account_spray", "unknown_account_spray"]),
        (replace(FAILURE, accounts=1, unknown_accounts=8), [], []),
        (replace(FAILURE, user_failures=5, ip_failures=20, accounts=10), ["user_failure_velocity"], ["account_spray"]),
    ],
)
def test_a_failure_is_suspicious_from_the_limits_on(seen: FailureFacts, found: list[str], sprayed: list[str]) -> None:
    assert list(detect_failure_signals(seen, limits=LIMITS)) == found
    assert list(detect_spray(seen, limits=LIMITS)) == sprayed


@pytest.mark.django_db(transaction=True)
def test_concurrent_logins_are_reported_once(settings: Settings) -> None:
    configure(settings, ANOMALY_MAX_SESSIONS="1")
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            body = {"email": person.email, "password": PASSWORD}

            answers = crowd.at_once(*[partial(api.post, "/v1/login", body) for api in callers])

            assert {answer.status for answer in answers} == {200}
            assert signals_of(person.user_id) == [["concurrent_sessions"]]


@pytest.mark.django_db(transaction=True)
def test_concurrent_failures_at_a_locked_account_are_reported_once(settings: Settings) -> None:
    configure(settings, ANOMALY_USER_FAILURES="1", STUFFING_ACCOUNTS="1000")

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            callers = [Api(ip=f"192.0.2.{number}") for _ in range(CALLERS)]
            person = sign_up(f"alice{number}")
            Account.objects.update(locked_until=datetime(2100, 1, 1, tzinfo=UTC))
            body = {"email": person.email, "password": "wrong"}

            answers = crowd.at_once(*[partial(api.post, "/v1/login", body) for api in callers])

            assert {answer.code for answer in answers} == {"account_locked"}
            assert signals_of(person.user_id) == [["user_failure_velocity"]]


@pytest.mark.django_db(transaction=True)
def test_concurrent_failures_from_one_address_are_reported_once(settings: Settings) -> None:
    configure(settings, STUFFING_ACCOUNTS="1")

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            callers = [Api(ip=f"192.0.2.{number}") for _ in range(CALLERS)]
            bodies = [{"email": f"nobody{caller}@example.com", "password": "wrong"} for caller in range(CALLERS)]

            answers = crowd.at_once(
                *[partial(api.post, "/v1/login", body) for api, body in zip(callers, bodies, strict=True)]
            )

            assert {answer.code for answer in answers} == {"invalid_credentials"}
            assert Event.objects.filter(type="credential_stuffing_detected", ip=callers[0].ip).count() == 1


def test_every_query_over_a_long_past_uses_an_index(alice: Person) -> None:
    user_id, account_id = alice.user_id, Account.objects.get().pk
    # The account is one of many. Otherwise the planner may scan the logins of all accounts.
    others = [event for _ in range(1000) for event in earlier_events_of(str(new_id()), rotations=10)]
    Event.objects.bulk_create(earlier_events_of(user_id, rotations=1000) + others)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {Event._meta.db_table}")
    failures = (user_id, NOW, 50, HOME.ip, NOW, 200)

    plans = {
        "login": explain(
            detection_facts._LOGIN_FACTS_SQL, (*failures, user_id, NOW, account_id, NOW, NOW, 100, user_id)
        ),
        "failure": explain(detection_facts._FAILURE_FACTS_SQL, (*failures, HOME.ip, NOW, 1000)),
        "reported": explain(detection_facts._REPORTED_SIGNALS_SQL, (user_id, NOW)),
    }

    assert {name: plan.count("authsvc_event_watched") for name, plan in plans.items() if name != "reported"} == {
        "login": 3,
        "failure": 1,
    }
    # The flagged events also have their own index. Either index is good.
    assert plans["reported"].count("authsvc_event_watched") + plans["reported"].count("authsvc_event_flagged") == 1
    # No failure is as young as the span, so the statistics decide between two indexes that begin at its start.
    young = re.compile("authsvc_event_(failed_ip|type)")
    assert (len(young.findall(plans["login"])), len(young.findall(plans["failure"]))) == (1, 2)


def test_an_index_serves_the_failures_of_an_ipv6_network(db: None) -> None:
    client = Client(ip="2001:db8:1::7", user_agent="")
    source = detection_facts._source_of(client)
    bounds = source.bounds(client, since=NOW)
    is_postgresql = connection.vendor == "postgresql"
    if is_postgresql:
        with connection.cursor() as cursor:
            # The planner of an almost empty table would choose any of them. The end of the test restores them.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("DROP INDEX authsvc_event_type, authsvc_event_failed_ip, authsvc_event_network")

    plan = explain(source.failure, ("", NOW, 50, *bounds, 200, *bounds, 1000))

    assert plan.count("authsvc_event_incident" if is_postgresql else "authsvc_event_type") == 2


def configure(settings: Settings, **variables: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


def signals_of(user_id: str) -> list[list[str]]:
    events = Event.objects.filter(type="anomaly_detected", user_id=user_id).order_by("id")
    return [event.metadata["signals"] for event in events]


def earlier_events_of(user_id: str, *, rotations: int) -> list[Event]:
    """Return a login every hundred rotations and occasional failures, each from a different address."""
    types = {0: "login_success", 50: "login_failed"}
    return [
        Event(
            type=types.get(number % 100, "token_rotated"),
            user_id=user_id,
            ip=f"2001:db8::{number:x}",
            created_at=NOW - timedelta(minutes=number),
        )
        for number in range(rotations)
    ]


def explain(statement: str, parameters: tuple[object, ...]) -> str:
    prefix = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    return str(sql.fetch_all(f"{prefix} {statement}", parameters))
