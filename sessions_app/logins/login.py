"""Start and end logins. A login that proves one factor calls `begin`, which pauses it if the account has a second factor.

Every login ends in `open_login`, when all its factors are proven.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, TypeAlias
from uuid import UUID

from accounts.acts.verification_mails import check_verified, mail_after_refusal
from accounts.errors import EmailNotVerified, InvalidCredentials
from accounts.passwords import hashing
from accounts.proofs import refusals
from accounts.proofs.credentials import Proof, apply_upgrade, prove_password
from accounts.proofs.login_locks import clear_own_failures
from accounts.state.epochs import CredentialsEpoch, HeldAccount
from core import ratelimit
from core.addresses import email_key
from core.db.ids import new_id
from core.db.transactions import transaction_required, write
from core.http.answers import Component, Described
from core.http.client import Client
from core.http.examples import FACTORS, PENDING_TOKEN
from core.http.limits import CountedByAct
from core.keys.opaque import new_token
from core.ratelimit import Limit
from events.models import Event
from events.vocabulary import EventType

from ..conf import settings
from ..detection.signals import record_login
from ..families.issuing import TokenPair, open_session
from ..families.surplus import end_surplus_sessions
from ..models import DISTANT_PAST, PendingLogin
from .fallback.asking import bring
from .identities import ProvenIdentity, store_use
from .methods import amr_of
from .second_factors import FactorName, SecondFactor, enrolled_factors

PENDING_PREFIX = "spt_"

PASSWORD_LOGIN_LIMITS = (CountedByAct(Limit.LOGIN_IP), CountedByAct(Limit.LOGIN), CountedByAct(Limit.LOGIN_FALLBACK))
"""The limits that `log_in` counts, unless the process is too busy for a password check.

