from typing import Any

import pytest
import time_machine

from accounts.events.vocabulary import EventType
from tests.operators import Console
from tests.people import Person
from tests.second_factors import lock

PATH = "/config-tuning"


def test_suggestions_come_with_the_counts_that_they_rest_on(
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
        "counts": {event.value: 0 for event in EventType}
        | {"signup_success": 2, "login_success": 1, "login_failed": 5, "account_locked": 1, "anomaly_detected": 1},
    }


def test_what_is_turned_off_is_worth_a_thought(console: Console, configure: Any) -> None:
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
def test_a_login_that_no_limit_bounds_is_found(console: Console, configure: Any, limits: str, is_found: bool) -> None:
    configure(RATE_LIMITS=limits)

    suggestions = console.get(PATH).data["suggestions"]

    assert any(suggestion["area"] == "rate limits" for suggestion in suggestions) == is_found


def test_no_suggestion_tells_of_a_setting_that_is_secret(console: Console, configure: Any) -> None:
    configure(EMAIL_URL="smtp://me:secret-9d2e@mail.example.com", RATE_LIMITS="off")

    assert "secret-9d2e" not in str(console.get(PATH).body)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_suggestion_can_only_be_read(console: Console, method: str) -> None:
    suggestion = {"area": "rate limits", "finding": "x", "suggestion": "y", "apply": True}

    answer = console.call(method, PATH, {"suggestions": [suggestion]})

    assert (answer.status, answer.code, answer.headers["Allow"]) == (405, "method_not_allowed", "GET")
