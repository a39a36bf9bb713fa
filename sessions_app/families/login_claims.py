"""The claims of an access token about the login of its session: `auth_time` and `amr` (ACCESS_TOKEN_CLAIMS)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..conf import settings


def add_login_claims(claims: Mapping[str, Any], *, started_at: datetime, amr: str) -> Mapping[str, Any]:
    """Return the claims with those claims about the login that ACCESS_TOKEN_CLAIMS names.

    `started_at` is the time of the login, and `amr` its methods, separated by blanks. A claim of the account never
    replaces a claim about the login. When the methods are unknown, the token has neither claim.
    """
    chosen = settings().access_token_claims
    if not chosen:
        return claims
    of_login = {"auth_time": int(started_at.timestamp()), "amr": amr.split()} if amr else {}
    others = {name: value for name, value in claims.items() if name not in chosen}
    return {**others, **{name: of_login[name] for name in chosen if name in of_login}}
