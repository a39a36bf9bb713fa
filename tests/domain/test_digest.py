"""The text of a digest."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from console.attacks.definition import Ground
from console.attacks.finding import Attack
from console.reports.digest import UNREVIEWED_MAX, Facts, counted_types, render
from console.reports.window import Window
from events.vocabulary import EventType
from tests.rows import each

pytestmark = pytest.mark.once

UNTIL = datetime(2026, 3, 10, 12, 30, 59, tzinfo=UTC)
WEEK = Window.ending(UNTIL, days=7)


def facts(
    counts: Mapping[str, int] | None = None,
    before: Mapping[str, int] | None = None,
    *,
    users: int = 0,
    unreviewed: int = 0,
) -> Facts:
    def every(given: Mapping[str, int] | None) -> dict[EventType, int]:
        return {event: (given or {}).get(event.value, 0) for event in counted_types()}

    return Facts(counts=every(counts), counts_before=every(before), total_users=users, unreviewed=unreviewed)


def line_of(noun: str, text: str) -> str:
    (line,) = [line for line in text.splitlines() if noun in line]
    return line


def test_a_digest_without_events_says_that_nothing_happened() -> None:
    assert render(facts(users=3), WEEK) == (
        "Gatehouse, 2026-03-03 12:30 to 2026-03-10 12:30 UTC (7 days)\n\nNo events.\n\nTotal users: 3\n"
    )


def test_a_digest_names_the_attacks_first() -> None:
    attack = Attack(
        network="203.0.113.0/24",
        grounds=(Ground.STOPPED_AT_FACTOR, Ground.SEVERAL_ACCOUNTS),
        stopped_accounts=1,
        signed_in_accounts=0,
        reports=3,
        failed_logins=1000,
        ip="203.0.113.7",
        first_at=UNTIL,
        last_at=UNTIL,
    )

    text = render(replace(facts(), attacks=[attack]), WEEK)

    assert text.split("\n\n")[1] == (
        "Attacks\n  203.0.113.0/24 had the right password of 1 account and stopped at the second factor "
        "(1,000 or more failed logins, 3 reports)"
    )


def test_a_digest_lists_counts_by_section_and_omits_empty_lines() -> None:
    text = render(
        facts({"login_success": 12345, "passkey_removed": 1}, {"login_success": 10000}, users=1234567, unreviewed=2),
        WEEK,
    )

    assert text == (
        "Gatehouse, 2026-03-03 12:30 to 2026-03-10 12:30 UTC (7 days)\n"
        "\n"
        "Signing in\n"
        "     12,345  logins (10,000 before, +23 %)\n"
        "\n"
        "Second factors\n"
        "          1  passkeys removed (none before)\n"
        "\n"
        "Total users: 1,234,567\n"
        "\n"
        "Flagged events without a review: 2\n"
    )


@each(
    "count, before, change",
    [
        (5, 5, "as before"),
        (5, 0, "none before"),
        (0, 5, "5 before, -100 %"),
        (10, 5, "5 before, +100 %"),
        (4, 5, "5 before, -20 %"),
        (1000, 999, "999 before, +0 %"),
        (999, 1000, "1,000 before, +0 %"),
        (500_000, 1, "1 before, +49,999,900 %"),
    ],
)
def test_a_digest_compares_each_count_with_the_window_before(count: int, before: int, change: str) -> None:
    text = render(facts({"login_failed": count}, {"login_failed": before}), WEEK)

    assert line_of("failed logins", text) == f"  {count:>9,}  failed logins ({change})"


def test_a_digest_lists_a_count_that_fell_to_zero() -> None:
    text = render(facts({}, {"api_key_created": 3}), WEEK)

    assert line_of("API keys created", text) == "          0  API keys created (3 before, -100 %)"
    assert "No events" not in text


@each("event", counted_types())
def test_every_counted_event_type_has_its_own_line(event: EventType) -> None:
    text = render(facts({event.value: 7}), WEEK)

    assert [line for line in text.splitlines() if line.startswith("          7  ")] == [
        line for line in text.splitlines() if "(none before)" in line
    ]
    assert text.count("          7  ") == 1


@pytest.mark.parametrize(
    ("unreviewed", "ending"),
    [
        (1, "Flagged events without a review: 1\n"),
        (UNREVIEWED_MAX - 1, ": 999\n"),
        (UNREVIEWED_MAX, ": 1,000 or more\n"),
    ],
)
def test_a_digest_states_the_number_of_unreviewed_records_up_to_a_thousand(unreviewed: int, ending: str) -> None:
    assert render(facts(unreviewed=unreviewed), WEEK).endswith(ending)


def test_a_digest_without_unreviewed_records_omits_that_line() -> None:
    assert "review" not in render(facts(), WEEK)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=1), "1 day"),
        (timedelta(days=365), "365 days"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(hours=48), "2 days"),
    ],
)
def test_a_window_states_its_length(length: timedelta, words: str) -> None:
    window = Window(since=UNTIL - length, until=UNTIL)

    assert window.length() == words
    assert f"UTC ({words})" in render(facts(), window)


def test_the_window_before_ends_where_the_window_begins() -> None:
    assert WEEK.before() == Window(since=UNTIL - timedelta(days=14), until=UNTIL - timedelta(days=7))


def test_a_digest_shows_times_in_utc_for_a_window_in_any_time_zone() -> None:
    zone = timezone(timedelta(hours=5, minutes=45))

    assert "to 2026-03-10 12:30 UTC" in render(facts(), Window.ending(UNTIL.astimezone(zone), days=1))
