"""The pages of users."""

from django.http import HttpResponse

from accounts.core.errors import NotFound
from accounts.core.http.view import Call, operation
from accounts.metadata import get_metadata
from apikeys.conf import settings as key_settings

from ...inventory import get_user_factors, list_user_keys, list_user_sessions
from ...serializers import UsersQuery
from ...users import get_user
from ...views.users import ListUsers
from ..page import ConsolePage

LISTED_MAX = 50
"""The number of sessions and of API keys that the page of a user shows."""


class Users(ConsolePage):
    """The list of users."""

    section = "users"
    template = "authsvc_console/users.html"

    @operation(query=UsersQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the user with an exact address, or a page of all users."""
        page = ListUsers().get(call)
        end = page.offset + len(page.users)
        context = {
            "page": page,
            "first": page.offset + 1,
            "end": end,
            "newer": self.link(offset=max(0, page.offset - page.limit)) if page.offset else "",
            "older": self.link(offset=end) if end < page.total else "",
        }
        return self.render(context)


class ShowUser(ConsolePage):
    """One user."""

    section = "users"
    template = "authsvc_console/user.html"

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the account with its lock, sessions, factors, keys, metadata and latest events."""
        user_id = call.path["user_id"]
        context = {
            "detail": get_user(user_id=user_id, now=call.now),
            "sessions": list_user_sessions(
                user_id=user_id, operator=call.signed_in, limit=LISTED_MAX, now=call.now
            ).sessions,
            "factors": get_user_factors(user_id=user_id),
            "keys": list_user_keys(user_id=user_id, limit=LISTED_MAX, now=call.now).api_keys,
            "are_keys_on": key_settings().is_on,
            "metadata": get_metadata(user_id=user_id),
        }
        return self.render(context)
