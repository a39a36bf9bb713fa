"""The interface between logins and second factors.

The app that implements factors registers them here, so login does not import that app.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from inspect import isfunction
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured

from accounts.models import Account
from core.db import sql
from core.errors import ServiceError
from core.http.answers import Described
from core.http.client import Client
from core.registry import Registry
from events.vocabulary import EventType

from ..models import PendingLogin

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The proof is right. `verify` has spent it, so it is never accepted again.

    `enrolled_at` is the time at which the account got the factor. None for a proof that does not reauthenticate.
    """

    enrolled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The proof is wrong. `reason` is one word for the audit record."""

    reason: str


ProofResult: TypeAlias = Accepted | Refused


class SecondProof(Protocol):
    """A proof of the second factor, from the request that completes a login or reauthenticates a session.

    Each factor has a class of proofs. Recovery codes have one too. They replace a factor, but they are no factor.
    """

    factor: str
    """The factor's name, as the event of the login states it."""
    failed_event: EventType

    @property
    def refusal(self) -> type[ServiceError]:
        """The error to raise when the proof is wrong."""

    def verify(self, *, account: Account, client: Client, now: datetime) -> ProofResult:
        """Check the proof, and spend it when it is right.

        Runs in the transaction of the completion or reauthentication while the account's row is locked. So proofs for
        one account are checked one at a time.
        """


class PageStep(Protocol):
    """The step of a page that asks for the proof of a factor, such as a step of the operators' sign-in."""

    template: str
    """The template of the step: a form that posts to `action`, with the pairs of `hidden` as hidden fields."""
    reauthenticates: bool
    """Whether the fields of the form are also the members of a ProofReader."""

    @property
    def form(self) -> "type[Serializer[None]]":
        """The fields of the form. A property can import them late, because the commands of manage.py need no form."""

    def read(self, *, pending: PendingLogin, values: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the proof in the form for a login that waits. The proof is not verified yet.

        Raises an error of the factor when the deployment has not configured it. Opens its own transactions.
        """


class SecondFactor(Protocol):
    """A kind of second factor: all that logins, removals, mails, pages, the console and reports need from it.

    Each of them loops over `second_factors`. The labels are English. Where the reader's language counts, Django's
    catalogues translate them.
    """

    name: str
    """The factor's name in the contract and in `methods`."""
    label: str
    """The English name in a sentence, such as `authenticator app`."""
    label_plural: str
    """The English name of several, such as `authenticator apps`."""
    gates_login: bool
    """Whether each login of an account that has the factor waits for a SecondProof.

    False for codes that only replace another factor. Such a factor is in no `methods` and in no report.
    """
    enrolled_event: EventType
    removed_event: EventType
    failed_event: EventType
    page_step: PageStep | None
    """None when the pages of the service cannot ask for the proof."""

    def is_enrolled(self, *, account_id: str) -> str:
        """Return an SQL expression that is true when the account has this factor and has confirmed it.

        `account_id` is the SQL of the account's id. The expression contains it exactly once.
        """

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        """Prepare the factor for the completion of a login. A factor that sends a code queues the code here.

        Runs once in the transaction in which the login pauses, for each factor that the account has. So the method only
        writes rows: an exception or a rollback undoes them with the pause. `pending_id` is the id of the PendingLogin.
        """

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return one line for each credential, such as `Passkey: Laptop, since 21 November 2026`.

        The lines are in the current language. Mails to the account owner and the console list them.
        """

    def remove(self, *, account_id: Any, added_from: datetime, now: datetime) -> Sequence[Mapping[str, Any]]:
        """Delete all that was added to the account from `added_from` on, also what waits for a confirmation.

        `added_from` is DISTANT_PAST where all of the factor ends. Returns the metadata of the `removed_event` of each
        credential that gated logins. Runs in the transaction of the removal while the account's row is locked.
        """


class ProofReader(Protocol):
    """Reads the proof of a second factor from the body of a reauthentication."""

    members: tuple[str, ...]
    """The members of the body that the proof needs. A body with exactly these members contains such a proof."""
    errors: tuple[type[ServiceError], ...]
    """All errors that `read` and the proof can raise."""

    def read(self, *, account: Account, body: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the proof in the body, which is not verified yet. Opens its own transactions."""


class SecondFactors(Registry[SecondFactor]):
    """The registered second factors."""

    def register(self, member: SecondFactor) -> None:
        """Add the factor. Raises ImproperlyConfigured, and names the missing parts, when it is not a SecondFactor."""
        stubs = {name: part for name, part in vars(SecondFactor).items() if isfunction(part) and name[0] != "_"}
        missing = [name for name in SecondFactor.__annotations__ if not hasattr(member, name)]
        missing += [name for name, stub in stubs.items() if getattr(type(member), name, stub) is stub]
        if missing:
            raise ImproperlyConfigured(f"The second factor {type(member).__name__} lacks: {', '.join(missing)}.")
        super().register(member)


second_factors = SecondFactors()
proof_readers: Registry[ProofReader] = Registry()


def gating_factors() -> tuple[SecondFactor, ...]:
    """Return the factors for which logins wait, in registry order."""
    return tuple(factor for factor in second_factors if factor.gates_login)


def _names() -> Mapping[str, Any]:
    return {"enum": [factor.name for factor in gating_factors()]}


FactorName: TypeAlias = Annotated[str, Described(keywords=_names)]
"""The name of a registered factor, in an answer."""


def enrolled_factors(*, account_id: Any) -> tuple[SecondFactor, ...]:
    """Return the factors that the account has, in registry order. The user can complete a login with any one of them.

    Runs at most one query.
    """
    factors = gating_factors()
    if not factors:
        return ()
    # One statement for all factors, because every login asks.
    columns = ", ".join(factor.is_enrolled(account_id="%s") for factor in factors)
    [answers] = sql.fetch_all(f"SELECT {columns}", (account_id,) * len(factors))
    return tuple(factor for factor, has_factor in zip(factors, answers, strict=True) if has_factor)


def is_any_enrolled(*, account_id: str) -> str:
    """Return an SQL expression that is true when the account has a second factor.

    `account_id` is the SQL of the account's id. The expression contains it once for each registered factor.
    """
    return " OR ".join(factor.is_enrolled(account_id=account_id) for factor in second_factors) or "FALSE"


class EnrolledFactors:
    """The second factors of accounts, for the accounts app."""

    def has_factor(self, *, account_id: Any) -> bool:
        """Return whether the account has a second factor."""
        return bool(enrolled_factors(account_id=account_id))
