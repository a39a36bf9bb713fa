"""CSV files: those of Cognito and Clerk, and any other with the names of its columns."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ..inputs import BrokenInput, Input
from ..records import Record, refused
from ..values import RefusedRow
from .identities import left_out_metadata
from .members import cell_address, chosen_metadata, timestamp, without_nothing, yes_or_no
from .tables import read_table

MEMBERS = (
    "id",
    "email",
    "email_verified",
    "email_verified_at",
    "state",
    "password_hash",
    "language",
    "created_at",
    "totp",
)
"""The members that a column can have. The column of `totp` has the secret."""

_YES, _NO = ("true", "yes", "t", "1"), ("false", "no", "f", "0")
_COGNITO_YES, _COGNITO_NO = ("true",), ("false",)
_SEPARATORS = re.compile(r"[|,;\s]+")


def read_csv(given: Input) -> Iterator[Record]:
    """Yield the rows of a CSV. Each member has the column of its own name, unless the operator names another."""
    if unknown := set(given.columns) - set(MEMBERS):
        raise BrokenInput(f"--column knows no member {min(unknown)}. It knows {', '.join(MEMBERS)}.")
    yield from _read(given, partial(_row_of_csv, columns=given.columns), metadata=())


def read_cognito(given: Input) -> Iterator[Record]:
    """Yield the users of a CSV with the attributes of a user pool. Cognito exports no password hashes."""
    yield from _read(given, _row_of_cognito, metadata=())


def read_clerk(given: Input) -> Iterator[Record]:
    """Yield the users of Clerk's CSV."""
    yield from _read(given, _row_of_clerk, metadata=("public_metadata", "private_metadata", "unsafe_metadata"))


def _read(
    given: Input, convert: Callable[[Mapping[str, str]], dict[str, Any]], *, metadata: tuple[str, ...]
) -> Iterator[Record]:
    for number, cells in read_table(given.path):
        if isinstance(cells, str):
            yield Record(number=number, value=None, refusal=cells)
            continue
        try:
            row = without_nothing({**convert(cells), "metadata": chosen_metadata(cells, given)})
        except RefusedRow as error:
            yield refused(number, error)
        else:
            left_out = tuple(left_out_metadata(cells, metadata, given=given))
            yield Record(number=number, value=row, left_out=left_out)


def _row_of_csv(cells: Mapping[str, str], *, columns: Mapping[str, str]) -> dict[str, Any]:
    found = {member: cells.get(columns.get(member, member)) for member in MEMBERS}
    is_proven = found["email_verified"]
    verified_at = timestamp(found["email_verified_at"], name="email_verified_at")
    return {
        **found,
        "email": cell_address(found["email"]),
        "email_verified": verified_at is not None if is_proven is None else _flag(is_proven, name="email_verified"),
        "email_verified_at": verified_at,
        "created_at": timestamp(found["created_at"], name="created_at"),
        "totp": {"secret": found["totp"]} if found["totp"] else None,
    }


def _row_of_cognito(cells: Mapping[str, str]) -> dict[str, Any]:
    status = cells.get("Enabled", cells.get("enabled"))
    has_factor = cells.get("cognito:mfa_enabled")
    is_on = status is None or _cognito_flag(status, name="Enabled")
    return {
        "id": cells.get("sub") or cells.get("cognito:username"),
        "email": cell_address(cells.get("email")),
        "email_verified": _cognito_flag(cells.get("email_verified", "false"), name="email_verified"),
        "state": None if is_on else "deactivated",
        "language": cells.get("locale"),
        "created_at": timestamp(cells.get("UserCreateDate"), name="UserCreateDate"),
        "other_factors": ["cognito"]
        if has_factor is not None and _cognito_flag(has_factor, name="cognito:mfa_enabled")
        else None,
    }


def _row_of_clerk(cells: Mapping[str, str]) -> dict[str, Any]:
    email = cell_address(cells.get("primary_email_address"))
    return {
        "id": cells.get("id"),
        "email": email,
        "email_verified": email in _SEPARATORS.split(cells.get("verified_email_addresses", "")),
        "password_hash": cells.get("password_digest"),
        "created_at": timestamp(cells.get("created_at"), name="created_at"),
        "totp": {"secret": cells["totp_secret"]} if "totp_secret" in cells else None,
    }


def _flag(value: str, *, name: str) -> bool:
    return yes_or_no(value.strip().lower(), name=name, yes=_YES, no=_NO)


def _cognito_flag(value: str, *, name: str) -> bool:
    return yes_or_no(value.strip().lower(), name=name, yes=_COGNITO_YES, no=_COGNITO_NO)
