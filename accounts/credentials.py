"""Proving who one is by password, and holding later work to that proof."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q

from . import refusals, users
from .addresses import email_key, normalize_email
from .core import ratelimit
from .core.db.transactions import join, write
from .core.errors import InvalidAccessToken
from .core.http.client import Client
from .core.keys.jwt import Identity
from .errors import AccountLocked, InvalidCredentials
from .events.audit import record
from .events.vocabulary import EventType
from .host_changes import has_new_address, is_admitted, is_behind, rewrites_hashes
from .lifecycle import failure_listeners, session_stores
from .lockout import is_locked, record_failure
from .mail.limits import MailKind, mailbox_limit
from .models import Account
from .passwords import hashing
from .passwords.hashing import Verification
from .reconciliation import reconcile


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Somebody proved to be the account's owner while its epoch was `epoch` and its address `email`.

    `upgrade` is the stored hash that this login shall rewrite, with its replacement; None when there is nothing to do.
    """

    account_id: Any
    epoch: int
    email: str
    upgrade: tuple[str, str] | None = None

    @property
    def user_id(self) -> str:
        """The account's id as the API writes it."""
        return str(self.account_id)


def prove_password(*, email: str, password: str, client: Client, now: datetime) -> Proof:
    """Return the proof that the password is the account's.

    Raises InvalidCredentials for a wrong password and, after the same work and the same time, for an unknown address;
    AccountLocked without looking at the password. Failures count towards the lock. Opens its own transactions; none is
    open while the password is hashed and while a refusal is held back.
    """
    refusal = refusals.expect()
    key = email_key(email)
    account = find_account(email=email, now=now)
    if account is None:
        verification = hashing.verify_nothing(password)
        _fail(
            account=Q(email_key=key),
            user_id=None,
            client=client,
            now=now,
            metadata={"email_hmac": digest_of_unknown(key)},
        )
        refusal.hold(verification, now=now)
        raise InvalidCredentials
    if is_locked(locked_until=account.locked_until, now=now):
        _record_locked_attempt(account, client=client, now=now)
        raise AccountLocked
    found = _verify(account, password, client=client, now=now)
    if isinstance(found, Verification):
        search_unlinked(account)
        refusal.hold(found, now=now)
        raise InvalidCredentials
    return found


def confirm_password(*, identity: Identity, password: str, client: Client, now: datetime) -> Proof:
    """Return the proof that a signed-in caller knows the account's password.

    Raises InvalidAccessToken when the session has ended or the account is gone. Raises InvalidCredentials when the
    password is wrong, and without checking it while the account is locked. Failures count towards the lock. Raises
    RateLimited when the password is right and the owner's mailbox has had too many notices: each act that demands the
    password sends one.
    """
    account = get_signed_in_account(identity=identity, now=now)
    if is_locked(locked_until=account.locked_until, now=now):
        raise InvalidCredentials
    found = _verify(account, password, client=client, now=now)
    if isinstance(found, Verification):
        raise InvalidCredentials
    # Only after the password is proven: an attacker with a stolen access token must not use up this budget.
    ratelimit.hit_all(mailbox_limit(MailKind.CONFIRMED_NOTICE, found.email), now=now)
    return found


def get_mailbox(*, identity: Identity, now: datetime) -> str:
    """Return the address that mails to the caller's account go to.

    Raises InvalidAccessToken when the session has ended: a stolen token must not use up the limits of the mailbox.
    """
    return users.email_of(get_signed_in_account(identity=identity, now=now).user)


def get_account(*, user_id: str) -> Account:
    """Return the account, with its user, that an access token names. Raises InvalidAccessToken when it is gone."""
    key = users.to_account_id(user_id)
    account = Account.objects.select_related("user").filter(pk=key).first() if key is not None else None
    if account is None or not is_admitted(account):
        raise InvalidAccessToken
    return account


@join
def hold_account(*, user_id: str) -> Account:
    """Return the account, with its user, that an access token names; nobody else changes it until the commit.

    Raises InvalidAccessToken when it is gone.
    """
    key = users.to_account_id(user_id)
    rows = Account.objects.select_related("user").select_for_update(no_key=True, of=("self",))
    account = rows.filter(pk=key).first() if key is not None else None
    if account is None or not is_admitted(account):
        raise InvalidAccessToken
    return account


def get_signed_in_account(*, identity: Identity, now: datetime) -> Account:
    """Return the account, with its user, of a caller whose session is live.

    An access token stays valid until it expires, even after its session has ended. Routes that change a credential
    therefore ask the database. Raises InvalidAccessToken when the session has ended or the account is gone.
    """
    account = get_account(user_id=identity.user_id)
    if not any(store.is_live(token_id=identity.token_id, account_id=account.pk, now=now) for store in session_stores):
        raise InvalidAccessToken
    return account


@join
def hold_signed_in_account(*, identity: Identity, now: datetime, epoch: int | None = None) -> Account:
    """Return the account, with its user, of a caller whose session is live. Both stay locked until the commit.

    Every change of a credential calls this function in its transaction. `epoch` is the account's epoch at an earlier
    check of the same request, such as the check of a password. Raises InvalidAccessToken when the session has ended,
    the account is gone, or its epoch is no longer `epoch`.
    """
    account = hold_account(user_id=identity.user_id)
    if epoch is not None and account.credentials_epoch != epoch:
        raise InvalidAccessToken
    if not any(store.hold_live(token_id=identity.token_id, account_id=account.pk, now=now) for store in session_stores):
        raise InvalidAccessToken
    return account


