"""The base class of the pages of the sign-in, with the ways to sign in.

The page first asks for the address. Then it offers all ways of the deployment, for every address alike. So neither the
page nor its time tells whether an account has the address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse

from accounts.conf import settings as accounts_settings
from accounts.errors import EmailNotVerified
from core.errors import ServiceError
from core.http.call import Call
from core.http.mounting import find_path
from mail.compose import is_mail_on
from mfa.conf import keys
from sessions_app.oauth.providers import configured_providers

from ..frame import navigation
from . import unconfirmed
from .entering import EntrancePage

WAYS = "authsvc_pages/ways.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderButton:
    """A button that starts the sign-in by a provider."""

    label: str
    action: str


def provider_buttons() -> Sequence[ProviderButton]:
    """Return a button for each configured provider."""
    return [
        ProviderButton(label=provider.label, action=reverse("authsvc-sign-in-provider", args=[provider.name]))
        for provider in configured_providers()
    ]


class SignInPage(EntrancePage):
    """A page that asks for the address, or offers the ways to sign in with an address."""

    template = "authsvc_pages/sign_in.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, the address, and the ways to sign in. They are the same for every address."""
        following = self.following(call)
        return {
            "next": following,
            "again_url": navigation.with_next("authsvc-sign-in", page=following),
            "address": self.form.values.get("email", ""),
            "by_user_name": accounts_settings().logs_in_by_user_name,
            "has_passkeys": bool(keys()),
            "has_mail": is_mail_on(),
            "mail_url": navigation.with_next("authsvc-sign-in-mail", page=following),
            "providers": provider_buttons(),
            "forgot_url": find_path("authsvc-forgot") or "",
            "sign_up_url": find_path("authsvc-sign-up") or "",
        }

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the ways of the typed address, or the question for the address.

        After a sign-in with an unconfirmed address, return the page that says where the mailed link went.
        """
        typed = self.form.values.get("email", "")
        if isinstance(error, EmailNotVerified):
            context = unconfirmed.context_of(name=typed, following=self.following(call), is_again=True)
            return self.render(context, template=unconfirmed.TEMPLATE, status=error.status)
        template = WAYS if typed else SignInPage.template
        return self.refuse(error, SignInPage.context(self, call), template=template)
