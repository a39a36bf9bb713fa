"""The answer of one part as a sentence and a table, in the reader's words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from django.utils import translation
from django.utils.translation import gettext

from accounts.conf import retention_settings
from core.http.answers import Described
from sessions_app.conf import settings as session_settings
from sessions_app.logins.second_factors import second_factors

from ..plans.entities import Column, Entity
from ..plans.plan import Compare, Fact, GroupBy, Language, Order, Plan, Rows, Sort, State
from ..running.conditions import span_of
from ..running.results import Compared, Counted, Found, Groups, Records, Result, Status, Total
from ..running.runner import VALUES_MAX
from ..running.scope import Scope
from .cells import TIMES, Cells
from .dates import say_moment, say_span
from .understood import capital, say_plan
from .words import WORDS

DAY_SECONDS = 24 * 60 * 60

GROUP_COMMA = "; "
"""The names of places contain commas."""

NAMED_MAX = 5
"""Groups that a sentence names. The table has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPart:
    """The answer to one part of the question, in the language of the question."""

    example: ClassVar = {
        "understood": "Live sessions by device",
        "sentence": "Live sessions by device: Chrome on macOS (1), Safari on iOS (2).",
        "columns": ["Device", "Number"],
        "rows": [["Chrome on macOS", "1"], ["Safari on iOS", "2"]],
        "total": 2,
        "is_cut": False,
    }

    understood: Annotated[str, Described("The records, conditions and times that the service understood.")]
    sentence: Annotated[str, Described("The answer, beginning with `understood`.")]
    columns: Annotated[Sequence[str], Described("The names of the columns; empty when the sentence says everything.")]
    rows: Annotated[Sequence[Sequence[str]], Described("The cells, with local times.")]
    total: Annotated[int, Described("The number of records or groups before `max_rows` and a limit of the question.")]
    is_cut: Annotated[bool, Described("True when `max_rows` left rows out.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """The answer after what was understood."""

    text: str
    total: int
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    is_cut: bool = False
    understood: str = ""
    """Joins what was understood, such as `, the newest`."""
    notes: Sequence[str] = field(default_factory=tuple)


class Speaker:
    """Says the parts of one answer."""

    def __init__(self, *, language: Language, scope: Scope) -> None:
        self._language = language
        self._words = WORDS[language]
        self._scope = scope
        self._cells = Cells(language=language, words=self._words, scope=scope)

    def say(self, part: Plan | Fact, result: Result, *, lacks_places: bool) -> AnswerPart:
        """Return the answer to the part. `lacks_places` states that addresses replace the places that it asks for."""
        if isinstance(result, Status):
            return self._say_status(result)
        assert isinstance(part, Plan)  # noqa: S101 - only a fact has a status
        words = self._words
        said = self._say_plan(part, result)
        understood = capital(say_plan(part, language=self._language, words=words, scope=self._scope) + said.understood)
        notes = [*said.notes, *([words.places_note] if lacks_places else []), *self._notes_on_deleted(part)]
        sentence = f"{understood}{words.colon}{said.text.rstrip('.')}{words.stop}"
        return AnswerPart(
            understood=understood,
            sentence=words.space.join([sentence, *notes]),
            columns=said.columns,
            rows=said.rows,
            total=said.total,
            is_cut=said.is_cut,
        )

    def _say_plan(self, plan: Plan, result: Result) -> _Said:
        match result:
            case Records():
                said = self._say_records(plan, result)
            case Counted():
                said = self._say_counted(result)
            case Found():
                said = self._say_found(plan, result)
            case Groups():
                said = self._say_groups(plan, result)
            case Compared():
                said = self._say_compared(result)
            case _:
                raise TypeError
        return said

    def _say_records(self, plan: Plan, records: Records) -> _Said:
        words, shape = self._words, plan.shape
        limit = shape.limit if isinstance(shape, Rows) else None
        is_newest = not isinstance(shape, Rows) or shape.order is Order.NEWEST
        shown, total = len(records.ids), records.total
        columns, rows = self._cells.labels(records.columns), self._cells.rows(records)
        is_cut = shown < min(total.count, limit or total.count) or (total.is_more and limit is None)
        text = self._number(total)
        if shown == 1 and (limit == 1 or (total.count == 1 and not total.is_more)):
            text = self._record(plan, records)
        elif 0 < shown < total.count:
            template = words.newest_of if is_newest else words.oldest_of
            text = template.format(n=shown, total=self._number(total))
        return _Said(
            text=text,
            total=total.count,
            columns=columns if rows else (),
            rows=rows,
            is_cut=is_cut,
            notes=self._partial(total),
        )

    def _say_counted(self, counted: Counted) -> _Said:
        words, total = self._words, counted.total
        if counted.by_type is None:
            return _Said(text=self._number(total), total=total.count, notes=self._partial(total))
        counts = counted.by_type.items()
        shown = [(kind, self._number(Total(count=count, is_more=total.is_more), none="0")) for kind, count in counts]
        nouns = [self._cells.event(kind, count) for kind, count in counts]
        named = [words.number_of.format(n=text, noun=noun) for (_, text), noun in zip(shown, nouns, strict=True)]
        return _Said(
            text=words.comma.join([*named, words.total.format(n=self._number(total))]),
            total=total.count,
            columns=(words.columns[Column.TYPE], words.count),
            rows=[[capital(self._cells.event(kind, 1)), text] for kind, text in shown],
            notes=self._partial(total),
        )

    def _say_found(self, plan: Plan, found: Found) -> _Said:
        words, total = self._words, found.total
        if not total.count:
            return _Said(text=words.none_examined if total.is_more else words.no, total=0, notes=self._partial(total))
        newest = words.newest_is.format(record=self._record(plan, found.newest)) + words.stop
        return _Said(
            text=words.yes.format(n=self._number(total)),
            total=total.count,
            columns=self._cells.labels(found.newest.columns),
            rows=self._cells.rows(found.newest),
            notes=[newest, *self._partial(total)],
        )

    def _say_groups(self, plan: Plan, groups: Groups) -> _Said:
        words, shape = self._words, plan.shape
        if not isinstance(shape, GroupBy):
            raise TypeError
        pairs = [(self._cells.value(shape.by, value), count) for value, count in groups.pairs]
        wanted = shape.limit or groups.total.count
        is_cut = len(pairs) < min(wanted, groups.total.count)
        named = [f"{value} ({count})" for value, count in pairs[:NAMED_MAX]]
        left = (groups.total.count if shape.limit is None else len(pairs)) - len(named)
        if left > 0:
            named.append(words.more_values.format(n=left))
        text = GROUP_COMMA.join(named) if named else self._number(groups.total)
        if is_cut:
            text += GROUP_COMMA + words.first_of.format(n=len(pairs), total=self._number(groups.total))
        ends = {Sort.MOST: words.most, Sort.LEAST: words.least}
        return _Said(
            text=text,
            total=groups.total.count,
            columns=(capital(words.by[shape.by]), words.count) if pairs else (),
            rows=[[value, str(count)] for value, count in pairs],
            is_cut=is_cut,
            understood=words.comma + ends[shape.sort] if shape.limit and shape.sort in ends else "",
            notes=self._partial(groups.total),
        )

    def _say_compared(self, compared: Compared) -> _Said:
        words, (first, other) = self._words, compared.counts
        rows = [
            [say_span(span, zone=self._scope.zone, dates=words.dates), self._number(total, none="0")]
            for span, total in (first, other)
        ]
        difference = first[1].count - other[1].count
        is_exact = not (first[1].is_more or other[1].is_more)
        text = words.comma.join(f"{period}{words.colon}{number}" for period, number in rows)
        return _Said(
            text=f"{text} ({difference:+d})" if is_exact else text,
            total=first[1].count,
            columns=(words.period, words.count),
            rows=rows,
            notes=self._partial(first[1]),
        )

    def _say_status(self, status: Status) -> AnswerPart:
        words = self._words
        label, holds, lacks = words.facts.get(status.name) or words.other_fact
        name = status.name
        for factor in second_factors:
            if factor.name == status.name:
                with translation.override(self._language):
                    name = gettext(factor.label)
        until = say_moment(status.until, zone=self._scope.zone, dates=words.dates) if status.until else ""
        zone = words.zone.format(zone=self._scope.zone.key)
        sentence = (holds if status.holds else lacks).format(name=name, n=status.number, until=f"{until}{zone}")
        total = status.number if status.number is not None else int(status.holds)
        understood = label.format(name=name)
        return AnswerPart(understood=understood, sentence=sentence, columns=(), rows=(), total=total, is_cut=False)

    def _asks_for_old(self, plan: Plan) -> bool:
        oldest = self._scope.events_since
        if oldest is None:
            return False
        periods = [plan.filters.period, plan.shape.other if isinstance(plan.shape, Compare) else plan.filters.period]
        starts = [span_of(period, scope=self._scope).since if period else None for period in periods]
        return any(start is None or start < oldest for start in starts)

    def _record(self, plan: Plan, records: Records) -> str:
        """Return the cells of the first record, without the event that the question names."""
        types = plan.filters.types
        is_named = types is not None and len(types.values) == 1 and not types.is_not
        zone = self._words.zone.format(zone=self._scope.zone.key)
        cells = zip(records.columns, self._cells.rows(records)[0], strict=True)
        return self._words.comma.join(
            f"{cell}{zone if column in TIMES else ''}"
            for column, cell in cells
            if cell and not (column is Column.TYPE and is_named)
        )

    def _number(self, total: Total, *, none: str = "") -> str:
        words = self._words
        if total.count == 0:
            return words.none_examined if total.is_more else none or words.none
        return words.at_least.format(n=total.count) if total.is_more else str(total.count)

    def _partial(self, total: Total) -> Sequence[str]:
        """Return the note on records that were not examined."""
        return [self._words.partial.format(n=VALUES_MAX)] if total.is_partial else []

    def _notes_on_deleted(self, plan: Plan) -> Sequence[str]:
        """Return the note on records that the service has deleted, when the plan asks for their time."""
        if plan.entity is Entity.AUDIT_EVENTS:
            return (
                [self._words.events_note.format(n=retention_settings().audit_days)] if self._asks_for_old(plan) else []
            )
        if plan.filters.state is State.LIVE:
            return []
        return [self._words.ended_note.format(n=session_settings().refresh_idle_seconds // DAY_SECONDS)]
