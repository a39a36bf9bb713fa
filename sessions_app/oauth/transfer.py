"""The identities in rows of users that `manage.py users` imports and exports, and the factors that do not move."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from accounts.models import Account
from accounts.ops.transfer import values
from accounts.ops.transfer.parts import RowFacts, row_parts
from accounts.ops.transfer.values import MOMENT_SCHEMA, RefusedRow
from core.clock import rfc3339
from core.db import sql
from core.db.bulk import insert_rows
from core.db.ids import new_id

from ..logins.identities import IDENTITIES_MAX
from ..logins.second_factors import gating_factors
from ..models import ISSUER_MAX, PERSON_NAME_MAX, SUBJECT_MAX, Identity
from .conf import NAME
from .providers import providers

_MEMBERS = ("issuer", "subject", "provider", "name", "created_at", "last_used_at")
_FACTORS_MAX = 20
_NAME = re.compile(NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewIdentity:
    """An identity of a row."""

    provider: str
    issuer: str
    subject: str
    name: str
    created_at: datetime
    last_used_at: datetime

    @property
    def key(self) -> str:
        """The issuer and the subject. An issuer contains no blank."""
        return f"{self.issuer} {self.subject}"


class IdentitiesPart:
    """The member `identities`: the identities at providers that sign the user in."""

    member = "identities"
    factor = ""
    schema: Mapping[str, Any] = {
        "description": "The identities at providers that sign the user in.",
        "type": "array",
        "maxItems": IDENTITIES_MAX,
        "items": {
            "type": "object",
            "required": ["issuer", "subject"],
            "additionalProperties": False,
            "properties": {
                "issuer": {
                    "type": "string",
                    "maxLength": ISSUER_MAX,
                    "pattern": "^https?://[^ ]+$",
                    "description": "The issuer as ID tokens name it.",
                },
                "subject": {"type": "string", "minLength": 1, "maxLength": SUBJECT_MAX},
                "provider": {
                    "type": "string",
                    "pattern": f"^{NAME}$",
                    "description": "The name of the provider in the settings. Without it the issuer decides.",
                },
                "name": {"type": "string", "maxLength": PERSON_NAME_MAX},
                "created_at": MOMENT_SCHEMA,
                "last_used_at": MOMENT_SCHEMA,
            },
        },
    }

    def read(self, value: Any, *, facts: RowFacts) -> Sequence[NewIdentity] | None:
        """Return the identities. Raises RefusedRow, also when two of them are the same or no provider has the issuer."""
        found = [
            _read_identity(item, name=f"identities[{place}]", facts=facts)
            for place, item in enumerate(values.items(value, name="identities", most=IDENTITIES_MAX))
        ]
        if len({identity.key for identity in found}) < len(found):
            raise RefusedRow("identities: has the same identity twice.")
        return found or None

    def keys(self, value: Sequence[NewIdentity]) -> Sequence[str]:
        return [identity.key for identity in value]

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        pairs = [key.partition(" ") for key in keys]
        issuers, subjects = {issuer for issuer, _, _ in pairs}, {subject for _, _, subject in pairs}
        rows = Identity.objects.filter(issuer__in=issuers, subject__in=subjects).values_list("issuer", "subject")
        return {f"{issuer} {subject}" for issuer, subject in rows}

    def insert(self, values: Sequence[tuple[Any, Sequence[NewIdentity]]]) -> None:
        columns = ("id", "account", "provider", "issuer", "subject", "name", "created_at", "last_used_at")
        rows = [
            (new_id(), account_id, one.provider, one.issuer, one.subject, one.name, one.created_at, one.last_used_at)
            for account_id, identities in values
            for one in identities
        ]
        insert_rows(Identity, columns=columns, rows=rows)

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        found = defaultdict(list)
        for one in Identity.objects.filter(account_id__in=account_ids).order_by("created_at", "id"):
            times = (rfc3339(one.created_at), rfc3339(one.last_used_at))
            row = dict(zip(_MEMBERS, (one.issuer, one.subject, one.provider, one.name, *times), strict=True))
            found[one.account_id].append(row)
        return found


class OtherFactorsPart:
    """The member `other_factors`: the names of second factors that no import can move, such as those of a site."""

    member = "other_factors"
    factor = ""
    schema: Mapping[str, Any] = {
        "description": "Names of second factors that cannot be moved, such as sms. The user loses them, and "
        "`--drop-factors` must say so.",
        "type": "array",
        "maxItems": _FACTORS_MAX,
        "items": {"type": "string", "minLength": 1, "maxLength": 64},
    }

    def read(self, value: Any, *, facts: RowFacts) -> None:
        """Raise RefusedRow unless the operator lets people lose such factors."""
        names = [
            values.text(item, name="other_factors", longest=64)
            for item in values.items(value, name="other_factors", most=_FACTORS_MAX)
        ]
        if names and not facts.drops_factors:
            raise RefusedRow(
                f"other_factors: {names[0]!a} cannot be moved. --drop-factors imports the user without it."
            )

    def keys(self, value: Any) -> Sequence[str]:
        return ()

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        return ()

    def insert(self, values: Sequence[tuple[Any, Any]]) -> None:
        """Do nothing, because `read` returns no value."""

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        moved = {part.factor for part in row_parts}
        table = Account._meta.db_table
        found = defaultdict(list)
        for factor in gating_factors():
            if factor.name not in moved:
                expression = factor.is_enrolled(account_id="a.user_id")
                marks = ", ".join(["%s"] * len(account_ids))
                statement = f"SELECT a.user_id FROM {table} a WHERE a.user_id IN ({marks}) AND {expression}"  # noqa: S608 - the table's own name and the factor's SQL
                for (key,) in sql.fetch_all(statement, account_ids):
                    found[Account._meta.pk.to_python(key)].append(factor.name)
        return found


def _read_identity(value: Any, *, name: str, facts: RowFacts) -> NewIdentity:
    given = values.members(value, name=name, known=frozenset(_MEMBERS))
    issuer = values.text(given.get("issuer"), name=f"{name}.issuer", longest=ISSUER_MAX)
    if not issuer.startswith(("https://", "http://")) or " " in issuer:
        raise RefusedRow(f"{name}.issuer: must be a URL.")
    created_at = _find_moment(given, "created_at", name=name, now=facts.now) or facts.created_at
    return NewIdentity(
        provider=_read_provider(given.get("provider"), issuer=issuer, name=name),
        issuer=issuer,
        subject=values.text(given.get("subject"), name=f"{name}.subject", longest=SUBJECT_MAX),
        name=values.text(given.get("name") or "", name=f"{name}.name", longest=PERSON_NAME_MAX, shortest=0),
        created_at=created_at,
        last_used_at=_find_moment(given, "last_used_at", name=name, now=facts.now) or created_at,
    )


def _read_provider(value: Any, *, issuer: str, name: str) -> str:
    if value is not None:
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise RefusedRow(f"{name}.provider: must be the name of a provider, such as google.")
        return value
    for provider in providers():
        is_tenant = provider.facts.has_tenants and urlsplit(provider.issuer).netloc == urlsplit(issuer).netloc
        if provider.issuer == issuer or is_tenant:
            return provider.name
    raise RefusedRow(f"{name}.issuer: no provider of the settings has this issuer. Configure the provider first.")


def _find_moment(value: Mapping[str, Any], member: str, *, name: str, now: datetime) -> datetime | None:
    given = value.get(member)
    return None if given is None else values.moment(given, name=f"{name}.{member}", now=now)
