"""The common parts of the wire formats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..settings.stored import LlmSettings


class Malformed(Exception):
    """The answer does not follow the wire format. The message never quotes the answer."""

    def __init__(self, message: str = "Malformed answer") -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The question for a model, what the model shall do with it, and the JSON Schema of the queries."""

    question: str
    instructions: str
    schema: Mapping[str, Any]


class WireFormat(Protocol):
    """The requests and the answers of one kind of provider."""

    def url(self) -> str:
        """Return the URL of the POST request."""
        ...

    def headers(self, provider: LlmSettings) -> Mapping[str, str]:
        """Return the headers, including the API key."""
        ...

    def bodies(self, provider: LlmSettings, prompt: Prompt) -> Sequence[Mapping[str, Any]]:
        """Return the bodies to try in this order: the form for older models, then the form for the newest models."""
        ...

    def read(self, answer: Any) -> Any:
        """Return the JSON value that the model gave as a plan; None when it gave none.

        Raises Malformed when the answer does not follow the wire format.
        """
        ...
