"""`manage.py record_digest`: records a digest now, outside the schedule."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError

from core.clock import now as read_clock
from core.commands import ServiceCommand
from core.db.deployment import is_embedded

from ...conf import digest_settings
from ...digests.recording import english_text, record_now
from ...reports.window import Window

DEFAULT_HOURS = 168
HOURS_MAX = 8760


class Command(ServiceCommand):
    """Records a digest in the history that the console shows."""

    help = "Record a digest that ends now, and print it. The schedule does not change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--hours",
            type=int,
            help=f"length of the digest in hours (default: DIGEST_INTERVAL_HOURS, or {DEFAULT_HOURS} if it is unset)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if is_embedded():
            raise CommandError("An embedded deployment has no console and no digests. Use PostgreSQL.")
        hours = options["hours"]
        if hours is None:
            hours = digest_settings().interval_hours or DEFAULT_HOURS
        if not 1 <= hours <= HOURS_MAX:
            raise CommandError(f"--hours must be at least 1 and at most {HOURS_MAX}.")
        until = read_clock()
        window = Window(since=until - timedelta(hours=hours), until=until)
        text = english_text(window)
        record_now(window=window, text=text)
        self.stdout.write(text, ending="")
        if not digest_settings().interval_hours:
            # Standard output carries only the text, because a pipe may send it as a mail.
            self.stderr.write("Recorded. To see the history in the console, set DIGEST_INTERVAL_HOURS.", str)
