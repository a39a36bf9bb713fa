"""Queries of the routes and pages about users."""

from typing import Any, ClassVar

from accounts.host import users
from core.http.fields import Choice, Text

from ..serializers import LimitQuery
from .conditions import PART_MIN, State
from .positions import CURSOR_MAX, Sort

TEXT_MAX = 254
PROVIDER_MAX = 32


class QueryPart(Text):
    """A part of an address, or the whole id of a user."""

    default_error_messages: ClassVar = {
        "short": f"must have at least {PART_MIN} characters, or be the id of a user.",
    }

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).strip()
        if 0 < len(text) < PART_MIN and users.to_account_id(text) is None:
            self.fail("short")
        return text


class UserSearchQuery(LimitQuery):
    """The listed users. A user must match all filters."""

    q = QueryPart(
        max_length=TEXT_MAX, default="", help_text="List only users with this part of the address, in any case."
    )
    state = Choice(list(State), default=None, help_text="List only users in this state.")
    provider = Text(
        max_length=PROVIDER_MAX,
        allow_blank=False,
        default=None,
        help_text="List only users with an identity at this sign-in provider.",
    )
    sort = Choice(
        list(Sort), default=Sort.NEWEST, help_text="Order of the list. `last_sign_in` leaves out other users."
    )
    cursor = Text(max_length=CURSOR_MAX, default=None, help_text="The `next_cursor` of the page before.")
