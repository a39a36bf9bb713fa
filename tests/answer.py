"""What a caller of the API gets. Free of Django: programs without settings use it too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What came back: `data` of a success, `code` of an error."""

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
