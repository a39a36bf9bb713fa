"""Identities at OAuth providers that sign the owner of an account in."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Protocol
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.host import users
from accounts.lifecycle import AccountListener
from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import get_own_account, hold_signed_in_account
from accounts.state.owner_mails import mail_owner
from accounts.state.proven_addresses import is_address_proven, prove_address
from core.db.ids import parse_id
from core.db.transactions import transaction_required, write
from core.errors import NotFound
from core.http.answers import Described
from core.http.client import Client
from core.http.examples import IDENTITY_ID, MOMENT
from core.keys.jwt import Caller
from core.registry import Registry
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate
from mail.languages import format_day

from ..errors import LastSignInMethod
from ..models import Identity

IDENTITIES_MAX = 20
"""The number of identities up to which the owner of an account can link further ones."""


class IdentityLost(Exception):
    """The identity was linked to another account, or unlinked, after the caller had looked it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenIdentity:
    """An identity that its provider has just confirmed, as the first factor of a login or for a link.

    `is_new` states that the identity was linked to no account before. `proves_address` states that a trusted issuer
    confirmed the present address of the account that signs in.
    """

    provider: str
    issuer: str
    subject: str
    name: str
    proves_address: bool
    is_new: bool

    def as_json(self) -> dict[str, Any]:
        """Return the fields in the form in which a PendingLogin stores them."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedIdentity:
    """An identity at a provider. `name` is what the provider calls the person, or empty."""

    component: ClassVar = "Identity"
    example: ClassVar = {
        "id": IDENTITY_ID,
        "provider": "google",
        "issuer": "https://accounts.google.com",
        "name": "Alice Example",
        "created_at": MOMENT,
        "last_used_at": MOMENT,
    }

    id: UUID
    provider: Annotated[str, Described("The name of the provider, as in the paths below `/v1/oauth/`.")]
    issuer: str
    name: str
    created_at: datetime
    last_used_at: Annotated[datetime, Described("The time of the latest login with the identity, or of its link.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedIdentities:
    """The identities of an account, the oldest first."""

    component: ClassVar = "Identities"
    example: ClassVar = {"identities": [LinkedIdentity.example]}

    identities: Sequence[LinkedIdentity]


class SignInMethod(Protocol):
    """A way to sign in other than the password and the identities."""

    def signs_in(self, *, account_id: Any) -> bool:
        """Return whether the account's owner can sign in this way."""


sign_in_methods: Registry[SignInMethod] = Registry()


def find_account_of(*, issuer: str, subject: str) -> Account | None:
    """Return the account of the identity and load its user. Return None when no account has the identity."""
    found = Identity.objects.select_related("account__user").filter(issuer=issuer, subject=subject).first()
    return found.account if found else None


def list_identities(*, user_id: str) -> LinkedIdentities:
    """Return the identities of the caller's account."""
    return list_identities_of(get_own_account(user_id=user_id))


def list_identities_of(account: Account) -> LinkedIdentities:
    """Return the account's identities."""
    return LinkedIdentities(
        identities=[
            LinkedIdentity(
                id=identity.pk,
                provider=identity.provider,
                issuer=identity.issuer,
                name=identity.name,
                created_at=identity.created_at,
                last_used_at=identity.last_used_at,
            )
            for identity in _identities_of(account.pk).order_by("created_at", "id")
        ]
    )


@transaction_required
def store_use(*, account_id: Any, identity: ProvenIdentity, client: Client, now: datetime) -> None:
    """Store `now` as the latest use of the identity, and link the identity to the account if it is new.

    An identity with `proves_address` also proves the account's address. Needs the lock on the account's row, and a
    check of the epoch from before the identity was proven. Raises IdentityLost when another account has the identity.
    Raises it also when the identity was linked at the login's first factor, and was unlinked since. Needs a
    transaction.
    """
    rows = Identity.objects.filter(issuer=identity.issuer, subject=identity.subject, account_id=account_id)
    if not rows.update(last_used_at=now):
        if not identity.is_new:
            raise IdentityLost
        _link_identity(account_id, identity, client=client, now=now)
    if identity.proves_address and not is_address_proven(account_id=account_id):
        account = Account.objects.select_related("user").get(pk=account_id)
        prove_address(account_id=account_id, address=users.email_of(account.user), client=client, now=now)


