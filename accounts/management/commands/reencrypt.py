"""`manage.py reencrypt`: everything that is sealed moves to the newest key of its ring."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...core.sealed_columns import SealedColumn, reseal, sealed_columns


class Command(BaseCommand):
    """Moves what is sealed to the first key of ENCRYPTION_KEY and of SETTINGS_ENCRYPTION_KEY."""

    help = (
        "Seal everything under the newest key: the first of ENCRYPTION_KEY, or of SETTINGS_ENCRYPTION_KEY. Afterwards "
        "the older keys can be taken away. May be interrupted and run again, beside a running service."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit code 1 unless everything is under the newest key"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        done = [self._reseal(column, check_only=options["check"]) for column in sealed_columns]
        if not all(done):
            raise CommandError(
                "Not everything is under the newest key. Run it without --check; for values that no key opens, add the "
                "key that sealed them to the end of the list."
            )

    def _reseal(self, column: SealedColumn, *, check_only: bool) -> bool:
        seen = newest = lost = 0
        for batch in reseal(column, check_only=check_only):
            seen += batch.seen
            newest += batch.newest
            lost += batch.lost
            if self.stdout.isatty():
                self.stdout.write(f"{column.name}: {seen}", ending="\r")
                self.stdout.flush()
        left = seen - newest - lost
        self.stdout.write(f"{column.name}: {seen}, under the newest key {newest}, under older ones {left}, lost {lost}")
        return seen == newest
