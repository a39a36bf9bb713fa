"""The operators, who may use the console. A command grants the status; each token issued afterwards has the claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.expressions import RawSQL

from accounts.host import users
from accounts.host.changes import is_admitted
from accounts.models import Account
from core.db.ids import parse_id
from core.db.transactions import write
from core.errors import InvalidAccessToken
from core.http.client import Client
from core.keys.jwt import Caller
from events.models import Event
from events.vocabulary import EventType
from pages.models import BrowserSession
from sessions_app.families.revocation import Cause, revoke_families
from sessions_app.logins.second_factors import is_any_enrolled, second_factors
from sessions_app.models import Family

from ..conf import browser_settings
from ..errors import NotOperator
from ..models import Operator
from ..roles import Right, Role, held_role, rights_of, role_of
from .acts import COMMAND_LINE, record_act

ROLE_MAX = 64
DEFAULT_ROLE = "admin"
GRANTS_MAX = 1_000
"""The number of latest grants in which the list of operators looks for its authors."""

_NO_CLIENT = Client(ip="", user_agent="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """An operator, with the name of the role, and the author and time of the latest grant.

    `held_role` is None for a label. `granted_by` is the user of the operating system who ran the command. It is ""
    when the event of the grant is pruned or from before the service recorded the user.
    """

    user_id: str
    email: str
    role: str
    held_role: Role | None
    granted_by: str
    granted_at: datetime


class RoleClaims:
    """Adds the role of an operator to the operator's tokens."""

    def expression(self, *, account_id: str) -> str:
        """Return an expression that is true for an operator."""
        return f"EXISTS (SELECT 1 FROM {Operator._meta.db_table} o WHERE o.account_id = {account_id})"  # noqa: S608 - table names and the caller's SQL

    def claims(self, value: Any) -> Mapping[str, Any]:
        """Return `role: "admin"` for an operator."""
        return {"role": "admin"} if value else {}


@write
def grant(*, account: Account, role: str, os_user: str, now: datetime) -> None:
    """Make the account an operator, or give an operator another role. Opens its own transaction.

    `os_user` is the user of the operating system who runs the command.
    """
    # One statement is needed: between two statements, a revocation could delete the row.
    Operator.objects.bulk_create(
        [Operator(account=account, role=role, granted_role=role_of(role), granted_at=now)],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=["role", "granted_role", "granted_at"],
    )
    _record(EventType.OPERATOR_GRANTED, account, now=now, role=role, os_user=os_user)


@write
def revoke(*, account: Account, os_user: str, now: datetime) -> bool:
    """Remove operator status from the account, and return whether it was an operator.

    Also end the sessions of browsers that entered the console, and no other session. Opens its own transaction.
    """
    entered = BrowserSession.objects.filter(family__account=account, is_limited=True)
    own = list(entered.values_list("family_id", flat=True))
    revoke_families(account_id=account.pk, family_ids=own, cause=Cause.OPERATOR_REVOKED, now=now)
    was_operator = bool(Operator.objects.filter(account=account).delete()[0])
    if was_operator:
        _record(EventType.OPERATOR_REVOKED, account, now=now, os_user=os_user)
    return was_operator


def is_operator(*, account: Account) -> bool:
    """Return whether the account is an operator now. An access token states only whether it was one at its issue."""
    return Operator.objects.filter(account=account).exists()


def find_rights(*, user_id: str) -> frozenset[Right] | None:
    """Return the present rights of the operator with this user id. Return None when the user is no operator."""
    key = users.to_account_id(user_id)
    rows = Operator.objects.annotate(held=held_role()).values_list("held", flat=True)
    found = rows.filter(pk=key)[:1] if key is not None else []
    return next((rights_of(role) for role in found), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSession:
    """The live session of an operator: the time of its latest login or reauthentication, and the operator's rights."""

    authenticated_at: datetime
    rights: frozenset[Right]


def get_operator_session(*, caller: Caller, now: datetime) -> OperatorSession:
    """Return the session of the access token. The check is one query.

    Raises InvalidAccessToken when the session has ended, or a host project deactivated the user or changed the password.
    Raises NotOperator when the account is no operator now, or lacks a second factor that OPERATOR_SECOND_FACTOR demands.
    """
    account_id, token_id = users.to_account_id(caller.user_id), parse_id(caller.token_id)
    rows: Any = (
        Family.objects.live(now).filter(account_id=account_id, tokens=token_id) if token_id else Family.objects.none()
    )
    operators = Operator.objects.filter(pk=OuterRef("account_id"))
    rows = rows.select_related("account__user").annotate(
        is_operator=Exists(operators),
        held_role=Subquery(operators.annotate(held=held_role()).values("held")),
        has_factor=RawSQL(is_any_enrolled(account_id="%s"), [account_id] * len(second_factors)),  # noqa: S611 - the factors' own SQL
    )
    family = next(iter(rows), None)
    if family is None or not is_admitted(family.account):
        raise InvalidAccessToken
    if not family.is_operator:
        raise NotOperator
    if browser_settings().needs_factor and not family.has_factor:
        raise NotOperator("An operator needs a second factor. Set one up, then try again.")
    return OperatorSession(authenticated_at=family.authenticated_at, rights=rights_of(family.held_role))


def list_operators() -> list[Granted]:
    """Return all operators, the latest grant first."""
    rows = Operator.objects.annotate(held=held_role()).select_related("account__user").order_by("-granted_at", "pk")
    # The latest grants come first, and the first one of each account counts.
    grants = Event.objects.filter(type=EventType.OPERATOR_GRANTED).order_by("created_at", "id").reverse()
    authors: dict[str | None, str] = {}
    for user_id, metadata in grants.values_list("user_id", "metadata")[:GRANTS_MAX]:
        authors.setdefault(user_id, metadata.get("os_user", ""))
    return [
        Granted(
            user_id=str(row.pk),
            email=users.email_of(row.account.user),
            role=row.role,
            held_role=Role(row.held) if row.held else None,
            granted_by=authors.get(str(row.pk), ""),
            granted_at=row.granted_at,
        )
        for row in rows
    ]


def _record(act: EventType, account: Account, *, now: datetime, **metadata: str) -> None:
    # Only the command line grants and revokes.
    metadata = {"author": COMMAND_LINE, **metadata}
    record_act(act=act, operator_id=str(account.pk), client=_NO_CLIENT, now=now, metadata=metadata)
