from typing import Any

import pytest
import time_machine

from events.vocabulary import ACCOUNT_EVENTS
from tests.operators import Console
from tests.people import Person
from tests.second_factors import lock

PATH = "/config-tuning"


def test_the_report_contains_the_counts_of_events(
    travel: time_machine.Traveller, console: Console, alice: Person, configure: Any
) -> None:
    lock(alice)
    travel.shift(1)
    configure(RATE_LIMITS="")

    assert console.get(PATH).data == {
        "since": "2026-02-08T12:00:01.000000Z",
        "until": "2026-03-10T12:00:01.000000Z",
        "window_days": 30,
        "suggestions": [],
        "counts": {event.value: 0 for event in ACCOUNT_EVENTS}
        | {"signup_success": 2, "login_success": 1, "login_failed": 5, "account_locked": 1, "anomaly_detected": 1},
    }


def test_the_report_suggests_enabling_disabled_protections(console: Console, configure: Any) -> None:
    configure(RATE_LIMITS="off", BREACHED_PASSWORDS="off", ENCRYPTION_KEY="", EMAIL_URL="off", ANOMALY_DETECTION="off")

    suggestions = console.get(PATH).data["suggestions"]

    assert [suggestion["area"] for suggestion in suggestions] == [
        "rate limits",
        "passwords",
        "second factors",
        "detection",
        "mail",
    ]
    assert all(set(suggestion) == {"area", "finding", "suggestion"} for suggestion in suggestions)
    assert all(suggestion["suggestion"].startswith("Consider ") for suggestion in suggestions)


@pytest.mark.parametrize(
    ("limits", "is_found"),
    [("", False), ("on", False), ("off", True), ("login_ip=off", True), ("login=1/h,signup=off", False)],
)
def test_the_report_finds_logins_without_a_rate_limit(
    console: Console, configure: Any, limits: str, is_found: bool
) -> None:
    configure(RATE_LIMITS=limits)

    suggestions = console.get(PATH).data["suggestions"]

    assert any(suggestion["area"] == "rate limits" for suggestion in suggestions) == is_found


def test_no_suggestion_contains_a_secret_setting(console: Console, configure: Any) -> None:
    configure(EMAIL_URL="smtp://me:secret-9d2e@mail.example.com", RATE_LIMITS="off")

    assert "secret-9d2e" not in str(console.get(PATH).body)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_suggestions_are_read_only(console: Console, method: str) -> None:
    suggestion = {"area": "rate limits", "finding": "x", "suggestion": "y", "apply": True}

    answer = console.call(method, PATH, {"suggestions": [suggestion]})

    assert (answer.status, answer.code, answer.headers["Allow"]) == (405, "method_not_allowed", "GET")
