"""`manage.py users export`: write all users in the format of `users import`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError

from core.keys.sealing import Unsealable

from ...ops.transfer.exporting import count_users, export_users
from ..progress import show_progress
from .subcommand import Output

STDOUT = "-"


class Export:
    """Writes one line for each account. A file appears when it is complete."""

    name = "export"
    help = "Write all users with their password hashes, identities, passkeys and metadata to a new file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and the choices."""
        parser.add_argument(
            "file", metavar="FILE", help="new file, which only its owner can read; - is standard output"
        )
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="also write the secrets of authenticator apps and recovery codes",
        )
        parser.add_argument("--yes", action="store_true", help="do not ask before writing secrets")

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Write the file. Raises CommandError when it exists already, or the operator does not confirm."""
        total = count_users()
        if options["with_secrets"] and not options["yes"]:
            _confirm(options["file"], total=total)
        try:
            written = _write(options["file"], with_secrets=options["with_secrets"], total=total)
        except Unsealable:
            raise CommandError(
                "ENCRYPTION_KEY lacks the key of a secret. Add the key, or export without --with-secrets."
            ) from None
        if options["file"] != STDOUT:
            out.line(f"{written:,} users written to {options['file']}")


def _write(name: str, *, with_secrets: bool, total: int) -> int:
    written = 0
    with _opened(name) as file, show_progress(total=total, unit="users") as progress:
        for lines in export_users(with_secrets=with_secrets):
            file.write(b"".join(lines))
            progress.advance(len(lines))
            written += len(lines)
    return written


def _confirm(name: str, *, total: int) -> None:
    sys.stderr.write(
        f"{'Standard output' if name == STDOUT else name} will contain the second factors of up to {total:,} users. "
        "Its reader can sign in as them once a password hash is broken.\nType yes to go on: "
    )
    sys.stderr.flush()
    if sys.stdin.readline().strip() != "yes":
        raise CommandError("Nothing was written. --yes skips the question.")


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Yield the stream to write to. The file gets its name when the block ends without an exception."""
    if name == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    path = Path(name)
    part = path.with_name(f"{path.name}.part")
    if path.exists():
        raise CommandError(f"{path} exists already. Name a new file.")
    try:
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CommandError(f"{part} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
