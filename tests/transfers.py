"""Imports and exports of users by the command, and the people whom they make."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
from django.core.management import CommandError, call_command

from accounts.host import users
from accounts.models import Account

from .client import Api
from .people import Person

PASSWORD = "correct horse battery staple"
BCRYPT = "$2b$04$YriTcqNqK5hAoSBNXU/6TuiewGpXlpIlWR5q0zSF/ZCqH1Wu2mV96"
"""A cheap hash of PASSWORD."""


def run(*arguments: str | Path) -> tuple[int, dict[str, int], str]:
    """Run `manage.py users`. Return the exit code, the counts of its result, and all that it said."""
    results, problems = io.StringIO(), io.StringIO()
    code = 0
    try:
        call_command("users", *map(str, arguments), stdout=results, stderr=problems, no_color=True)
    except CommandError as error:
        problems.write(str(error))
        code = error.returncode
    lines = [line.rpartition(" ") for line in results.getvalue().splitlines()]
    counts = {name.strip(): int(count.replace(",", "")) for name, _, count in lines if count.replace(",", "").isdigit()}
    return code, {name: count for name, count in counts.items() if count}, results.getvalue() + problems.getvalue()


def import_file(path: Path, *arguments: str | Path) -> dict[str, int]:
    """Import the file, and return the counts above zero. Every row must be accepted."""
    code, counts, said = run("import", path, *arguments)
    assert code == 0, (said, refusals(path))
    return counts


def refusals(path: Path) -> list[tuple[int, str]]:
    """Return the numbers and the reasons of the refused rows of a file."""
    refused = path.with_name(f"{path.name}.refused.ndjson")
    if not refused.exists():
        return []
    rows = [orjson.loads(line) for line in refused.read_bytes().splitlines()]
    return [(row["line"], row["reason"]) for row in rows]


def export(path: Path, *arguments: str) -> list[dict[str, Any]]:
    """Export all users to a new file. Return its rows."""
    code, _, said = run("export", path, *arguments)
    assert code == 0, said
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write the rows to a new file of the format, and return its path."""
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def forget_everyone() -> None:
    """Delete all users without a trace, as in another deployment."""
    for account in Account.objects.all():
        account.user.delete()


def person(email: str) -> Person:
    """Return the imported person with this address and PASSWORD."""
    [account] = Account.objects.filter(email_key=email.casefold()).select_related("user")
    return Person(email=users.email_of(account.user), password=PASSWORD, user_id=str(account.pk), api=Api())


def number(position: int) -> str:
    """Return a user id."""
    return str(UUID(int=position))
