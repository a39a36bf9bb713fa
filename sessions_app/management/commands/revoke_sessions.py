"""`manage.py revoke_sessions --all`: end every session of every account."""

import time
from typing import Any

from django.core.management.base import CommandParser

from core.commands import ServiceCommand

from ...families.restoration import revoke_everything

PROGRESS_SECONDS = 5.0


class Command(ServiceCommand):
    """Ends every session, for an operator who restored the database to an earlier time."""

    help = (
        "End every session and void every pending login, mailed link and running recovery. Run it after a restore of the "
        "database to an earlier time, before the service starts. All users must sign in again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        # The word protects an operator who only wants to read what the command does.
        parser.add_argument("--all", action="store_true", required=True, help="confirm that all users are signed out")

    def handle(self, **options: Any) -> None:
        accounts = sessions = 0
        printed_at = time.monotonic()
        for part in revoke_everything():
            accounts += part.accounts
            sessions += part.sessions
            if time.monotonic() - printed_at > PROGRESS_SECONDS:
                printed_at = time.monotonic()
                self.stdout.write(f"{sessions:,} sessions of {accounts:,} accounts so far")
        self.stdout.write(f"Ended {sessions:,} sessions. Checked {accounts:,} accounts.")
