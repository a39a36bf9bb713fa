"""`manage.py users show`: print what the service knows about accounts."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from core.clock import now
from core.http.client import Client

from ...host import users
from ...models import Account
from ...proofs.lockout import is_locked
from ...state.proven_addresses import list_inventory
from .selection import add_selection, describe_unknown, find_account, read_selection
from .subcommand import Output

_NO_CLIENT = Client(ip="", user_agent="")


class Show:
    """Prints the address, the state and the holdings of each account. It changes nothing."""

    name = "show"
    help = "Show accounts: their address, state, sessions, second factors, identities and API keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the accounts."""
        add_selection(parser)

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Print each account. Raises CommandError when an account is unknown."""
        moment = now()
        named = read_selection(options)
        missing = 0
        for number, text in enumerate(named):
            account = find_account(text)
            if account is None:
                missing += 1
                out.problem(describe_unknown(text))
                continue
            if number:
                out.line("")
            for line in _lines(account, now=moment):
                out.line(line)
        if missing:
            raise CommandError(f"{missing} of {len(named)} are unknown.")


def _lines(account: Account, *, now: datetime) -> Iterator[str]:
    yield f"id         {account.pk}"
    yield f"address    {users.email_of(account.user) or '-'}, {_proof(account)}"
    yield f"state      {_state(account)}"
    if is_locked(locked_until=account.locked_until, now=now):
        yield f"locked     until {_text(account.locked_until)}"
    yield f"signed up  {_text(account.created_at)}"
    yield f"password   {_password(account)}"
    for line in list_inventory(account_id=account.pk, client=_NO_CLIENT, now=now):
        yield f"has        {line}"


def _proof(account: Account) -> str:
    return "unproven" if account.email_proven_at is None else f"proven {_text(account.email_proven_at)}"


def _password(account: Account) -> str:
    if account.retired_hash:
        return "retired: the owner has to set a new one"
    return "yes" if users.has_password(account.user) else "none"


def _state(account: Account) -> str:
    if account.deactivated_at is not None:
        return f"deactivated since {_text(account.deactivated_at)}"
    return "active" if account.user.is_active else "inactive: the site has set is_active to false"


def _text(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC") if moment else "-"
