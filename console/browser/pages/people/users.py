"""The pages of users."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.acts.invitations import open_invitations
from accounts.errors import InvalidMetadataKey, ReservedMetadataKey
from accounts.state.metadata import RESERVED_CLAIM_NAMES, get_metadata
from apikeys.conf import settings as key_settings
from core.errors import BadRequest, NotFound
from core.http.answers import ABSENT, Absent
from core.http.call import Call
from core.http.view import operation
from pages.frame.forms import Form
from sessions_app.oauth.providers import configured_providers

from ....account_acts.metadata import MetadataConflict, remove_metadata_if_unchanged, set_metadata_if_unchanged
from ....people.conditions import State, UserFilters
from ....people.positions import Sort
from ....people.profile import LISTED_MAX, get_profile
from ....people.search import search_users
from ....people.serializers import UserSearchQuery
from ....people.users import count_users
from ....roles import Right
from ...forms import MetadataForm, RemoveMetadataForm
from ...page import ConsolePage

STATES = (
    (State.LOCKED, gettext_lazy("Locked")),
    (State.UNPROVEN, gettext_lazy("Address not proven")),
    (State.NO_FACTOR, gettext_lazy("No second factor")),
    (State.NEVER_SIGNED_IN, gettext_lazy("Never signed in")),
    (State.OPERATOR, gettext_lazy("Operators")),
    (State.DEACTIVATED, gettext_lazy("Deactivated")),
)
SORTS = (
    (Sort.OLDEST, gettext_lazy("Oldest account first")),
    (Sort.ADDRESS, gettext_lazy("By address")),
    (Sort.LAST_SIGN_IN, gettext_lazy("Latest sign-in first")),
)

CHANGED_TEXT = gettext_noop(
    "Another operator changed this key after your page was loaded. You see the present value and yours. "
    "Save replaces the present value."
)
KEPT_TEXT = gettext_noop(
    "Another operator changed this key after your page was loaded, so it was not removed. You see the present value."
)
GONE_TEXT = gettext_noop("Another operator removed this key after your page was loaded. Save adds it again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataEntry:
    """A metadata key in the editor. `shown` is its present value as JSON; "" for a new key.

    `text` is the content of the field. `error` is the message about a refused change of this key. `is_fixed` is true for
    a reserved key, which no operator can change.
    """

    key: str
    shown: str
    text: str
    error: str = ""
    is_fixed: bool = False


class Users(ConsolePage):
    """The list of users."""

    section = "users"
    template = "authsvc_console/users.html"

    @operation(query=UserSearchQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the users that match all filters. The first page without filters has the open invitations too."""
        filters, sort = UserFilters.of(call.query), Sort(call.query["sort"])
        is_browsing = filters == UserFilters()
        is_start = call.query["cursor"] is None
        page = search_users(
            filters=filters, sort=sort, cursor=call.query["cursor"], limit=call.query["limit"], now=call.now
        )
        context = {
            "page": page,
            "total": count_users(now=call.now) if is_browsing else None,
            "text": filters.text,
            "states": STATES,
            "providers": [(provider.name, provider.label) for provider in configured_providers()],
            "sorts": SORTS,
            "invitations": open_invitations(now=call.now)[:LISTED_MAX] if is_browsing and is_start else [],
            "first": "" if is_start else self.url_with(cursor=None),
            "next": self.url_with(cursor=page.next_cursor) if page.next_cursor else "",
            "exported": self.typed("q", "state", "provider", "sort"),
        }
        return self.render(context)


