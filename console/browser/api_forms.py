"""The forms of the browsable API, made from the serializers of a route. A sent form becomes the JSON body of the route."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.fields import empty

from core.errors import BadRequest
from core.http.fields import AnyJson
from core.http.view import Input, read_json_object

from ..wording.numbers import number

RAW = "_content"
"""The name of the field that contains a whole JSON body."""

_INTEGER = re.compile(r"-?[0-9]{1,18}")


class Kind(Enum):
    """The kinds of fields. The value names the element in the template."""

    FLAG = "flag"
    NUMBER = "number"
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    JSON = "json"
    PROSE = "prose"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A field as the template shows it. `value` is a list for the kind `choices`, a boolean for `flag`, else a text."""

    name: str
    kind: str
    value: str | bool | list[str]
    error: str
    hint: str
    is_required: bool
    options: list[str]
    minimum: int | None
    maximum: int | None
    default: str

    @property
    def bounds(self) -> str:
        """The limits of a number as a sentence; "" without limits."""
        if self.minimum is None or self.maximum is None:
            return ""
        return gettext("A number from %(least)s to %(most)s.") % {
            "least": number(self.minimum),
            "most": number(self.maximum),
        }


def form_fields(
    serializer: Input, *, values: Mapping[str, Any], typed: QueryDict | None, message: str = ""
) -> list[FormField]:
    """Return the fields of the serializer.

    A field shows the typed value. Without a typed form it shows the value in the JSON body `values`. A secret field
    shows no value. `message` is the message of the API's error. It starts with the name of the wrong field.
    """
    return [
        _form_field(name, field, values=values, typed=typed, message=message)
        for name, field in serializer().fields.items()
    ]


def raw_body(serializer: Input, values: Mapping[str, Any]) -> str:
    """Return an example of the JSON body as text, with these values in it."""
    # A setting that is not stored has blank texts and zeros.
    stored = {name: value for name, value in values.items() if value or isinstance(value, bool | list)}
    own = {name: value for name, value in stored.items() if name in serializer().fields}
    return json.dumps({**getattr(serializer, "example", {}), **own}, indent=2, ensure_ascii=False)


def has_secret(serializer: Input) -> bool:
    """Return whether a field of the serializer contains a secret."""
    return any(_kind_of(field) is Kind.SECRET for field in serializer().fields.values())


def read_values(serializer: Input, form: QueryDict) -> Mapping[str, Any]:
    """Return the JSON object that the sent form means.

    A blank number or choice is left out. Raises BadRequest when a field for JSON or the whole body contains no JSON.
    """
    if RAW in form:
        return read_json_object(str(form[RAW]).encode())
    values = dict(_values_in(serializer, form))
    # The limits of a JSON body also hold for the JSON in a field.
    return read_json_object(json.dumps(values).encode())


def _values_in(serializer: Input, form: QueryDict) -> Iterator[tuple[str, Any]]:
    for name, field in serializer().fields.items():
        text = str(form.get(name, ""))
        match _kind_of(field):
            case Kind.FLAG:
                yield name, name in form
            case Kind.CHOICES:
                yield name, form.getlist(name)
            case Kind.LINES:
                yield name, [line.strip() for line in text.splitlines() if line.strip()]
            case Kind.PROSE:
                yield name, text.replace("\r\n", "\n")
            case Kind.SECRET | Kind.TEXT:
                yield name, text
            case Kind.NUMBER if text.strip():
                yield name, int(text) if _INTEGER.fullmatch(text.strip()) else text
            case Kind.CHOICE if text:
                yield name, text
            case Kind.JSON if text.strip():
                yield name, _read_json(name, text)


def _read_json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest(f'{name}: must be JSON, such as 5, true or "gold". A text needs quotes.') from None


def _form_field(
    name: str, field: Any, *, values: Mapping[str, Any], typed: QueryDict | None, message: str
) -> FormField:
    kind = _kind_of(field)
    default = None if field.default is empty or callable(field.default) else field.default
    prefix = f"{name}: "
    return FormField(
        name=name,
        kind=kind.value,
        value=_shown(kind, values.get(name) or default) if typed is None else _typed(kind, typed, name),
        error=message.removeprefix(prefix) if message.startswith(prefix) else "",
        hint=str(field.help_text or ""),
        is_required=field.required or getattr(field, "is_demanded", False),
        options=_options_of(field),
        minimum=getattr(field, "min_value", None),
        maximum=getattr(field, "max_value", None),
        default="" if default is None else str(default),
    )


def _typed(kind: Kind, typed: QueryDict, name: str) -> str | bool | list[str]:
    match kind:
        case Kind.SECRET:
            return ""
        case Kind.FLAG:
            return name in typed
        case Kind.CHOICES:
            return typed.getlist(name)
    return str(typed.get(name, ""))


def _shown(kind: Kind, value: Any) -> str | bool | list[str]:
    match kind:
        case _ if value is None or kind is Kind.SECRET:
            return ""
        case Kind.FLAG | Kind.CHOICES:
            return value  # type: ignore[no-any-return]  # a member of a JSON body
        case Kind.LINES:
            return "\n".join(value)
        case Kind.JSON:
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def _kind_of(field: Any) -> Kind:
    match field:
        case serializers.BooleanField():
            return Kind.FLAG
        case serializers.IntegerField():
            return Kind.NUMBER
        case serializers.ListField():
            return Kind.CHOICES if _options_of(field) else Kind.LINES
        case AnyJson() if not _options_of(field):
            return Kind.PROSE if _keywords_of(field).get("type") == "string" else Kind.JSON
    if _options_of(field):
        return Kind.CHOICE
    return Kind.SECRET if field.style.get("input_type") == "password" else Kind.TEXT


def _options_of(field: Any) -> list[str]:
    if isinstance(field, serializers.ListField):
        field = field.child
    if isinstance(field, serializers.ChoiceField):
        return [str(choice) for choice in field.choices]
    return [str(choice) for choice in _keywords_of(field).get("enum", ())]


def _keywords_of(field: Any) -> Mapping[str, Any]:
    keywords = getattr(field, "keywords", {})
    return keywords() if callable(keywords) else keywords
