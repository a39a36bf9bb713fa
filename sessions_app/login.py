"""Every primary login goes through `begin`: it either pauses for a second factor or opens a session."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from accounts.core.db.transactions import join, write
from accounts.core.http.client import Client
from accounts.core.keys.opaque import new_token
from accounts.credentials import Proof, apply_upgrade, holds, prove_password
from accounts.errors import InvalidCredentials
from accounts.lockout import clear_failures

from .conf import conf
from .detection import record_login
from .issuing import Issued, TokenPair, issue, open_session
from .models import PendingLogin
from .second_factors import enrolled_methods

PENDING_PREFIX = "spt_"


class LoginMethod(StrEnum):
    """How a login proves its first factor."""

    PASSWORD = "password"  # noqa: S105 - a word
    MAGIC_LINK = "magic_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedLogin:
    """A login that gets no tokens before one of `methods` is proven. `pending_token` proves the first factor alone."""

    pending_token: str
    methods: tuple[str, ...]
    second_factor_required: bool = True


LoginAnswer: TypeAlias = TokenPair | PausedLogin


def log_in(*, email: str, password: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in by password. Raises InvalidCredentials and AccountLocked."""
    proof = prove_password(email=email, password=password, client=client, now=now)
    issued = issue(account_id=proof.account_id, now=now)
    answer = _begin_by_password(proof=proof, issued=issued, client=client, now=now)
    if answer is None:
        # While the password was being checked it was changed, or the account was locked: the proof came too late.
        raise InvalidCredentials
    return answer


@write
def _begin_by_password(*, proof: Proof, issued: Issued, client: Client, now: datetime) -> LoginAnswer | None:
    answer = begin(proof=proof, issued=issued, method=LoginMethod.PASSWORD, client=client, now=now)
    if answer is not None:
        apply_upgrade(proof, client=client, now=now)
    return answer


@join
def begin(*, proof: Proof, issued: Issued, method: LoginMethod, client: Client, now: datetime) -> LoginAnswer | None:
    """Open the issued session for a proven first factor, or pause for the second; None when the proof holds no longer.

    Every primary login comes through here, in a transaction in which it also spends what proved it.
    """
    if not holds(proof):
        return None
    # Asked while the account's row is held: a factor that is enrolled at this moment is either seen or comes after.
    if methods := enrolled_methods(account_id=proof.account_id):
        return _pause(proof, methods, method=method, now=now)
    open_session(account_id=proof.account_id, issued=issued, client=client, now=now)
    clear_failures(account_id=proof.account_id, now=now)
    record_login(account_id=proof.account_id, method=method, client=client, now=now)
    return issued.pair


def _pause(proof: Proof, methods: tuple[str, ...], *, method: LoginMethod, now: datetime) -> PausedLogin:
    token = new_token(prefix=PENDING_PREFIX)
    PendingLogin.objects.create(
        account_id=proof.account_id,
        digest=token.digest,
        epoch=proof.epoch,
        method=method,
        created_at=now,
        expires_at=now + timedelta(seconds=conf().pending_token_seconds),
    )
    return PausedLogin(pending_token=token.raw, methods=methods)
