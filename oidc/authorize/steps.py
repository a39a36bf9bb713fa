"""The steps between an authorization request and its answer: sign in, confirm, agree."""

from datetime import datetime
from enum import Enum

from pages.frame.sessions import LiveSession

from ..addresses import userinfo_audience
from ..claims import acr_of, names_of
from ..clients.redirects import leads_to_installed_app
from ..models import Consent
from .requests import AuthorizationRequest, RequestRefused


class Step(Enum):
    """The next step of a request."""

    SIGN_IN = "login_required"
    CONFIRM = "reauthentication"
    CHOOSE = "account_selection_required"
    AGREE = "consent_required"
    ANSWER = "answer"

    @property
    def error(self) -> str:
        """The error for a client that permits no page."""
        return Step.SIGN_IN.value if self is Step.CONFIRM else self.value


def next_step(request: AuthorizationRequest, *, session: LiveSession | None, amr: str, asked_at: datetime) -> Step:
    """Return the next step. `asked_at` is the time of the request.

    `amr` contains the methods of the session's login. Raises RequestRefused when the client asks for another person, or
    for a login that the session is not.
    """
    if session is None:
        return Step.SIGN_IN
    if request.hinted is not None and request.hinted != str(session.account_id):
        raise RequestRefused(request.destination, "login_required", "Another person is signed in.")
    earliest = asked_at if "login" in request.prompts else None
    if request.max_age is not None:
        by_age = asked_at - request.max_age
        earliest = by_age if earliest is None else max(earliest, by_age)
    if earliest is not None and session.authenticated_at < earliest:
        return Step.CONFIRM
    if request.acrs is not None and acr_of(amr) not in request.acrs:
        raise RequestRefused(
            request.destination, "unmet_authentication_requirements", "The login does not have the demanded acr."
        )
    if "select_account" in request.prompts:
        return Step.CHOOSE
    return Step.AGREE if _needs_consent(request, session) else Step.ANSWER


def _needs_consent(request: AuthorizationRequest, session: LiveSession) -> bool:
    if "consent" in request.prompts:
        return True
    client = request.client
    if client.is_public and leads_to_installed_app(request.destination.redirect_uri):
        # Any program of the device can state the id of this client (RFC 8252, section 8.6).
        return True
    if client.is_first_party:
        return False
    given = Consent.objects.filter(account_id=session.account_id, client=client).first()
    if given is None or not {*request.scopes} <= {*given.scopes.split()}:
        return True
    if not {*request.resources} <= {*given.resources.split(), userinfo_audience()}:
        return True
    known = names_of(given.scopes.split(), named=given.claims)
    return not {*request.user_claims, *request.token_claims} <= known
