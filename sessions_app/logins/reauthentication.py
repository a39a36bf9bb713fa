"""Reauthentication: a signed-in caller proves again that they are the account owner.

The session then counts as authenticated now. Its tokens stay the same.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.lifecycle import session_stores
from accounts.proofs.credentials import Proof, check_password
from accounts.proofs.limits import by_account
from accounts.proofs.lockout import is_locked
from accounts.proofs.login_locks import record_own_failure
from accounts.proofs.recent_login import FRESH_PERIOD, find_authentication
from accounts.state.lookup import get_signed_in_account, hold_signed_in_account
from core.db.transactions import transaction_required, write
from core.errors import BadRequest, InvalidAccessToken, ServiceError
from core.http.client import Client
from core.http.limits import by_network
from core.keys.jwt import Caller
from core.ratelimit import Limit
from events.audit import record
from events.vocabulary import EventType

from .second_factors import Refused, SecondProof, proof_readers

REAUTHENTICATION_LIMITS = (by_network(Limit.COMPLETION_IP), by_account(Limit.COMPLETION, act="reauthentication"))
"""The limits of reauthentications. An attacker with a stolen access token must not use up the account's budget of logins."""

PASSWORD = ("password",)
"""The members of a body with the account's password."""


def reauthenticate(*, caller: Caller, body: Mapping[str, Any], client: Client, now: datetime) -> None:
    """Check the proof in the body, and mark the caller's session as authenticated at `now`.

    `body` contains exactly one proof: the password, or the members of one of `proof_readers`.

    Raises BadRequest when the body contains no proof or several. Raises InvalidAccessToken when the session has ended.
    Raises InvalidCredentials or the `refusal` of the proof when the proof is wrong. Raises the same, without a check of
    the proof, when the account is locked. A wrong proof counts towards the lock. Raises also the errors of the
    reader and of the proof. Opens its own transactions.

    A factor that was enrolled later than FRESH_PERIOD after the session's latest authentication counts as wrong. It
    does not count towards the lock. Otherwise an attacker with a stolen access token could enroll a factor and reauthenticate
    with it.
    """
    account = get_signed_in_account(caller=caller, now=now)
    if body.keys() == {*PASSWORD}:
        proof = check_password(account=account, password=body["password"], client=client, now=now)
        _accept_password(caller, proof, client=client, now=now)
        return
    for reader in proof_readers:
        if body.keys() == {*reader.members}:
            second = reader.read(account=account, body=body, now=now)
            if refusal := _accept(caller, second, client=client, now=now):
                raise refusal
            return
    choices = (" and ".join(members) for members in (PASSWORD, *(reader.members for reader in proof_readers)))
    raise BadRequest(f"Send one of these: {'; '.join(choices)}.")


@write
def _accept_password(caller: Caller, proof: Proof, *, client: Client, now: datetime) -> None:
    hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now)
    _mark(caller, proof.account_id, method="password", client=client, now=now)


@write
def _accept(caller: Caller, proof: SecondProof, *, client: Client, now: datetime) -> type[ServiceError] | None:
    """Return the error of a wrong proof, or None. An exception would roll back the counted failure."""
    account = hold_signed_in_account(caller=caller, now=now)
    if is_locked(locked_until=account.locked_until, now=now):
        return proof.refusal
    result = proof.verify(account=account, client=client, now=now)
    if isinstance(result, Refused):
        record_own_failure(
            account_id=account.pk,
            event=proof.failed_event,
            client=client,
            now=now,
            metadata={"reason": result.reason},
        )
        return proof.refusal
    if not _is_trusted(result.enrolled_at, caller, now=now):
        metadata = {"reason": "new_factor"}
        record(event=proof.failed_event, user_id=caller.user_id, client=client, now=now, metadata=metadata)
        return proof.refusal
    _mark(caller, account.pk, method=proof.factor, client=client, now=now)
    return None


def _is_trusted(enrolled_at: datetime | None, caller: Caller, *, now: datetime) -> bool:
    """Return whether the factor was enrolled before the session's latest authentication, or within FRESH_PERIOD after it.

    A proof without `enrolled_at` is never trusted.
    """
    latest = find_authentication(caller=caller, now=now)
    return enrolled_at is not None and latest is not None and enrolled_at <= latest + FRESH_PERIOD


@transaction_required
def _mark(caller: Caller, account_id: Any, *, method: str, client: Client, now: datetime) -> None:
    marks = (
        store.mark_authenticated(token_id=caller.token_id, account_id=account_id, now=now) for store in session_stores
    )
    if not any(marks):
        raise InvalidAccessToken
    record(
        event=EventType.REAUTHENTICATED,
        user_id=caller.user_id,
        client=client,
        now=now,
        metadata={"method": method},
    )
