"""Registration of a passkey."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from webauthn import generate_registration_options, verify_registration_response
from webauthn.helpers import (
    decode_credential_public_key,
    decoded_public_key_to_cryptography,
    options_to_json_dict,
    parse_registration_credential_json,
    verify_signature,
)
from webauthn.helpers.decode_credential_public_key import DecodedRSAPublicKey
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.host import users
from accounts.models import Account
from accounts.proofs.recent_login import FRESH_PERIOD, find_authentication
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import get_signed_in_account, hold_signed_in_account
from core.db.transactions import write
from core.errors import BadRequest
from core.http.client import Client
from core.keys.jwt import Caller
from sessions_app.logins.factor_changes import record_enrolled
from sessions_app.logins.login import is_password_login

from ..conf import settings
from ..models import CREDENTIAL_ID_MAX, DEFAULT_NICKNAME, PASSKEYS_MAX, PUBLIC_KEY_MAX, Passkey
from .ceremonies import (
    CeremonyOptions,
    Purpose,
    SpentRegistration,
    begin_ceremony,
    finish_registration_ceremony,
)
from .errors import InvalidPasskeyResponse
from .factor import FACTOR
from .owned import change_metadata, passkeys_of, user_handle, wording_of
from .webauthn_data import (
    descriptors,
    is_backup_eligible,
    reading_response,
    require_same_origin,
    without_attachment,
)

RSA_BITS = range(2048, 4096 + 1)
RSA_EXPONENT_BITS_MAX = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class _Registered:
    """The verified data of a registration, as the row stores them."""

    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: Sequence[str]
    aaguid: UUID
    is_backup_eligible: bool
    is_backed_up: bool
    user_verified: bool
    is_conditional: bool


@write
def begin_registration(*, caller: Caller, conditional: bool, now: datetime) -> CeremonyOptions:
    """Begin a ceremony that registers a passkey.

    In a conditional ceremony, the passkey manager that filled in the password makes a passkey (WebAuthn Level 3,
    5.1.3). The manager does not ask the user, so it checks neither presence nor identity of the user.

    Raises InvalidAccessToken when the session has ended, and BadRequest when the account has PASSKEYS_MAX passkeys.
    Raises BadRequest also for a conditional ceremony unless the session's latest authentication is a password login
    within FRESH_PERIOD.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    passkeys = _require_room(account)
    if conditional:
        _require_password_login(caller, account, now=now)
    ceremony = begin_ceremony(
        account_id=account.pk, purpose=Purpose.UPGRADE if conditional else Purpose.REGISTER, now=now
    )
    demand = "preferred" if conditional else settings().passkey_user_verification
    options = generate_registration_options(
        rp_id=settings().rp_id,
        rp_name=settings().rp_name,
        user_id=user_handle(account_id=account.pk),
        user_name=users.display_name_of(account.user),
        challenge=ceremony.challenge,
        timeout=settings().ceremony_seconds * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            # The passkey is to replace the password, so the browser must find it without an address.
            resident_key=ResidentKeyRequirement.REQUIRED if conditional else ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement(demand),
        ),
        exclude_credentials=descriptors(passkeys),
    )
    return CeremonyOptions(public_key=options_to_json_dict(options), ceremony_token=ceremony.token)


def finish_registration(
    *,
    caller: Caller,
    ceremony_token: str,
    credential: dict[str, Any],
    nickname: str,
    client: Client,
    now: datetime,
) -> None:
    """Store the passkey, which gates logins from now on. A blank nickname becomes `Passkey`.

    The passkey also signs in alone on two conditions. The session was authenticated within FRESH_PERIOD. The passkey
    verified its user, or the ceremony was conditional.

    Raises InvalidAccessToken when the session has ended, and InvalidCeremonyToken. Raises InvalidPasskeyResponse when
    the response fails the verification or the credential is already stored; the ceremony stays spent. Raises BadRequest
    when the account has PASSKEYS_MAX passkeys.
    """
    account = get_signed_in_account(caller=caller, now=now)
    ceremony = finish_registration_ceremony(token=ceremony_token, account_id=account.pk, now=now)
    registered = _verify(credential, ceremony)
    name = nickname.strip() or DEFAULT_NICKNAME
    _store(caller, registered, epoch=CredentialsEpoch.of(account), nickname=name, client=client, now=now)


