"""Authorization requests that wait until the person has signed in or decided. The address of the page contains them.

The text is signed, so that its time is true: a prompt for a login is answered by a login after this time.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.http import QueryDict
from django.urls import reverse

from core.clock import rfc3339
from pages.frame.navigation import NEXT_MAX

from .requests import PARAMETERS

WAIT_MAX = timedelta(hours=1)
_SIGNER_SALT = "authsvc oidc request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The parameters of a request, and the time at which it came."""

    data: QueryDict
    asked_at: datetime


def sign_request(data: QueryDict, *, now: datetime) -> str:
    """Return the text of the request."""
    # A pushed request waits in the database, so its address contains the reference alone.
    names = ("client_id", "request_uri") if "request_uri" in data else PARAMETERS
    query = urlencode([(name, value) for name in names for value in data.getlist(name) if value])
    return Signer(salt=_SIGNER_SALT).sign_object({"query": query, "asked_at": rfc3339(now)}, compress=True)


def page_of_request(text: str) -> str | None:
    """Return the path of the page that continues the request. None when a sign-in could not lead to a path so long."""
    path = f"{reverse('authsvc-oidc-consent')}?{urlencode({'request': text})}"
    return path if len(path) <= NEXT_MAX else None


def find_request(text: str, *, now: datetime) -> Waiting | None:
    """Return the request of the text, or None when the text is not of this service or older than WAIT_MAX."""
    if len(text) > NEXT_MAX:
        return None
    try:
        stored = Signer(salt=_SIGNER_SALT).unsign_object(text)
    except BadSignature:
        return None
    asked_at = datetime.fromisoformat(stored["asked_at"])
    if now - asked_at > WAIT_MAX:
        return None
    return Waiting(data=QueryDict(stored["query"], encoding="utf-8"), asked_at=asked_at)
