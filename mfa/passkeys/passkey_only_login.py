"""Logins with a passkey alone. A passkey that verifies its user is two factors, so these logins do not pause.

The response names the account. Three kinds of wrong responses get the same answer after the same statements and the
same work. They come from an unknown passkey, from an account that may not sign in, and from a wrong signature. So an
answer does not show which passkeys and accounts exist.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.structs import AuthenticationCredential, UserVerificationRequirement

from accounts.acts.verification_mails import check_verified, mail_after_refusal
from accounts.errors import EmailNotVerified
from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import find_present_account
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.login import LoginMethod, ProvenLogin, open_login

from ..models import Passkey
from .ceremonies import CeremonyOptions, Purpose, begin_ceremony, finish_ceremony
from .errors import InvalidPasskeyResponse
from .login import request_options, store_use, verify_assertion
from .owned import handle_of
from .webauthn_data import reading_response, without_attachment

# A public key on P-256 whose private key is not known. The response of an unknown passkey is verified with it. The
# response is refused in any case.
_DECOY = Passkey(
    public_key=bytes.fromhex(
        "a501020326200121582095588fd95e650f6ba6f3376bd187a3e84dee3cdfc18b4a64374de0f3954ffd77"
        "225820def014296ba20f34fb9f5c675d6af0ce756927f4e0b81d9dfee3533cce129541"
    ),
    is_backup_eligible=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Right:
    """A correct response of a passkey that signs in alone."""

    account: Account
    passkey: Passkey
    data: VerifiedAuthentication


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrong:
    """A response that opens no session. `account` is None when the passkey is unknown."""

    account: Account | None
    reason: str


_Checked: TypeAlias = _Right | _Wrong


@write
def begin_login(*, now: datetime) -> CeremonyOptions:
    """Begin a ceremony that any discoverable passkey of the domain can answer."""
    ceremony = begin_ceremony(account_id=None, purpose=Purpose.PASSKEY_ONLY, now=now)
    return request_options(ceremony=ceremony, passkeys=(), user_verification=UserVerificationRequirement.REQUIRED)


def log_in(*, ceremony_token: str, credential: dict[str, Any], client: Client, now: datetime) -> TokenPair:
    """Log in with the passkey that answered the ceremony, and return the tokens of its account.

    Raises InvalidCeremonyToken when the ceremony has expired or was used. Raises InvalidPasskeyResponse, and records
    the failure, when the response is wrong. Raises it also when the passkey does not sign in alone or the account is
    not admitted. Raises EmailNotVerified, and mails a link, when the response is right but the address must be verified
    first. Opens its own transactions.

    A failure does not count towards the lock, because an attacker cannot guess a signature. For the same reason, a locked
    account can log in; its lock stays.
    """
    challenge = finish_ceremony(token=ceremony_token, account_id=None, purpose=Purpose.PASSKEY_ONLY, now=now)
    checked = _check(credential, challenge=challenge, now=now)
    if isinstance(checked, _Wrong):
        _record_failure(checked, client=client, now=now)
        raise InvalidPasskeyResponse
    try:
        pair = _open_session(checked, client=client, now=now)
    except EmailNotVerified:
        mail_after_refusal(account_id=checked.account.pk, client=client, now=now)
        raise
    if pair is None:
        raise InvalidPasskeyResponse
    return pair


def _check(credential: dict[str, Any], *, challenge: bytes, now: datetime) -> _Checked:
    try:
        with reading_response():
            answer = parse_authentication_credential_json(without_attachment(credential))
    except InvalidPasskeyResponse:
        return _Wrong(account=None, reason="wrong")
    passkey = Passkey.objects.select_related("account__user").filter(credential_id=answer.raw_id).first()
    data = _find_data(answer, passkey or _DECOY, challenge=challenge)
    if passkey is None or answer.response.user_handle != handle_of(passkey):
        return _Wrong(account=passkey.account if passkey else None, reason="foreign")
    if data is None:
        return _Wrong(account=passkey.account, reason="wrong")
    if not passkey.signs_in_alone:
        return _Wrong(account=passkey.account, reason="second_factor_only")
    account = find_present_account(account=passkey.account, now=now)
    if account is None:
        return _Wrong(account=passkey.account, reason="inactive")
    return _Right(account=account, passkey=passkey, data=data)


def _find_data(
    answer: AuthenticationCredential, passkey: Passkey, *, challenge: bytes
) -> VerifiedAuthentication | None:
    """Return the verified data of the response, or None when the response is wrong."""
    try:
        return verify_assertion(answer=answer, passkey=passkey, challenge=challenge, must_verify_user=True)
    except InvalidPasskeyResponse:
        return None


@write
def _open_session(right: _Right, *, client: Client, now: datetime) -> TokenPair | None:
    """Open the session. Return None when the counter is wrong, or when the account or the passkey changed meanwhile."""
    account_id = right.account.pk
    held = CredentialsEpoch.of(right.account).hold()
    if held is None:
        return None
    if not store_use(passkey=right.passkey, verified=right.data, now=now):
        _record(account_id, "counter", client=client, now=now)
        return None
    check_verified(account_id=account_id)
    login = ProvenLogin(account_id=account_id, held=held, method=LoginMethod.PASSKEY)
    return open_login(login=login, client=client, now=now)


@write
def _record_failure(wrong: _Wrong, *, client: Client, now: datetime) -> None:
    # Without an account the statement finds no row. It runs, so that the time does not show that the passkey is unknown.
    epoch = CredentialsEpoch.of(wrong.account) if wrong.account else CredentialsEpoch(account_id=None, number=0)
    # The lock also keeps a concurrent deletion from missing this event when it clears the events' IP addresses.
    _record(epoch.account_id if epoch.hold() is not None else None, wrong.reason, client=client, now=now)


@transaction_required
def _record(account_id: Any, reason: str, *, client: Client, now: datetime) -> None:
    record(
        event=EventType.PASSKEY_CHALLENGE_FAILED,
        user_id=None if account_id is None else str(account_id),
        client=client,
        now=now,
        metadata={"reason": reason},
    )