def has_room(*, account_id: Any) -> bool:
    """Return whether the account has fewer than IDENTITIES_MAX identities."""
    return _identities_of(account_id).count() < IDENTITIES_MAX


def _link_identity(account_id: Any, identity: ProvenIdentity, *, client: Client, now: datetime) -> None:
    new = Identity(
        account_id=account_id,
        provider=identity.provider,
        issuer=identity.issuer,
        subject=identity.subject,
        name=identity.name,
        created_at=now,
        last_used_at=now,
    )
    # A violated constraint would end the transaction. A concurrent call may link the identity to another account.
    Identity.objects.bulk_create([new], ignore_conflicts=True)
    if not Identity.objects.filter(pk=new.pk).exists():
        raise IdentityLost
    _record(EventType.OAUTH_LINKED, account_id, new, client=client, now=now)
    # The sign-up with the identity needs no notice.
    if Account.objects.filter(pk=account_id, created_at__lt=now).exists():
        _mail(MailTemplate.IDENTITY_LINKED, account_id, new, client=client, now=now)


@write
def unlink_identity(*, caller: Caller, identity_id: str, client: Client, now: datetime) -> None:
    """Remove the identity from the caller's account, so that it no longer signs in. Sessions that it began stay.

    Logins that the identity began and that wait for a second factor become void. Raises InvalidAccessToken when the
    session has ended. Raises NotFound when the account has no identity with this id. Raises LastSignInMethod when the
    account would have no password, no passkey that signs in alone, and no other identity. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    key = parse_id(identity_id)
    found = _identities_of(account.pk).filter(pk=key).first() if key else None
    if found is None:
        raise NotFound("You have no identity with this id. List your identities to see their ids.")
    if not _can_sign_in_without(found, account):
        raise LastSignInMethod
    CredentialsEpoch.of(account).supersede(now=now)
    _identities_of(account.pk).filter(pk=found.pk).delete()
    _record(EventType.OAUTH_UNLINKED, account.pk, found, client=client, now=now)
    _mail(MailTemplate.IDENTITY_UNLINKED, account.pk, found, client=client, now=now)


def _can_sign_in_without(identity: Identity, account: Account) -> bool:
    # The mailbox does not count: a mailed link is a way to recover the account, and mail can be off.
    return (
        users.has_password(account.user)
        or any(method.signs_in(account_id=account.pk) for method in sign_in_methods)
        or _identities_of(account.pk).exclude(pk=identity.pk).exists()
    )


def _record(event: EventType, account_id: Any, identity: Identity, *, client: Client, now: datetime) -> None:
    metadata = {"provider": identity.provider}
    record(event=event, user_id=str(account_id), client=client, now=now, metadata=metadata)


def _mail(template: MailTemplate, account_id: Any, identity: Identity, *, client: Client, now: datetime) -> None:
    values = {"provider": identity.provider}
    mail_owner(account_id=account_id, template=template, values=values, client=client, now=now)


def _identities_of(account_id: Any) -> QuerySet[Identity]:
    return Identity.objects.filter(account_id=account_id)


class RemoveIdentities(AccountListener):
    """Listener that removes an account's identities in the transaction of a takeover or of an undone change."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Delete the account's identities. Another person may have linked them."""
        _identities_of(account_id).delete()

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """Delete the identities that were linked from `added_from` on."""
        _identities_of(account_id).filter(created_at__gte=added_from).delete()


class IdentityInventory:
    """Inventory of an account's identities, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each identity, the oldest first."""
        return [
            gettext("Sign-in with {provider}, since {day}").format(
                provider=identity.provider, day=format_day(identity.created_at)
            )
            for identity in _identities_of(account_id).order_by("created_at", "id")
        ]
