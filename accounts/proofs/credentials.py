"""Checks of credentials. A successful check of a password or of a mailed token returns a Proof."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NoReturn

from django.conf import settings
from django.db.models import Q

from core import ratelimit
from core.db.transactions import transaction_required, write
from core.errors import ServiceError
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType
from mail.limits import MailKind, mailbox_key

from ..errors import AccountDeactivated, AccountLocked, InvalidCredentials, PasswordResetRequired
from ..host import users
from ..host.changes import is_deactivated, rewrites_hash
from ..lifecycle import failure_listeners
from ..models import Account, MailToken
from ..passwords import hashing
from ..passwords.hashing import Verification
from ..state.epochs import CredentialsEpoch
from ..state.login_names import find_by_login_name, key_of_login_name, search_login_name
from ..state.lookup import get_signed_in_account
from ..state.mail_tokens import account_of, spend
from . import refusals
from .known_networks import is_known_network
from .lockout import is_locked, mail_no_one, record_failure
from .login_locks import LockKey
from .recent_login import FRESH_PERIOD, check_authenticated


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The proof that a caller is the account owner.

    Only code that checks a credential makes a Proof. These are the functions of this module, and logins by a provider, by
    an invitation, by a Django session or by the code of a mailed link. `epoch` is the account's epoch from before the
    check, and `email` is the address of the account owner. `upgrade` is a pair of encoded hashes: the stored hash, and
    the new hash that replaces it. It is None when the stored hash stays.
    """

    epoch: CredentialsEpoch
    email: str
    upgrade: tuple[str, str] | None = None

    @property
    def account_id(self) -> Any:
        """The account's primary key."""
        return self.epoch.account_id

    @property
    def user_id(self) -> str:
        """The account's id in the form that the API uses."""
        return str(self.account_id)

    @transaction_required
    def supersede(self, *, now: datetime) -> "Proof | None":
        """Raise the account's epoch, and return this proof with the new epoch. All other proofs are then invalid.

        Returns None, and changes nothing, when this proof is already invalid. Needs a transaction.
        """
        epoch = self.epoch.supersede(now=now)
        return None if epoch is None else replace(self, epoch=epoch)


def prove_password(*, email: str, password: str, refusal: refusals.Refusal, client: Client, now: datetime) -> Proof:
    """Return the proof that the password belongs to the account with this address, or this name with LOGIN_NAME.

    Raises InvalidCredentials when the password is wrong or the address is unknown. Both cases do the same work and take
    the same time. Raises AccountLocked, without a check of the password, when the account or the unknown address is
    locked. A known network of the account passes the lock, unless its own wrong passwords reached the threshold. Raises
    Overloaded when too many hashes wait for a slot. Raises AccountDeactivated when the password of a deactivated account
    is right, and PasswordResetRequired for a right password that an operator has retired. A wrong password of such an
    account gets the same answer as any other.

    A wrong password counts towards the lock. The function opens its own transactions. No transaction is open during
    hashing or while a refusal waits. `refusal` is the state of `refusals.expect()` at the login's start.
    """
    account = find_by_login_name(name=email, now=now)
    if account is None:
        _refuse_unknown(key_of_login_name(email), password, refusal, client=client, now=now)
    lock = LockKey.of_network(account_id=account.pk, ip=client.ip)
    was_locked = is_locked(locked_until=account.locked_until, now=now)
    if was_locked and not _passes_lock(account, lock, client=client, now=now):
        # The statement that a host project runs for an unknown address.
        search_login_name(account)
        _record_locked_attempt(account=Q(pk=account.pk), user_id=str(account.pk), metadata={}, client=client, now=now)
        raise AccountLocked
    # `_passes_lock` has counted the attempt already.
    counting = None if was_locked else lock
    found = _verify(account, password, _hash_to_check(account), lock=counting, client=client, now=now)
    if isinstance(found, Verification):
        # The statements that an unknown address runs before its check.
        lock.is_locked(now=now)
        search_login_name(account)
        refusal.delay(found, now=now)
        raise InvalidCredentials
    if refused := _reason_to_refuse(account):
        _record_refusal(account, reason=refused.code, client=client, now=now)
        raise refused
    return found


