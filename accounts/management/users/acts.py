"""The subcommands that do one act to each of the named accounts."""

from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from mail.compose import MailTemplate, is_mail_on

from ...acts.deactivation import DeactivatedBySite, deactivate, reactivate
from ...acts.deletion import delete_held
from ...acts.required_reset import mail_reset_link, require_reset
from ...acts.sign_out import sign_out
from ...acts.unlock import unlock
from ...host import users
from ...host.changes import is_deactivated
from ...lifecycle import SignOut
from ...models import Account
from ...state.proven_addresses import prove_address
from .each import NO_CLIENT, AccountAct, Refused, Unneeded
from .subcommand import Output


class Deactivate(AccountAct):
    """Deactivates accounts."""

    name = "deactivate"
    help = "Deactivate accounts: no one can sign in, sessions end, API keys stop. The data stay."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Deactivate the account."""
        if not deactivate(account, now=now):
            raise Unneeded("was deactivated already")
        return "deactivated"


class Reactivate(AccountAct):
    """Reactivates accounts."""

    name = "reactivate"
    help = "Reactivate accounts. Their sessions stay ended, and their API keys work again."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Reactivate the account."""
        try:
            is_changed = reactivate(account, now=now)
        except DeactivatedBySite:
            raise Refused(
                "the site has set is_active to false, so the account stays deactivated. Change it in the site"
            ) from None
        if not is_changed:
            raise Unneeded("was active already")
        return "reactivated"


class SignAccountOut(AccountAct):
    """Signs accounts out."""

    name = "sign-out"
    help = "End every session, pending login and mailed link of accounts. Passwords, factors and API keys stay."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Sign the account out."""
        sign_out(account, act=SignOut.OPERATOR, now=now)
        return "signed out"


class RequireReset(AccountAct):
    """Retires passwords."""

    name = "require-reset"
    help = "Make the passwords of accounts stop working, and end their sessions. The owners set new passwords."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare `--mail`."""
        super().add_arguments(parser)
        parser.add_argument("--mail", action="store_true", help="mail each owner a link that sets a new password")

    def check(self, options: Mapping[str, Any]) -> None:
        """Refuse `--mail` while mail is off."""
        if options["mail"] and not is_mail_on():
            raise CommandError("EMAIL_URL is off, so no mail can be sent. Leave out --mail, or set EMAIL_URL.")

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Retire the password, and mail the link."""
        if not require_reset(account, now=now) and not (account.retired_hash and options["mail"]):
            raise Unneeded("must reset the password already" if account.retired_hash else "has no password")
        if not options["mail"]:
            return "the password no longer works"
        if is_deactivated(account):
            return "the password no longer works, and no mail is sent: the account is deactivated"
        mail_reset_link(account, template=MailTemplate.RESET_DEMANDED, now=now)
        return "the password no longer works, and a link is mailed"


class Unlock(AccountAct):
    """Ends locks."""

    name = "unlock"
    help = "End the locks of accounts before their time is over. Wrong passwords count from zero again."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """End the lock."""
        if not unlock(account, now=now):
            raise Unneeded("is not locked")
        return "unlocked"


class SendLink(AccountAct):
    """Mails links that set a new password."""

    name = "send-link"
    help = "Mail the owners of accounts a link that sets a new password. The present password works until then."

    def check(self, options: Mapping[str, Any]) -> None:
        """Refuse the act while mail is off."""
        if not is_mail_on():
            raise CommandError("EMAIL_URL is off, so no mail can be sent. Set EMAIL_URL.")

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Mail the link."""
        if is_deactivated(account):
            raise Refused("no link is mailed, because the account is deactivated")
        if not users.email_of(account.user):
            raise Refused("the account has no address")
        mail_reset_link(account, template=MailTemplate.PASSWORD_RESET, now=now)
        return "a link is mailed"


class Verify(AccountAct):
    """Records addresses as proven."""

    name = "verify"
    help = "Record the addresses of accounts as proven. Use it when you know that the owner reads the mailbox."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Record the address as proven."""
        address = users.email_of(account.user)
        if not address:
            raise Refused("the account has no address")
        if account.email_proven_at is not None:
            raise Unneeded("the address was proven already")
        prove_address(account_id=account.pk, address=address, client=NO_CLIENT, now=now)
        return "the address is proven"


class Delete(AccountAct):
    """Deletes accounts."""

    name = "delete"
    help = "Delete accounts with all their data. Audit events stay without addresses. It cannot be undone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare `--yes`."""
        super().add_arguments(parser)
        parser.add_argument("--yes", action="store_true", help="do not ask for a confirmation")

    def confirm(self, count: int, *, options: Mapping[str, Any], out: Output) -> None:
        """Ask on the terminal, unless `--yes` is there."""
        if options["yes"]:
            return
        out.problem(f"Delete {count} account{'s' if count > 1 else ''} with all data? Type yes to continue.")
        try:
            answer = input()
        except (EOFError, KeyboardInterrupt):
            answer = ""
        if answer.strip() != "yes":
            raise CommandError("Nothing was deleted. Type yes, or use --yes.")

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Delete the account."""
        delete_held(account, client=NO_CLIENT, now=now)
        return "deleted"
