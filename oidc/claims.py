"""The claims about a person and a login (OpenID Connect Core, sections 2 and 5)."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from accounts.host import users
from accounts.models import Account
from sessions_app.models import DISTANT_PAST

from .scopes import CLAIMS, EMAIL, PROFILE, PROFILE_CLAIMS

ACR_ONE_FACTOR = "aal1"
ACR_TWO_FACTORS = "aal2"
ACRS = (ACR_ONE_FACTOR, ACR_TWO_FACTORS)
"""The values of the claim `acr`. The second one states that the login proved two factors."""


def names_of(scopes: Collection[str], *, named: str) -> frozenset[str]:
    """Return the names of the claims for these scopes, and of those that the client asked for by name."""
    by_scope = (name for scope in scopes for name in CLAIMS.get(scope, ()))
    return frozenset((*by_scope, *named.split()))


def scopes_of(names: Collection[str]) -> tuple[str, ...]:
    """Return the scopes whose claims are among the names. The page of the consent describes claims by their scope."""
    return tuple(scope for scope in (PROFILE, EMAIL) if not frozenset(CLAIMS[scope]).isdisjoint(names))


def claims_about(account: Account, *, names: Collection[str]) -> dict[str, Any]:
    """Return those of the named claims for which the account has a value. Its user is loaded.

    The metadata of the account contain what operators know of the person. Only texts under the standard names count.
    """
    if not names:
        return {}
    user = account.user
    full_name = getattr(user, "get_full_name", str)() if users.belong_to_host() else ""
    known: dict[str, Any] = {"name": full_name, "updated_at": int(account.updated_at.timestamp())}
    stated = {name: account.metadata.get(name) for name in PROFILE_CLAIMS}
    known.update({name: value for name, value in stated.items() if isinstance(value, str) and value})
    if address := users.email_of(user):
        known.update({"email": address, "email_verified": account.email_proven_at is not None})
    return {name: value for name, value in known.items() if name in names and value != ""}


def claims_of_login(*, authenticated_at: datetime, amr: str) -> dict[str, Any]:
    """Return `auth_time`, `amr` and `acr`. The time of a login is left out when it is unknown, and so are its methods."""
    methods = amr.split()
    claims: dict[str, Any] = {"acr": acr_of(amr)}
    if authenticated_at > DISTANT_PAST:
        claims["auth_time"] = int(authenticated_at.timestamp())
    if methods:
        claims["amr"] = methods
    return claims


def acr_of(amr: str) -> str:
    """Return the claim `acr` for the methods of a login."""
    return ACR_TWO_FACTORS if "mfa" in amr.split() else ACR_ONE_FACTOR
