"""`manage.py reencrypt`: encrypt all sealed values again with the newest key of their ring."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError

from core.commands import ServiceCommand
from core.keys.columns import SealedColumn, reseal, sealed_columns

PROGRESS_SECONDS = 5.0
LOST_ROWS_MAX = 20
INTERRUPTED_STATUS = 130
"""The exit code that a shell reports for a program that SIGINT ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The result for a column: `older` values are under older keys, and no key decrypts `lost` values."""

    column: SealedColumn
    older: int
    lost: int


class Command(ServiceCommand):
    """Encrypts all sealed values again with the first key of ENCRYPTION_KEY or of SETTINGS_ENCRYPTION_KEY."""

    help = (
        "Encrypt all secrets in the database again with the newest key: the first of ENCRYPTION_KEY or of "
        "SETTINGS_ENCRYPTION_KEY. Afterwards you can remove the older keys. The service can run during the command, and you can "
        "interrupt the command and run it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; exit with code 1 unless everything is under the newest key",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcomes = [self._reseal(column, check_only=options["check"]) for column in sealed_columns]
        except KeyboardInterrupt:
            self.stderr.write("Interrupted. Run the command again to continue.")
            raise SystemExit(INTERRUPTED_STATUS) from None
        except DatabaseError as error:
            # Only the type: the text of the error may contain the database URL with its password.
            raise CommandError(
                f"The database does not answer, or has not been migrated ({type(error).__name__})."
            ) from None
        if sentences := [*_report_older(outcomes, check_only=options["check"]), *_report_lost(outcomes)]:
            raise CommandError(" ".join(sentences))

    def _reseal(self, column: SealedColumn, *, check_only: bool) -> _Outcome:
        seen = newest = lost = 0
        shown: list[Any] = []
        printed_at = time.monotonic()
        for batch in reseal(column, check_only=check_only):
            seen += batch.seen
            newest += batch.newest
            lost += len(batch.lost)
            shown += batch.lost[: LOST_ROWS_MAX - len(shown)]
            if self.stdout.isatty():
                self.stdout.write(f"{column.name}: {seen}", ending="\r")
                self.stdout.flush()
            elif time.monotonic() - printed_at > PROGRESS_SECONDS:
                printed_at = time.monotonic()
                self.stdout.write(f"{column.name}: {seen} so far")
                self.stdout.flush()
        older = seen - newest - lost
        self.stdout.write(
            f"{column.name}: {seen}, under the newest key {newest}, under older ones {older}, lost {lost}"
        )
        for pk in shown:
            self.stdout.write(f"  lost: {pk}")
        if lost > len(shown):
            self.stdout.write(f"  and {lost - len(shown)} more")
        return _Outcome(column=column, older=older, lost=lost)


def _report_older(outcomes: Sequence[_Outcome], *, check_only: bool) -> Iterator[str]:
    if any(outcome.older for outcome in outcomes):
        yield "Some values are not under the newest key."
        yield (
            "Run the command without --check."
            if check_only
            else "They changed during the command. Run the command again."
        )


def _report_lost(outcomes: Sequence[_Outcome]) -> Iterator[str]:
    columns = [outcome.column for outcome in outcomes if outcome.lost]
    if not columns:
        return
    yield "No key decrypts the lost values."
    for variable, is_set in {column.variable: bool(column.keys()) for column in columns}.items():
        yield (
            f"Add the key that encrypted them to the end of the list in {variable}."
            if is_set
            else f"{variable} is unset. Set it to the key that encrypted them."
        )
    yield (
        "If that key no longer exists, the account owners must remove their second factor with their password and set it "
        "up again, or generate new recovery codes. An operator must store the settings again. None of this needs the "
        "older keys of the list."
    )
