"""`manage.py users create`: make accounts. SIGNUP does not apply."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from core.addresses import normalize_email
from core.clock import now
from core.db.transactions import write
from core.errors import ServiceError

from ...acts.signup import create_without_password
from ...errors import PasswordPolicyViolation, UserExists
from ...host import users
from ...passwords import hashing
from ...passwords.acceptance import check_new_password
from ...state.lookup import host_conflict, is_taken
from .each import NO_CLIENT, Refused, RolledBack, record_command, run_each
from .selection import add_addresses, printable, read_selection
from .subcommand import Output


class Create:
    """Makes accounts."""

    name = "create"
    help = "Make accounts without a password, or one with the password of standard input. Sends no mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the addresses and the options."""
        add_addresses(parser)
        parser.add_argument("--proven", action="store_true", help="record the addresses as proven")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password of the only account from standard input"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Make each account. Raises CommandError when one failed."""
        if options["password_stdin"] and options["file"] == "-":
            raise CommandError("Standard input has the password, so --file needs the path of a file.")
        named = read_selection(options)
        password = None
        if options["password_stdin"]:
            if len(named) != 1:
                raise CommandError("--password-stdin sets the password of one account. Name one address.")
            password = sys.stdin.readline().rstrip("\r\n")
        run_each(
            named,
            lambda text: _create(text, password, options=options),
            is_dry_run=options["dry_run"],
            out=out,
        )


def _create(text: str, password: str | None, *, options: Mapping[str, Any]) -> str:
    address, moment = normalize_email(text), now()
    if address is None:
        raise Refused(f"{printable(text)}: is not an e-mail address")
    try:
        user_id = _create_at(address, password, options=options, now=moment)
    except RolledBack as done:
        return str(done)
    except UserExists:
        raise Refused(f"{address}: an account or a user has this address") from None
    except PasswordPolicyViolation as error:
        raise Refused(f"{address}: {error} ({', '.join(error.details)})") from None
    except ServiceError as error:
        raise Refused(f"{address}: {error}") from None
    return f"{address} ({user_id}): created"


def _create_at(address: str, password: str | None, *, options: Mapping[str, Any], now: datetime) -> str:
    password_hash = None if password is None else _hash(password, address, now=now)
    if is_taken(address=address, now=now):
        raise UserExists
    with host_conflict(address=address, now=now):
        return _insert(address, password_hash, options=options, now=now)


def _hash(password: str, address: str, *, now: datetime) -> str:
    check_new_password(password=password, email=address, user_id=None, client=NO_CLIENT, now=now)
    return hashing.hash_password(password)


@write
def _insert(address: str, password_hash: str | None, *, options: Mapping[str, Any], now: datetime) -> str:
    account = create_without_password(
        email=address,
        is_proven=options["proven"],
        is_mailed=False,
        metadata={"method": "operator"},
        client=NO_CLIENT,
        now=now,
    )
    if password_hash is not None:
        users.set_password_hash(account_id=account.pk, password_hash=password_hash)
    record_command("create", user_id=str(account.pk), now=now)
    if options["dry_run"]:
        raise RolledBack(f"{address}: created")
    return str(account.pk)
