"""The requests of devices, and the answers of people."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from accounts.state.lookup import hold_signed_in_account
from core.db.transactions import write
from core.http.client import Client as HttpClient
from core.keys.opaque import new_token
from pages.frame.sessions import LiveSession
from sessions_app.models import Family

from ..errors import OauthError
from ..models import Client, Code, DeviceRequest
from ..own_scopes import known_scopes
from ..resources import granted_resources
from ..tokens.device_codes import DEVICE_PREFIX

LIFETIME = timedelta(minutes=10)
INTERVAL_SECONDS = 5

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters that nobody confuses and that make no words (RFC 8628, section 6.1)."""

_LENGTH = 8
_OTHERS = re.compile(r"[^A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRequest:
    """The two codes of a new request. The rows have only their digests."""

    device_code: str
    user_code: str


def start_request(*, client: Client, form: Mapping[str, str], http: HttpClient, now: datetime) -> NewRequest:
    """Store the request of a device, and return its codes. They are valid for LIFETIME.

    Raises OauthError when the client may not use devices, or asks for a scope or a resource that it may not have. Opens
    its own transaction.
    """
    if not client.may_use_devices:
        raise OauthError("unauthorized_client", "The client is not registered for devices.")
    asked = form.get("scope", "").split()
    scopes = [scope for scope in known_scopes() if scope in asked and scope in client.scopes]
    if not scopes:
        raise OauthError("invalid_scope", f"The client may ask for {' '.join(client.scopes)}.")
    resources = granted_resources(form.get("resource", ""), registered=client.resources)
    return _store(client, scope=" ".join(scopes), resource=" ".join(resources), http=http, now=now)


@write
def _store(client: Client, *, scope: str, resource: str, http: HttpClient, now: datetime) -> NewRequest:
    token = new_token(prefix=DEVICE_PREFIX)
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    DeviceRequest.objects.create(
        client=client,
        digest=token.digest,
        user_digest=_digest_of(letters),
        scope=scope,
        resource=resource,
        ip=http.ip,
        user_agent=http.user_agent,
        interval=INTERVAL_SECONDS,
        expires_at=now + LIFETIME,
    )
    return NewRequest(device_code=token.raw, user_code=f"{letters[:4]}-{letters[4:]}")


def find_waiting(typed: str, *, now: datetime) -> DeviceRequest | None:
    """Return the request whose code the person typed, if it waits for an answer. Blanks and hyphens do not count."""
    letters = _OTHERS.sub("", typed.upper())
    rows = DeviceRequest.objects.filter(
        user_digest=_digest_of(letters), answered_at=None, expires_at__gt=now, client__deactivated_at=None
    )
    return rows.select_related("client").first() if len(letters) == _LENGTH else None


@write
def answer_request(request: DeviceRequest, *, session: LiveSession, permits: bool, now: datetime) -> bool:
    """Store the answer of the person, and return False when the request has an answer or has expired.

    A permitted request becomes a code, which the device redeems. One atomic statement decides between two answers.
    Raises InvalidAccessToken when the session has ended. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=session.caller, now=now)
    waiting = DeviceRequest.objects.filter(pk=request.pk, answered_at=None, expires_at__gt=now)
    if not waiting.update(answered_at=now):
        return False
    if permits:
        family = Family.objects.get(pk=session.family_id)
        Code.objects.create(
            client=request.client,
            account=account,
            digest=request.digest,
            redirect_uri="",
            scope=request.scope,
            resource=request.resource,
            authenticated_at=family.authenticated_at,
            amr=family.amr,
            browser_id=family.pk,
            session_id=family.current_token_id,
            epoch=account.credentials_epoch,
            expires_at=request.expires_at,
        )
    return True


def _digest_of(letters: str) -> bytes:
    # A plain hash of so few letters could be undone by trying all of them.
    return salted_hmac("authsvc.oidc.device", letters, algorithm="sha256").digest()