def confirm_password(*, caller: Caller, password: str, client: Client, now: datetime) -> Proof:
    """Return the proof that the signed-in caller is the account owner. The account's password proves it.

    Raises InvalidAccessToken when the session has ended or the account was deleted. Raises InvalidCredentials when the
    password is wrong. Raises it also, without a check of the password, when the account is locked. A wrong password
    counts towards the lock.

    In an account without a password, a login or reauthentication of the session within FRESH_PERIOD replaces the
    password. The function then ignores `password`. Raises ReauthenticationRequired when the latest login or reauthentication is
    older.

    Raises RateLimited when the password is right, but the owner's mailbox has reached its limit of notices. Each act
    that demands the password sends a notice. Opens its own transactions.
    """
    account = get_signed_in_account(caller=caller, now=now)
    return confirm_password_of(account=account, caller=caller, password=password, client=client, now=now)


def confirm_password_of(*, account: Account, caller: Caller, password: str, client: Client, now: datetime) -> Proof:
    """Return the proof of `confirm_password` for an account whose live session this request has already checked."""
    if users.has_password(account.user):
        proof = check_password(account=account, password=password, client=client, now=now)
    else:
        proof = _prove_by_recent_login(account, caller, now=now)
    # Counted after the check of the password: an attacker with a stolen access token must not use up this budget.
    ratelimit.hit(
        ratelimit.Limit.MAILBOX, mailbox_key(MailKind.CONFIRMED_NOTICE, users.mailbox_of(account.user)), now=now
    )
    return proof


def check_password(*, account: Account, password: str, client: Client, now: datetime) -> Proof:
    """Return the proof that the caller knows the password of the account.

    Raises InvalidCredentials when the password is wrong. Raises it also, without a check of the password, when the
    account is locked. A wrong password counts towards the lock. Opens its own transactions.
    """
    if is_locked(locked_until=account.locked_until, now=now):
        raise InvalidCredentials
    lock = LockKey.of_network(account_id=account.pk, ip=client.ip)
    found = _verify(account, password, str(account.user.password), lock=lock, client=client, now=now)
    if isinstance(found, Verification):
        raise InvalidCredentials
    return found


@transaction_required
def prove_mailbox(token: MailToken, *, now: datetime) -> Proof | None:
    """Spend the token, and return the proof that the caller reads the mailbox of the token's address.

    `token` comes from `get_mail_token`. Returns None when another caller spent the token or when it has expired.
    Returns None also when the account's credentials changed after the token was loaded. The account's row stays locked
    until the commit. Needs a transaction.
    """
    epoch = CredentialsEpoch.of(account_of(token))
    # `hold` locks the account's row before the token is spent. A change of address or password holds the same lock
    # while it voids the tokens, so the two cannot interleave.
    if epoch.hold() is None or not spend(token, now=now):
        return None
    return Proof(epoch=epoch, email=token.address)


@transaction_required
def apply_upgrade(proof: Proof, *, client: Client, now: datetime) -> None:
    """Replace the stored hash by the proof's `upgrade`, and record the event. Needs a transaction.

    Without an `upgrade`, or when the stored hash has changed since the proof, the function does nothing.
    """
    if proof.upgrade is None:
        return
    stored, replacement = proof.upgrade
    if not users.set_password_hash(account_id=proof.account_id, password_hash=replacement, instead_of=stored):
        return
    record(event=EventType.PASSWORD_HASH_UPGRADED, user_id=proof.user_id, client=client, now=now)


def _refuse_unknown(key: str, password: str, refusal: refusals.Refusal, *, client: Client, now: datetime) -> NoReturn:
    """Refuse the login for an address without an account, with the work of a login for an account."""
    lock, metadata = LockKey.of_address(key), {"email_hmac": digest_of_unknown(key)}
    if lock.is_locked(now=now):
        # The statement of `_passes_lock`, for no account.
        is_known_network(account_id=None, ip=client.ip, now=now)
        _record_locked_attempt(account=Q(email_key=key), user_id=None, metadata=metadata, client=client, now=now)
        raise AccountLocked
    verification = hashing.verify_nothing(password)
    _fail(account=Q(email_key=key), user_id=None, lock=lock, client=client, now=now, metadata=metadata)
    refusal.delay(verification, now=now)
    raise InvalidCredentials


def _passes_lock(account: Account, lock: LockKey, *, client: Client, now: datetime) -> bool:
    """Return whether the locked account's password may be checked: the network is known, and did not lock itself.

    Counts the attempt against the network before the check. Otherwise parallel attempts could exceed the threshold.
    """
    is_locked_itself = lock.is_locked(now=now)
    is_known = is_known_network(account_id=account.pk, ip=client.ip, now=now)
    return is_known and not is_locked_itself and _count(lock, now=now)


