"""The room of the passkeys."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework import serializers

from accounts.host import users
from accounts.proofs.limits import by_own_mailbox, signed_in_account
from core.errors import BadRequest
from core.http.answers import dump
from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation
from mail.limits import MailKind
from mfa.models import NICKNAME_MAX, PASSKEYS_MAX
from mfa.passkeys import factor as passkey_factor
from mfa.passkeys.ceremonies import CeremonyOptions
from mfa.passkeys.errors import InvalidCeremonyToken, InvalidPasskeyResponse, PasskeysNotConfigured
from mfa.passkeys.naming import NamedPasskey, get_named, list_named, rename
from mfa.passkeys.serializers import PasskeyForm

from ...frame.ceremony import Ceremony
from ...frame.forms import NextForm, PageQuery
from .factors import FactorPage, RemovalPage, check_keys

LIST = "authsvc-account-passkeys"


class NicknameForm(serializers.Serializer[None]):
    """The name of a passkey. A blank name becomes `Passkey`."""

    nickname = Text(max_length=NICKNAME_MAX, default="")


class NewPasskeyForm(NextForm, PasskeyForm, NicknameForm):
    """The response of a new passkey, and its name."""


class PasskeyPage(FactorPage):
    """A page of passkeys."""

    marked = "authsvc-account-passkeys"

    def check_feature(self) -> None:
        """Raise PasskeysNotConfigured when the deployment cannot store passkeys."""
        check_keys(PasskeysNotConfigured)


class Passkeys(PasskeyPage):
    """The list of the passkeys."""

    template = "authsvc_pages/account/passkeys.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the passkeys. The page's script tells the passkey manager which ones still work."""
        passkeys = list_named(signed_in_account(call))
        accepted = passkey_factor.list_accepted(user_id=call.user_id)
        return {
            **super().context(call),
            "passkeys": passkeys,
            "accepted": dump(accepted).decode(),
            "has_room": len(passkeys) < PASSKEYS_MAX,
            "most": PASSKEYS_MAX,
            "new_url": self.at("authsvc-account-passkey-new", call),
        }

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))


class NewPasskey(PasskeyPage):
    """The registration of a passkey."""

    template = "authsvc_pages/account/passkey_new.html"
    kept_fields = ("nickname",)

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page. In a session that is not fresh, the passkey could not sign in alone."""
        self.require_fresh(call)
        return self.render(self.context(call))

    @operation(input=NewPasskeyForm, output=HttpResponse, limits=(by_own_mailbox(MailKind.NOTICE),))
    def post(self, call: Call) -> HttpResponse:
        """Register the passkey."""
        from mfa.passkeys import registration  # noqa: PLC0415 - the library takes 5 MB, and few deployments use passkeys

        self.require_fresh(call)
        had_factor = self.has_factor()
        try:
            registration.finish_registration(
                caller=call.signed_in,
                ceremony_token=call.body["ceremony_token"],
                credential=call.body["credential"],
                nickname=call.body["nickname"],
                client=call.client,
                now=call.now,
            )
        except (InvalidCeremonyToken, InvalidPasskeyResponse, BadRequest) as error:
            return self.refuse(call, error)
        return self.finish(call, had_factor=had_factor, notice=gettext("The passkey is added. We mail you a notice."))


class BeginPasskey(Ceremony, PasskeyPage):
    """Begins the registration of a passkey."""

    kept_fields = ("nickname",)

    @operation(output=CeremonyOptions)
    def post(self, call: Call) -> CeremonyOptions:
        """Return the options for the browser."""
        from mfa.passkeys import registration  # noqa: PLC0415 - as above

        self.require_fresh(call)
        return registration.begin_registration(caller=call.signed_in, conditional=False, now=call.now)


class Passkey(PasskeyPage):
    """One passkey: its name and its removal."""

    template = "authsvc_pages/account/passkey.html"
    kept_fields = ("nickname",)

    def passkey(self, call: Call) -> NamedPasskey:
        """Return the passkey of the path. Raises NotFound when the account has none with this id."""
        return get_named(signed_in_account(call), credential_id=call.path["credential_id"])

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the passkey, and what its removal needs."""
        account, passkey = signed_in_account(call), self.passkey(call)
        others = [one for one in list_named(account) if one.credential_id != call.path["credential_id"]]
        removal = self.removal(call, factor=passkey_factor.FACTOR.name)
        return {
            **super().context(call),
            **removal,
            "passkey": passkey,
            "nickname": self.form.values.get("nickname", passkey.nickname),
            "is_last": removal["is_last"] and not others,
            "is_last_way_in": not users.has_password(account.user) and not any(one.signs_in_alone for one in others),
            "back": reverse(LIST),
        }

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @operation(input=NicknameForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Give the passkey another name."""
        rename(
            caller=call.signed_in,
            credential_id=call.path["credential_id"],
            nickname=call.body["nickname"],
            now=call.now,
        )
        return self.redirect(reverse(LIST), notice=gettext("The name of the passkey is changed."))


class RemovePasskey(RemovalPage, Passkey):
    """The removal of a passkey."""

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return to the page of the passkey, such as after a confirmation of the login."""
        return self.redirect(reverse("authsvc-account-passkey", args=[call.path["credential_id"]]))

    def remove(self, call: Call) -> HttpResponse:
        """Remove the passkey."""
        passkey_factor.remove(
            account=signed_in_account(call),
            caller=call.signed_in,
            credential_id=call.path["credential_id"],
            password=call.body["password"],
            client=call.client,
            now=call.now,
        )
        return self.redirect(reverse(LIST), notice=gettext("The passkey is removed. We mail you a notice."))
