"""The resources of clients (RFC 8707): services that take access tokens. A token is for exactly one of them.

A token for several services would let each of them call the others with it.
"""

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from core.conf import core_settings

from .addresses import userinfo_audience
from .errors import OauthError, RegistrationRefused

RESOURCES_MAX = 20
RESOURCE_MAX = 300

_CHARACTERS = re.compile(r"[!-~]+")


def check_resource(uri: str) -> None:
    """Raise RegistrationRefused when a client cannot ask for tokens for the resource."""
    if len(uri) > RESOURCE_MAX or not _CHARACTERS.fullmatch(uri) or not _is_absolute(uri):
        raise RegistrationRefused(
            f"{uri}: a resource is an absolute URI of at most {RESOURCE_MAX} ASCII characters, without a fragment."
        )
    if uri == core_settings().token_audience:
        raise RegistrationRefused(f"{uri} is TOKEN_AUDIENCE. A token for it would open the account.")


def _is_absolute(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path) and "#" not in uri and parts.username is None)


def granted_resources(asked: str, *, registered: Collection[str]) -> tuple[str, ...]:
    """Return the resources of an authorization request. `asked` contains URIs, separated by blanks.

    Raises OauthError when the client may not ask for one of them.
    """
    wanted = tuple(dict.fromkeys(asked.split()))
    known = {*registered, userinfo_audience()} - {core_settings().token_audience}
    if not known.issuperset(wanted):
        raise OauthError("invalid_target", "The client may not ask for this resource.")
    return wanted


def hosts_of(resources: Collection[str]) -> list[str]:
    """Return the hosts by which a person knows the resources. One without a host has its URI. Userinfo is left out."""
    return list(dict.fromkeys(urlsplit(uri).hostname or uri for uri in resources if uri != userinfo_audience()))


def is_permitted(audience: str, *, granted: Collection[str], registered: Collection[str]) -> bool:
    """Return whether a client may have access tokens with this audience: a granted resource that it still has, or userinfo."""
    return (audience in granted and audience in registered) or audience == userinfo_audience()


def audience_of(asked: str, *, granted: Collection[str], registered: Collection[str]) -> str:
    """Return the claim `aud` of an access token: the resource that the token request names, or else the granted one.

    `registered` are the resources that the client may have now. Without a resource, the token is for userinfo. A client
    can always ask for userinfo. Raises OauthError when the request names several resources, or another one than those of
    the grant, or leaves the choice between several open.
    """
    wanted = asked.split()
    if len(wanted) > 1:
        raise OauthError("invalid_target", "An access token is for one resource. Name one at a time.")
    if not wanted and len(granted) > 1:
        raise OauthError("invalid_target", "The grant is for several resources. Name one of them as resource.")
    [audience] = wanted or granted or [userinfo_audience()]
    is_own = is_permitted(audience, granted=granted, registered=registered)
    if not is_own or audience == core_settings().token_audience:
        raise OauthError("invalid_target", "The grant is for other resources. Ask the person again.")
    return audience
