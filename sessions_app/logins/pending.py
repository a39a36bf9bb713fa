"""Logins that wait for their second factor. Each can be completed once, and a few wrong guesses end it."""

from datetime import datetime

from django.db.models import Case, F, Q, Value, When

from accounts.acts.verification_mails import check_verified, mail_after_refusal
from accounts.errors import EmailNotVerified
from accounts.host import users
from accounts.host.changes import has_new_address, is_admitted
from accounts.proofs.login_locks import record_own_failure
from accounts.state.proven_addresses import prove_address
from core import ratelimit
from core.db.transactions import transaction_required, write
from core.errors import ServiceError
from core.http.client import Client
from core.http.limits import CountedByAct
from core.keys.opaque import find_digest
from core.ratelimit import Limit

from ..errors import InvalidPendingLogin
from ..families.issuing import TokenPair
from ..models import PendingLogin
from .identities import IdentityLost, ProvenIdentity
from .login import PENDING_PREFIX, LoginMethod, ProvenLogin, open_login, proves_mailbox
from .second_factors import Refused, SecondProof
from .stopped import report_if_used_up

FAILURES_MAX = 5
"""A pending login ends at this number of wrong guesses."""

COMPLETION_LIMITS = (CountedByAct(Limit.COMPLETION_IP), CountedByAct(Limit.COMPLETION))
"""The limits that `get_pending_within_limits` counts."""


def get_pending(*, pending_token: str, now: datetime) -> PendingLogin:
    """Return the login that waits under the token, with its account and user. Does not spend the token.

    Raises InvalidPendingLogin when the token is unknown, expired or completed, or when wrong guesses ended the login.
    Also raises it when a host project deactivated the user or changed the user's address or password.
    """
    digest = find_digest(pending_token, prefix=PENDING_PREFIX)
    rows = PendingLogin.objects.select_related("account__user").filter(digest=digest)
    pending = rows.filter(_is_pending(now)).first() if digest else None
    if pending is None or not is_admitted(pending.account) or has_new_address(pending.account):
        raise InvalidPendingLogin
    return pending


def get_pending_within_limits(*, pending_token: str, client: Client, now: datetime) -> PendingLogin:
    """Return the login that waits under the token, after the attempt was counted.

    The attempt counts against the limits of the client's network and of the account. Raises RateLimited when it exceeds
    a limit. Raises InvalidPendingLogin as `get_pending` does.
    """
    ratelimit.hit(Limit.COMPLETION_IP, ratelimit.network_key(client.ip), now=now)
    pending = get_pending(pending_token=pending_token, now=now)
    ratelimit.hit(Limit.COMPLETION, str(pending.account_id), now=now)
    return pending


def complete(*, pending: PendingLogin, proof: SecondProof, client: Client, now: datetime) -> TokenPair:
    """Complete the login and return its tokens. A login by magic link also proves the account's address.

    A login by a new identity at a provider links the identity.

    When several right proofs arrive for one pending login, exactly one yields tokens. Raises `proof.refusal` when the
    proof is wrong. A wrong proof counts towards the limit of the login and towards the lock of the account. Raises
    InvalidPendingLogin when the login no longer waits. Raises it also when its identity at a provider was meanwhile
    unlinked or linked to another account. Raises EmailNotVerified, mails a link and checks no proof when the address
    must be verified first.
    """
    try:
        # `_complete` returns the error of a wrong proof: an exception would roll back the counted failure.
        answer = _complete(pending, proof, client=client, now=now)
    except EmailNotVerified:
        mail_after_refusal(account_id=pending.account_id, client=client, now=now)
        raise
    except IdentityLost:
        raise InvalidPendingLogin from None
    if not isinstance(answer, TokenPair):
        raise answer
    return answer


@transaction_required
def is_still_pending(*, pending: PendingLogin, now: datetime) -> bool:
    """Return whether the login still waits. The account's row stays locked until the commit.

    So neither a completion nor a change of the account can run at the same time. Needs a transaction.
    """
    return (
        pending.credentials_epoch.hold() is not None
        and PendingLogin.objects.filter(_is_pending(now), pk=pending.pk).exists()
    )


@write
def _complete(
    pending: PendingLogin, proof: SecondProof, *, client: Client, now: datetime
) -> TokenPair | type[ServiceError]:
    account = pending.account
    # Lock the account's row before the pending login is spent. Every operation that voids pending logins holds this
    # lock or has already raised the epoch.
    held = pending.credentials_epoch.hold()
    if held is None or not _spend(pending, now=now):
        return InvalidPendingLogin
    identity = ProvenIdentity(**pending.identity) if pending.identity else None
    if not proves_mailbox(method=pending.method, identity=identity):
        # The setting can have changed since the login paused. The exception lets the login wait for the verification.
        check_verified(account_id=account.pk)
    result = proof.verify(account=account, client=client, now=now)
    if isinstance(result, Refused):
        _restore(pending, now=now)
        record_own_failure(
            account_id=account.pk,
            event=proof.failed_event,
            client=client,
            now=now,
            metadata={"reason": result.reason},
        )
        report_if_used_up(pending=pending, now=now)
        return proof.refusal
    login = ProvenLogin(
        account_id=account.pk,
        held=held,
        method=LoginMethod(pending.method),
        identity=identity,
        second_factor=proof.factor,
        family_id=pending.pk,
    )
    pair = open_login(login=login, client=client, now=now)
    if pending.method == LoginMethod.MAGIC_LINK:
        # A second factor of an attacker can be in an account with an unproven address. Only now does one caller have
        # proven both the mailbox and the factor.
        prove_address(account_id=account.pk, address=users.email_of(account.user), client=client, now=now)
    return pair


@transaction_required
def _spend(pending: PendingLogin, *, now: datetime) -> bool:
    return bool(PendingLogin.objects.filter(_is_pending(now), pk=pending.pk).update(consumed_at=now))


@transaction_required
def _restore(pending: PendingLogin, *, now: datetime) -> None:
    """Let the login wait again, unless this was the last permitted wrong guess."""
    was_last = When(failures__gte=FAILURES_MAX - 1, then=Value(now))
    rows = PendingLogin.objects.filter(pk=pending.pk)
    rows.update(failures=F("failures") + 1, consumed_at=Case(was_last, default=None))


def _is_pending(now: datetime) -> Q:
    return Q(consumed_at=None, expires_at__gt=now)
