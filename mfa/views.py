"""The base of the routes of second factors, which exist only while ENCRYPTION_KEY is set."""

from typing import ClassVar

from core.errors import ServiceError
from core.http.call import Call
from core.http.view import ServiceView
from sessions_app.logins.pending import get_pending_within_limits
from sessions_app.models import PendingLogin

from .conf import keys


class FactorView(ServiceView):
    """A route that exists only while ENCRYPTION_KEY is set."""

    not_configured: ClassVar[type[ServiceError]]

    def check_feature(self) -> None:
        """Raise the factor's own 404 error when the deployment has no encryption key."""
        if not keys():
            raise self.not_configured


def get_pending_login(call: Call) -> PendingLogin:
    """Return the login of the pending token in the body. Raises RateLimited after too many attempts."""
    return get_pending_within_limits(pending_token=call.body["pending_token"], client=call.client, now=call.now)
