"""The room of the recovery codes."""

from collections.abc import Mapping
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.host import users
from accounts.proofs.limits import by_own_mailbox, signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from core.http.call import Call
from core.http.limits import by_caller, by_network
from core.http.view import operation
from core.ratelimit import Limit
from mail.limits import MailKind
from mfa.recovery import codes as recovery_codes
from mfa.recovery.errors import RecoveryCodesNotConfigured

from ...frame.forms import NextForm, PageQuery
from .factors import FactorPage, check_keys


class RecoveryCodes(FactorPage):
    """The number of unused codes, and new ones. Only the answer that makes new codes shows them."""

    template = "authsvc_pages/account/recovery_codes.html"

    def check_feature(self) -> None:
        """Raise RecoveryCodesNotConfigured when the deployment cannot store the codes."""
        check_keys(RecoveryCodesNotConfigured)

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the number of unused codes."""
        return {**super().context(call), "left": recovery_codes.count_unused(account_id=self.live.account_id)}

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @needs_recent_login
    @operation(
        input=NextForm,
        output=HttpResponse,
        limits=(by_network(Limit.MAIL_IP), by_caller(Limit.MAIL_ACCOUNT), by_own_mailbox(MailKind.NOTICE)),
    )
    def post(self, call: Call) -> HttpResponse:
        """Make new codes and show them. The file is in the page itself, so no request contains the codes."""
        made = recovery_codes.generate(caller=call.signed_in, client=call.client, now=call.now)
        name = users.display_name_of(signed_in_account(call).user)
        title = gettext("Recovery codes of %(account)s") % {"account": name}
        text = "\r\n".join([title, f"{call.now:%Y-%m-%d}", "", *made.codes, ""])
        context = {
            **self.context(call),
            "codes": made.codes,
            "text": gettext(made.notice),
            "heading": title,
            "file": f"data:text/plain;charset=utf-8,{quote(text)}",
        }
        return self.render(context, template="authsvc_pages/account/new_recovery_codes.html")