class ShowUser(ConsolePage):
    """One user."""

    section = "users"
    template = "authsvc_console/user.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the account with all that it holds, its metadata, and what happened to it."""
        user_id = call.path["user_id"]
        metadata = get_metadata(user_id=user_id).metadata
        return {
            "user": get_profile(user_id=user_id, operator=call.signed_in, now=call.now),
            "are_keys_on": key_settings().is_on,
            "metadata": _entries(metadata, self.form),
            "new_metadata": _new_entry(metadata, self.form),
            "reserved_names": RESERVED_CLAIM_NAMES,
        }

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the user."""
        return self.render(self.context(call))


class ChangeMetadata(ShowUser):
    """The form that sets a metadata key of a user. It never overwrites the change of another operator."""

    writes_need = Right.METADATA

    @operation(input=MetadataForm, output=HttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Set the key if it still has the value that the page showed. Otherwise show both values."""
        self.require_recent_factor(call)
        try:
            changed = set_metadata_if_unchanged(
                user_id=call.path["user_id"],
                **{"expected": ABSENT, **call.body},
                operator_id=call.user_id,
                client=call.client,
                now=call.now,
            )
        except (ReservedMetadataKey, InvalidMetadataKey) as error:
            return self.refuse_change(call, status=error.status, key=gettext(str(error)))
        except BadRequest as error:
            return self.refuse_change(call, status=error.status, value=gettext(str(error).removeprefix("value: ")))
        if isinstance(changed, MetadataConflict):
            message = gettext(GONE_TEXT if isinstance(changed.current, Absent) else CHANGED_TEXT)
            return self.refuse_change(call, status=409, value=message)
        return self.finish(call, gettext("You set the metadata key %(key)s.") % {"key": call.body["key"]})

    def finish(self, call: Call, notice: str) -> HttpResponse:
        """Return to the user's page with the notice."""
        return self.redirect(reverse("authsvc-console-user", args=[call.path["user_id"]]), notice=notice)

    def refuse_change(self, call: Call, *, status: int, **errors: str) -> HttpResponse:
        """Return the page with the message in the form of the key."""
        self.form = Form(values=self.form.values, errors=errors)
        return self.render(self.context(call), status=status)


class RemoveMetadata(ChangeMetadata):
    """The form that removes a metadata key of a user."""

    @operation(input=RemoveMetadataForm, output=HttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Remove the key if it still has the value that the page showed. Otherwise show the present value."""
        self.require_recent_factor(call)
        try:
            changed = remove_metadata_if_unchanged(
                user_id=call.path["user_id"], **call.body, operator_id=call.user_id, client=call.client, now=call.now
            )
        except (ReservedMetadataKey, InvalidMetadataKey) as error:
            return self.refuse_change(call, status=error.status, key=gettext(str(error)))
        key = call.body["key"]
        if not isinstance(changed, MetadataConflict):
            return self.finish(call, gettext("You removed the metadata key %(key)s.") % {"key": key})
        if isinstance(changed.current, Absent):
            return self.finish(
                call, gettext("Another operator has removed the metadata key %(key)s already.") % {"key": key}
            )
        return self.refuse_change(call, status=409, value=gettext(KEPT_TEXT))


def _entries(metadata: Mapping[str, Any], form: Form) -> Sequence[MetadataEntry]:
    """Return the keys of the user. A refused change is in the entry of its key."""
    return [
        MetadataEntry(
            key=key,
            shown=json.dumps(value, ensure_ascii=False),
            text=_typed(form, key) or json.dumps(value, ensure_ascii=False, indent=2),
            error=_error_of(form) if form.values.get("key") == key else "",
            is_fixed=key in RESERVED_CLAIM_NAMES,
        )
        for key, value in metadata.items()
    ]


def _new_entry(metadata: Mapping[str, Any], form: Form) -> MetadataEntry:
    """Return the form that adds a key. It has a refused change of a key that the user does not have."""
    key = form.values.get("key", "")
    if not form.errors or (key in metadata and key not in RESERVED_CLAIM_NAMES):
        return MetadataEntry(key="", shown="", text="")
    return MetadataEntry(key=key, shown="", text=_typed(form, key), error=_error_of(form))


def _typed(form: Form, key: str) -> str:
    return form.values.get("value", "") if form.errors and form.values.get("key") == key else ""


def _error_of(form: Form) -> str:
    """Return all messages about the change. Beside others, a message names its field."""
    if len(form.errors) < 2:  # noqa: PLR2004 - one message stands alone
        return next(iter(form.errors.values()), "")
    names = {"key": gettext("Name"), "value": gettext("Value")}
    return " ".join(f"{names.get(name, name)}: {message}" for name, message in form.errors.items())
