"""Routes about users. The console has three writes; the first changes a user's metadata."""

from typing import ClassVar

from accounts.core.errors import NotFound
from accounts.core.http.answers import ABSENT
from accounts.core.http.view import Call, operation
from accounts.errors import InvalidMetadataKey, MetadataKeyNotFound, ReservedMetadataKey
from accounts.metadata import KEY, RESERVED_CLAIM_NAMES, Metadata, delete_claim, get_metadata, set_claim

from ..serializers import MetadataInput, UsersQuery
from ..users import UserDetail, UserPage, browse_users, get_user, search_users
from .base import AdminView


class ListUsers(AdminView):
    """List or find users."""

    @operation(query=UsersQuery, output=UserPage)
    def get(self, call: Call) -> UserPage:
        """Return the user with exactly the address `q`. Without `q`, return all users, the newest first."""
        limit, offset, email = call.query["limit"], call.query["offset"], call.query["q"]
        if email.strip():
            return search_users(email=email, limit=limit, offset=offset, now=call.now)
        return browse_users(limit=limit, offset=offset, now=call.now)


class ShowUser(AdminView):
    """Show a user."""

    @operation(output=UserDetail, errors=(NotFound,))
    def get(self, call: Call) -> UserDetail:
        """Return the account, the number of its live sessions, and its latest events."""
        return get_user(user_id=call.path["user_id"], now=call.now)


class ShowMetadata(AdminView):
    """Show a user's metadata."""

    @operation(output=Metadata, errors=(NotFound,))
    def get(self, call: Call) -> Metadata:
        """Return the user's metadata. The user's access tokens contain it as claims."""
        return get_metadata(user_id=call.path["user_id"])


class ChangeMetadata(AdminView):
    """Change one key of a user's metadata."""

    path_keywords: ClassVar = {"key": {"pattern": f"^{KEY.pattern}$", "not": {"enum": list(RESERVED_CLAIM_NAMES)}}}

    @operation(
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
        return set_claim(user_id=call.path["user_id"], key=call.path["key"], value=value, now=call.now)

    @operation(
        output=Metadata,
        errors=(NotFound, ReservedMetadataKey, InvalidMetadataKey, MetadataKeyNotFound),
    )
    def delete(self, call: Call) -> Metadata:
        """Delete one key of a user's metadata.

        The access token of the next login or refresh does not contain the key.
        """
        return delete_claim(user_id=call.path["user_id"], key=call.path["key"], now=call.now)
