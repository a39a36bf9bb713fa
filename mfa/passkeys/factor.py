"""Passkeys: WebAuthn credentials, as second factors or as the only proof of a login."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar
from uuid import UUID

from django.utils.translation import gettext, gettext_noop

from accounts.models import Account
from accounts.proofs.credentials import Proof, confirm_password_of
from accounts.state.lookup import get_own_account, hold_signed_in_account
from core.db.transactions import declare_conflict, write
from core.errors import NotFound, ServiceError
from core.http.answers import ABSENT, Absent, Described
from core.http.client import Client
from core.http.examples import CREDENTIAL_ID, MOMENT
from core.keys.jwt import Caller
from events.vocabulary import EventType
from mail.compose import without_links
from mail.languages import format_day
from sessions_app.logins.factor_changes import record_removed
from sessions_app.logins.second_factors import PageStep, SecondProof
from sessions_app.models import PendingLogin

from ..conf import keys, settings
from ..models import Ceremony, Passkey
from .authenticators import describe_passkey
from .errors import InvalidCeremonyToken, InvalidPasskeyResponse, NoPasskeysEnrolled, PasskeysNotConfigured
from .owned import FAILED_EVENT, NAME, change_metadata, passkeys_of, user_handle, wording_of

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer


class PasskeyStep:
    """The step of a page that asks for a passkey. The page's script begins the ceremony."""

    template = "authsvc_mfa/passkey_step.html"
    reauthenticates = True

    @property
    def form(self) -> "type[Serializer[None]]":
        from .serializers import PasskeyForm  # noqa: PLC0415 - a command of manage.py needs no form

        return PasskeyForm

    def read(self, *, pending: PendingLogin, values: Mapping[str, Any], now: datetime) -> SecondProof:
        """Spend the ceremony of the login, and return the response in the form.

        Raises PasskeysNotConfigured when ENCRYPTION_KEY is unset. Raises NoPasskeysEnrolled before it looks at the
        ceremony, and InvalidCeremonyToken.
        """
        from .login import PasskeyProof, finish_login_ceremony  # noqa: PLC0415 - the library takes 5 MB

        if not keys():
            raise PasskeysNotConfigured
        challenge = finish_login_ceremony(pending=pending, ceremony_token=values["ceremony_token"], now=now)
        return PasskeyProof(credential=values["credential"], challenge=challenge)


class PasskeyReader:
    """Reader of the response of a passkey."""

    members: tuple[str, ...] = ("ceremony_token", "credential")
    errors: tuple[type[ServiceError], ...] = (
        PasskeysNotConfigured,
        NoPasskeysEnrolled,
        InvalidCeremonyToken,
        InvalidPasskeyResponse,
    )

    def read(self, *, account: Account, body: Mapping[str, Any], now: datetime) -> SecondProof:
        """Spend the ceremony, and return the response in the body.

        Raises PasskeysNotConfigured when ENCRYPTION_KEY is unset. Raises NoPasskeysEnrolled before it looks at the
        ceremony, and InvalidCeremonyToken.
        """
        from .login import finish_reauthentication_ceremony  # noqa: PLC0415 - the library takes 5 MB

        if not keys():
            raise PasskeysNotConfigured
        return finish_reauthentication_ceremony(account=account, now=now, **body)


class PasskeyFactor:
    """The second factor of one or more passkeys."""

    name = NAME
    label = gettext_noop("passkey")
    label_plural = gettext_noop("passkeys")
    gates_login = True
    enrolled_event = EventType.PASSKEY_REGISTERED
    removed_event = EventType.PASSKEY_REMOVED
    failed_event = FAILED_EVENT
    page_step: PageStep | None = PasskeyStep()

    def is_enrolled(self, *, account_id: str) -> str:
        """Return an expression that is true when the account has a passkey.

        It does not depend on ENCRYPTION_KEY. Otherwise, a lost key would open the account without its second factor.
        """
        return f"EXISTS (SELECT 1 FROM {Passkey._meta.db_table} p WHERE p.account_id = {account_id})"  # noqa: S608 - the table's own name and the caller's SQL

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        """Do nothing: the client begins a ceremony in a request of its own."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each passkey, the oldest first."""
        return [
            gettext("Passkey: {name}, since {day}").format(
                name=without_links(describe_passkey(passkey)), day=format_day(passkey.created_at)
            )
            for passkey in Passkey.objects.filter(account_id=account_id).order_by("created_at", "id")
        ]

    def remove(self, *, account_id: Any, added_from: datetime, now: datetime) -> Sequence[Mapping[str, Any]]:
        """Delete the account's passkeys, and all its ceremonies."""
        passkeys = Passkey.objects.filter(account_id=account_id, created_at__gte=added_from)
        removed = [change_metadata(passkey) for passkey in passkeys]
        passkeys.delete()
        Ceremony.objects.filter(account_id=account_id).delete()
        return removed


