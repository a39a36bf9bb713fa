"""Django's checks of the settings on which the OpenID provider depends."""

from typing import Any

from django.core.checks import CheckMessage, Error, Warning  # noqa: A004 - Django's name

from core.conf import core_settings
from core.http.mounting import find_path


def check_issuer(**_: Any) -> list[CheckMessage]:
    """Refuse an audience with which access tokens of clients would open /v1. Warn of an issuer that no client finds."""
    core = core_settings()
    found: list[CheckMessage] = []
    userinfo = find_path("authsvc-oidc-userinfo")
    if userinfo is not None and core.token_audience == core.base_url + userinfo:
        found.append(
            Error(
                "TOKEN_AUDIENCE must not be the address of userinfo, because access tokens of applications have this audience.",
                id="authsvc.E070",
            )
        )
    if core.token_issuer and core.token_issuer != core.base_url:
        found.append(
            Warning(
                "Applications that sign in by OpenID look for the provider at the issuer. TOKEN_ISSUER differs from "
                "BASE_URL, so they find none.",
                id="authsvc.W070",
            )
        )
    return found
