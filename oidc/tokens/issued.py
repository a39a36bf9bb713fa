"""The answer of the token endpoint (RFC 6749, section 5.1)."""

from collections.abc import Sequence
from typing import Any

from core.conf import core_settings
from core.keys import jwt
from sessions_app.families.issuing import NewToken

from ..models import Grant
from ..scopes import OPENID
from .access_tokens import sign_access_token
from .id_tokens import sign_id_token

BEARER, DPOP = "Bearer", "DPoP"
REFRESH_PREFIX = "ort_"
"""The beginning of a client's refresh tokens. Those of /v1 have another, so neither route knows the tokens of the other."""


def answer_of(
    *,
    token: NewToken,
    id_signer: jwt.Signer,
    grant: Grant,
    account_id: Any,
    scopes: Sequence[str],
    audience: str,
    key: str,
    nonce: str = "",
) -> dict[str, Any]:
    """Return the answer with signed tokens. `audience` is that of the access token.

    `key` is the thumbprint of the key to which the access token is bound, or "".
    `token` is the current refresh token of the grant's family.
    """
    answer = {
        "access_token": sign_access_token(
            signer=token.signer,
            grant=grant,
            account_id=account_id,
            token_id=token.id,
            scopes=scopes,
            audience=audience,
            key=key,
        ),
        "token_type": DPOP if key else BEARER,
        "expires_in": core_settings().access_token_seconds,
        "refresh_token": token.refresh.raw,
        "scope": " ".join(scopes),
    }
    if OPENID in scopes:
        answer["id_token"] = sign_id_token(signer=id_signer, grant=grant, account_id=account_id, nonce=nonce)
    return answer