@write
def _store(
    caller: Caller,
    registered: _Registered,
    *,
    epoch: CredentialsEpoch,
    nickname: str,
    client: Client,
    now: datetime,
) -> None:
    account = hold_signed_in_account(caller=caller, epoch=epoch, now=now)
    _require_room(account)
    passkey = Passkey.objects.create(
        account=account,
        credential_id=registered.credential_id,
        public_key=registered.public_key,
        sign_count=registered.sign_count,
        transports=registered.transports,
        aaguid=registered.aaguid,
        is_backup_eligible=registered.is_backup_eligible,
        is_backed_up=registered.is_backed_up,
        user_verified=registered.user_verified,
        # Only in a fresh session. An attacker with a stolen access token must not add a passkey that outlives the
        # stolen session.
        signs_in_alone=_may_sign_in_alone(registered) and _find_fresh_authentication(caller, now=now) is not None,
        nickname=nickname,
        created_at=now,
    )
    record_enrolled(
        factor=FACTOR,
        user=account.user,
        wording=wording_of(passkey),
        metadata=change_metadata(passkey),
        client=client,
        now=now,
    )


def _may_sign_in_alone(registered: _Registered) -> bool:
    # The authenticator must verify its user at the registration. Otherwise a person who finds a security key without a
    # PIN could set a PIN. The key would then count as two factors (WebAuthn Level 3, 4, `uvInitialized`). A passkey
    # manager verifies nothing in a conditional ceremony, but verifies its user at each login.
    return registered.user_verified or registered.is_conditional


def _find_fresh_authentication(caller: Caller, *, now: datetime) -> datetime | None:
    """Return the time of the session's latest login or reauthentication, or None when it is older than FRESH_PERIOD."""
    latest = find_authentication(caller=caller, now=now)
    return latest if latest is not None and now - latest <= FRESH_PERIOD else None


def _require_password_login(caller: Caller, account: Account, *, now: datetime) -> None:
    time = _find_fresh_authentication(caller, now=now)
    if time is None or not is_password_login(account_id=account.pk, at=time):
        raise BadRequest("conditional: is possible only within five minutes of a login with the password.")


def _require_room(account: Account) -> list[Passkey]:
    passkeys = list(passkeys_of(account))
    if len(passkeys) >= PASSKEYS_MAX:
        raise BadRequest(f"An account can have at most {PASSKEYS_MAX} passkeys. Remove one first.")
    return passkeys


def _verify(credential: dict[str, Any], ceremony: SpentRegistration) -> _Registered:
    with reading_response():
        answer = parse_registration_credential_json(without_attachment(credential))
        verified = verify_registration_response(
            credential=answer,
            expected_challenge=ceremony.challenge,
            expected_rp_id=settings().rp_id,
            expected_origin=list(settings().origins),
            # A passkey that never verifies its user would pause every login and complete none.
            require_user_verification=settings().must_verify_user and not ceremony.is_conditional,
            require_user_presence=not ceremony.is_conditional,
        )
        require_same_origin(answer.response.client_data_json)
        require_usable(verified.credential_public_key)
    if verified.credential_id != answer.raw_id or len(answer.raw_id) > CREDENTIAL_ID_MAX:
        raise InvalidPasskeyResponse
    return _Registered(
        credential_id=verified.credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        transports=sorted({transport.value for transport in answer.response.transports or ()}),
        aaguid=UUID(verified.aaguid),
        is_backup_eligible=is_backup_eligible(verified.credential_device_type),
        is_backed_up=verified.credential_backed_up,
        user_verified=verified.user_verified,
        is_conditional=ceremony.is_conditional,
    )


def require_usable(public_key: bytes) -> None:
    """Raise an exception for a public key that can never verify a signature.

    The caller converts the exception to InvalidPasskeyResponse. A passkey gates logins, so an unusable key would lock
    its owner out. Without attestation, no signature has proven the key yet. OpenSSL reports every signature of an RSA
    key outside its bounds as merely wrong. So this function checks the bounds itself.
    """
    key = decode_credential_public_key(public_key)
    if len(public_key) > PUBLIC_KEY_MAX or (isinstance(key, DecodedRSAPublicKey) and not _is_within_bounds(key)):
        raise InvalidPasskeyResponse
    with suppress(InvalidSignature):
        verify_signature(
            public_key=decoded_public_key_to_cryptography(key), signature_alg=key.alg, signature=b"", data=b""
        )


def _is_within_bounds(key: DecodedRSAPublicKey) -> bool:
    modulus, exponent = (int.from_bytes(number) for number in (key.n, key.e))
    return modulus.bit_length() in RSA_BITS and exponent.bit_length() <= RSA_EXPONENT_BITS_MAX
