"""Titles of charts. A title states the finding: a peak, or the change against the time span before."""

from collections.abc import Mapping, Sequence
from statistics import median

from django.utils.translation import gettext, gettext_noop

from ..wording.numbers import decimal, number

_NONE: Mapping[str, str] = {
    gettext_noop("Failed logins"): gettext_noop("No failed logins"),
    gettext_noop("Locks"): gettext_noop("No locks"),
    gettext_noop("Flagged events"): gettext_noop("No flagged events"),
}
"""The counted events, with the text for none of them."""
PEAK = 3
"""A bucket is a peak when it has at least this many times the median of the others."""
PEAK_MIN = 20
"""A bucket with fewer events is no peak."""
BASE_MIN = 10
"""A smaller number of the time before is stated itself, because a change against it would sound like more than it is."""
TIMES_MAX = 100
"""From this multiple on, a text states the number of the time before instead."""


def find_peak(values: Sequence[int]) -> int | None:
    """Return the index of the bucket that stands out from the others, or None."""
    if len(values) < PEAK:
        return None
    index = max(range(len(values)), key=values.__getitem__)
    others = median([*values[:index], *values[index + 1 :]])
    return index if values[index] >= max(PEAK_MIN, PEAK * others) else None


def describe_change(noun: str, *, now: int, before: int) -> str:
    """Return a sentence about a number and the same number of the time span before. `noun` is a key of _NONE.

    Small numbers get no percentage, because it would sound like more than it is.
    """
    name, none = gettext(noun), gettext(_NONE.get(noun, f"No {noun.lower()}"))
    numbers = {"noun": name, "none": none, "now": number(now), "before": number(before)}
    if now == 0:
        return none if before == 0 else gettext("%(none)s, %(before)s in the time before") % numbers
    if before == 0:
        return gettext("%(noun)s: %(now)s, none in the time before") % numbers
    ratio = now / before
    if max(now, before) < PEAK_MIN or before < BASE_MIN or ratio >= TIMES_MAX:
        return gettext("%(noun)s: %(now)s, %(before)s in the time before") % numbers
    if ratio >= 3.5:  # noqa: PLR2004 - from here on, a multiple says more than a percentage
        return gettext("%(noun)s rose to %(times)s times as many") % {**numbers, "times": number(round(ratio))}
    for low, high, text in (
        (2.75, 3.5, gettext("%(noun)s tripled")),
        (1.9, 2.1, gettext("%(noun)s doubled")),
        (0.45, 0.55, gettext("%(noun)s halved")),
        (0.95, 1.05, gettext("%(noun)s stayed level")),
    ):
        if low <= ratio <= high:
            return text % numbers
    text = gettext("%(noun)s rose by %(percent)s %%") if ratio > 1 else gettext("%(noun)s fell by %(percent)s %%")
    return text % {**numbers, "percent": abs(round(100 * (ratio - 1)))}


def compare(*, now: int, before: int) -> str:
    """Return the change against the time span before, for a place beside the number."""
    if before == 0:
        return gettext("none in the time before") if now else gettext("none in the time before either")
    ratio = now / before
    if before < BASE_MIN or ratio >= TIMES_MAX:
        return gettext("%(before)s in the time before") % {"before": number(before)}
    if ratio >= 2:  # noqa: PLR2004 - from here on, a multiple says more than a percentage
        times = _two_digits(ratio) if ratio < 10 else number(round(ratio))  # noqa: PLR2004 - two digits
        return gettext("%(times)s times the time before") % {"times": times}
    percent = round(100 * (ratio - 1))
    if percent == 0:
        return gettext("level with the time before")
    change = f"{percent:+d}".replace("-", "\u2212")
    return gettext("%(percent)s %% on the time before") % {"percent": change}


def describe_series(noun: str, *, values: Sequence[int], labels: Sequence[str], before: int, mostly: str = "") -> str:
    """Return a sentence about a series: its peak, or its change against the time span before.

    `mostly` is the main source of the events, such as a network. It is part of a sentence about a peak.
    """
    peak = find_peak(values)
    if peak is None:
        return describe_change(noun, now=sum(values), before=before)
    if ":" in labels[peak]:
        text = gettext("%(noun)s peaked at %(number)s around %(time)s")
        from_source = gettext("%(noun)s peaked at %(number)s around %(time)s, mostly from %(network)s")
    else:
        text = gettext("%(noun)s peaked at %(number)s on %(time)s")
        from_source = gettext("%(noun)s peaked at %(number)s on %(time)s, mostly from %(network)s")
    found = {"noun": gettext(noun), "number": number(values[peak]), "time": labels[peak], "network": mostly}
    return (from_source if mostly else text) % found


def share(part: int, whole: int) -> str:
    """Return the share in per cent, such as "41 %". It is "0 %" or "100 %" only when that is exact."""
    percent = 100 * part / whole if whole else 0
    if 0 < percent < 1:
        return gettext("under 1 %%") % {}
    is_last = 99 < percent < 100  # noqa: PLR2004 - the last per cent
    shown = decimal(int(percent * 10) / 10, digits=1) if is_last else round(percent)
    return gettext("%(percent)s %%") % {"percent": shown}


def _two_digits(ratio: float) -> str:
    """Return a number from 2 to 10 with two digits, of which a zero at the end is left out."""
    return decimal(round(ratio, 1), digits=0 if f"{ratio:.2g}".isdigit() else 1)
