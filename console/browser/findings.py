"""Titles of charts. A title states the finding: a peak, or the change against the time span before."""

from collections.abc import Sequence
from statistics import median

PEAK = 3
"""A bucket is a peak when it has at least this many times the median of the others."""
PEAK_MIN = 20
"""A bucket with fewer events is no peak."""


def find_peak(values: Sequence[int]) -> int | None:
    """Return the index of the bucket that stands out from the others, or None."""
    if len(values) < PEAK:
        return None
    index = max(range(len(values)), key=values.__getitem__)
    others = median([*values[:index], *values[index + 1 :]])
    return index if values[index] >= max(PEAK_MIN, PEAK * others) else None


def describe_change(noun: str, *, now: int, before: int) -> str:
    """Return a sentence about a number and the same number of the time span before. `noun` is a plural: "Logins".

    Small numbers get no percentage, because it would sound like more than it is.
    """
    if now == 0:
        return f"No {noun.lower()}" if before == 0 else f"No {noun.lower()}, {before:,} in the time before"
    if before == 0:
        return f"{noun}: {now:,}, none in the time before"
    if max(now, before) < PEAK_MIN:
        return f"{noun}: {now:,}, {before:,} in the time before"
    ratio = now / before
    if ratio >= 3.5:  # noqa: PLR2004 - from here on, a multiple says more than a percentage
        return f"{noun} rose to {round(ratio):,} times as many"
    for low, high, words in (
        (2.75, 3.5, "tripled"),
        (1.9, 2.1, "doubled"),
        (0.45, 0.55, "halved"),
        (0.95, 1.05, "stayed level"),
    ):
        if low <= ratio <= high:
            return f"{noun} {words}"
    verb = "rose" if ratio > 1 else "fell"
    return f"{noun} {verb} by {abs(round(100 * (ratio - 1)))} %"


def compare(*, now: int, before: int) -> str:
    """Return the change against the time span before, for a place beside the number."""
    if before == 0:
        return "none in the time before" if now else "none in the time before either"
    ratio = now / before
    if ratio >= 2:  # noqa: PLR2004 - from here on, a multiple says more than a percentage
        return f"{ratio:.2g} times the time before" if ratio < 10 else f"{round(ratio):,} times the time before"  # noqa: PLR2004 - two digits
    percent = round(100 * (ratio - 1))
    return "level with the time before" if percent == 0 else f"{percent:+d} % on the time before".replace("-", "\u2212")


def describe_series(noun: str, *, values: Sequence[int], labels: Sequence[str], before: int, mostly: str = "") -> str:
    """Return a sentence about a series: its peak, or its change against the time span before.

    `mostly` is the main source of the events, such as a network. It is part of a sentence about a peak.
    """
    peak = find_peak(values)
    if peak is None:
        return describe_change(noun, now=sum(values), before=before)
    source = f", mostly from {mostly}" if mostly else ""
    at = "around" if ":" in labels[peak] else "on"
    return f"{noun} peaked at {values[peak]:,} {at} {labels[peak]}{source}"


def share(part: int, whole: int) -> str:
    """Return the share in per cent, such as "41 %". It is "0 %" or "100 %" only when that is exact."""
    if whole == 0:
        return "0 %"
    percent = 100 * part / whole
    if 0 < percent < 1:
        return "under 1 %"
    if 99 < percent < 100:  # noqa: PLR2004 - the last per cent
        return f"{int(percent * 10) / 10:.1f} %"
    return f"{round(percent)} %"
