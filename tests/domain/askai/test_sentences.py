"""Answers in words. Each sentence begins with what the service understood."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from askai.answers.answer import Answer, compose
from askai.answers.examples import NUMBER
from askai.answers.words import WORDS
from askai.parser import parse
from askai.plans.entities import Column, Entity
from askai.plans.periods import Span
from askai.plans.plan import WEEK_STARTS, Language, Plan
from askai.plans.plan_json import read_query
from askai.running.facts import fact_names
from askai.running.results import Compared, Counted, Found, Groups, Records, Result, Status, Total
from askai.running.scope import Scope
from events.vocabulary import ACCOUNT_EVENTS, EventType
from tests.client import CHROME_ON_MAC
from tests.rows import each

pytestmark = pytest.mark.once

NOW = datetime(2026, 11, 18, 15, 30, tzinfo=UTC)
FAILED = {"values": ["login_failed"]}
LOGINS = {"values": ["login_success"]}
COLUMNS = ("created_at", "type", "device", "ip")
ROWS = {"kind": "rows", "columns": [*COLUMNS]}


def say(language: str, part: Mapping[str, Any], result: Result, *, events_since: datetime | None = None) -> Answer:
    query = read_query({"language": language, "parts": [part]})
    zone, week_start = ZoneInfo("Europe/Berlin"), WEEK_STARTS[Language(language)]
    scope = Scope(user_id="x", family_id=None, now=NOW, zone=zone, week_start=week_start, events_since=events_since)
    return compose(query, query, [result], scope=scope, max_rows=50)


def events(answer: Mapping[str, Any], **filters: Any) -> Mapping[str, Any]:
    return {"entity": "audit_events", "answer": answer, "filters": filters}


def records(number: int, total: int | None = None) -> Records:
    row = (NOW, "login_success", CHROME_ON_MAC, "203.0.113.7")
    ids = tuple(str(each) for each in range(number))
    total = number if total is None else total
    return Records(
        columns=tuple(Column(name) for name in COLUMNS), rows=[row] * number, ids=ids, total=Total(count=total)
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Failed logins from 8 to 22 November 2026 (Europe/Berlin): 3."),
        ("de", "Fehlgeschlagene Anmeldungen vom 8. bis 22. November 2026 (Europe/Berlin): 3."),
        ("fr", "Connexions échouées du 8 au 22 novembre 2026 (Europe/Berlin) : 3."),
        ("es", "Inicios de sesión fallidos del 8 al 22 de noviembre de 2026 (Europe/Berlin): 3."),
        ("ja", "失敗したログイン、2026年11月8日から22日まで（Europe/Berlin）：3。"),
    ],
)
def test_a_count_says_what_was_understood(language: str, sentence: str) -> None:
    period = {"kind": "between", "first": "2026-11-08", "last": "2026-11-22"}

    answer = say(language, events({"kind": "count"}, types=FAILED, period=period), Counted(total=Total(count=3)))

    assert answer.sentence == sentence
    assert (answer.answer, answer.row_count, answer.language) == ("count\n3", 3, language)


@each(
    "period, said",
    [
        ({"kind": "during", "when": "yesterday"}, "on 17 November 2026"),
        ({"kind": "during", "when": "yesterday night"}, "from 17 November 2026, 22:00 to 18 November 2026, 06:00"),
        ({"kind": "since", "when": "2026-10"}, "since 1 October 2026"),
        ({"kind": "before", "when": "2026-10"}, "before 1 October 2026"),
        ({"kind": "last", "count": 24, "unit": "hours"}, "since 17 November 2026, 16:30"),
        ({"kind": "between", "first": "2026-10-30", "last": "2026-11-02"}, "from 30 October to 2 November 2026"),
        ({"kind": "during", "when": "2025"}, "from 1 January to 31 December 2025"),
        (
            {"kind": "between", "first": "2025-12-30", "last": "2026-01-01"},
            "from 30 December 2025 to 1 January 2026",
        ),
    ],
)
def test_a_period_is_said_with_its_dates(period: Mapping[str, Any], said: str) -> None:
    answer = say("en", events({"kind": "count"}, period=period), Counted(total=Total(count=3)))

    assert answer.parts[0].understood == f"Events {said} (Europe/Berlin)"


def test_every_condition_is_said() -> None:
    part = events(
        ROWS,
        types={"values": ["logout", "login_failed"], "is_not": True},
        ips={"values": ["192.0.2.0/24"]},
        browsers={"values": ["Firefox", "Chrome"]},
        systems={"values": ["Linux"], "is_not": True},
        forms={"values": ["iphone"]},
        places={"values": ["DE", "Paris"], "is_not": True},
        hours={"first": 22, "last": 6},
        weekdays=["sunday", "saturday"],
    )

    (answer,) = say("en", part, records(50, 55)).parts

    assert answer.understood == (
        "Events except failed logins or logouts (Europe/Berlin), between 22:00 and 6:00, weekday Saturday or Sunday, "
        "IP address 192.0.2.0/24, browser Chrome or Firefox, system not Linux, form of device iPhone, "
        "place not Germany or Paris"
    )
    assert answer.sentence == f"{answer.understood}: the 50 latest of 55."
    assert (answer.total, answer.is_cut) == (55, True)


def test_rows_have_labels_and_local_times() -> None:
    (german,) = say("de", events({**ROWS, "limit": 1}, types=LOGINS), records(1, 21)).parts

    assert german.sentence == (
        "Anmeldungen, zuletzt: 18. November 2026, 16:30 (Europe/Berlin), Chrome unter macOS, 203.0.113.7."
    )
    assert german.columns == ["Zeit (Europe/Berlin)", "Ereignis", "Gerät", "IP-Adresse"]
    assert german.rows == [["18. November 2026, 16:30", "Anmeldung", "Chrome unter macOS", "203.0.113.7"]]
    assert (german.total, german.is_cut) == (21, False)
    five = say("en", events({**ROWS, "limit": 5, "order": "oldest"}, types=LOGINS), records(5, 21))
    assert five.sentence == "Logins: the 5 earliest of 21."
    assert say("en", events(ROWS, types=LOGINS), records(0)).sentence == "Logins: none."
    for total in (1, 21):
        latest = say("en", events({**ROWS, "limit": 1}, types=LOGINS), records(1, total)).sentence
        assert latest == "Latest login: 18 November 2026, 16:30 (Europe/Berlin), Chrome on macOS, 203.0.113.7."


def test_several_types_have_a_number_each() -> None:
    part = events({"kind": "count"}, types={"values": ["login_failed", "logout"]})
    counts = {EventType.LOGIN_FAILED: 1, EventType.LOGOUT: 3}

    answer = say("en", part, Counted(total=Total(count=4), by_type=counts))

    assert answer.sentence == "Failed logins or logouts: 1 failed login, 3 logouts, 4 in all."
    assert answer.answer == "value | count\nlogin_failed | 1\nlogout | 3"


def test_yes_or_no_has_the_number_and_the_newest_record() -> None:
    part = events({"kind": "exists"}, types=FAILED)

    yes = say("en", part, Found(total=Total(count=2), newest=records(1, 2)))
    no = say("en", part, Found(total=Total(count=0), newest=records(0)))
    unsure = say("en", part, Found(total=Total(count=0, is_more=True, is_partial=True), newest=records(0)))

    assert yes.sentence == (
        "Failed logins: yes, 2. The latest: 18 November 2026, 16:30 (Europe/Berlin), Chrome on macOS, 203.0.113.7."
    )
    assert (no.sentence, no.answer, no.row_count) == ("Failed logins: no.", "No matching results.", 0)
    assert unsure.sentence == (
        "Failed logins: none among those examined. "
        "Only the 1000 most frequent browsers or addresses were examined, so there can be more."
    )
    assert "No matching" not in unsure.answer


def test_groups_are_named_and_the_rest_is_counted() -> None:
    part = events({"kind": "group_by", "by": "place"})
    pairs = [("", 4), ("Berlin, Land Berlin, DE", 3), ("A", 1), ("B", 1), ("C", 1), ("D", 1)]

    answer = say("es", part, Groups(pairs=pairs, total=Total(count=80)))

    assert answer.sentence == (
        "Eventos por lugar: desconocido (4); Berlin, Land Berlin, Alemania (3); A (1); B (1); C (1); y 75 más; "
        "los primeros 6 de 80 valores."
    )
    assert answer.parts[0].is_cut
    most = say(
        "en",
        events({"kind": "group_by", "by": "weekday", "sort": "most", "limit": 1}),
        Groups(pairs=[("monday", 4)], total=Total(count=7)),
    )
    assert most.sentence == "Events by weekday (Europe/Berlin), the most frequent: Monday (4)."
    assert not most.parts[0].is_cut


def test_a_comparison_says_both_periods() -> None:
    compare = {"kind": "compare", "other": {"kind": "during", "when": "last_week"}}
    part = events(compare, types=FAILED, period={"kind": "during", "when": "this_week"})
    weeks = [
        Span(since=datetime(2026, 11, day, 23, tzinfo=UTC), until=datetime(2026, 11, day + 7, 23, tzinfo=UTC))
        for day in (15, 8)
    ]

    answer = say("en", part, Compared(counts=((weeks[0], Total(count=2)), (weeks[1], Total(count=3)))))

    assert answer.sentence == (
        "Failed logins (Europe/Berlin): from 16 to 22 November 2026: 2, from 9 to 15 November 2026: 3 (-1)."
    )
    assert answer.answer == (
        "value | count\n2026-11-15T23:00:00.000000Z/2026-11-22T23:00:00.000000Z | 2\n"
        "2026-11-08T23:00:00.000000Z/2026-11-15T23:00:00.000000Z | 3"
    )


def test_sessions_that_have_ended_come_with_the_time_that_they_are_kept() -> None:
    part = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {"state": "any", "which": "others"}}

    assert say("en", part, Counted(total=Total(count=2))).sentence == (
        "Live and ended sessions, without this session: 2. The service deletes ended sessions after 30 days."
    )


def test_an_old_account_hears_how_long_events_are_kept() -> None:
    nothing = Counted(total=Total(count=0))
    old = datetime(2025, 10, 14, tzinfo=UTC)
    recent = events({"kind": "count"}, types=FAILED, period={"kind": "during", "when": "yesterday"})

    ever = say("en", events({"kind": "count"}, types=FAILED), nothing, events_since=old)

    assert ever.sentence == "Failed logins: none. The service keeps events for 400 days."
    assert "400" not in say("en", recent, nothing, events_since=old).sentence
    assert "400" not in say("en", events({"kind": "count"}, types=FAILED), nothing).sentence


def test_numbers_of_too_many_records_are_lower_bounds() -> None:
    part = events({"kind": "count"}, types={"values": ["login_failed", "logout"]})
    counts = {EventType.LOGIN_FAILED: 9990, EventType.LOGOUT: 10}

    answer = say("en", part, Counted(total=Total(count=10000, is_more=True), by_type=counts))

    assert answer.sentence == (
        "Failed logins or logouts: 9990 or more failed logins, 10 or more logouts, 10000 or more in all."
    )
    assert answer.answer == "value | count\nlogin_failed | 9990 or more\nlogout | 10 or more"


def test_a_sentence_is_said_once() -> None:
    parts = [events({"kind": "count"}, types=FAILED), events(ROWS, types=FAILED)]
    query = read_query({"language": "en", "parts": parts})
    scope = Scope(user_id="x", family_id=None, now=NOW, zone=ZoneInfo("UTC"), week_start=0)

    answer = compose(query, query, [Counted(total=Total(count=0)), records(0)], scope=scope, max_rows=50)

    assert (answer.sentence, len(answer.parts)) == ("Failed logins: none.", 2)


def test_the_time_of_an_end_is_said() -> None:
    filters = {"state": "ended", "by_end": True, "period": {"kind": "during", "when": "yesterday"}}
    part = {"entity": "sessions", "answer": {"kind": "count"}, "filters": filters}

    (answer,) = say("en", part, Counted(total=Total(count=2))).parts

    assert answer.understood == "Ended sessions with their end on 17 November 2026 (Europe/Berlin)"


@pytest.mark.parametrize(
    ("status", "sentence", "text"),
    [
        (Status(name="locked", holds=False), "Ihr Konto ist nicht gesperrt.", "locked | no"),
        (
            Status(name="locked", holds=True, until=NOW),
            "Ihr Konto ist bis 18. November 2026, 16:30 (Europe/Berlin) gesperrt.",
            "locked | yes",
        ),
        (Status(name="passkey", holds=True, number=2), "Ja, Passkeys Ihres Kontos: 2.", "passkey | yes"),
        (
            Status(name="card", holds=True, number=1),
            "Ja, Ihr Konto hat diesen zweiten Faktor: card.",
            "card | yes",
        ),
    ],
)
def test_a_fact_is_a_sentence(status: Status, sentence: str, text: str) -> None:
    answer = say("de", {"fact": status.name}, status)

    assert (answer.sentence, answer.answer) == (sentence, f"fact | value\n{text}")


def test_text_of_other_people_stays_one_line() -> None:
    hostile = Groups(pairs=[("x\u202e\ny" + "z" * 300, 1)], total=Total(count=1))

    (answer,) = say("en", events({"kind": "group_by", "by": "browser"}), hostile).parts

    assert answer.rows == [["x  y" + "z" * 196, "1"]]
    assert "\u202e" not in answer.sentence


def test_the_documentation_has_the_meaning_of_every_event_and_fact() -> None:
    page = (Path(__file__).parents[3] / "docs/ask-ai.md").read_text()

    assert [event for event in ACCOUNT_EVENTS if f"\n| `{event}` | " not in page] == []
    assert [name for name in fact_names() if f"`{name}`" not in page] == []
    for words in WORDS.values():
        assert set(words.facts) == set(fact_names())


@pytest.mark.parametrize("language", Language)
def test_every_example_is_a_question_that_the_parser_reads(language: Language) -> None:
    words = WORDS[language]

    for entity, questions in (
        (Entity.SESSIONS, words.questions_on_sessions),
        (Entity.AUDIT_EVENTS, words.questions_on_events),
    ):
        assert len(questions) == NUMBER
        for question in questions:
            query = parse(question)
            assert query.language is language
            assert [part for part in query.parts if isinstance(part, Plan) and part.entity is not entity] == []
