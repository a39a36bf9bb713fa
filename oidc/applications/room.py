"""The entry of the applications in the navigation of the account. A command imports it, and no view."""

from django.utils.translation import gettext_lazy

from core.http.mounting import find_path
from pages.account.rooms import Room

NAME = "authsvc-account-applications"


def is_mounted() -> bool:
    """Return whether the site has the room. A host site can leave out the provider."""
    return find_path(NAME) is not None


APPLICATIONS_ROOM = Room(
    name=NAME, title=gettext_lazy("Applications"), is_on=is_mounted, after="authsvc-account-devices"
)
