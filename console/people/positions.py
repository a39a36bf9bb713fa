"""Cursors of the list of users: the position at which the next page begins, as text."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from accounts.host import users
from core.clock import rfc3339
from core.errors import BadRequest

CURSOR_MAX = 1_000
"""The maximum length of a cursor in characters. The longest address has 254 characters."""


class Sort(StrEnum):
    """The order of the list. LAST_SIGN_IN has the latest sign-in first, and only the accounts that signed in."""

    NEWEST = "newest"
    OLDEST = "oldest"
    ADDRESS = "address"
    LAST_SIGN_IN = "last_sign_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPosition:
    """A row of the list: its value in the order of the list, and the id of its account."""

    sort: Sort
    value: Any
    account_id: Any

    def __str__(self) -> str:
        value = rfc3339(self.value) if isinstance(self.value, datetime) else self.value
        text = orjson.dumps([self.sort, value, str(self.account_id)])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")


def read_user_cursor(text: str, *, sort: Sort) -> UserPosition:
    """Return the position of the cursor. Raises BadRequest when the text is not a cursor of a list in this order."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        made_for, value, user_id = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        position = UserPosition(
            sort=Sort(made_for),
            value=value if sort is Sort.ADDRESS else datetime.fromisoformat(value),
            account_id=users.to_account_id(user_id),
        )
    except (ValueError, TypeError, binascii.Error):
        position = None
    # An answer contains only cursors in their one canonical form.
    if position is None or position.sort is not sort or position.account_id is None or str(position) != text:
        raise BadRequest("cursor: must be the next_cursor of an earlier answer with the same sort.")
    return position
