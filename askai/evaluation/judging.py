"""Judges an answer by what its question expects of the world."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from ..answers.rendering import show
from ..plans.plan import Language
from ..running.results import Compared, Counted, Found, Groups, Records, Result, Status
from .outcomes import Outcome

REFUSE = {"refuse": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCase:
    """An unseen question, and what the world's records make of it.

    `expect` is REFUSE, or has one mapping for each part of the question.
    """

    question: str
    language: Language
    zone: ZoneInfo
    expect: Sequence[Mapping[str, Any]]

    @property
    def must_refuse(self) -> bool:
        """Whether the question has no answer."""
        return list(self.expect) == [REFUSE]


def load_world_cases(path: Path) -> list[WorldCase]:
    """Return the cases of a file of JSON lines. Raises ValueError or KeyError when a line is no case."""
    return [_read(orjson.loads(line)) for line in path.read_bytes().splitlines() if line.strip()]


def _read(line: Mapping[str, Any]) -> WorldCase:
    expect = line["expect"] if isinstance(line["expect"], list) else [line["expect"]]
    return WorldCase(
        question=line["question"],
        language=Language(line["language"]),
        zone=ZoneInfo(line["time_zone"]),
        expect=expect,
    )


def judge(case: WorldCase, results: Sequence[Result] | None, *, names: Mapping[str, str]) -> Outcome:
    """Return the outcome. `results` is None for a refusal, and `names` has the world's name of each id."""
    if results is None:
        return Outcome.EXACT if case.must_refuse else Outcome.REFUSED
    parts = [_meanings(result, names=names) for result in results]
    numbers = _numbers(parts), _numbers(case.expect)
    if None not in numbers and len(parts) != len(case.expect):
        return Outcome.EXACT if numbers[0] == numbers[1] else Outcome.WRONG
    if len(parts) == len(case.expect):
        is_exact = all(_meets(meanings, expect) for meanings, expect in zip(parts, case.expect, strict=True))
    else:
        # An answer may say the same twice: yes, and the list.
        is_exact = all(any(_meets(meanings, expect) for meanings in parts) for expect in case.expect) and all(
            any(_meets(meanings, expect) for expect in case.expect) for meanings in parts
        )
    return Outcome.EXACT if is_exact else Outcome.WRONG


def _numbers(parts: Sequence[Mapping[str, Any]]) -> list[int] | None:
    """Return the numbers of parts that are numbers only; None for others. One part can count several types."""
    if all("counts" in part for part in parts):
        return sorted(number for part in parts for number in part["counts"].values())
    if all("count" in part and "ids" not in part for part in parts):
        return sorted(part["count"] for part in parts)
    return None


def _meets(meanings: Mapping[str, Any], expect: Mapping[str, Any]) -> bool:
    """Return whether the answer has what is expected. A yes or a no may also be a list or a number.

    A record may answer for its only value, and a value for its only record.
    """
    forms: Mapping[str, Callable[[Any], Any]] = {"ids": sorted, "groups": _groups}
    wanted = {name: forms.get(name, lambda same: same)(value) for name, value in expect.items()}
    common = (meanings.keys() & wanted.keys()) - {"values"}
    if common:
        return all(meanings[name] == wanted[name] for name in common)
    if "groups" in wanted and "values" in meanings:
        return len(wanted["groups"]) == 1 and set(wanted["groups"]) <= meanings["values"]
    return "groups" in meanings and len(wanted.get("ids", ())) == 1 and list(meanings["groups"].values()) == [1]


def _meanings(result: Result, *, names: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what the answer says, in the forms of `expect`."""
    match result:
        case Records():
            shown = [{show(*cell) for cell in zip(result.columns, row, strict=True)} for row in result.rows]
            values = set.intersection(*shown) if shown else set()
            ids = sorted(names.get(row, row) for row in result.ids)
            meanings = {"ids": ids, "yes": bool(result.ids), "values": values}
        case Counted(by_type=None):
            meanings = {"count": result.total.count, "yes": result.total.count > 0}
        case Counted():
            counts = {str(event_type): count for event_type, count in (result.by_type or {}).items()}
            meanings = {"counts": counts}
        case Found():
            meanings = {"yes": result.total.count > 0, "count": result.total.count}
            if result.total.count == len(result.newest.ids):
                meanings["ids"] = sorted(names.get(row, row) for row in result.newest.ids)
        case Groups():
            meanings = {"groups": _groups(dict(result.pairs))}
        case Compared():
            meanings = {"compare": [total.count for _, total in result.counts]}
        case Status():
            meanings = {"yes": result.holds} | ({} if result.number is None else {"count": result.number})
    return meanings


def _groups(groups: Mapping[str, int]) -> dict[str, int]:
    """Return the groups; hours have no zero at their beginning."""
    return {str(int(value)) if value.isdigit() else value: number for value, number in groups.items()}
