"""The conditions of the search of users."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import BooleanField, Exists, Func, OuterRef, Q
from django.db.models.sql.compiler import SQLCompiler

from accounts.host import users
from core.addresses import email_key
from sessions_app.logins.second_factors import gating_factors
from sessions_app.models import Identity, LastLogin

from ..models import Operator

PART_MIN = 3
"""The least number of characters of a part of an address. The index has parts of three characters."""


class State(StrEnum):
    """A state of an account by which operators search."""

    LOCKED = "locked"
    UNPROVEN = "unproven"
    NO_FACTOR = "no_factor"
    OPERATOR = "operator"
    NEVER_SIGNED_IN = "never_signed_in"
    DEACTIVATED = "deactivated"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFilters:
    """The conditions on the listed users. None and "" mean no condition.

    `text` is a part of the address in any case, or the whole id. `provider` is the name of a sign-in provider.
    """

    text: str = ""
    state: State | None = None
    provider: str | None = None

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> "UserFilters":
        """Return the conditions in the validated query of a search."""
        state = State(query["state"]) if query["state"] else None
        return cls(text=query["q"], state=state, provider=query["provider"])

    def indexed(self, *, now: datetime) -> Iterator[Q]:
        """Yield the conditions that an index serves."""
        if self.text:
            yield _has_part(self.text)
        if self.provider is not None:
            yield Q(Exists(Identity.objects.filter(provider=self.provider, account=OuterRef("pk"))))
        match self.state:
            case State.LOCKED:
                yield Q(locked_until__gt=now)
            case State.UNPROVEN:
                yield Q(email_proven_at=None)
            case State.OPERATOR:
                yield Q(Exists(Operator.objects.filter(pk=OuterRef("pk"))))
            case State.DEACTIVATED:
                yield _is_deactivated()

    def others(self) -> Iterator[Q]:
        """Yield the conditions that no index serves, because most accounts can match."""
        match self.state:
            case State.NO_FACTOR:
                yield ~Q(HasFactor("pk"))
            case State.NEVER_SIGNED_IN:
                yield ~Q(Exists(LastLogin.objects.filter(pk=OuterRef("pk"))))


class HasFactor(Func):
    """Whether logins of the account wait for a second factor. The argument is the account's id."""

    arity = 1
    output_field = BooleanField()

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: Any,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra: Any,
    ) -> tuple[str, Any]:
        """Return the conditions of all registered factors."""
        account_id, parameters = compiler.compile(self.source_expressions[0])
        factors = gating_factors()
        conditions = " OR ".join(factor.is_enrolled(account_id=account_id) for factor in factors)
        return f"({conditions or 'FALSE'})", list(parameters) * len(factors)


def _has_part(text: str) -> Q:
    account_id = users.to_account_id(text)
    part = email_key(text)
    if account_id is not None and len(part) < PART_MIN:
        return Q(pk=account_id)
    is_part = Q(email_key__contains=part)
    return is_part if account_id is None else is_part | Q(pk=account_id)


def _is_deactivated() -> Q:
    by_operator = Q(deactivated_at__isnull=False)
    model: Any = get_user_model()
    has_column = any(field.name == "is_active" for field in model._meta.concrete_fields)
    return by_operator | Q(user__is_active=False) if has_column else by_operator
