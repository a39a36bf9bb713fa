"""Logout requests of clients (OpenID Connect RP-Initiated Logout 1.0, section 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext_noop

from core.db.ids import parse_id
from pages.frame.sessions import LiveSession

from ..clients.authentication import find_client
from ..errors import NoDestination
from ..models import Client, Grant
from ..tokens.id_tokens import find_own_id_token

PARAMETERS = ("id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales")
"""The parameters that the endpoint reads. It ignores all others."""

HINT_MAX = 8_000
TEXT_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoutRequest:
    """A logout request. `client` asks for it, or None: then nothing shows who asks.

    `subject` and `grant_id` are those of a valid ID token of the client, or None. `return_url` is where the client wants
    the person to return, with the state of the client. It is "" without such an address. `given` are the parameters.
    """

    client: Client | None
    subject: str | None
    grant_id: UUID | None
    return_url: str
    ui_locales: str
    given: Mapping[str, str]

    def is_of(self, session: LiveSession) -> bool:
        """Return whether the client's ID token comes from a sign-in in this session of a browser. Runs one query.

        No other site knows such an ID token. So the request needs no question.
        """
        return self.subject == str(session.account_id) and (
            Grant.objects.filter(pk=self.grant_id, browser_id=session.family_id).exists()
        )


def read_logout_request(data: QueryDict, *, now: datetime) -> LogoutRequest:
    """Return the request in the parameters.

    An ID token can have expired. A request with an ID token that is not valid names no client, so the person returns to
    no application. Raises NoDestination when a parameter occurs twice or is too long, and when the client of the request
    has not registered the address to which the person shall return.
    """
    given = _read_parameters(data)
    claims = _read_hint(given, now=now)
    if "id_token_hint" in given:
        client = find_client(str(claims["aud"])) if claims else None
    else:
        client = find_client(given.get("client_id", ""))
    if client is None:
        claims = {}
    uri = given.get("post_logout_redirect_uri", "") if client else ""
    if client and uri and uri not in (client.post_logout_uris or ()):
        raise NoDestination(
            gettext_noop(
                "The application asked to return to an address that is not registered. Tell the people who run it."
            )
        )
    return LogoutRequest(
        client=client,
        subject=claims.get("sub"),
        grant_id=parse_id(str(claims.get("sid", ""))),
        return_url=_with_state(uri, given.get("state")) if uri else "",
        ui_locales=given.get("ui_locales", ""),
        given=given,
    )


def _read_parameters(data: QueryDict) -> dict[str, str]:
    for name in PARAMETERS:
        values = [str(value) for value in data.getlist(name)]
        longest = HINT_MAX if name == "id_token_hint" else TEXT_MAX
        if len(values) > 1 or any(len(value) > longest or "\0" in value for value in values):
            raise NoDestination(
                gettext_noop("The request of the application to sign you out is not valid. Sign out at your account.")
            )
    return {name: str(data[name]) for name in PARAMETERS if data.get(name)}


def _read_hint(given: Mapping[str, str], *, now: datetime) -> Mapping[str, Any]:
    """Return the claims of a valid ID token for the client that the request names, or {}."""
    claims = find_own_id_token(given.get("id_token_hint", ""), now=now) or {}
    return claims if given.get("client_id") in (None, claims.get("aud")) else {}


def _with_state(uri: str, state: str | None) -> str:
    if state is None:
        return uri
    separator = "&" if "?" in uri else "?"
    return f"{uri}{separator}{urlencode({'state': state})}"
