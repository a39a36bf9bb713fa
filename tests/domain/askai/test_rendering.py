from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from askai.answers.rendering import ANSWER_MAX_BYTES, NO_RESULTS_TEXT, Answer, clean, render
from askai.plans.entities import Column
from askai.running.runner import Counted, Groups, Records

pytestmark = pytest.mark.once

MOMENT = datetime(2026, 3, 1, 13, 0, 0, 5, tzinfo=timezone(timedelta(hours=1)))


def test_records_are_a_header_line_and_one_line_each() -> None:
    columns = (Column.ID, Column.CREATED_AT, Column.IP, Column.LOCATION, Column.DEVICE, Column.BROWSER, Column.OS)
    agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
    row = (UUID(int=1), MOMENT, "192.0.2.1", "192.0.2.1", agent, agent, agent)

    assert render(Records(columns=columns, rows=[row])) == Answer(
        answer="id | created_at | ip | location | device | browser | os\n"
        "00000000-0000-0000-0000-000000000001 | 2026-03-01T12:00:00.000005Z | 192.0.2.1 |  | Firefox on Windows"
        " | Firefox | Windows",
        row_count=1,
    )


@pytest.mark.parametrize(
    "nothing", [Records(columns=(Column.IP,), rows=[]), Groups(pairs=[]), Counted(count=0, is_more=False)]
)
def test_an_empty_result_is_a_sentence(nothing: Records | Groups | Counted) -> None:
    assert render(nothing) == Answer(answer="No matching results.", row_count=0)


def test_counts_and_groups_are_rendered_as_text() -> None:
    assert render(Counted(count=49, is_more=False)) == Answer(answer="count\n49", row_count=49)
    assert render(Counted(count=50, is_more=True)) == Answer(answer="count\n50 or more", row_count=50)
    groups = Groups(pairs=[("a|b", 1), ("c", 20)])
    assert render(groups) == Answer(answer="value | count\na\\|b | 1\nc | 20", row_count=2)


@pytest.mark.parametrize(
    ("text", "cell"),
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

    answer = render(Records(columns=(Column.IP,), rows=rows))

    assert len(answer.answer.encode()) <= ANSWER_MAX_BYTES < len(answer.answer.encode()) + 401
    assert answer.row_count == len(answer.answer.split("\n")) - 1
    assert NO_RESULTS_TEXT not in answer.answer


def test_a_moment_is_written_in_utc() -> None:
    rows = [(MOMENT,), (MOMENT.astimezone(UTC),)]

    assert len(set(render(Records(columns=(Column.CREATED_AT,), rows=rows)).answer.split("\n"))) == 2
