"""ID tokens (OpenID Connect Core, section 2)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Account
from core.conf import core_settings
from core.keys import jwt

from ..addresses import issuer
from ..claims import claims_about, claims_of_login
from ..models import Grant

ID_TOKEN_TYPE = "JWT"  # noqa: S105 - the type of a header


def id_token_signer(*, algorithm: str, now: datetime) -> jwt.Signer:
    """Return the signer of the tokens that only a client reads: ID tokens and logout tokens.

    `algorithm` is the `id_token_algorithm` of the client.

    A caller gets the signer before it writes. A missing or unreadable key then fails before the write.
    """
    return jwt.rs256_signer(now=now) if algorithm else jwt.current_signer(now=now)


def sign_id_token(*, signer: jwt.Signer, grant: Grant, account_id: Any, nonce: str) -> str:
    """Return the ID token for the client of the grant. `nonce` is that of the authorization request, or "".

    The claim `sid` is the family of the grant. So each sign-in of a client has one of its own. The account is read only
    for a client that asked for claims about the person by name.
    """
    names = grant.token_claims.split()
    account = Account.objects.select_related("user").filter(pk=account_id).first() if names else None
    issued_at = int(signer.now.timestamp())
    claims: dict[str, Any] = {
        **(claims_about(account, names=names) if account else {}),
        **claims_of_login(authenticated_at=grant.authenticated_at, amr=grant.amr),
        "iss": issuer(),
        "sub": str(account_id),
        "aud": str(grant.client_id),
        "sid": str(grant.pk),
        "exp": issued_at + core_settings().access_token_seconds,
        "iat": issued_at,
    }
    if nonce:
        claims["nonce"] = nonce
    return signer.sign(claims, type_=ID_TOKEN_TYPE)


def find_own_id_token(raw: str, *, now: datetime) -> Mapping[str, Any] | None:
    """Return the claims of an ID token that this service issued, or None. It may have expired."""
    claims = jwt.find_claims(raw, type_=ID_TOKEN_TYPE, now=now) or {}
    match claims:
        case {"iss": stated, "aud": str(), "sub": str()} if stated == issuer():
            return claims
    return None


def subject_of_hint(raw: str, *, client_id: str, now: datetime) -> str | None:
    """Return the `sub` of an ID token that this service issued to the client, or None. It may have expired."""
    claims = find_own_id_token(raw, now=now)
    return str(claims["sub"]) if claims and claims["aud"] == client_id else None
