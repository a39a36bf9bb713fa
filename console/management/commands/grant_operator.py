"""`manage.py grant_operator`: the one way in which somebody becomes an operator, and the list of those who are."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

import dj_database_url
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from accounts.core.clock import now
from accounts.core.deployment import is_embedded

from ...operators import DEFAULT_ROLE, ROLE_MAX, grant, list_operators, revoke


class Command(BaseCommand):
    """Grants and revokes the console."""

    help = (
        "Make the account with this address an operator, who may use the console. The role shows in the tokens of the "
        "next login or refresh; a token that is out already stays as it is until it expires."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        whom = parser.add_mutually_exclusive_group(required=True)
        whom.add_argument("-email", "--email", help="address of the account")
        whom.add_argument("-list", "--list", action="store_true", help="say who is an operator, and change nothing")
        parser.add_argument(
            "-role", "--role", default=DEFAULT_ROLE, help="your own word for it; every operator can do the same"
        )
        parser.add_argument("-revoke", "--revoke", action="store_true", help="take operator status away")
        parser.add_argument("-db", "--db", help="postgresql://… of the deployment; that of the settings when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["db"]:
            _use_database(options["db"])
        if is_embedded():
            raise CommandError(
                "There are no operators on an embedded deployment: the console needs PostgreSQL. Set DATABASE_URL to "
                "postgresql://… or name one with -db."
            )
        try:
            said = _list() if options["list"] else _change(options)
        except DatabaseError as error:
            # Its own text may quote the address with its password.
            raise CommandError(
                f"The database does not answer, or has not been migrated ({type(error).__name__})."
            ) from None
        self.stdout.write(said)


def _list() -> str:
    said = [
        f"{granted.email} ({granted.user_id}) is an operator, as {granted.role}, since {granted.granted_at:%Y-%m-%d %H:%M} UTC."
        for granted in list_operators()
    ]
    return "\n".join(said) or "There are no operators."


def _change(options: Mapping[str, Any]) -> str:
    email, role = options["email"].strip(), options["role"].strip()
    if not email or not email.isprintable():
        raise CommandError("-email takes the address of an account, in one line.")
    if not role or len(role) > ROLE_MAX or not role.isprintable():
        raise CommandError(f"A role is one line of 1 to {ROLE_MAX} characters.")
    return _revoke(email) if options["revoke"] else _grant(email, role=role)


def _grant(email: str, *, role: str) -> str:
    account = grant(email=email, role=role, now=now())
    if account is None:
        raise _unknown(email)
    return f"{email} ({account.pk}) is an operator, as {role}. The next login or refresh brings the claim."


def _revoke(email: str) -> str:
    account, was_operator = revoke(email=email)
    if account is None:
        raise _unknown(email)
    if not was_operator:
        return f"{email} ({account.pk}) was no operator."
    return f"{email} ({account.pk}) is no operator any more. Tokens that are out keep the claim until they expire."


def _unknown(email: str) -> CommandError:
    return CommandError(f"No account has the address {email}. It has to sign up first.")


def _use_database(url: str) -> None:
    """Let the default connection lead to this database."""
    try:
        parsed = dj_database_url.parse(url)
    except ValueError:
        parsed = {}
    if not url.startswith(("postgres://", "postgresql://")) or not parsed.get("NAME"):
        raise CommandError("-db takes postgresql://USER:PASSWORD@HOST:PORT/NAME.")
    connections[DEFAULT_DB_ALIAS].close()
    del connections[DEFAULT_DB_ALIAS]
    connections.settings = connections.configure_settings({**connections.settings, DEFAULT_DB_ALIAS: dict(parsed)})
