"""The accounts of checked rows: which exist already, and the insertion of the others in bulk."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any, TypeAlias

from django.contrib.auth.hashers import make_password

from core.addresses import is_same_mailbox
from core.db.bulk import insert_rows
from core.db.ids import new_id
from core.db.transactions import transaction_required, write
from events.audit import record_imports

from ...host import users
from ...models import Account
from ...passwords.hashing import kind_of
from ...proofs.hash_kinds import add_users
from ...state.former_keys import find_owners, free_former_keys
from ...state.undo_links import find_restorable_keys
from .deletions import find_deleted
from .hashes import FoundHash
from .parts import row_parts
from .records import Record
from .rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A checked row that may become an account. `hash` is None without a password."""

    record: Record
    row: Row
    hash: FoundHash | None


class Fate(Enum):
    """The outcome of a candidate that is not refused."""

    NEW = auto()
    PRESENT = auto()
    DELETED = auto()


Decision: TypeAlias = Fate | str
"""A Fate, or the reason of a refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The rows of the database that concern a batch. Addresses are by `email_key`, and taken keys by member of the part."""

    key_of_id: Mapping[Any, str]
    owner_of_key: Mapping[str, str]
    deleted: frozenset[str]
    restorable: frozenset[str]
    used: frozenset[str]
    taken: Mapping[str, frozenset[str]]


def decide(candidates: Sequence[Candidate], *, now: datetime) -> list[Decision]:
    """Return the decision about each candidate, in their order. Runs some eight queries for any number of them."""
    known = _look_up(candidates, now=now)
    return [_decide(candidate.row, known) for candidate in candidates]


@write
def store(
    candidates: Sequence[Candidate], *, hashes: Sequence[str | None], source: str, is_announced: bool, now: datetime
) -> None:
    """Insert the accounts with their stored hashes, and one event for each. Opens its own transaction.

    Raises UserExists or IntegrityError, and inserts none, when another account got an address or a key in the meantime.
    """
    passwords = [stored or make_password(None) for stored in hashes]
    new = [
        users.NewUser(id=candidate.row.id or new_id(), email=candidate.row.email, password_hash=password_hash)
        for candidate, password_hash in zip(candidates, passwords, strict=True)
    ]
    free_former_keys([candidate.row.email for candidate in candidates])
    keys = users.create_users(new)
    insert_rows(
        Account,
        columns=_ACCOUNT_COLUMNS,
        rows=[
            _account(candidate.row, key, password_hash, now=now)
            for candidate, key, password_hash in zip(candidates, keys, passwords, strict=True)
        ],
    )
    _insert_parts(candidates, keys)
    add_users(kinds=Counter(kind for stored in hashes if stored and (kind := kind_of(stored))), now=now)
    record_imports(user_ids=[str(key) for key in keys], source=source, is_announced=is_announced, now=now)


_ACCOUNT_COLUMNS = (
    "user",
    "email_key",
    "email_proven_at",
    "was_proven",
    "deactivated_at",
    "password_seen",
    "metadata",
    "created_at",
    "updated_at",
)


def _account(row: Row, key: Any, password_hash: str, *, now: datetime) -> tuple[Any, ...]:
    return (
        key,
        row.email_key,
        row.proven_at,
        row.was_proven,
        row.deactivated_at,
        users.password_digest(password_hash),
        row.metadata,
        row.created_at,
        now,
    )


@transaction_required
def _insert_parts(candidates: Sequence[Candidate], keys: Sequence[Any]) -> None:
    for part in row_parts:
        values = [
            (key, candidate.row.parts[part.member])
            for candidate, key in zip(candidates, keys, strict=True)
            if part.member in candidate.row.parts
        ]
        if values:
            part.insert(values)


def _look_up(candidates: Sequence[Candidate], *, now: datetime) -> _Known:
    ids = [candidate.row.id for candidate in candidates if candidate.row.id is not None] if users.take_ids() else []
    keys = [candidate.row.email_key for candidate in candidates]
    emails = [candidate.row.email for candidate in candidates]
    # The order matters while another import runs: what an account needs last is looked up first. An account that appears
    # between two queries is then found by its id, and counts as present.
    taken = _find_taken(candidates)
    used = frozenset(users.find_used_addresses(emails))
    restorable = find_restorable_keys(email_keys=keys, now=now)
    owner_of_key = find_owners(emails)
    key_of_id = dict(Account.objects.filter(pk__in=ids).values_list("pk", "email_key"))
    return _Known(
        key_of_id=key_of_id,
        owner_of_key=owner_of_key,
        # An account that disappears meanwhile is found here.
        deleted=find_deleted(ids),
        restorable=restorable,
        used=used,
        taken=taken,
    )


def _find_taken(candidates: Sequence[Candidate]) -> Mapping[str, frozenset[str]]:
    taken = {}
    for part in row_parts:
        values = [candidate.row.parts[part.member] for candidate in candidates if part.member in candidate.row.parts]
        if keys := [key for value in values for key in part.keys(value)]:
            taken[part.member] = frozenset(part.find_taken(keys))
    return taken


def _decide(row: Row, known: _Known) -> Decision:
    if (key := known.key_of_id.get(row.id)) is not None:
        return Fate.PRESENT if key == row.email_key else "An account with this id has another address."
    if (owner := known.owner_of_key.get(row.email_key)) is not None:
        return (
            Fate.PRESENT if _is_same_user(row, owner) else "Another account has this address, or one that looks alike."
        )
    if str(row.id) in known.deleted:
        return Fate.DELETED
    return _find_obstacle(row, known) or Fate.NEW


def _is_same_user(row: Row, owner: str) -> bool:
    """Return whether the row without an id is the user with the address `owner`. A row with an id has another id."""
    return (row.id is None or not users.take_ids()) and is_same_mailbox(owner, row.email)


def _find_obstacle(row: Row, known: _Known) -> str | None:
    if row.email_key in known.restorable:
        return "The owner of another account can still get this address back by a mailed link."
    if row.email in known.used:
        return "A user of the site without an account has this address. Run manage.py link_accounts first."
    for part in row_parts:
        value = row.parts.get(part.member)
        if value is not None and not known.taken.get(part.member, frozenset()).isdisjoint(part.keys(value)):
            return f"{part.member}: another account has one of them."
    return None
