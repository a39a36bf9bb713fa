"""Request headers that an operation reads."""

import re
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest

from ..errors import BadRequest


@dataclass(frozen=True, kw_only=True)
class RequestHeader:
    """An optional request header. `pattern` is a regular expression of Python and JSON Schema for the whole value.

    `rule` completes the sentence "The header must …".
    """

    name: str
    pattern: str
    rule: str
    description: str
    example: str

    def read(self, request: HttpRequest) -> str | None:
        """Return the value, or None when the request does not have the header. Raises BadRequest for a wrong value."""
        value: str | None = request.META.get(self._variable)
        if value is not None and not self._form.fullmatch(value):
            raise BadRequest(f"The {self.name} header must {self.rule}.")
        return value

    @cached_property
    def _variable(self) -> str:
        return f"HTTP_{self.name.upper().replace('-', '_')}"

    @cached_property
    def _form(self) -> re.Pattern[str]:
        return re.compile(self.pattern)
