"""The files beside an input: the refused rows, and how far an import came.

Both are written after the commit of each batch. A killed import repeats at most its last batch, which changes nothing.
"""

import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import orjson

from .importing import Refusal, Step
from .inputs import BrokenInput


@dataclass(slots=True, kw_only=True)
class Totals:
    """The outcome of an import so far."""

    records: int = 0
    imported: int = 0
    present: int = 0
    deleted: int = 0
    refused: int = 0

    def add(self, step: Step) -> None:
        """Add the outcome of a batch."""
        self.records += step.records
        self.imported += step.imported
        self.present += step.present
        self.deleted += step.deleted
        self.refused += len(step.refusals)


class Journal:
    """The two files of an import. `fingerprint` names the input and the choices of the import.

    `totals` are those of the earlier import that this one continues.
    """

    def __init__(self, *, refused: Path, progress: Path, fingerprint: str, is_resumed: bool) -> None:
        """Open the files. Raises BrokenInput when the import cannot be continued or a file cannot be written."""
        self.refused = refused
        self._progress = progress
        self._fingerprint = fingerprint
        self.totals = Totals()
        self._refused_bytes = 0
        if is_resumed:
            self._continue()
        try:
            self._file = _open_private(refused)
            self._file.truncate(self._refused_bytes)
            self._file.seek(self._refused_bytes)
        except OSError as error:
            raise BrokenInput(
                f"{refused} cannot be written: {error.strerror}. Choose another file by --refused."
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if not self._refused_bytes:
            self.refused.unlink(missing_ok=True)

    def note(self, step: Step) -> None:
        """Store the refusals and the progress of a committed batch."""
        self._file.write(b"".join(_line(refusal) for refusal in step.refusals))
        self._file.flush()
        self._refused_bytes = self._file.tell()
        self.totals.add(step)
        self._save()

    def finish(self) -> None:
        """Delete the progress: the import is complete."""
        with suppress(FileNotFoundError):
            self._progress.unlink()

    def _continue(self) -> None:
        try:
            stored: dict[str, Any] = orjson.loads(self._progress.read_bytes())
        except FileNotFoundError:
            raise BrokenInput(f"There is nothing to resume: {self._progress} does not exist.") from None
        except (OSError, orjson.JSONDecodeError):
            raise BrokenInput(f"{self._progress} is unreadable. {_REPEAT}") from None
        if stored.get("fingerprint") != self._fingerprint:
            raise BrokenInput(f"The input or the options are not those of the import that stopped. {_REPEAT}")
        self.totals = Totals(**stored["totals"])
        self._refused_bytes = stored["refused_bytes"]

    def _save(self) -> None:
        stored = {
            "fingerprint": self._fingerprint,
            "totals": asdict(self.totals),
            "refused_bytes": self._refused_bytes,
        }
        new = self._progress.with_name(f"{self._progress.name}.new")
        with _open_private(new) as file:
            file.truncate()
            file.write(orjson.dumps(stored))
        new.replace(self._progress)


_REPEAT = "Import without --resume. Users who are present stay unchanged."


def _open_private(path: Path) -> BinaryIO:
    # An existing file keeps its mode, so the mode is set again.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "r+b")


def _line(refusal: Refusal) -> bytes:
    found: dict[str, Any] = {"line": refusal.number, "reason": refusal.reason}
    if refusal.file:
        found = {"file": refusal.file, **found}
    if refusal.email:
        found["email"] = refusal.email
    return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)
