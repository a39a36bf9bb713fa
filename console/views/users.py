"""Routes about users. Their only write changes a user's metadata."""

from typing import ClassVar

from accounts.errors import InvalidMetadataKey, MetadataKeyNotFound, ReservedMetadataKey
from accounts.state.metadata import KEY, RESERVED_CLAIM_NAMES, Metadata, get_metadata
from apikeys.conf import settings as key_settings
from core.errors import NotConfigured, NotFound
from core.http.answers import ABSENT
from core.http.call import Call
from core.http.view import operation
from sessions_app.logins.identities import LinkedIdentities

from ..account_acts.metadata import remove_metadata, set_metadata
from ..people.conditions import UserFilters
from ..people.inventory import (
    UserFactors,
    UserKeys,
    UserSessions,
    get_user_factors,
    list_user_identities,
    list_user_keys,
    list_user_sessions,
)
from ..people.positions import Sort
from ..people.search import FoundUsers, search_users
from ..people.serializers import UserSearchQuery
from ..people.users import UserDetail, UserPage, find_users, get_user
from ..roles import Right
from ..serializers import LimitQuery, MetadataInput, UsersQuery
from .base import AdminView


class ListUsers(AdminView):
    """List or find users."""

    @operation(query=UsersQuery, output=UserPage)
    def get(self, call: Call) -> UserPage:
        """Return the user with exactly the address `q`. Without `q`, return all users, the newest first."""
        return find_users(email=call.query["q"], limit=call.query["limit"], offset=call.query["offset"], now=call.now)


class SearchUsers(AdminView):
    """Search users."""

    @operation(query=UserSearchQuery, output=FoundUsers)
    def get(self, call: Call) -> FoundUsers:
        """Return the users that match all filters. `q` is any part of the address, or an id.

        Send `next_cursor` as `cursor` with the same query for the next page. A page can have fewer users than `limit`,
        even none, although more follow: only `next_cursor` null means the end.
        """
        return search_users(
            filters=UserFilters.of(call.query),
            sort=Sort(call.query["sort"]),
            cursor=call.query["cursor"],
            limit=call.query["limit"],
            now=call.now,
        )


class GetUser(AdminView):
    """Show a user."""

    @operation(output=UserDetail, errors=(NotFound,))
    def get(self, call: Call) -> UserDetail:
        """Return the account, the number of its live sessions, and its latest events."""
        return get_user(user_id=call.path["user_id"], now=call.now)


class ListUserSessions(AdminView):
    """List a user's sessions."""

    @operation(query=LimitQuery, output=UserSessions, errors=(NotFound,))
    def get(self, call: Call) -> UserSessions:
        """Return the live sessions of the user, the newest login first."""
        return list_user_sessions(
            user_id=call.path["user_id"], operator=call.signed_in, limit=call.query["limit"], now=call.now
        )


class GetUserFactors(AdminView):
    """Show a user's second factors."""

    @operation(output=UserFactors, errors=(NotFound,))
    def get(self, call: Call) -> UserFactors:
        """Return the confirmed second factors of the user, and the number of unused recovery codes."""
        return get_user_factors(user_id=call.path["user_id"], now=call.now)


class ListUserApiKeys(AdminView):
    """List a user's API keys."""

    @operation(query=LimitQuery, output=UserKeys, errors=(NotConfigured, NotFound))
    def get(self, call: Call) -> UserKeys:
        """Return the API keys of the user, the newest first. The list includes expired keys, but no revoked keys."""
        return list_user_keys(user_id=call.path["user_id"], limit=call.query["limit"], now=call.now)

    def check_feature(self) -> None:
        """Raise NotConfigured while API_KEYS_ENABLED is off."""
        if not key_settings().is_on:
            raise NotConfigured


class ListUserIdentities(AdminView):
    """List a user's identities at providers."""

    @operation(output=LinkedIdentities, errors=(NotFound,))
    def get(self, call: Call) -> LinkedIdentities:
        """Return the identities that sign the user in, the oldest first."""
        return list_user_identities(user_id=call.path["user_id"])


class GetMetadata(AdminView):
    """Show a user's metadata."""

    @operation(output=Metadata, errors=(NotFound,))
    def get(self, call: Call) -> Metadata:
        """Return the user's metadata. The user's access tokens contain it as claims."""
        return get_metadata(user_id=call.path["user_id"])


class ChangeMetadata(AdminView):
    """Change one key of a user's metadata."""

    writes_need = Right.METADATA
    path_keywords: ClassVar = {"key": {"pattern": f"^{KEY.pattern}$", "not": {"enum": list(RESERVED_CLAIM_NAMES)}}}

    @operation(
        id="setMetadata",
        input=MetadataInput,
        output=Metadata,
        errors=(NotFound, ReservedMetadataKey, InvalidMetadataKey),
    )
    def put(self, call: Call) -> Metadata:
        """Set one key of a user's metadata.

        The value may be any JSON value, including null, of at most 1 KiB. All metadata of a user may have at most 4 KiB.
        Both sizes are those of compact JSON in UTF-8. The access token of the next login or refresh contains the value.
        """
        value = call.body.get("value", ABSENT)
        return set_metadata(
            user_id=call.path["user_id"],
            key=call.path["key"],
            value=value,
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )

    @operation(
        id="deleteMetadata",
        output=Metadata,
        errors=(NotFound, ReservedMetadataKey, InvalidMetadataKey, MetadataKeyNotFound),
    )
    def delete(self, call: Call) -> Metadata:
        """Delete one key of a user's metadata.

        The access token of the next login or refresh does not contain the key.
        """
        return remove_metadata(
            user_id=call.path["user_id"],
            key=call.path["key"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
