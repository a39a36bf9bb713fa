from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from askai.answers.rendering import ANSWER_MAX_BYTES, NO_RESULTS_TEXT, Text, clean, render
from askai.plans.entities import Column
from askai.running.results import Counted, Groups, Records, Result, Status, Total
from tests.rows import each

pytestmark = pytest.mark.once


def records(columns: tuple[Column, ...], *rows: tuple[object, ...]) -> Records:
    ids = tuple(str(number) for number in range(len(rows)))
    return Records(columns=columns, rows=[*rows], ids=ids, total=Total(count=len(rows)))


def render_one(*results: Result) -> Text:
    return render(results, max_rows=50)


MOMENT = datetime(2026, 3, 1, 13, 0, 0, 5, tzinfo=timezone(timedelta(hours=1)))


def test_records_are_a_header_line_and_one_line_each() -> None:
    columns = (Column.ID, Column.CREATED_AT, Column.IP, Column.LOCATION, Column.DEVICE, Column.BROWSER, Column.OS)
    agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
    row = (UUID(int=1), MOMENT, "192.0.2.1", "192.0.2.1", agent, agent, agent)

    assert render_one(records(columns, row)) == Text(
        answer="id | created_at | ip | location | device | browser | os\n"
        "00000000-0000-0000-0000-000000000001 | 2026-03-01T12:00:00.000005Z | 192.0.2.1 |  | Firefox on Windows"
        " | Firefox | Windows",
        row_count=1,
    )


@pytest.mark.parametrize(
    "nothing", [records((Column.IP,)), Groups(pairs=[], total=Total(count=0)), Counted(total=Total(count=0))]
)
def test_an_empty_result_is_a_sentence(nothing: Result) -> None:
    assert render_one(nothing) == Text(answer="No matching results.", row_count=0)


def test_counts_and_groups_are_rendered_as_text() -> None:
    assert render_one(Counted(total=Total(count=49))) == Text(answer="count\n49", row_count=49)
    assert render_one(Counted(total=Total(count=55))) == Text(answer="count\n50 or more", row_count=50)
    groups = Groups(pairs=[("a|b", 1), ("c", 20)], total=Total(count=2))
    assert render_one(groups) == Text(answer="value | count\na\\|b | 1\nc | 20", row_count=2)


def test_parts_follow_each_other_after_an_empty_line() -> None:
    nothing = records((Column.IP,))
    address = records((Column.IP,), ("192.0.2.1",))

    assert render_one(address, nothing, Status(name="locked", holds=False)) == Text(
        answer="ip\n192.0.2.1\n\nip\n\nfact | value\nlocked | no", row_count=2
    )
    assert render_one(nothing, nothing) == Text(answer="No matching results.", row_count=0)


@each(
    "text, cell",
    [
        ("", ""),
        ("a\r\nb\tc\0d\x7fe\x9bf", "a  b c d e f"),
        ("a\u2028b\u2029c\u0085d", "a b c d"),
        ("\u202eabc\u2066\u200f\u200b\ufeff\u061c", " abc     "),
        ("\U000e0041\u00ad", "  "),
        ("a|b\\|c", "a\\|b\\\\|c"),
        ("naïve 日本語 שלום 👍", "naïve 日本語 שלום 👍"),
        ("x" * 201, "x" * 200),
        ("x" * 198 + "||", "x" * 198 + "\\|"),
        ("x" * 199 + "|", "x" * 199),
        ("x" * 200 + "|", "x" * 200),
        ("|" * 300, "\\|" * 100),
        ("y" + "|" * 300, "y" + "\\|" * 99),
        ("\ud800", " "),
    ],
)
def test_a_cell_is_one_line_and_cannot_imitate_another_cell(text: str, cell: str) -> None:
    assert clean(text) == cell


def test_an_answer_has_at_most_64_kib_and_counts_the_lines_that_it_has() -> None:
    rows = [("ä" * 200,)] * 500

    answer = render_one(records((Column.IP,), *rows))

    assert len(answer.answer.encode()) <= ANSWER_MAX_BYTES < len(answer.answer.encode()) + 401
    assert answer.row_count == len(answer.answer.split("\n")) - 1
    assert NO_RESULTS_TEXT not in answer.answer


def test_a_moment_is_written_in_utc() -> None:
    rows = [(MOMENT,), (MOMENT.astimezone(UTC),)]

    assert len(set(render_one(records((Column.CREATED_AT,), *rows)).answer.split("\n"))) == 2
