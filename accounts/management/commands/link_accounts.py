"""`manage.py link_accounts`: make the accounts of a site's users who have none yet."""

from typing import Any

from django.core.management.base import BaseCommand

from ...core.clock import now
from ...linking import link_all


class Command(BaseCommand):
    """Make an account for every user of the site who has an address to log in with."""

    help = "Makes the accounts of the site's users who have none; users who share an address, or have none, are listed."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Link, and say how many were linked and who was left out."""
        linked, left_out = 0, 0
        for user_id, reason in link_all(now=now()):
            if reason is None:
                linked += 1
            else:
                left_out += 1
                self.stdout.write(f"left out: user {user_id}: {reason}")
        self.stdout.write(self.style.SUCCESS(f"{linked} linked, {left_out} left out"))
