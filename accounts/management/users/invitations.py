"""`manage.py users invite`, `invitations` and `uninvite`."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from core.addresses import normalize_email
from core.clock import now
from core.db.transactions import write
from core.errors import ServiceError
from mail.compose import is_mail_on
from mail.languages import LANGUAGES

from ...acts.invitations import invite, open_invitations, revoke_invitation
from ...errors import SignupClosed, UserExists
from .each import Refused, RolledBack, record_command, run_each
from .os_user import find_os_user
from .selection import add_addresses, printable, read_selection
from .subcommand import Output


class Invite:
    """Mails invitations."""

    name = "invite"
    help = "Mail invitations: each invited person makes an account with the address. A second one replaces the first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the addresses and the options."""
        add_addresses(parser)
        parser.add_argument("--language", choices=LANGUAGES, help="language of the mails (default: en)")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Mail each invitation. Raises CommandError when one failed."""
        if not is_mail_on():
            raise CommandError("EMAIL_URL is off, so no invitation can be mailed. Set EMAIL_URL, or use users create.")
        run_each(
            read_selection(options),
            lambda text: _act(text, lambda address: _invite(address, options=options, now=now())),
            is_dry_run=options["dry_run"],
            out=out,
        )


class Uninvite:
    """Revokes invitations."""

    name = "uninvite"
    help = "Revoke invitations. Their links no longer work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the addresses and `--dry-run`."""
        add_addresses(parser)
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Revoke each invitation. Raises CommandError when one failed."""
        run_each(
            read_selection(options),
            lambda text: _act(text, lambda address: _revoke(address, options=options, now=now())),
            is_dry_run=options["dry_run"],
            out=out,
        )


class Invitations:
    """Lists the open invitations."""

    name = "invitations"
    help = "List the open invitations, the newest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare no arguments."""

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Print a line for each invitation."""
        is_empty = True
        for invitation in open_invitations(now=now()).iterator():
            is_empty = False
            until = f"until {invitation.expires_at:%Y-%m-%d %H:%M} UTC"
            out.line(f"{invitation.email}  since {invitation.created_at:%Y-%m-%d}, {until}, by {invitation.invited_by}")
        if is_empty:
            out.line("There are no open invitations.")


def _act(text: str, act: Callable[[str], str]) -> str:
    address = normalize_email(text)
    if address is None:
        raise Refused(f"{printable(text)}: is not an e-mail address")
    try:
        return f"{address}: {act(address)}"
    except RolledBack as done:
        return f"{address}: {done}"
    except UserExists:
        raise Refused(f"{address}: an account or a user has this address, so no mail is sent") from None
    except SignupClosed:
        raise Refused(f"{address}: SIGNUP is closed, so an invited person could not sign up") from None
    except ServiceError as error:
        raise Refused(f"{address}: {error}") from None


@write
def _invite(address: str, *, options: Mapping[str, Any], now: datetime) -> str:
    invitation_id = invite(address=address, invited_by=find_os_user(), language=options["language"], now=now)
    return _finish("invite", invitation_id, "invited", options=options, now=now)


@write
def _revoke(address: str, *, options: Mapping[str, Any], now: datetime) -> str:
    invitation_id = revoke_invitation(address=address)
    if invitation_id is None:
        raise Refused(f"{address}: has no invitation")
    return _finish("uninvite", invitation_id, "the invitation is revoked", options=options, now=now)


def _finish(command: str, invitation_id: Any, line: str, *, options: Mapping[str, Any], now: datetime) -> str:
    record_command(command, user_id=None, now=now, invitation_id=str(invitation_id))
    if options["dry_run"]:
        raise RolledBack(line)
    return line
