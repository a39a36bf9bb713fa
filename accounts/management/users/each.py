"""Acts on accounts, one after the other. Each has its own transaction, one line of output and an audit event."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.core.management.base import CommandError

from core.clock import now
from core.db.transactions import transaction_required, write
from core.errors import ServiceError
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ...models import Account
from ...state.lookup import hold_account_for_operator
from ...state.reconciliation import reconcile
from .os_user import find_os_user
from .selection import add_selection, describe, describe_unknown, find_account, read_selection
from .subcommand import Output

NO_CLIENT = Client(ip="", user_agent="")

COMMAND_LINE = "command line"
"""The `author` in the metadata of an act of the command line."""


class Unneeded(Exception):
    """The account is in the demanded state already. The message says so, and the act counts as done."""


class Refused(Exception):
    """The act is impossible and changes nothing. The message gives the reason, and the act counts as failed."""


class RolledBack(Exception):
    """An act of `--dry-run` was possible, and its transaction is rolled back. The message is the line of the output."""


def run_each(named: Sequence[str], act: Callable[[str], str], *, is_dry_run: bool, out: Output) -> None:
    """Do the act to each of the names, and print the line that it returns.

    A name for which the act raises Refused has failed, and the message is its line. Raises CommandError at the end when
    the act failed for some.
    """
    failed = 0
    for text in named:
        try:
            out.line(act(text))
        except Refused as error:
            failed += 1
            out.problem(str(error))
    if is_dry_run:
        out.line("Nothing was changed (--dry-run).")
    if failed:
        raise CommandError(f"{failed} of {len(named)} failed.")


class AccountAct:
    """A subcommand that does one act to each of the named accounts."""

    name: ClassVar[str]
    help: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the accounts and `--dry-run`. A subclass adds its own arguments."""
        add_selection(parser)
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Do the act and return what was done. The account's row is locked, and a transaction is open.

        Raises Unneeded, Refused or a ServiceError, which change nothing.
        """
        raise NotImplementedError

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise CommandError when the act is impossible for all accounts."""

    def confirm(self, count: int, *, options: Mapping[str, Any], out: Output) -> None:
        """Ask for a confirmation of the act on so many accounts. Raises CommandError without one."""

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Do the act to each account. Raises CommandError when it failed for some."""
        self.check(options)
        named = read_selection(options)
        if not options["dry_run"]:
            self.confirm(len(named), options=options, out=out)
        run_each(named, lambda text: self._run_one(text, options=options), is_dry_run=options["dry_run"], out=out)

    def _run_one(self, text: str, *, options: Mapping[str, Any]) -> str:
        account = find_account(text)
        if account is None:
            raise Refused(describe_unknown(text))
        try:
            if not options["dry_run"]:
                # A host project can have changed the address or the password since the service last saw the user.
                reconcile(account, now=now())
            line = self._apply(account, options=options, now=now())
        except (RolledBack, Unneeded) as done:
            line = str(done)
        except (Refused, ServiceError) as error:
            raise Refused(f"{describe(account)}: {error}") from None
        return f"{describe(account)}: {line}"

    @write
    def _apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        held = hold_account_for_operator(user_id=str(account.pk))
        line = self.apply(held, options=options, now=now)
        record_command(self.name, user_id=str(account.pk), now=now)
        if options["dry_run"]:
            # The act itself ran, so the line is the one of a real run.
            raise RolledBack(line)
        return line


@transaction_required
def record_command(name: str, *, user_id: str | None, now: datetime, **metadata: Any) -> None:
    """Record that the subcommand changed the account. Needs a transaction."""
    record(
        event=EventType.OPERATOR_COMMAND,
        user_id=user_id,
        client=NO_CLIENT,
        now=now,
        metadata={"author": COMMAND_LINE, "command": name, "os_user": find_os_user(), **metadata},
    )
