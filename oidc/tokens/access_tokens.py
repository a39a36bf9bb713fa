"""The access tokens of clients (RFC 9068), and the check of them.

Their `aud` is never TOKEN_AUDIENCE, so no route below /v1 accepts them. Conversely this check demands a grant, which the
sessions of logins lack.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.host.changes import is_admitted
from core.conf import core_settings
from core.db.ids import parse_id
from core.keys import jwt

from ..addresses import issuer, userinfo_audience
from ..claims import claims_of_login
from ..models import Grant, scopes_within
from ..resources import is_permitted


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A valid access token: its claims, and the grant whose session is live. The account and its user are loaded."""

    claims: dict[str, Any]
    grant: Grant

    @property
    def scopes(self) -> Sequence[str]:
        """The scopes of this token that its client may still have. They can be fewer than those of the grant."""
        return scopes_within(str(self.claims["scope"]), self.grant.client.scopes)

    @property
    def key(self) -> str:
        """The thumbprint of the key to which the token is bound, or ""."""
        return str(self.claims.get("cnf", {}).get("jkt", ""))

    @property
    def is_for_userinfo(self) -> bool:
        """Return whether userinfo may take the token. A token for another service is not for userinfo."""
        return bool(self.claims["aud"] == userinfo_audience())


def sign_access_token(
    *, signer: jwt.Signer, grant: Grant, account_id: Any, token_id: UUID, scopes: Sequence[str], audience: str, key: str
) -> str:
    """Return an access token. Its `jti` is the token row of the session, as in the access tokens of /v1."""
    issued_at = int(signer.now.timestamp())
    claims = {
        "iss": issuer(),
        "sub": str(account_id),
        "aud": audience,
        "exp": issued_at + core_settings().access_token_seconds,
        "iat": issued_at,
        "jti": str(token_id),
        "client_id": str(grant.client_id),
        "scope": " ".join(scopes),
        **({"cnf": {"jkt": key}} if key else {}),
        **claims_of_login(authenticated_at=grant.authenticated_at, amr=grant.amr),
    }
    return signer.sign(claims, type_=jwt.ACCESS_TOKEN_TYPE)


def find_access_token(raw: str, *, now: datetime) -> AccessToken | None:
    """Return the access token when it is valid, its session is live and its client is active. One query.

    A token of /v1 and an ID token are not valid: they have another audience or type, and no grant.
    """
    claims = jwt.find_claims(raw, type_=jwt.ACCESS_TOKEN_TYPE, now=now) or {}
    match claims:
        case {
            "iss": stated,
            "aud": str(audience),
            "exp": int(expires_at),
            "client_id": str(client_id),
            "jti": str(token_id),
        }:
            pass
        case _:
            return None
    key = parse_id(token_id)
    if stated != issuer() or now.timestamp() >= expires_at or key is None:
        return None
    rows = Grant.objects.live(now).filter(family__tokens=key, client=parse_id(client_id))
    grant = rows.select_related("client", "family__account__user").first()
    if grant is None or not is_permitted(audience, granted=grant.resources, registered=grant.client.resources):
        return None
    if str(grant.family.account_id) != claims.get("sub") or not is_admitted(grant.family.account):
        return None
    return AccessToken(claims=dict(claims), grant=grant)
