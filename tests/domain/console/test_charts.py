"""The charts of the console and their titles."""

import pytest

from console.browser.charts import Chart, Series, round_up
from console.browser.findings import compare, describe_change, describe_series, find_peak, share
from tests.rows import each

pytestmark = pytest.mark.once


def chart_of(*columns: tuple[int, ...]) -> Chart:
    """Return a chart with the series `a`, `b`, … that have these values."""
    series = [Series(label=label, tone="info", values=values) for label, values in zip("abc", columns, strict=False)]
    return Chart(name="logins", title="Logins", labels=[f"{day} Nov" for day in range(1, 4)], series=series)


@each(
    "value, top",
    [(0, 1), (1, 1), (3, 3), (7, 8), (9, 10), (11, 15), (21, 25), (41, 50), (81, 100), (2200, 2500)],
)
def test_the_top_of_a_chart_is_a_round_number(value: int, top: int) -> None:
    assert round_up(value) == top


def test_the_parts_of_a_bar_stand_on_each_other() -> None:
    chart = chart_of((1, 2, 0), (3, 2, 0))

    assert chart.top == 4
    assert [bars.path for bars in chart.bars] == [
        "M1 75h8v25h-8zM11 50h8v50h-8z",
        "M1 0h8v75h-8zM11 0h8v50h-8z",
    ]


def test_the_table_behind_a_chart_starts_with_the_newest_bucket() -> None:
    assert chart_of((1, 2, 3), (4, 5, 6)).rows == [("3 Nov", (3, 6)), ("2 Nov", (2, 5)), ("1 Nov", (1, 4))]


def test_a_chart_without_events_is_empty() -> None:
    assert chart_of((0, 0, 0)).is_empty
    assert not chart_of((0, 1, 0)).is_empty


def test_the_ticks_run_from_the_first_bucket_to_the_last() -> None:
    chart = Chart(name="a", title="A", labels=[str(day) for day in range(90)], series=[])

    assert (chart.ticks[0], chart.ticks[-1], len(chart.ticks)) == ("0", "89", 6)
    assert chart_of((0, 0, 0)).ticks == ["1 Nov", "2 Nov", "3 Nov"]


@each(
    "now, before, sentence",
    [
        (0, 0, "No logins"),
        (0, 7, "No logins, 7 in the time before"),
        (1200, 0, "Logins: 1,200, none in the time before"),
        (400, 100, "Logins rose to 4 times as many"),
        (300, 100, "Logins tripled"),
        (200, 100, "Logins doubled"),
        (130, 100, "Logins rose by 30 %"),
        (101, 100, "Logins stayed level"),
        (3, 2, "Logins: 3, 2 in the time before"),
        (90, 9, "Logins: 90, 9 in the time before"),
        (990, 10, "Logins rose to 99 times as many"),
        (1000, 10, "Logins: 1,000, 10 in the time before"),
        (80, 100, "Logins fell by 20 %"),
        (50, 100, "Logins halved"),
    ],
)
def test_a_title_states_the_change(now: int, before: int, sentence: str) -> None:
    assert describe_change("Logins", now=now, before=before) == sentence


@each(
    "now, before, text",
    [
        (0, 0, "none in the time before either"),
        (7, 0, "none in the time before"),
        (25, 10, "2.5 times the time before"),
        (120, 10, "12 times the time before"),
        (990, 10, "99 times the time before"),
        (1000, 10, "10 in the time before"),
        (16806, 1, "1 in the time before"),
        (9, 9, "9 in the time before"),
        (0, 9, "9 in the time before"),
        (11, 10, "+10 % on the time before"),
        (9, 10, "\u221210 % on the time before"),
        (10, 10, "level with the time before"),
    ],
)
def test_a_number_states_its_change(now: int, before: int, text: str) -> None:
    assert compare(now=now, before=before) == text


def test_a_title_names_the_peak_and_its_source() -> None:
    title = describe_series(
        "Failed logins",
        values=[10, 12, 400, 11],
        labels=["1 Nov", "2 Nov", "3 Nov", "4 Nov"],
        before=40,
        mostly="203.0.113.0/24",
    )

    assert title == "Failed logins peaked at 400 on 3 Nov, mostly from 203.0.113.0/24"
    assert describe_series("Locks", values=[1, 40, 1], labels=["12:00", "13:00", "14:00"], before=3) == (
        "Locks peaked at 40 around 13:00"
    )


@each("values", [(), (500,), (1, 2), (1, 19, 1), (30, 31, 29), (0, 0, 0)])
def test_small_and_even_numbers_have_no_peak(values: tuple[int, ...]) -> None:
    assert find_peak(values) is None


@each(
    "part, whole, text",
    [(0, 0, "0 %"), (0, 9, "0 %"), (1, 1000, "under 1 %"), (41, 100, "41 %"), (999, 1000, "99.9 %"), (9, 9, "100 %")],
)
def test_a_share_is_exact_at_both_ends(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text
