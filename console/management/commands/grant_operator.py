"""`manage.py grant_operator`: grants and revokes operator status, and lists the operators."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

import dj_database_url
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import DatabaseError

from accounts.host import users
from accounts.management.users.os_user import find_os_user
from accounts.models import Account
from accounts.state.lookup import find_account_for_operator, find_or_provision_account
from core.clock import now
from core.db.deployment import is_embedded, use_database
from mail.compose import is_mail_on

from ...operators.grants import DEFAULT_ROLE, ROLE_MAX, grant, list_operators, revoke
from ...roles import TEXTS, role_of


class Command(BaseCommand):
    """Grants and revokes operator status, and lists the operators."""

    help = (
        "Make an account an operator, who can use the console. Or remove operator status, or list the operators. A change "
        "is in the access tokens from the next login or refresh on. Issued tokens do not change."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        whom = parser.add_mutually_exclusive_group(required=True)
        whom.add_argument("-email", "--email", help="e-mail address of the account, exactly as stored")
        whom.add_argument("-list", "--list", action="store_true", help="list the operators, and change nothing")
        parser.add_argument(
            "-role",
            "--role",
            default=DEFAULT_ROLE,
            help="reader, support or admin. Another name is a label of yours: it keeps metadata, reviews and settings, and no "
            "acts (default: %(default)s)",
        )
        parser.add_argument("-revoke", "--revoke", action="store_true", help="remove operator status")
        parser.add_argument(
            "-unproven",
            "--unproven",
            action="store_true",
            help="grant even if the owner has not confirmed the account's e-mail address",
        )
        parser.add_argument("-db", "--db", help="postgresql:// URL of the database (default: DATABASE_URL)")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        if options["db"]:
            _use_database(options["db"])
        if is_embedded():
            raise CommandError(
                "An embedded deployment has no operators, because the console needs PostgreSQL. Set DATABASE_URL to "
                "postgresql://…, or use -db postgresql://…"
            )
        try:
            output = _list() if options["list"] else self._change(options)
        except DatabaseError as error:
            # The exception's message may quote the database URL with its password.
            raise CommandError(
                f"The database does not answer, or has not been migrated ({type(error).__name__})."
            ) from None
        self.stdout.write(output)

    def _change(self, options: Mapping[str, Any]) -> str:
        email, role = options["email"].strip(), options["role"].strip()
        if not email or not email.isprintable():
            raise CommandError("-email must be the e-mail address of an account, in one line.")
        if not role or len(role) > ROLE_MAX or not role.isprintable():
            raise CommandError(f"-role must be one line of 1 to {ROLE_MAX} characters.")
        if options["revoke"]:
            return _revoke(email)
        return self._grant(email, role=role, allow_unproven=options["unproven"])

    def _grant(self, email: str, *, role: str, allow_unproven: bool) -> str:
        moment = now()
        account = _require_exact(find_or_provision_account(email=email, now=moment), email=email)
        if not allow_unproven:
            _require_proven(account)
        if account.email_proven_at is None:
            self.stderr.write(
                self.style.WARNING(
                    f"The owner of {_describe(account)} never confirmed this address. Make sure that the account belongs to the "
                    "right person."
                )
            )
        grant(account=account, role=role, os_user=find_os_user(), now=moment)
        return (
            f"{_describe(account)} is an operator, as {role}. The next login or refresh adds the claim to the tokens.\n"
            f"The role {role} is {TEXTS[role_of(role)]}."
        )


def _list() -> str:
    lines = [
        f"{granted.email} ({granted.user_id}) is an operator, as {granted.role}, since {granted.granted_at:%Y-%m-%d %H:%M} UTC."
        for granted in list_operators()
    ]
    return "\n".join(lines) or "There are no operators."


def _revoke(email: str) -> str:
    # `find_or_provision_account` ignores accounts that the host project has deactivated. These can still lose operator status.
    account = _require_exact(find_account_for_operator(email=email), email=email)
    if not revoke(account=account, os_user=find_os_user(), now=now()):
        return f"{_describe(account)} was not an operator."
    return (
        f"{_describe(account)} is not an operator any more. Their sessions in the console have ended. Issued access tokens "
        "keep the claim until they expire, and no longer open the routes of operators."
    )


def _require_exact(account: Account | None, *, email: str) -> Account:
    """Return the account when its stored address equals `email` exactly. Raises CommandError otherwise.

    The lookup ignores case and width. An attacker could sign up first with an address that only looks like the
    operator's address.
    """
    if account is None:
        raise CommandError(f"No account has the address {email}. Its owner must sign up first.")
    if users.email_of(account.user) != email:
        raise CommandError(
            f"No account has exactly the address {email}. A similar one is {_describe(account)}. "
            "If you mean that account, repeat the command with exactly its address."
        )
    return account


def _require_proven(account: Account) -> None:
    if account.email_proven_at is None and is_mail_on():
        raise CommandError(
            f"The owner of {_describe(account)} never confirmed this address, so anyone may have signed up with it. "
            "Let the owner confirm it (POST /v1/email/verify/request), or use --unproven."
        )


def _describe(account: Account) -> str:
    return f"{users.email_of(account.user)} ({account.pk}, signed up {account.created_at:%Y-%m-%d})"


def _use_database(url: str) -> None:
    """Make the default connection lead to this database. Raises CommandError when the URL is malformed."""
    try:
        parsed = dj_database_url.parse(url)
    except ValueError:
        parsed = {}
    if not url.startswith(("postgres://", "postgresql://")) or not parsed.get("NAME"):
        raise CommandError("-db must be postgresql://USER:PASSWORD@HOST:PORT/NAME, with a percent-encoded password.")
    use_database(dict(parsed))
