"""The answer of the API to a caller. The module works without Django, for programs without settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """An answer: a success has `data`, and an error has a code."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def data(self) -> Any:
        """The payload of a success."""
        assert self.status < 300, self.body
        return self.body["data"]

    @property
    def code(self) -> str:
        """The code of an error."""
        assert self.status >= 400, self.body
        return str(self.body["error"]["code"])
