"""Bodies of requests to the ask-AI routes."""

from functools import cache
from typing import Any, ClassVar
from zoneinfo import available_timezones

from rest_framework import serializers

from core.http.fields import Choice, NonBlankText, Text

from .plans.plan import Language

QUESTION_MAX = 500
ZONE_MAX = 60


class TimeZone(Text):
    """The name of a time zone, such as `Europe/Berlin`. Upper and lower case count."""

    default_error_messages: ClassVar = {
        "unknown": "must be a name of the IANA time zone database, such as Europe/Berlin."
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=ZONE_MAX, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name not in _names():
            self.fail("unknown")
        return name


class QuestionInput(serializers.Serializer[None]):
    """The question to answer."""

    example: ClassVar = {"question": "Which devices am I signed in on?", "time_zone": "Europe/Berlin"}

    question = NonBlankText(max_length=QUESTION_MAX)
    time_zone = TimeZone(required=False, help_text="The zone of the question's times and days. UTC by default.")
    language = Choice(
        [language.value for language in Language],
        required=False,
        help_text="The language of the reader. By default, and when the question is in another one, that of the question.",
    )


class WidgetQuery(serializers.Serializer[None]):
    """The language of the examples."""

    language = Choice(
        [language.value for language in Language],
        required=False,
        help_text="The language of `examples`. English by default.",
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())
