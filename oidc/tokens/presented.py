"""Tokens that a client presents for their revocation (RFC 7009) or introspection (RFC 7662)."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from core.http.client import Client as HttpClient
from core.keys.opaque import find_digest
from sessions_app.families.revocation import end_family

from ..addresses import issuer
from ..models import Client, Grant
from .access_tokens import AccessToken, find_access_token
from .issued import BEARER, DPOP, REFRESH_PREFIX

INACTIVE: Mapping[str, Any] = {"active": False}


def revoke(*, client: Client, raw: str, http: HttpClient, now: datetime) -> None:
    """End the session of the client's refresh or access token. Do nothing for any other text.

    A token of another client counts as unknown. So the answer does not show whether a token of another client is valid.
    """
    found = _find(client=client, raw=raw, now=now)
    if found is not None:
        grant = found.grant if isinstance(found, AccessToken) else found
        end_family(family_id=grant.pk, client=http, now=now)


def introspect(*, client: Client, raw: str, now: datetime) -> Mapping[str, Any]:
    """Return what the token permits, or INACTIVE for a token that is not valid or does not concern the client.

    A client may ask about its own tokens. A client that is a resource may also ask about access tokens for the resource.
    """
    match _find(client=client, raw=raw, served=client.serves, now=now):
        case AccessToken(claims=claims) as access:
            kind = DPOP if access.key else BEARER
            return {"active": True, "token_type": kind, **claims, "scope": " ".join(access.scopes)}
        case Grant() as grant if Grant.objects.live(now).filter(pk=grant.pk).exists():
            return {
                "active": True,
                "iss": issuer(),
                "sub": str(grant.family.account_id),
                "client_id": str(grant.client_id),
                "scope": " ".join(grant.scopes),
                "iat": int(grant.family.started_at.timestamp()),
                **({"cnf": {"jkt": grant.key_thumbprint}} if grant.key_thumbprint else {}),
                "exp": int(min(grant.family.idle_expires_at, grant.family.absolute_expires_at).timestamp()),
            }
    return INACTIVE


def _find(*, client: Client, raw: str, served: Collection[str] = (), now: datetime) -> AccessToken | Grant | None:
    """Return the client's access token, or the grant of a refresh token that is the current one of its family.

    An access token for one of the `served` resources can be another client's.
    """
    digest = find_digest(raw, prefix=REFRESH_PREFIX)
    if digest is None:
        access = find_access_token(raw, now=now)
        is_found = access is not None and (access.grant.client_id == client.pk or access.claims["aud"] in served)
        return access if is_found else None
    rows = Grant.objects.filter(family__tokens__digest=digest, client=client).select_related("family", "client")
    grant = rows.first()
    is_current = grant is not None and grant.family.tokens.filter(digest=digest, pk=grant.family.current_token_id)
    return grant if is_current else None
