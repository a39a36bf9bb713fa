"""The forms of pages: the typed values, and the messages about wrong ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from core.http.fields import QUERY_MAX, Credential, Text
from core.http.responses import first_message


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The typed values of a form, and the messages about wrong values, by the names of the fields.

    A message about the whole form has the name "". A template never repeats the value of a secret field.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The message about the whole form."""
        return self.errors.get("", "")


class PageQuery(serializers.Serializer[None]):
    """Query of a page that leads to another page."""

    next = Text(default="", max_length=QUERY_MAX)


class NextForm(serializers.Serializer[None]):
    """The path of the page that follows."""

    next = Credential(max_length=QUERY_MAX, required=False, default="")


def messages_of(invalid: serializers.ValidationError) -> Mapping[str, str]:
    """Return the first message about each field. A message about the whole form has the name ""."""
    detail: Any = invalid.detail
    whole = api_settings.NON_FIELD_ERRORS_KEY
    if not isinstance(detail, Mapping):
        return {"": first_message(detail)}
    return {"" if name == whole else name: first_message(messages) for name, messages in detail.items()}