FACTOR = PasskeyFactor()


class PasskeySignIn:
    """The sign-in by a passkey alone, as a way that remains when an account loses an identity at a provider."""

    def signs_in(self, *, account_id: Any) -> bool:
        """Return whether a passkey of the account signs in alone."""
        return Passkey.objects.filter(account_id=account_id, signs_in_alone=True).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPasskey:
    """A passkey. `last_used_at` is missing when the passkey was never used."""

    component: ClassVar = "Passkey"
    example: ClassVar = {
        "credential_id": CREDENTIAL_ID,
        "nickname": "Laptop",
        "created_at": MOMENT,
        "last_used_at": MOMENT,
        "user_verified": True,
        "signs_in_alone": True,
    }

    credential_id: Annotated[str, Described("The id in base64url. The path that removes the passkey contains it.")]
    nickname: str
    created_at: datetime
    last_used_at: datetime | Absent
    user_verified: Annotated[
        bool, Described("Whether the passkey verified its user, by PIN or biometrics, at its last use or registration.")
    ]
    signs_in_alone: Annotated[
        bool,
        Described("Whether `/v1/passkey-login/finish` accepts the passkey. Other passkeys are second factors only."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedPasskeys:
    """The argument of `PublicKeyCredential.signalAllAcceptedCredentials()` (WebAuthn Level 3, 5.1.10)."""

    example: ClassVar = {
        "rpId": "auth.example.com",
        "userId": "AaH9f4pZcL2OmKc0KDFgag",
        "allAcceptedCredentialIds": [CREDENTIAL_ID],
    }

    # The standard chose these names.
    rpId: Annotated[str, Described("The domain of the passkeys.")]  # noqa: N815
    userId: Annotated[str, Described("The user handle in base64url.")]  # noqa: N815
    allAcceptedCredentialIds: Annotated[list[str], Described("The ids of all passkeys in base64url.")]  # noqa: N815


def list_accepted(*, user_id: str) -> AcceptedPasskeys:
    """Return the ids of the account's passkeys, the oldest first. A passkey manager hides all others of the account."""
    account = get_own_account(user_id=user_id)
    ids = passkeys_of(account).order_by("created_at", "id").values_list("credential_id", flat=True)
    return AcceptedPasskeys(
        rpId=settings().rp_id,
        userId=text_of(user_handle(account_id=account.pk)),
        allAcceptedCredentialIds=[text_of(bytes(credential_id)) for credential_id in ids],
    )


def list_passkeys(*, user_id: str) -> list[ListedPasskey]:
    """Return the account's passkeys, newest first."""
    return list_passkeys_of(get_own_account(user_id=user_id))


def list_passkeys_of(account: Account) -> list[ListedPasskey]:
    """Return the account's passkeys, newest first."""
    return [
        ListedPasskey(
            credential_id=text_of(bytes(passkey.credential_id)),
            nickname=passkey.nickname,
            created_at=passkey.created_at,
            last_used_at=passkey.last_used_at or ABSENT,
            user_verified=passkey.user_verified,
            signs_in_alone=passkey.signs_in_alone,
        )
        for passkey in passkeys_of(account).order_by("-created_at", "-id")
    ]


def remove(
    *, account: Account, caller: Caller, credential_id: str, password: str, client: Client, now: datetime
) -> None:
    """Remove the passkey.

    Raises InvalidAccessToken when the session has ended, and InvalidCredentials when the password is wrong. Raises
    NotFound when the passkey is unknown or belongs to another account.
    """
    proof = confirm_password_of(account=account, caller=caller, password=password, client=client, now=now)
    _remove(caller, proof, credential_id, client=client, now=now)


@write
def _remove(caller: Caller, proof: Proof, credential_id: str, *, client: Client, now: datetime) -> None:
    account = hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now)
    passkey = passkeys_of(account).filter(credential_id=credential_id_of(credential_id)).first()
    if passkey is None:
        raise NotFound("You have no passkey with this credential_id. List your passkeys to see their ids.")
    passkeys_of(account).filter(pk=passkey.pk).delete()
    record_removed(
        factor=FACTOR,
        user=account.user,
        wording=wording_of(passkey),
        metadata=change_metadata(passkey),
        client=client,
        now=now,
    )


def declare_conflicts() -> None:
    """Make the registration of a credential that is already stored raise InvalidPasskeyResponse."""
    columns = f"{Passkey._meta.db_table}.credential_id"
    declare_conflict(constraint="authsvc_passkey_credential", columns=columns, error=InvalidPasskeyResponse)


def text_of(value: bytes) -> str:
    """Return the bytes in base64url without padding."""
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def credential_id_of(text: str) -> bytes:
    """Return the bytes of a credential id in a path.

    Returns b"" when the text is no base64url or is not spelt as `list_passkeys` spells it.
    """
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""
    return raw if text_of(raw) == text else b""
