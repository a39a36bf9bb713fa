"""The mailed link that signs a person in.

The browser that asked for the link is signed in at once. In each other browser the person first reads for which account,
and which device asked. So a link that a person opens on a wrong device, or for an attacker, signs no one in by itself.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.http import HttpResponse
from django.utils.translation import gettext_lazy

from accounts.acts.link_requests import LinkKind
from accounts.host import users
from accounts.models import MailToken
from accounts.state.mail_tokens import MAILED_TOKEN, Purpose, account_of
from core.http.call import Call
from core.http.client import Client
from core.http.view import operation
from events.models import Event
from mail.compose import is_mail_on
from sessions_app.errors import MagicLinkNotConfigured
from sessions_app.inventory import describe_client
from sessions_app.logins.magic_links import KIND, complete_magic_link

from ..entrance.entering import EntrancePage
from ..frame import asked_links, navigation
from .forms import LinkForm
from .mailed import ActOfLink, MailedLinkPage


class SignInLink(MailedLinkPage, EntrancePage):
    """The page of the link that signs a person in."""

    title = gettext_lazy("Sign in")
    purpose = Purpose.MAGIC_LINK
    question = "authsvc_pages/joining/sign_in_by_link.html"
    act = "authsvc-sign-in-by-link"

    def check_feature(self) -> None:
        """Raise MagicLinkNotConfigured while mail is off."""
        if not is_mail_on():
            raise MagicLinkNotConfigured

    def describe(self, token: str, call: Call) -> Mapping[str, object]:
        """Return the account, and the device that asked for the link."""
        found = self.find(token, call)
        account = account_of(found)
        return {
            "email": users.email_of(account.user),
            "asked_at": found.created_at,
            "is_new": call.now - found.created_at < timedelta(minutes=1),
            **_device_of(found, KIND),
        }

    def answer_open(self, call: Call) -> HttpResponse:
        """Sign in the browser that asked for the link. In another browser, show the question."""
        found = self.find(call.body["token"], call)
        if asked_links.is_remembered(self.request, email=found.address):
            return self.sign_in(call, following=asked_links.following_of(self.request))
        return super().answer_open(call)

    def sign_in(self, call: Call, *, following: str) -> HttpResponse:
        """Sign in with the link, or ask for the second factor."""
        answer = complete_magic_link(token=call.body["token"], client=call.client, now=call.now)
        response = self.finish_login(answer, call, following=following)
        asked_links.forget(response)
        return response


class SignInByLink(ActOfLink, SignInLink):
    """The sign-in on the device that the person chose by a click."""

    page = "authsvc-page-magic-link"
    template = SignInLink.question

    @operation(input=LinkForm, output=HttpResponse, limits=MAILED_TOKEN)
    def post(self, call: Call) -> HttpResponse:
        """Sign in."""
        return self.sign_in(call, following=navigation.home())


def _device_of(found: MailToken, kind: LinkKind) -> Mapping[str, str]:
    """Return the device and the place that asked for the link. Each is "" when it is unknown."""
    requests = Event.objects.filter(type=kind.event, user_id=str(found.account_id), created_at=found.created_at)
    asked = requests.first()
    if asked is None:
        return {"device": "", "place": "", "ip": ""}
    return {"ip": asked.ip, **describe_client(Client(ip=asked.ip, user_agent=asked.user_agent))}