@write
def _count(lock: LockKey, *, now: datetime) -> bool:
    return lock.count(now=now) is not None


def _verify(
    account: Account, password: str, stored: str, *, lock: LockKey | None, client: Client, now: datetime
) -> Proof | Verification:
    """Return the proof that the stored hash is that of the password.

    When the password is wrong, count a failure and return the verification instead.
    """
    verification = hashing.verify_password(password, stored)
    if not verification.ok:
        _fail(account=Q(pk=account.pk), user_id=str(account.pk), lock=lock, client=client, now=now, metadata={})
        return verification
    upgrade = (stored, hashing.hash_password(password)) if verification.rewrite and rewrites_hash(stored) else None
    return Proof(epoch=CredentialsEpoch.of(account), email=users.email_of(account.user), upgrade=upgrade)


def _hash_to_check(account: Account) -> str:
    """Return the hash of the password, or of a retired password in its place."""
    return account.retired_hash or str(account.user.password)


def _reason_to_refuse(account: Account) -> type[ServiceError] | None:
    """Return the error for the right password of an account that it does not sign in to."""
    if is_deactivated(account):
        return AccountDeactivated
    return PasswordResetRequired if account.retired_hash else None


def _prove_by_recent_login(account: Account, caller: Caller, *, now: datetime) -> Proof:
    """Return the proof of a login or reauthentication within FRESH_PERIOD. Raises ReauthenticationRequired."""
    check_authenticated(within=FRESH_PERIOD, caller=caller, now=now)
    return Proof(epoch=CredentialsEpoch.of(account), email=users.email_of(account.user))


@write
def _fail(
    *,
    account: Q,
    user_id: str | None,
    lock: LockKey | None,
    client: Client,
    now: datetime,
    metadata: dict[str, str],
) -> None:
    if not record_failure(
        account=account, user_id=user_id, event=EventType.LOGIN_FAILED, client=client, now=now, metadata=metadata
    ):
        return
    number = lock.count(now=now) if lock else None
    if number and user_id is None:
        mail_no_one(number=number, client=client, now=now)
    _notify_failure_listeners(user_id=user_id, client=client, now=now)


@write
def _record_locked_attempt(
    *, account: Q, user_id: str | None, metadata: dict[str, str], client: Client, now: datetime
) -> None:
    # Lock the row. Otherwise a concurrent deletion could clear the IP addresses of the account's events before it sees
    # this event.
    rows = list(Account.objects.select_for_update(no_key=True).filter(account).values_list("pk"))
    if user_id is not None and not rows:
        return
    record(
        event=EventType.LOGIN_FAILED,
        user_id=user_id,
        client=client,
        now=now,
        metadata={"reason": "locked", **metadata},
    )
    _notify_failure_listeners(user_id=user_id, client=client, now=now)


@write
def _record_refusal(account: Account, *, reason: str, client: Client, now: datetime) -> None:
    """Record that a right password was refused. It does not count towards the lock."""
    # The lock on the row has the reason of `_record_locked_attempt`.
    if Account.objects.select_for_update(no_key=True).filter(pk=account.pk).values_list("pk"):
        metadata = {"reason": reason}
        record(event=EventType.LOGIN_FAILED, user_id=str(account.pk), client=client, now=now, metadata=metadata)


def _notify_failure_listeners(*, user_id: str | None, client: Client, now: datetime) -> None:
    for listener in failure_listeners:
        listener.login_failed(user_id=user_id, client=client, now=now)


@transaction_required
def record_unknown_address(*, event: EventType, key: str, client: Client, now: datetime) -> None:
    """Record an event for an address without an account. The event contains a keyed digest of the address.

    `key` is the address's `email_key`. Needs a transaction.
    """
    record(event=event, user_id=None, client=client, now=now, metadata={"email_hmac": digest_of_unknown(key)})


def digest_of_unknown(key: str) -> str:
    """Return a keyed digest of an address without an account: 32 hexadecimal digits.

    Equal addresses have equal digests, so that reports can count them. The digest does not reveal the address.
    """
    return hmac.new(f"authsvc.unknown:{settings.SECRET_KEY}".encode(), key.encode(), hashlib.sha256).hexdigest()[:32]
