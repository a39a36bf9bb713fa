"""Requests for a mailed link by a client that names only an address."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.addresses import email_key
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue
from mail.limits import MailKind, may_mail
from mail.queue import NO_RECIPIENT

from ..host import users
from ..models import Account
from ..proofs.credentials import digest_of_unknown, record_unknown_address
from ..proofs.known_networks import is_known_network
from ..state.epochs import CredentialsEpoch
from ..state.lookup import find_or_provision_account, search_host
from ..state.mail_tokens import Purpose, issue_mail_token

LIVE_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkKind:
    """A kind of link: its token, its mail, its event, and its two budgets in the limit `mailbox`."""

    purpose: Purpose
    template: MailTemplate
    event: EventType
    limit: MailKind
    limit_from_known_network: MailKind
    issue_code: Callable[[str, str], str] | None = None
    """Gives the token of the raw value a code for this address, and returns the code. None for a mail without a code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    kind: LinkKind
    email: str
    lifetime: timedelta
    client: Client
    now: datetime


def request_link(*, kind: LinkKind, email: str, lifetime: timedelta, client: Client, now: datetime) -> None:
    """Mail a link of the kind to the account's address, if the address has an account.

    At most LIVE_MAX links of the kind stay live. Neither the response nor its time reveals whether there is an account.
    Sends no mail beyond the limit `mailbox`. Requests from a network in which the account logged in recently have a
    separate budget. So an attacker in another network cannot use up the owner's budget. Opens its own transactions.
    """
    request = _Request(kind=kind, email=email, lifetime=lifetime, client=client, now=now)
    account = find_or_provision_account(email=email, now=now)
    is_known = is_known_network(account_id=account.pk if account else None, ip=client.ip, now=now)
    is_sent = may_mail(kind.limit_from_known_network if is_known else kind.limit, email, now=now)
    if account is None:
        _send_to_no_one(request, is_sent=is_sent)
        return
    search_host(account)
    _send(request, account, is_sent=is_sent)


@write
def _send_to_no_one(request: _Request, *, is_sent: bool) -> None:
    """Run the statements of `_send` for an address that has no account."""
    key = email_key(request.email)
    # The statement of `_send`, for no row.
    CredentialsEpoch(account_id=None, number=0).hold()
    record_unknown_address(event=request.kind.event, key=key, client=request.client, now=request.now)
    if is_sent:
        _mail_token(request, account_id=None, address=digest_of_unknown(key), to=NO_RECIPIENT)


@write
def _send(request: _Request, account: Account, *, is_sent: bool) -> None:
    if CredentialsEpoch.of(account).hold() is None:
        return
    record(event=request.kind.event, user_id=str(account.pk), client=request.client, now=request.now)
    if is_sent:
        email = users.email_of(account.user)
        _mail_token(request, account_id=account.pk, address=email, to=email)


@transaction_required
def _mail_token(request: _Request, *, account_id: Any | None, address: str, to: str) -> None:
    """Queue the mail with the link. Without an account, `address` is a digest and the worker sends no mail."""
    token = issue_mail_token(
        account_id=account_id,
        purpose=request.kind.purpose,
        address=address,
        now=request.now,
        lifetime=request.lifetime,
        live_max=LIVE_MAX,
    )
    values = {"token": token}
    if request.kind.issue_code is not None:
        values["code"] = request.kind.issue_code(token, request.email)
    enqueue(
        template=request.kind.template,
        to=to,
        account_id=account_id,
        values=values,
        client=request.client,
        now=request.now,
        expires_at=request.now + request.lifetime,
    )
