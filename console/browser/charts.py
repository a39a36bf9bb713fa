"""Charts as stacked bars. The SVG has no text and stretches; the labels are HTML, so they keep their size on a phone."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Tone = Literal["good", "warn", "bad", "info", "quiet"]

BAR = 8
"""The width of a bar, in units of the drawing. Each bucket is 10 units wide."""
HEIGHT = 100
TICKS_MAX = 6
LABELLED_MAX = 8
"""The largest number of bars of which each has a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One part of each bar. `values` has one number per bucket."""

    label: str
    tone: Tone
    values: Sequence[int]

    @property
    def total(self) -> int:
        """The sum of all values."""
        return sum(self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """The bars of one series, as the data of an SVG path."""

    label: str
    tone: Tone
    path: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart. `name` is unique on its page. `title` states the finding. `labels` has one text per bucket.

    The first series is at the bottom of each bar. `rows_url` leads to the rows behind the chart, or is "".
    `filled_by` states which data would fill an empty chart.
    """

    name: str
    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    rows_url: str = ""
    filled_by: str = ""

    @property
    def width(self) -> int:
        """The width of the drawing."""
        return 10 * len(self.labels)

    @property
    def top(self) -> int:
        """The value at the top edge: the smallest value of `round_up` that no bar exceeds."""
        return round_up(max((sum(values) for values in self._columns()), default=0))

    @property
    def bars(self) -> list[Bars]:
        """The series as paths, the lowest first."""
        bottoms = [0] * len(self.labels)
        drawn = []
        for series in self.series:
            path = "".join(
                self._bar(index, bottoms[index], value) for index, value in enumerate(series.values) if value
            )
            bottoms = [bottom + value for bottom, value in zip(bottoms, series.values, strict=True)]
            drawn.append(Bars(label=series.label, tone=series.tone, path=path, total=series.total))
        return drawn

    @property
    def ticks(self) -> list[str]:
        """The labels of the axis, one for each bar. Of many bars, only TICKS_MAX have one, at even distances."""
        if self.labels_each_bar:
            return list(self.labels)
        last = len(self.labels) - 1
        count = min(TICKS_MAX, len(self.labels))
        return [self.labels[round(last * step / max(1, count - 1))] for step in range(count)]

    @property
    def labels_each_bar(self) -> bool:
        """Whether each bar has a label of its own on the axis."""
        return len(self.labels) <= LABELLED_MAX

    @property
    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """The table behind the chart: a label and the values of each bucket, the newest first."""
        return list(zip(self.labels, self._columns(), strict=True))[::-1]

    @property
    def is_empty(self) -> bool:
        """Whether all values are zero."""
        return not any(series.total for series in self.series)

    @property
    def names_json(self) -> str:
        """The labels of the series, for the script."""
        return json.dumps([series.label for series in self.series])

    @property
    def labels_json(self) -> str:
        """The labels of the buckets, for the script."""
        return json.dumps(list(self.labels))

    @property
    def values_json(self) -> str:
        """The values of each series, for the script."""
        return json.dumps([list(series.values) for series in self.series], separators=(",", ":"))

    def _columns(self) -> list[tuple[int, ...]]:
        return list(zip(*(series.values for series in self.series), strict=True))

    def _bar(self, index: int, bottom: int, value: int) -> str:
        height = HEIGHT * value / self.top
        y = HEIGHT - HEIGHT * (bottom + value) / self.top
        return f"M{10 * index + 1} {y:.4g}h{BAR}v{height:.4g}h-{BAR}z"


def round_up(value: int) -> int:
    """Return the smallest round number that is at least `value`.

    Round numbers are 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30 and so on.
    """
    power = 1
    while True:
        for step in (10, 15, 20, 25, 30, 40, 50, 60, 80):
            rounded, rest = divmod(step * power, 10)
            if rounded >= value and not rest:
                return rounded
        power *= 10
