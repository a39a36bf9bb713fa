"""The page for a person who proved who they are, but must confirm the address before the first sign-in.

The service mails a link when it refuses such a sign-in. It mails another one when the person signs in again.
"""

from collections.abc import Mapping

from accounts.conf import settings

TEMPLATE = "authsvc_pages/joining/confirm_first.html"


def context_of(*, name: str, following: str, is_again: bool) -> Mapping[str, object]:
    """Return the values of the page. `name` is the typed address or user name, or "" after a sign-in without one.

    `is_again` is true when the person tried to sign in. `following` is the page that follows the sign-in.
    """
    return {
        "email": name,
        "address": "" if settings().logs_in_by_user_name else name,
        "is_again": is_again,
        "next": following,
    }
