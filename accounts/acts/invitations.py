"""Invitations: an operator invites a person by mail, and the person makes the account of the mailed address."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db.models import Exists, OuterRef, QuerySet

from core.addresses import email_key
from core.db.transactions import transaction_required
from core.http.client import Client
from core.keys.opaque import find_digest, new_token
from mail.compose import MailTemplate, enqueue
from mail.conf import settings as mail_settings

from ..errors import UserExists, VerificationTokenExpired, VerificationTokenInvalid
from ..host import users
from ..models import INVITER_MAX, Account, Invitation
from ..passwords import hashing
from ..passwords.acceptance import check_new_password
from ..state.lookup import is_taken
from .sign_up_rules import check_invited
from .signup import create_without_password

_NO_CLIENT = Client(ip="", user_agent="")


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedInvitation:
    """An invitation whose acceptance was checked. `password_hash` is the encoded hash for the new account."""

    invitation: Invitation
    password_hash: str


@transaction_required
def invite(*, address: str, invited_by: str, language: str | None, now: datetime) -> UUID:
    """Mail an invitation to the normalized address, and return its id. An earlier invitation of the address is void.

    `language` is that of the mail, or None for the default. Raises SignupClosed when not even an invited person may sign
    up, and UserExists when a user has the address. Needs a transaction.
    """
    check_invited()
    if is_taken(address=address, now=now):
        raise UserExists
    token, lifetime = new_token(), timedelta(seconds=mail_settings().invitation_seconds)
    invitation = Invitation(
        email=address,
        email_key=email_key(address),
        digest=token.digest,
        invited_by=invited_by[:INVITER_MAX],
        created_at=now,
        expires_at=now + lifetime,
    )
    # One statement replaces the token of an earlier invitation. Of concurrent invitations, the last one counts.
    Invitation.objects.bulk_create(
        [invitation],
        update_conflicts=True,
        unique_fields=["email_key"],
        update_fields=["email", "digest", "invited_by", "created_at", "expires_at"],
    )
    enqueue(
        template=MailTemplate.INVITATION,
        to=address,
        account_id=None,
        values={"token": token.raw},
        client=_NO_CLIENT,
        now=now,
        expires_at=now + lifetime,
        language=language,
    )
    return Invitation.objects.values_list("pk", flat=True).get(digest=token.digest)


@transaction_required
def revoke_invitation(*, address: str) -> UUID | None:
    """Revoke the invitation of the address in any spelling, and return its id. None when there is none.

    Needs a transaction.
    """
    found = Invitation.objects.filter(email_key=email_key(address)).first()
    return found.pk if found is not None and Invitation.objects.filter(pk=found.pk).delete()[0] else None


def open_invitations(*, now: datetime) -> QuerySet[Invitation]:
    """Return the invitations that can be accepted, the newest first."""
    has_account = Exists(Account.objects.filter(email_key=OuterRef("email_key")))
    return Invitation.objects.filter(~has_account, expires_at__gt=now).order_by("-created_at", "-pk")


def check_acceptance(*, token: str, password: str | None, client: Client, now: datetime) -> AcceptedInvitation:
    """Return the invitation of the token after all checks. The call spends nothing.

    Without a password, the account gets an unusable one. Raises, in this order: SignupClosed when no one may sign up;
    VerificationTokenInvalid when the invitation is unknown, accepted, revoked or replaced, or a user has its address;
    VerificationTokenExpired; PasswordPolicyViolation and PasswordBreached. Raises Overloaded when too many hashes wait.
    """
    check_invited()
    digest = find_digest(token)
    invitation = Invitation.objects.filter(digest=digest).first() if digest else None
    # The answer for a taken address is the one of an unknown token, so that it shows nothing about the account.
    if invitation is None or is_taken(address=invitation.email, now=now):
        raise VerificationTokenInvalid
    if invitation.expires_at <= now:
        raise VerificationTokenExpired
    if password is None:
        return AcceptedInvitation(invitation=invitation, password_hash=make_password(None))
    check_new_password(password=password, email=invitation.email, user_id=None, client=client, now=now)
    return AcceptedInvitation(invitation=invitation, password_hash=hashing.hash_password(password))


@transaction_required
def create_invited(
    accepted: AcceptedInvitation, *, metadata: Mapping[str, Any], client: Client, now: datetime
) -> Account | None:
    """Spend the invitation, create the account with its proven address, and return the account.

    Returns None, and changes nothing, when the invitation was accepted, revoked or replaced meanwhile. Of several callers
    with one token, exactly one gets an account. `metadata` is that of the event of the sign-up. The caller surrounds its
    transaction with `host_conflict`. Needs a transaction.
    """
    found = accepted.invitation
    # The condition on the digest is part of the statement. So a concurrent second invitation keeps its row.
    live = Invitation.objects.filter(pk=found.pk, digest=found.digest, expires_at__gt=now)
    if not live.delete()[0]:
        return None
    account = create_without_password(
        email=found.email,
        is_proven=True,
        is_mailed=False,
        metadata={**metadata, "invitation_id": str(found.pk)},
        client=client,
        now=now,
    )
    users.set_password_hash(account_id=account.pk, password_hash=accepted.password_hash)
    return account