LOGIN_FALLBACK counts the questions to an old system. Beyond it, a login asks nothing and answers as for a wrong password.
"""


class LoginMethod(StrEnum):
    """Ways to begin a login. Only PASSKEY proves both factors. A host project checked the login of DJANGO_SESSION.

    INVITATION is the first login, of an account that the same call made.
    """

    PASSWORD = "password"  # noqa: S105 - a method's name
    MAGIC_LINK = "magic_link"
    PASSKEY = "passkey"
    OAUTH = "oauth"
    DJANGO_SESSION = "django_session"
    INVITATION = "invitation"


def is_password_login(*, account_id: Any, at: datetime) -> bool:
    """Return whether the latest authentication of a session of the account is a login with the password.

    `at` is the session's `authenticated_at`. The event of a login has the same time. A reauthentication changes `at` and
    records no login, so the function then returns False.
    """
    logins = Event.objects.filter(type=EventType.LOGIN_SUCCESS, user_id=str(account_id), created_at=at)
    return logins.filter(metadata__method=LoginMethod.PASSWORD).exists()


def proves_mailbox(*, method: str, identity: ProvenIdentity | None) -> bool:
    """Return whether the first factor proves that the user reads the mailbox of the account's address."""
    return method in (LoginMethod.MAGIC_LINK, LoginMethod.INVITATION) or (
        identity is not None and identity.proves_address
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenLogin:
    """A login whose factors are all proven.

    `held` is the account's row, locked by the epoch of the proof. `identity` is the first factor of the method OAUTH.
    `second_factor` names the proof that completed a paused login. `family_id` is as in `begin`.
    """

    account_id: Any
    held: HeldAccount
    method: LoginMethod
    identity: ProvenIdentity | None = None
    second_factor: str | None = None
    family_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedLogin:
    """A login that gets no tokens before the user proves a second factor.

    `methods` names the factors that the account has. A recovery code also completes the login, if the account has one.
    """

    example: ClassVar = {
        "second_factor_required": True,
        "pending_token": PENDING_TOKEN,
        "methods": FACTORS,
    }

    second_factor_required: Literal[True] = True
    pending_token: Annotated[str, Described("An opaque token for the operations below `/v1/login/`.")]
    methods: Annotated[tuple[FactorName, ...], Described(keywords={"minItems": 1})]


LoginAnswer: TypeAlias = Annotated[TokenPair | PausedLogin, Component("LoginAnswer")]


def log_in(*, email: str, password: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in with a password, and return a token pair or a paused login.

    Raises RateLimited when the client's network or the address in this network exceeds its limit. Raises Overloaded, and
    counts nothing, when too many threads wait for a password check. Raises InvalidCredentials for a wrong password or an unknown address. Also raises it when the password changed, or
    the account was locked, while the password was checked. Raises AccountLocked when the account was locked before.
    Raises EmailNotVerified, and mails a link, when the password is right but the address must be verified first.
    """
    hashing.check_room()
    refusals.check_room()
    network = ratelimit.network_key(client.ip)
    ratelimit.hit_all((Limit.LOGIN_IP, network), (Limit.LOGIN, f"{network} {email_key(email)}"), now=now)
    refusal = bring(email=email, password=password, refusal=refusals.expect(), now=now)
    proof = prove_password(email=email, password=password, refusal=refusal, client=client, now=now)
    try:
        answer = _begin_by_password(proof=proof, client=client, now=now)
    except EmailNotVerified:
        mail_after_refusal(account_id=proof.account_id, client=client, now=now)
        raise
    if answer is None:
        # The password changed, or the account was locked, while the password was checked. The proof is no longer valid.
        raise InvalidCredentials
    return answer


@write
def _begin_by_password(*, proof: Proof, client: Client, now: datetime) -> LoginAnswer | None:
    answer = begin(proof=proof, method=LoginMethod.PASSWORD, client=client, now=now)
    if answer is not None:
        apply_upgrade(proof, client=client, now=now)
    return answer


@transaction_required
def begin(
    *,
    proof: Proof,
    method: LoginMethod,
    client: Client,
    now: datetime,
    identity: ProvenIdentity | None = None,
    family_id: UUID | None = None,
) -> LoginAnswer | None:
    """Open a session for a proven first factor, or pause the login for a second factor.

    `identity` is the first factor of the method OAUTH. Only a login that does not pause links a new identity here.
    `family_id` is the id of the new family, which this call or the completion opens. None means a new id.

    Returns None when the proof is no longer valid. Raises EmailNotVerified when the address must be verified first.
    Raises IdentityLost as `store_use` does. The caller's transaction also spends the credential that proved the first
    factor.
    """
    epoch = proof.epoch
    account = epoch.hold()
    if account is None:
        return None
    if not proves_mailbox(method=method, identity=identity):
        check_verified(account_id=epoch.account_id)
    # The account's row is locked here. So a concurrent enrolment of a factor either is visible to this query or happens
    # after this login.
    if factors := enrolled_factors(account_id=epoch.account_id):
        return _pause(epoch, factors, method=method, identity=identity, family_id=family_id, client=client, now=now)
    login = ProvenLogin(
        account_id=epoch.account_id, held=account, method=method, identity=identity, family_id=family_id
    )
    return open_login(login=login, client=client, now=now)


@transaction_required
def open_login(*, login: ProvenLogin, client: Client, now: datetime) -> TokenPair:
    """Open the session of the login, reset the account's failures, and record the login. Link its identity if it is new.

    The login of a Django session is no recent login, and resets failures only with a second factor. An attacker can have
    found the browser open, and could otherwise guess the password without end.

    Raises IdentityLost as `store_use` does. Needs a transaction.
    """
    identity = login.identity
    if identity is not None:
        # The link comes before the session, because an IdentityLost rolls back all of the login.
        store_use(account_id=login.account_id, identity=identity, client=client, now=now)
    is_django_session = login.method is LoginMethod.DJANGO_SESSION
    family_id = login.family_id or new_id()
    pair = open_session(
        account_id=login.account_id,
        family_id=family_id,
        authenticated_at=DISTANT_PAST if is_django_session else now,
        amr=amr_of(method=login.method, second_factor=login.second_factor),
        client=client,
        now=now,
    )
    end_surplus_sessions(account_id=login.account_id, newest=family_id, now=now)
    if login.second_factor or (login.held.has_failures and not is_django_session):
        clear_own_failures(account_id=login.account_id, client=client, now=now)
    record_login(
        account_id=login.account_id,
        method=login.method,
        provider=identity.provider if identity else None,
        second_factor=login.second_factor,
        client=client,
        now=now,
    )
    return pair


def _pause(
    epoch: CredentialsEpoch,
    factors: Sequence[SecondFactor],
    *,
    method: LoginMethod,
    identity: ProvenIdentity | None,
    family_id: UUID | None,
    client: Client,
    now: datetime,
) -> PausedLogin:
    token = new_token(prefix=PENDING_PREFIX)
    pending = PendingLogin.objects.create(
        id=family_id or new_id(),
        account_id=epoch.account_id,
        digest=token.digest,
        epoch=epoch.number,
        method=method,
        ip=client.ip,
        user_agent=client.user_agent,
        created_at=now,
        expires_at=now + timedelta(seconds=settings().pending_token_seconds),
        identity=identity.as_json() if identity else None,
    )
    for factor in factors:
        factor.login_paused(account_id=epoch.account_id, pending_id=pending.pk, client=client, now=now)
    return PausedLogin(pending_token=token.raw, methods=tuple(factor.name for factor in factors))
