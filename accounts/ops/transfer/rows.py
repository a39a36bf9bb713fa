"""A row of the format: one user. `docs/users-format.md` describes the format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from core.addresses import EMAIL_MAX, email_key, normalize_email

from . import values
from .claims import merge, read_language, read_metadata
from .parts import RowFacts, row_parts
from .values import RefusedRow

ID_MAX = 255
HASH_MAX = 1024
ACTIVE: Final = "active"
DEACTIVATED: Final = "deactivated"
STATES = (ACTIVE, DEACTIVATED)

OWN_MEMBERS = (
    "id",
    "email",
    "email_verified",
    "email_verified_at",
    "earlier_email_verified",
    "state",
    "deactivated_at",
    "password_hash",
    "language",
    "metadata",
    "created_at",
)
"""The members that every row can have, in the order of an export. The members of `row_parts` follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The circumstances of an import that decide how a row is read.

    `source` names the system of the rows. It makes the ids of its users differ from those of other systems. `id_claim`
    is the name of the claim that keeps the other system's id, or "".
    """

    source: str
    now: datetime
    drops_factors: bool = False
    id_claim: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A checked row. `parts` has the values of `row_parts` by member."""

    id: UUID | None
    email: str
    email_key: str
    proven_at: datetime | None
    was_proven: bool
    deactivated_at: datetime | None
    password_hash: str | None
    metadata: Mapping[str, Any]
    created_at: datetime
    parts: Mapping[str, Any] = field(default_factory=dict)


def known_members() -> frozenset[str]:
    """Return the names of all members."""
    return frozenset((*OWN_MEMBERS, *(part.member for part in row_parts)))


def read_row(value: Mapping[str, Any], *, terms: Terms) -> Row:
    """Return the checked row. Raises RefusedRow."""
    values.members(value, name="row", known=known_members())
    email, key = _read_email(value.get("email"))
    created_at = _find_moment(value, "created_at", now=terms.now) or terms.now
    metadata = _read_metadata(value, terms=terms)
    return Row(
        id=_read_id(value.get("id"), source=terms.source),
        email=email,
        email_key=key,
        proven_at=_read_proof(value, created_at=created_at, now=terms.now),
        was_proven=_read_flag(value, "earlier_email_verified"),
        deactivated_at=_read_state(value, now=terms.now),
        password_hash=_read_hash(value.get("password_hash")),
        metadata=metadata,
        created_at=created_at,
        parts=_read_parts(value, created_at=created_at, terms=terms),
    )


def id_of(text: str, *, source: str) -> UUID:
    """Return the user id of the other system's id: the UUID itself, or a UUID that derives from source and id.

    The same id of the same source always gets the same UUID. So a repeated import finds the account, and an account
    that was deleted here stays deleted.
    """
    try:
        # A UUID has this length only in its canonical form, in either case.
        if len(text) == 36:  # noqa: PLR2004 - the length of a UUID
            return UUID(text)
    except ValueError:
        pass
    return uuid5(NAMESPACE_URL, f"gatehouse:{source}:{text}")


def _read_email(value: Any) -> tuple[str, str]:
    if value is None or value == "":
        raise RefusedRow("email: is missing. An account needs an address.")
    email = normalize_email(value) if isinstance(value, str) and len(value) <= EMAIL_MAX else None
    if email is None:
        raise RefusedRow(f"email: must be an e-mail address of at most {EMAIL_MAX} characters.")
    return email, email_key(email)


def _read_id(value: Any, *, source: str) -> UUID | None:
    return None if value is None else id_of(values.text(value, name="id", longest=ID_MAX), source=source)


def _read_proof(value: Mapping[str, Any], *, created_at: datetime, now: datetime) -> datetime | None:
    is_proven = _read_flag(value, "email_verified")
    at = _find_moment(value, "email_verified_at", now=now)
    if at is not None and not is_proven:
        raise RefusedRow("email_verified_at: needs email_verified to be true.")
    return at or (created_at if is_proven else None)


def _read_state(value: Mapping[str, Any], *, now: datetime) -> datetime | None:
    state = value.get("state") or ACTIVE
    at = _find_moment(value, "deactivated_at", now=now)
    if state not in STATES:
        raise RefusedRow(f"state: must be {' or '.join(STATES)}.")
    if state == DEACTIVATED:
        return at or now
    if at is not None:
        raise RefusedRow(f"deactivated_at: needs the state {DEACTIVATED}.")
    return None


def _read_hash(value: Any) -> str | None:
    return None if value is None else values.text(value, name="password_hash", longest=HASH_MAX)


def _read_metadata(value: Mapping[str, Any], *, terms: Terms) -> Mapping[str, Any]:
    given = value.get("metadata")
    metadata = {} if given is None else dict(given) if isinstance(given, dict) else given
    if terms.id_claim and value.get("id") is not None and isinstance(metadata, dict):
        metadata[terms.id_claim] = value["id"]
    language = value.get("language")
    if not metadata and isinstance(metadata, dict) and language is None:
        return metadata
    return read_metadata(merge(read_metadata(metadata), language=language and read_language(language)))


def _read_parts(value: Mapping[str, Any], *, created_at: datetime, terms: Terms) -> Mapping[str, Any]:
    facts = RowFacts(created_at=created_at, now=terms.now, drops_factors=terms.drops_factors)
    found = {}
    for part in row_parts:
        given = value.get(part.member)
        if given is not None and (read := part.read(given, facts=facts)) is not None:
            found[part.member] = read
    return found


def _read_flag(value: Mapping[str, Any], name: str) -> bool:
    given = value.get(name)
    return False if given is None else values.flag(given, name=name)


def _find_moment(value: Mapping[str, Any], name: str, *, now: datetime) -> datetime | None:
    given = value.get(name)
    return None if given is None else values.moment(given, name=name, now=now)
