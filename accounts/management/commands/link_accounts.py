"""`manage.py link_accounts`: create accounts for the users of a host project who have none."""

from typing import Any

from core.clock import now
from core.commands import ServiceCommand

from ...state.provisioning import provision_all


class Command(ServiceCommand):
    """Creates an account for every user of the host project who has a usable address."""

    help = (
        "Create an account for each user of the host project who has none. List the users who get no account, because "
        "they share an e-mail address or have none."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Create the accounts, and print their number and each user who got none."""
        linked, left_out = 0, 0
        for user_id, reason in provision_all(now=now()):
            if reason is None:
                linked += 1
            else:
                left_out += 1
                self.stdout.write(f"left out: user {user_id}: {reason}")
        self.stdout.write(self.style.SUCCESS(f"{linked} linked, {left_out} left out"))
