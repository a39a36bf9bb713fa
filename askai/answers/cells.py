"""Cells of a table in the reader's words, with local times."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from events.vocabulary import EventType
from sessions_app.detection.devices import UNKNOWN_DEVICE

from ..plans.countries import COUNTRIES
from ..plans.entities import Column
from ..plans.periods import WEEKDAYS
from ..plans.plan import By, Form, Language
from ..running.results import Records
from ..running.scope import Scope
from .dates import say_day, say_hour, say_moment
from .rendering import CELL_MAX, one_line, show
from .understood import capital
from .words.table import Words

TIMES = (Column.CREATED_AT, Column.ENDED_AT)
"""The columns with a time."""


class Cells:
    """The cells of one answer."""

    def __init__(self, *, language: Language, words: Words, scope: Scope) -> None:
        self._language = language
        self._words = words
        self._scope = scope
        dates = words.dates
        self._of_group: Mapping[By, Callable[[str], str]] = {
            By.TYPE: self._type,
            By.PLACE: self._place,
            By.DEVICE: self._device,
            By.FORM: self._form,
            By.HOUR: lambda hour: dates.hour.format(a=say_hour(int(hour)), b=say_hour(int(hour) + 1)),
            By.WEEKDAY: lambda name: capital(dates.weekdays[WEEKDAYS.index(name)]),
            By.DAY: lambda day: say_day(date.fromisoformat(day), dates=dates),
            By.WEEK: lambda day: dates.week.format(date=say_day(date.fromisoformat(day), dates=dates)),
            By.MONTH: self._month,
        }
        self._of_column: Mapping[Column, Callable[[str], str]] = {
            Column.TYPE: self._type,
            Column.LOCATION: self._place,
            Column.DEVICE: self._device,
            Column.FORM: self._form,
        }

    def labels(self, columns: Sequence[Column]) -> list[str]:
        """Return the names of the columns. The zone stands beside each time."""
        zone = self._words.zone.format(zone=self._scope.zone.key)
        return [f"{self._words.columns[column]}{zone if column in TIMES else ''}" for column in columns]

    def rows(self, records: Records) -> list[list[str]]:
        """Return the cells of the records."""
        return [
            [self._cell(column, value) for column, value in zip(records.columns, row, strict=True)]
            for row in records.rows
        ]

    def value(self, by: By, value: str) -> str:
        """Return the value of a group."""
        if not value:
            return self._words.unknown
        return self._clean(self._of_group.get(by, str)(value))

    def event(self, event_type: EventType, count: int) -> str:
        """Return the noun of events for their number."""
        noun = self._words.events[event_type]
        return noun.one if count == 1 else noun.many

    def _cell(self, column: Column, stored: Any) -> str:
        if isinstance(stored, datetime):
            return say_moment(stored, zone=self._scope.zone, dates=self._words.dates)
        text = show(column, stored)
        if not text:
            # An empty end means that the session is live.
            return "" if stored is None else self._words.unknown
        return self._clean(self._of_column.get(column, str)(text))

    def _type(self, value: str) -> str:
        return capital(self._words.events[EventType(value)].one)

    def _form(self, value: str) -> str:
        return self._words.forms[Form(value)]

    def _month(self, value: str) -> str:
        year, month = value.split("-")
        return capital(self._words.dates.month.format(m=self._words.dates.months[int(month) - 1], y=year))

    def _device(self, label: str) -> str:
        if label == UNKNOWN_DEVICE:
            return self._words.unknown
        browser, on, os = label.rpartition(" on ")
        return self._words.device.format(browser=browser, os=os) if on else label

    def _place(self, place: str) -> str:
        *parts, last = place.split(", ")
        names = COUNTRIES.get(last)
        return ", ".join([*parts, names[self._language] if names else last])

    @staticmethod
    def _clean(text: str) -> str:
        return one_line(text)[:CELL_MAX]
