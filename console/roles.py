"""The roles of operators, and what each role may change. Every operator may read everything."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db.models import Case, F, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, gettext_lazy, gettext_noop

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Role(StrEnum):
    """The roles with a meaning of their own. Every other name is a label, and its operators have no role."""

    READER = "reader"
    SUPPORT = "support"
    ADMIN = "admin"


class Right(StrEnum):
    """A kind of change."""

    METADATA = "change metadata"
    REVIEWS = "review flagged events"
    SETTINGS = "change settings"
    ACT = "act on accounts, deliveries and networks"
    ACT_ON_OPERATORS = "act on the accounts of operators"


_REFUSALS: Mapping[Right, str] = {
    Right.METADATA: gettext_noop(
        "Your role does not let you change metadata. Ask an operator of the host: manage.py grant_operator changes roles."
    ),
    Right.REVIEWS: gettext_noop(
        "Your role does not let you review flagged events. Ask an operator of the host: manage.py grant_operator changes "
        "roles."
    ),
    Right.SETTINGS: gettext_noop(
        "Your role does not let you change settings. Ask an operator of the host: manage.py grant_operator changes roles."
    ),
    Right.ACT: gettext_noop(
        "Your role does not let you act on accounts, deliveries and networks. Ask an operator of the host: manage.py "
        "grant_operator changes roles."
    ),
    Right.ACT_ON_OPERATORS: gettext_noop(
        "Your role does not let you act on the accounts of operators. Ask an operator of the host: manage.py grant_operator "
        "changes roles."
    ),
}

_CONTRACT = frozenset({Right.METADATA, Right.REVIEWS, Right.SETTINGS})

_RIGHTS: Mapping[str | None, frozenset[Right]] = {
    # An operator from before the roles, or with a label of the deployment, keeps the writes of every operator.
    None: _CONTRACT,
    Role.READER: frozenset(),
    Role.SUPPORT: frozenset({Right.METADATA, Right.REVIEWS, Right.ACT}),
    Role.ADMIN: frozenset(Right),
}

TEXTS: "Mapping[str | None, StrPromise]" = {
    Role.READER: gettext_lazy("for reading: it changes nothing"),
    Role.SUPPORT: gettext_lazy(
        "for support: it changes metadata and reviews, and acts on accounts, deliveries and networks"
    ),
    Role.ADMIN: gettext_lazy("for everything: as support, and settings, and acts on the accounts of operators"),
    None: gettext_lazy("a label of yours: it changes metadata, reviews and settings, and does not act"),
}
"""The purpose of each role, as the end of a sentence. None stands for a label of the deployment."""


def role_of(label: str) -> Role | None:
    """Return the role with this name, or None for a label of the deployment."""
    return next((role for role in Role if role == label), None)


def held_role() -> Coalesce:
    """Return the expression for the role of an Operator's row, which is NULL for a label of the deployment.

    The default of the command was `admin` before there were roles. So a row with this name and without a role is an admin.
    """
    return Coalesce(F("granted_role"), Case(When(role=Role.ADMIN, then=Value(Role.ADMIN.value))))


def rights_of(role: str | None) -> frozenset[Right]:
    """Return the rights of the stored role. None stands for an operator without a role."""
    return _RIGHTS[role]


def refusal_of(right: Right) -> str:
    """Return the sentence for an operator without the right."""
    return gettext(_REFUSALS[right])
