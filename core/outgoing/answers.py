"""The answer to an outgoing request, and the errors."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of the remote server. A header is found under its name in any case of letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class OutgoingError(Exception):
    """The request got no usable answer. The message never contains the URL, because the URL may contain a secret."""


class TargetRefused(OutgoingError):
    """The service must not call the URL, or the host name resolves to an address that is not public."""


class NoAnswer(OutgoingError):
    """The remote server is unreachable, closed the connection, has no trusted TLS certificate, or was too slow."""


class AnswerTooLarge(OutgoingError):
    """The body of the answer is longer than `max_bytes`."""
