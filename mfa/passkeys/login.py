"""Completion of a login and reauthentication with a passkey."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from webauthn import generate_authentication_options, verify_authentication_response
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import options_to_json_dict, parse_authentication_credential_json
from webauthn.helpers.structs import AuthenticationCredential, UserVerificationRequirement

from accounts.models import Account
from accounts.state.lookup import hold_signed_in_account
from core.db.transactions import transaction_required, write
from core.http.client import Client
from core.keys.jwt import Caller
from sessions_app.errors import InvalidPendingLogin
from sessions_app.logins.second_factors import Accepted, ProofResult, Refused
from sessions_app.models import PendingLogin

from ..conf import settings
from ..models import Passkey
from .ceremonies import CeremonyOptions, NewCeremony, Purpose, begin_ceremony, finish_ceremony
from .errors import InvalidPasskeyResponse, NoPasskeysEnrolled
from .owned import FAILED_EVENT, NAME, handle_of, passkeys_of
from .webauthn_data import (
    descriptors,
    is_backup_eligible,
    reading_response,
    require_same_origin,
    without_attachment,
)


@write
def begin_login(*, pending: PendingLogin, now: datetime) -> CeremonyOptions:
    """Begin a ceremony that completes the pending login.

    Raises InvalidPendingLogin when the pending login is void, and NoPasskeysEnrolled.
    """
    # `hold` also locks the account's row. Otherwise a concurrent deletion of the account would fail at its commit,
    # because the new ceremony refers to the account.
    if pending.credentials_epoch.hold() is None:
        raise InvalidPendingLogin
    passkeys = _require_passkeys(pending.account)
    ceremony = begin_ceremony(account_id=pending.account_id, purpose=Purpose.LOGIN, pending_login=pending.pk, now=now)
    demand = UserVerificationRequirement(settings().passkey_user_verification)
    return request_options(ceremony=ceremony, passkeys=passkeys, user_verification=demand)


def finish_login_ceremony(*, pending: PendingLogin, ceremony_token: str, now: datetime) -> bytes:
    """Spend the ceremony of the pending login and return its challenge.

    Raises NoPasskeysEnrolled before it looks at the ceremony, and InvalidCeremonyToken.
    """
    _require_passkeys(pending.account)
    return finish_ceremony(
        token=ceremony_token,
        account_id=pending.account_id,
        purpose=Purpose.LOGIN,
        pending_login=pending.pk,
        now=now,
    )


@write
def begin_reauthentication(*, caller: Caller, now: datetime) -> CeremonyOptions:
    """Begin a ceremony that reauthenticates the caller's session. The authenticator must verify the user.

    Raises InvalidAccessToken when the session has ended, and NoPasskeysEnrolled when the account has no passkey. Opens
    its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    passkeys = _require_passkeys(account)
    ceremony = begin_ceremony(account_id=account.pk, purpose=Purpose.REAUTHENTICATE, now=now)
    return request_options(ceremony=ceremony, passkeys=passkeys, user_verification=UserVerificationRequirement.REQUIRED)


def finish_reauthentication_ceremony(
    *, account: Account, ceremony_token: str, credential: dict[str, Any], now: datetime
) -> "VerifiedUserProof":
    """Spend the ceremony of the account, and return the response to its challenge, which is not verified yet.

    Raises NoPasskeysEnrolled before it looks at the ceremony, and InvalidCeremonyToken.
    """
    _require_passkeys(account)
    challenge = finish_ceremony(token=ceremony_token, account_id=account.pk, purpose=Purpose.REAUTHENTICATE, now=now)
    return VerifiedUserProof(credential=credential, challenge=challenge)


