"""The buttons of the configured providers on the service's own page."""

from collections.abc import Sequence

from django.urls import NoReverseMatch, reverse

from mail.sign_in_buttons import SignInButton

from .conf import settings
from .providers import configured_providers, find_provider_of


class OauthButtons:
    """Source of one button for each configured provider."""

    def buttons(self, *, page_url: str) -> Sequence[SignInButton]:
        """Return a button for each provider whose return to the page is in OAUTH_REDIRECT_URIS.

        A provider returns to the page, or to a path below the page with the provider's name. Returns no button when the
        site lacks the routes.
        """
        listed = settings().redirect_uris
        try:
            return [
                SignInButton(
                    label=provider.label,
                    start=reverse("authsvc-oauth-start", args=[provider.name]),
                    complete=reverse("authsvc-oauth-complete", args=[provider.name]),
                    return_url=url,
                )
                for provider in configured_providers()
                for url in (page_url, f"{page_url}/{provider.name}")
                if url in listed and find_provider_of(url) == provider.name
            ]
        except NoReverseMatch:
            return []