@join
def holds(proof: Proof) -> bool:
    """Tell whether the proof is still worth something, and keep the account's epoch still until the commit.

    PostgreSQL locks the row and rechecks the epoch on what it then finds; on SQLite the transaction is the only writer.
    """
    rows = Account.objects.select_for_update(no_key=True).filter(pk=proof.account_id, credentials_epoch=proof.epoch)
    return bool(rows.values_list("pk"))


@join
def supersede(proof: Proof, *, now: datetime) -> bool:
    """Raise the account's epoch, so that no other proof holds from here on; False when this one held no longer.

    Comes first in every transaction that changes or deletes what proofs rest on: a login that proved the old password
    either committed before, and is revoked with the rest, or waits here and then finds its epoch gone.
    """
    rows = Account.objects.filter(pk=proof.account_id, credentials_epoch=proof.epoch)
    return bool(rows.update(credentials_epoch=proof.epoch + 1, updated_at=now))


@join
def apply_upgrade(proof: Proof, *, client: Client, now: datetime) -> None:
    """Rewrite the stored hash if the proof says so, and record it."""
    if proof.upgrade is None:
        return
    stored, replacement = proof.upgrade
    if not users.set_password_hash(account_id=proof.account_id, password_hash=replacement, instead_of=stored):
        return
    record(event=EventType.PASSWORD_HASH_UPGRADED, user_id=proof.user_id, client=client, now=now)


def find_account(*, email: str, now: datetime) -> Account | None:
    """Return the account, with its user, that the address belongs to in any spelling; None when there is none.

    A site's user who was never seen here gets an account, so that the lock guards the very first attempts too. What a
    host project changed of the user counts: the account is in line with the user's row after the call.
    """
    address = normalize_email(email)
    if address is None:
        return None
    key = email_key(address)
    rows = Account.objects.select_related("user")
    account = rows.filter(email_key=key).first()
    if account is not None and has_new_address(account):
        reconcile(account, now=now)
        account = None
    if account is None and (user := users.find_by_address(email=address)) is not None:
        link_account(user=user, now=now)
        account = rows.filter(pk=user.pk).first()
    if account is not None and is_behind(account):
        reconcile(account, now=now)
        account = rows.filter(pk=account.pk, email_key=key).first()
    return account if account is None or account.user.is_active else None


def search_unlinked(account: Account) -> None:
    """Run the one statement more that `find_account` runs for an unknown address, in a host project alone.

    An answer that must not tell whether there is an account then takes the same statements either way.
    """
    users.find_by_address(email=users.email_of(account.user))


@write
def link_account(*, user: AbstractBaseUser, now: datetime) -> None:
    """Make the account of a user that the site made, under its stored address; one that is there stays as it is."""
    account = Account(
        user_id=user.pk,
        email_key=email_key(users.email_of(user)),
        password_seen=users.password_digest(str(user.password)),
        created_at=now,
        updated_at=now,
    )
    Account.objects.bulk_create([account], ignore_conflicts=True)


def _verify(account: Account, password: str, *, client: Client, now: datetime) -> Proof | Verification:
    """Return the proof; the verification when the password is wrong, which is then counted as a failure."""
    stored = account.user.password
    verification = hashing.verify_password(password, stored)
    if not verification.ok:
        _fail(account=Q(pk=account.pk), user_id=str(account.pk), client=client, now=now, metadata={})
        return verification
    upgrade = (stored, hashing.hash_password(password)) if verification.rewrite and rewrites_hashes() else None
    return Proof(
        account_id=account.pk, epoch=account.credentials_epoch, email=users.email_of(account.user), upgrade=upgrade
    )


@write
def _fail(*, account: Q, user_id: str | None, client: Client, now: datetime, metadata: dict[str, str]) -> None:
    record_failure(
        account=account, user_id=user_id, event=EventType.LOGIN_FAILED, client=client, now=now, metadata=metadata
    )
    _tell_of_failure(user_id=user_id, client=client, now=now)


@write
def _record_locked_attempt(account: Account, *, client: Client, now: datetime) -> None:
    # Held, or a deletion under way would blank the addresses of its events before this one is among them.
    if not Account.objects.select_for_update(no_key=True).filter(pk=account.pk).values_list("pk"):
        return
    user_id = str(account.pk)
    record(event=EventType.LOGIN_FAILED, user_id=user_id, client=client, now=now, metadata={"reason": "locked"})
    _tell_of_failure(user_id=user_id, client=client, now=now)


def _tell_of_failure(*, user_id: str | None, client: Client, now: datetime) -> None:
    for listener in failure_listeners:
        listener.login_failed(user_id=user_id, client=client, now=now)


@join
def record_unknown_address(*, event: EventType, key: str, client: Client, now: datetime) -> None:
    """Record that something was tried for an address without an account, under a keyed digest of the address."""
    record(event=event, user_id=None, client=client, now=now, metadata={"email_hmac": digest_of_unknown(key)})


def digest_of_unknown(key: str) -> str:
    """Return a keyed digest of an address that has no account: equal addresses can be counted, none can be read."""
    return hmac.new(f"authsvc.unknown:{settings.SECRET_KEY}".encode(), key.encode(), hashlib.sha256).hexdigest()[:32]