class PasskeyProof:
    """An authenticator's response to a challenge, from the request that completes a login."""

    factor = NAME
    requires_user_verification = False
    failed_event = FAILED_EVENT
    refusal = InvalidPasskeyResponse

    def __init__(self, *, credential: dict[str, Any], challenge: bytes) -> None:
        self.credential = credential
        self.challenge = challenge

    def verify(self, *, account: Account, client: Client, now: datetime) -> ProofResult:
        """Accept the response of one of the account's passkeys, and update the passkey's signature counter.

        The reason of a refusal is "foreign" when the passkey or the user handle is not the account's. It is "wrong"
        when the response is malformed or fails the verification. It is "counter" when the signature counter is not
        acceptable to `store_use`.
        """
        try:
            with reading_response():
                answer = parse_authentication_credential_json(without_attachment(self.credential))
            passkey = passkeys_of(account).filter(credential_id=answer.raw_id).first()
            if passkey is None or not _is_handle_of(passkey, answer):
                return Refused(reason="foreign")
            verified = verify_assertion(
                answer=answer,
                passkey=passkey,
                challenge=self.challenge,
                must_verify_user=self.requires_user_verification or settings().must_verify_user,
            )
        except InvalidPasskeyResponse:
            return Refused(reason="wrong")
        if not store_use(passkey=passkey, verified=verified, now=now):
            return Refused(reason="counter")
        return Accepted(enrolled_at=passkey.created_at)


class VerifiedUserProof(PasskeyProof):
    """An authenticator's response that also proves a check of the user, such as a PIN or a fingerprint."""

    requires_user_verification = True


def verify_assertion(
    *, answer: AuthenticationCredential, passkey: Passkey, challenge: bytes, must_verify_user: bool
) -> VerifiedAuthentication:
    """Return the verified data of the passkey's response to the challenge. The function does not check the counter.

    Raises InvalidPasskeyResponse when the response is malformed or wrong.
    """
    with reading_response():
        require_same_origin(answer.response.client_data_json)
        verified = verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=settings().rp_id,
            expected_origin=list(settings().origins),
            credential_public_key=bytes(passkey.public_key),
            # `store_use` checks the counter in the statement that stores it.
            credential_current_sign_count=0,
            require_user_verification=must_verify_user,
        )
    is_known = not passkey.learns_backup
    if is_known and is_backup_eligible(verified.credential_device_type) != passkey.is_backup_eligible:
        # Backup eligibility never changes after registration (WebAuthn Level 3, 6.1.3). The library cannot check it,
        # because it does not know the row.
        raise InvalidPasskeyResponse
    return verified


def request_options(
    *, ceremony: NewCeremony, passkeys: Sequence[Passkey], user_verification: UserVerificationRequirement
) -> CeremonyOptions:
    """Return the options of a ceremony that one of `passkeys` can answer.

    When `passkeys` is empty, every discoverable passkey of the domain can answer.
    """
    options = generate_authentication_options(
        rp_id=settings().rp_id,
        challenge=ceremony.challenge,
        timeout=settings().ceremony_seconds * 1000,
        allow_credentials=descriptors(passkeys),
        user_verification=user_verification,
    )
    return CeremonyOptions(public_key=options_to_json_dict(options), ceremony_token=ceremony.token)


@transaction_required
def store_use(*, passkey: Passkey, verified: VerifiedAuthentication, now: datetime) -> bool:
    """Store the use of the passkey with its new signature counter, and return whether the counter was acceptable.

    A counter above zero must exceed the stored one. A counter of zero is acceptable only while the stored one is zero.
    Returns False also when the passkey has been removed. Needs a transaction.
    """
    count = verified.new_sign_count
    rows = Passkey.objects.filter(Q(sign_count__lt=count) if count else Q(sign_count=0), pk=passkey.pk)
    used = {"is_backed_up": verified.credential_backed_up, "user_verified": verified.user_verified}
    if passkey.learns_backup:
        used |= {
            "is_backup_eligible": is_backup_eligible(verified.credential_device_type),
            "learns_backup": False,
        }
    return bool(rows.update(sign_count=count, last_used_at=now, **used))


def _require_passkeys(account: Account) -> list[Passkey]:
    passkeys = list(passkeys_of(account))
    if not passkeys:
        raise NoPasskeysEnrolled
    return passkeys


def _is_handle_of(passkey: Passkey, answer: AuthenticationCredential) -> bool:
    handle, known = answer.response.user_handle, handle_of(passkey)
    return not handle or not known or handle == known
