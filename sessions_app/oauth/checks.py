"""System checks of the settings of OAuth providers."""

from typing import Any

from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning

from .conf import settings
from .flows import page_return_url
from .providers import configured_providers, find_provider_of, providers


def check_apple(**_: Any) -> list[CheckMessage]:
    """Return an error when apple is configured, but the service cannot make its client secret."""
    found = next((provider for provider in configured_providers() if provider.facts.signs_secret), None)
    if found is None:
        return []
    messages: list[CheckMessage] = [
        Error(f"OAUTH_APPLE_{name} is unset, but OAUTH_APPLE_CLIENT_ID is set.", id="authsvc.E040")
        for name, value in (("TEAM_ID", found.team_id), ("KEY_ID", found.key_id))
        if not value
    ]
    # Only a service with this provider needs the library in each command of manage.py.
    from joserfc.errors import JoseError  # noqa: PLC0415 - see above

    from .people import apple_key  # noqa: PLC0415 - see above

    try:
        apple_key(found)
    except (JoseError, ValueError):
        messages.append(Error("OAUTH_APPLE_CLIENT_SECRET must be a private key on P-256 in PEM.", id="authsvc.E041"))
    return messages


def check_redirect_uris(**_: Any) -> list[CheckMessage]:
    """Return a warning when a provider is configured, but neither an application nor a page can use it."""
    found = configured_providers()
    if not found or settings().redirect_uris or page_return_url(provider=found[0].name):
        return []
    hint = "Set it to the address of your application to which providers return users."
    return [
        CheckWarning("OAUTH_REDIRECT_URIS is unset, so no provider can sign users in.", hint=hint, id="authsvc.W040")
    ]


def check_shared_redirect_uris(**_: Any) -> list[CheckMessage]:
    """Return an error for each redirect URI that several providers would share."""
    hint = (
        "A hostile provider could pass on the answer of another provider. With several providers, end the path of each "
        "URI with the name of its provider, such as https://app.example.com/signed-in/google."
    )
    return [
        Error(f"OAUTH_REDIRECT_URIS contains {uri}, which does not name one provider.", hint=hint, id="authsvc.E042")
        for uri in settings().redirect_uris
        if configured_providers() and find_provider_of(uri) is None
    ]


def check_trusted_issuers(**_: Any) -> list[CheckMessage]:
    """Return a warning for each member of OAUTH_TRUSTED_EMAIL that is the issuer of no provider, such as a misspelt one."""
    issuers = {provider.issuer for provider in providers()}
    return [
        CheckWarning(f"OAUTH_TRUSTED_EMAIL contains {issuer}, which is the issuer of no provider.", id="authsvc.W041")
        for issuer in settings().trusted_email
        if issuer not in issuers
    ]


CHECKS = (check_apple, check_redirect_uris, check_shared_redirect_uris, check_trusted_issuers)
