"""The filters of lists, which an operator types or which a link contains."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from core.http.fields import QueryMoment
from core.http.view import Input
from pages.frame.forms import messages_of

LOCAL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
"""The value of an `<input type="datetime-local">`, with or without seconds."""


class LocalMoment(QueryMoment):
    """A time as QueryMoment reads it, or the value of an `<input type="datetime-local">`.

    A value without an offset is a time in the zone of the page.
    """

    default_error_messages: ClassVar = {
        "invalid": gettext_lazy("must be a date with a time, such as 2026-11-21T09:45.")
    }

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str) or not LOCAL.fullmatch(data):
            return super().to_internal_value(data)
        seconds = "" if data.count(":") > 1 else ":00"
        moment = super().to_internal_value(f"{data}{seconds}Z")
        return moment.replace(tzinfo=timezone.get_current_timezone()).astimezone(UTC)


def check_span(attrs: Mapping[str, Any]) -> None:
    """Raise ValidationError beside `until` when the span from `since` to `until` is empty."""
    if attrs["since"] and attrs["until"] and attrs["since"] >= attrs["until"]:
        raise serializers.ValidationError({"until": gettext("must be after the start of the time span.")})


def find_faults(query: Input, typed: Mapping[str, str]) -> Mapping[str, str]:
    """Return the messages about the typed values that are not valid, by the names of their fields."""
    try:
        query().run_validation(typed)
    except serializers.ValidationError as invalid:
        return {name: message for name, message in messages_of(invalid).items() if name in typed}
    return {}
