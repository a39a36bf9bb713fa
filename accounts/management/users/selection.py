"""The accounts that a subcommand concerns: ids or addresses, in the arguments or in a file."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.errors import NotFound

from ...host import users
from ...models import Account
from ...state.lookup import find_account_for_operator, get_account_for_operator


def add_selection(parser: ArgumentParser) -> None:
    """Declare the accounts, which `read_selection` reads."""
    parser.add_argument("who", nargs="*", metavar="ID_OR_ADDRESS", help="id or e-mail address of an account")
    parser.add_argument("--file", help="file with one id or address in each line; - is standard input")


def add_addresses(parser: ArgumentParser) -> None:
    """Declare the addresses of persons without an account, which `read_selection` reads."""
    parser.add_argument("who", nargs="*", metavar="ADDRESS", help="e-mail address of a person without an account")
    parser.add_argument("--file", help="file with one address in each line; - is standard input")


def read_selection(options: Mapping[str, Any]) -> list[str]:
    """Return the ids and addresses. Raises CommandError when there are none, or the file is unreadable."""
    named = [*options["who"], *(_read_lines(options["file"]) if options["file"] else ())]
    if not named:
        raise CommandError("Name at least one id or address, or use --file.")
    return named


def find_account(text: str) -> Account | None:
    """Return the account with this id, or with this address in any spelling, and load its user."""
    if "@" in text:
        return find_account_for_operator(email=text)
    try:
        return get_account_for_operator(user_id=text.lower())
    except NotFound:
        return None


def describe(account: Account) -> str:
    """Return the stored address and the id."""
    return f"{users.email_of(account.user) or 'no address'} ({account.pk})"


def describe_unknown(text: str) -> str:
    """Return the failure for an id or address without an account, in one printable line."""
    return f"{printable(text)}: no account has this {'address' if '@' in text else 'id'}"


def printable(text: str) -> str:
    """Return the text without characters that control a terminal."""
    return text if text.isprintable() else ascii(text)


def _read_lines(name: str) -> list[str]:
    try:
        # A byte order mark is what some editors write first.
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise CommandError(f"The file {name} is unreadable: {reason}.") from None
    return [line.strip() for line in text.splitlines() if line.strip()]
