"""`manage.py cancel_recovery EMAIL`: cancel the recovery of an account."""

from django.core.management.base import CommandError, CommandParser

from core.clock import now
from core.commands import ServiceCommand

from ...recovery.account_recovery import cancel_by_operator


class Command(ServiceCommand):
    """Cancels the recovery of an account that lost its second factors."""

    help = "Cancel the recovery of an account that lost its second factors. The factors stay. The mailed links no longer work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="e-mail address of the account")

    def handle(self, *, email: str, **options: object) -> None:
        """Cancel the recovery. Fails when no account has the address."""
        is_cancelled = cancel_by_operator(email=email, now=now())
        if is_cancelled is None:
            raise CommandError(f"No account has the address {email}.")
        self.stdout.write("The recovery is cancelled." if is_cancelled else "The account has no running recovery.")
