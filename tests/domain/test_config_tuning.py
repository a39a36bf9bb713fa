"""Each rule applies at its figures and not below them, and no text is an order."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from console.reports.config_tuning import ExaminedSettings, Suggestion, suggest
from events.vocabulary import EventType
from tests.rows import each

pytestmark = pytest.mark.once

SOUND = ExaminedSettings(
    lockout_threshold=5,
    is_login_limited=True,
    are_breached_refused=True,
    has_encryption_key=True,
    is_mail_on=True,
    is_detection_on=True,
)
LAX = ExaminedSettings(
    lockout_threshold=7,
    is_login_limited=False,
    are_breached_refused=False,
    has_encryption_key=False,
    is_mail_on=False,
    is_detection_on=False,
)

Counts = Mapping[str, int]

# The area, the smallest counts at which the rule applies, and counts just below them.
BY_COUNTS: list[tuple[str, Counts, list[Counts]]] = [
    (
        "lockout",
        {"account_locked": 20, "login_success": 400},
        [{"account_locked": 19, "login_success": 0}, {"account_locked": 20, "login_success": 401}],
    ),
    (
        "rate limits",
        {"login_failed": 21, "login_success": 10},
        [{"login_failed": 20, "login_success": 10}, {"login_failed": 19, "login_success": 0}],
    ),
    ("rate limits", {"credential_stuffing_detected": 1}, [{"credential_stuffing_detected": 0}]),
    (
        "passwords",
        {"password_breach_rejected": 21, "signup_success": 20},
        [
            {"password_breach_rejected": 20, "signup_success": 20},
            {"password_breach_rejected": 19, "signup_success": 0},
        ],
    ),
    (
        "second factors",
        {"totp_challenge_failed": 21, "login_success": 20},
        [{"totp_challenge_failed": 20, "login_success": 20}, {"totp_challenge_failed": 19, "login_success": 0}],
    ),
    ("second factors", {"recovery_code_used": 20}, [{"recovery_code_used": 19}]),
    (
        "sessions",
        {"token_reuse_detected": 20, "token_rotated": 2000},
        [
            {"token_reuse_detected": 20, "token_rotated": 2001},
            {"token_reuse_detected": 19, "token_rotated": 0},
        ],
    ),
    (
        "detection",
        {"anomaly_detected": 20, "login_success": 80},
        [{"anomaly_detected": 20, "login_success": 81}, {"anomaly_detected": 19, "login_success": 0}],
    ),
]

BY_SETTINGS: list[tuple[str, Mapping[str, Any], str]] = [
    ("rate limits", {"is_login_limited": False}, "RATE_LIMITS turns `login_ip` off"),
    ("passwords", {"are_breached_refused": False}, "BREACHED_PASSWORDS is off"),
    ("second factors", {"has_encryption_key": False}, "ENCRYPTION_KEY is unset"),
    ("detection", {"is_detection_on": False}, "ANOMALY_DETECTION is off"),
    ("mail", {"is_mail_on": False}, "EMAIL_URL is off"),
]

EVERYTHING = {event.value: 1000 for event in EventType} | {"login_success": 10, "signup_success": 0, "token_rotated": 0}


def suggestions(counts: Counts, settings: ExaminedSettings = SOUND) -> list[Suggestion]:
    return suggest(counts={event: counts.get(event.value, 0) for event in EventType}, settings=settings)


def areas(counts: Counts, settings: ExaminedSettings = SOUND) -> list[str]:
    return [suggestion.area for suggestion in suggestions(counts, settings)]


def test_sound_settings_without_events_cause_no_suggestion() -> None:
    assert suggestions({}) == []


def test_an_ordinary_month_of_a_healthy_service_causes_no_suggestion() -> None:
    ordinary = {
        "login_success": 10_000,
        "login_failed": 900,
        "account_locked": 60,
        "signup_success": 300,
        "password_breach_rejected": 40,
        "token_rotated": 100_000,
        "token_reuse_detected": 30,
        "anomaly_detected": 200,
        "totp_challenge_failed": 120,
        "recovery_code_used": 10,
    }

    assert suggestions(ordinary) == []


@each("area, enough", [(area, enough) for area, enough, _ in BY_COUNTS])
def test_a_rule_applies_at_its_figures(area: str, enough: Counts) -> None:
    (found,) = suggestions(enough)

    assert found.area == area


@each("short", [short for _, _, shorts in BY_COUNTS for short in shorts])
def test_a_rule_does_not_apply_just_below_its_figures(short: Counts) -> None:
    assert areas(short) == []


@pytest.mark.parametrize(("area", "weak", "finding"), BY_SETTINGS)
def test_a_setting_that_is_off_is_reported_independently_of_the_events(
    area: str, weak: Mapping[str, Any], finding: str
) -> None:
    (found,) = suggestions({}, replace(SOUND, **weak))

    assert found.area == area
    assert found.finding.startswith(finding)


def test_every_examined_setting_is_used_by_a_rule() -> None:
    looked_at = {field.name for field in fields(ExaminedSettings)}

    assert looked_at == {name for _, weak, _ in BY_SETTINGS for name in weak} | {"lockout_threshold"}
    (found,) = suggestions({"account_locked": 20}, replace(SOUND, lockout_threshold=3))
    assert "LOCKOUT_THRESHOLD than 3 " in found.suggestion


def test_while_detection_is_off_its_figures_cause_no_finding() -> None:
    found = suggestions({"anomaly_detected": 20}, replace(SOUND, is_detection_on=False))

    assert [suggestion.finding.partition(":")[0] for suggestion in found] == ["ANOMALY_DETECTION is off"]


def test_findings_contain_the_figures_that_they_depend_on() -> None:
    (found,) = suggestions({"login_failed": 4711, "login_success": 42})

    assert found.finding == "4711 failed logins against 42 successful ones."


def test_all_rules_can_apply_at_once() -> None:
    off = set(areas(EVERYTHING, LAX))

    assert off == {area for area, _, _ in BY_COUNTS} | {area for area, _, _ in BY_SETTINGS}


@pytest.mark.parametrize("settings", [SOUND, LAX], ids=["sound", "lax"])
def test_a_suggestion_begins_with_consider_and_no_text_is_an_order(settings: ExaminedSettings) -> None:
    orders = re.compile(
        r"^(Set|Turn|Enable|Disable|Raise|Lower|Increase|Decrease|Change|Use|Add|Block|Make|Review|Do|Please|You)\b"
        r"|\b(must|should|have to|has to|need to|immediately|required to)\b",
        re.IGNORECASE,
    )

    for found in suggestions(EVERYTHING, settings):
        assert re.match(r"Consider\b", found.suggestion), found
        for sentence in re.split(r"(?<=[.;:])\s+", f"{found.suggestion} {found.finding}"):
            assert not orders.search(sentence), sentence
        assert found.finding.endswith(".")
        assert found.suggestion.endswith(".")
