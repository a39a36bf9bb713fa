"""The place where the client keeps its tokens."""

from typing import Protocol


class Storage(Protocol):
    """Keeps one text, which contains the tokens. Protect it like a password.

    Two processes must not share a storage, because each of them would refresh by itself.
    """

    def load(self) -> str | None:
        """Return the text that was saved last, or None."""

    def save(self, text: str | None, /) -> None:
        """Replace the text. None deletes it."""


class Memory:
    """Keeps the text until the process ends."""

    def __init__(self) -> None:
        self._text: str | None = None

    def load(self) -> str | None:
        """Return the text that was saved last, or None."""
        return self._text

    def save(self, text: str | None, /) -> None:
        """Replace the text. None deletes it."""
        self._text = text
