"""Authorization requests that clients send ahead (RFC 9126). The browser then has only their `request_uri`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from core import ratelimit
from core.db.ids import parse_id
from core.db.transactions import transaction_required, write
from core.http.client import Client as HttpClient
from core.keys.opaque import find_digest, new_token
from core.ratelimit import Limit, network_key

from ..errors import EXPIRED, InvalidProof, NoDestination, OauthError
from ..models import Client, PushedRequest
from .requests import PARAMETERS, AuthorizationRequest, RequestRefused, read_request

LIFETIME = timedelta(seconds=60)
URI_PREFIX = "urn:ietf:params:oauth:request_uri:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The parameters of an authorization request, and the id of the pushed request that contains them, or None."""

    data: QueryDict
    pushed_id: UUID | None = None

    def read(self, *, now: datetime) -> AuthorizationRequest:
        """Return the request. Raises as `read_request` does."""
        request = read_request(self.data, is_pushed=self.pushed_id is not None, now=now)
        return replace(request, pushed_id=self.pushed_id)


def push(*, client: Client, form: Mapping[str, str], key: str, now: datetime) -> str:
    """Store the request of the client, and return its `request_uri`. It is valid for LIFETIME.

    `key` is the thumbprint of the key that the request proves, or "". The code is then bound to this key.

    Raises OauthError when the form is no valid authorization request of this client. Opens its own transaction.
    """
    if "request_uri" in form:
        raise OauthError("invalid_request", "Push the parameters themselves, without a request_uri.")
    names = (*PARAMETERS, "request", "registration")
    stated = {name: form[name] for name in names if name in form}
    if key and stated.get("dpop_jkt", key) != key:
        raise InvalidProof("The dpop_jkt is not that of the key in the proof.")
    own = {"client_id": str(client.pk), **({"dpop_jkt": key} if key else {})}
    data = QueryDict(urlencode({**stated, **own}), encoding="utf-8")
    try:
        read_request(data, is_pushed=True, now=now)
    except NoDestination as error:
        raise OauthError("invalid_request", str(error)) from None
    except RequestRefused as error:
        raise OauthError(error.error, str(error)) from None
    return _store(client, data, now=now)


def keep_long_request(*, client: Client, data: QueryDict, http: HttpClient, now: datetime) -> QueryDict:
    """Store a request that is too long for the address of a page, and return the parameters that name it.

    Anyone can send such a request, so the limit `pushed` counts it. Raises RateLimited. Opens its own transaction.
    """
    ratelimit.hit(Limit.PUSHED, network_key(http.ip), now=now)
    kept = QueryDict(mutable=True)
    for name in PARAMETERS:
        if name in data:
            kept.setlist(name, data.getlist(name))
    named = QueryDict(mutable=True)
    named.update({"client_id": str(client.pk), "request_uri": _store(client, kept, now=now)})
    return named


@write
def _store(client: Client, data: QueryDict, *, now: datetime) -> str:
    token = new_token(prefix=URI_PREFIX)
    PushedRequest.objects.create(client=client, digest=token.digest, query=data.urlencode(), expires_at=now + LIFETIME)
    return token.raw


def resolve(data: QueryDict, *, asked_at: datetime) -> Asked:
    """Return the request that the parameters contain, or the pushed one that their `request_uri` names.

    `asked_at` is the time at which the browser came with the parameters. Raises NoDestination when the pushed request
    is unknown, another client's, or has led to a code, or when it had expired at that time. All other parameters beside
    a `request_uri` are ignored (RFC 9126, section 4).
    """
    uris, ids = data.getlist("request_uri"), data.getlist("client_id")
    if not uris or not uris[0].startswith(URI_PREFIX):
        return Asked(data=data)
    digest = find_digest(uris[0], prefix=URI_PREFIX) if len(uris) == len(ids) == 1 else None
    client_id = parse_id(ids[0]) if digest else None
    rows = PushedRequest.objects.filter(digest=digest, client=client_id, consumed_at=None, expires_at__gt=asked_at)
    pushed = rows.first() if client_id else None
    if pushed is None:
        raise NoDestination(EXPIRED)
    return Asked(data=QueryDict(pushed.query, encoding="utf-8"), pushed_id=pushed.pk)


@transaction_required
def use(request: AuthorizationRequest, *, now: datetime) -> None:
    """Mark the pushed request as used, if the request is one. Raises RequestRefused when it was used before.

    One atomic statement decides. It comes with the code, because a person can open the sign-in twice before.
    """
    if request.pushed_id is None:
        return
    if not PushedRequest.objects.filter(pk=request.pushed_id, consumed_at=None).update(consumed_at=now):
        raise RequestRefused(request.destination, "invalid_request", "The request_uri was used before. Push a new one.")
