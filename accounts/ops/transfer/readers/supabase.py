"""Supabase: `auth.users` as CSV, with `auth.identities` and `auth.mfa_factors` as further files.

A folder has all files. A single file has the users, and `--with` names the identities.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from core.clock import now as read_clock

from ..inputs import BrokenInput, Input
from ..records import Record, refused
from ..values import RefusedRow
from .identities import find_identities, left_out_metadata
from .joins import Join, joined
from .members import cell_address, chosen_metadata, timestamp, without_nothing, yes_or_no
from .tables import read_table

_METADATA = ("raw_app_meta_data", "raw_user_meta_data")
_NO_PROVIDERS = frozenset({"email", "phone", "anonymous"})
_YES, _NO = ("t", "true"), ("f", "false")
"""The words of psql, and of the table editor."""


def read(given: Input) -> Iterator[Record]:
    """Yield the users with their identities and factors."""
    users, identities, factors = _files(given)
    with ExitStack() as stack:
        of_user = stack.enter_context(joined(given.scratch / "identities.sqlite3", _pairs(identities)))
        factors_of_user = stack.enter_context(joined(given.scratch / "factors.sqlite3", _pairs(factors)))
        for number, row in read_table(users):
            if isinstance(row, str):
                yield Record(number=number, value=None, refusal=row)
                continue
            try:
                yield _record(number, row, of_user, factors_of_user, given)
            except RefusedRow as error:
                yield refused(number, error)


def _files(given: Input) -> tuple[Path, Path | None, Path | None]:
    if not given.path.is_dir():
        return given.path, given.companion, None
    found = [_find(given.path, name) for name in ("users", "identities", "mfa_factors")]
    if found[0] is None:
        raise BrokenInput(f"{given.path} has no file whose name contains users and ends in .csv.")
    return found[0], found[1], found[2]


def _find(directory: Path, name: str) -> Path | None:
    return next(iter(sorted(directory.glob(f"*{name}*.csv"))), None)


def _pairs(path: Path | None) -> Iterator[tuple[str, Any]]:
    if path is None:
        return
    for number, row in read_table(path):
        if isinstance(row, str):
            raise BrokenInput(f"{path}, line {number}: {row} Nothing was imported.")
        yield row.get("user_id", ""), row


def _record(number: int, user: Mapping[str, str], of_user: Join, factors_of_user: Join, given: Input) -> Record:
    if user.get("deleted_at"):
        raise RefusedRow("deleted_at: the user was deleted at Supabase.")
    if _flag(user, "is_anonymous"):
        raise RefusedRow("is_anonymous: the user is anonymous.")
    rows = of_user.find(user.get("id", ""))
    identities = find_identities(
        ((row.get("provider", ""), row.get("provider_id")) for row in rows if row.get("provider") not in _NO_PROVIDERS),
        given=given,
    )
    confirmed_at = timestamp(user.get("email_confirmed_at"), name="email_confirmed_at")
    row = {
        "id": user.get("id"),
        "email": cell_address(user.get("email")),
        "email_verified": confirmed_at is not None,
        "email_verified_at": confirmed_at,
        "state": "deactivated" if _is_banned(user) else None,
        "password_hash": user.get("encrypted_password"),
        "metadata": chosen_metadata(user, given),
        "created_at": timestamp(user.get("created_at"), name="created_at"),
        "identities": identities.rows,
        **_factors(factors_of_user.find(user.get("id", ""))),
    }
    left_out = (*identities.left_out, *left_out_metadata(user, _METADATA, given=given))
    return Record(number=number, value=without_nothing(row), left_out=left_out)


def _flag(user: Mapping[str, str], name: str) -> bool:
    return name in user and yes_or_no(user[name], name=name, yes=_YES, no=_NO)


def _is_banned(user: Mapping[str, str]) -> bool:
    until = user.get("banned_until")
    if not until:
        return False
    found = None if until == "infinity" else timestamp(until, name="banned_until")
    return found is None or found > read_clock().isoformat()


def _factors(rows: list[Mapping[str, str]]) -> dict[str, Any]:
    used = [row for row in rows if row.get("status") == "verified"]
    apps = [
        without_nothing(
            {"secret": row.get("secret"), "created_at": timestamp(row.get("created_at"), name="created_at")}
        )
        for row in used
        if row.get("factor_type") == "totp"
    ]
    others = sorted({row.get("factor_type", "") for row in used} - {"totp"})
    # An account has one app here. Its owner would lose the others.
    others += ["another totp"] * (len(apps) > 1)
    return {"totp": apps[0] if apps else None, "other_factors": others}
