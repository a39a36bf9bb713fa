"""The absolute addresses of the provider. They begin with BASE_URL, whatever host name a request has."""

from django.urls import reverse

from core.conf import core_settings


def issuer() -> str:
    """Return the issuer of all tokens."""
    return core_settings().issuer


def address_of(name: str) -> str:
    """Return the address of the named route of this app, such as `token`."""
    return core_settings().base_url + reverse(f"authsvc-oidc-{name}")


def userinfo_audience() -> str:
    """Return the claim `aud` of an access token that names no other resource: the address of userinfo."""
    return address_of("userinfo")
