"""`manage.py prune`: delete the rows that are past their retention."""

import time
from itertools import groupby
from typing import Any

from django.core.management.base import CommandParser

from core import clock
from core.commands import ServiceCommand

from ...ops import retention

PROGRESS_SECONDS = 5.0


class Command(ServiceCommand):
    """Deletes the rows that the worker deletes every day.

    The command is for a deployment without a worker. With `--dry-run` it only counts the rows.
    """

    help = (
        "Delete all rows that are past their retention, such as old audit events, sessions and tokens. You can stop the "
        "command at any time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count the rows that would be deleted")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        now = clock.now()
        if dry_run:
            for progress in retention.count_prunable(now=now):
                self.stdout.write(f"{progress.name}: {progress.rows:,} would be deleted")
            return
        started_at = printed_at = time.monotonic()
        for name, batches in groupby(retention.prune(now=now), key=lambda progress: progress.name):
            rows = 0
            for batch in batches:
                rows += batch.rows
                if time.monotonic() - printed_at > PROGRESS_SECONDS:
                    printed_at = time.monotonic()
                    self.stdout.write(f"{name}: {rows:,} so far")
            ended_at = time.monotonic()
            self.stdout.write(f"{name}: {rows:,} in {ended_at - started_at:.1f} s")
            started_at = ended_at
