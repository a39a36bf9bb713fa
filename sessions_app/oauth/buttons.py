"""The buttons of the configured providers on the service's own page."""

from collections.abc import Sequence

from django.urls import NoReverseMatch, reverse

from mail.sign_in_buttons import SignInButton

from .conf import settings
from .providers import configured_providers


class OauthButtons:
    """Source of one button for each configured provider."""

    def buttons(self, *, page_url: str) -> Sequence[SignInButton]:
        """Return the buttons, or none when OAUTH_REDIRECT_URIS lacks the page, or the site lacks the routes."""
        if page_url not in settings().redirect_uris:
            return []
        try:
            return [
                SignInButton(
                    label=provider.label,
                    start=reverse("authsvc-oauth-start", args=[provider.name]),
                    complete=reverse("authsvc-oauth-complete", args=[provider.name]),
                )
                for provider in configured_providers()
            ]
        except NoReverseMatch:
            return []
