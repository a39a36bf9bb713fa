"""The page on which the owner of an account stops a planned act. It needs no sign-in, only the token of the mail."""

from collections.abc import Mapping

from accounts.errors import VerificationTokenInvalid
from accounts.serializers import MailTokenInput
from accounts.state.mail_tokens import MAILED_TOKEN
from core.http.answers import Status
from core.http.call import Call
from core.http.mounting import find_path
from core.http.view import operation
from mail.pages import MailPage

from ..account_acts.planned import stop_by_link


class StopAct(MailPage):
    """The page that the link in the mail about a planned act opens. Its script sends the token back to the same path."""

    name = "stop-act"
    endpoint = "authsvc-page-stop-act"
    template = "authsvc_accounts/stop_act_page.html"

    def context(self) -> Mapping[str, object]:
        """Return the path of the page's files. A site can mount the console and the other pages at two prefixes."""
        beside = find_path("authsvc-page-magic-link") or ""
        return {"to_files": beside.removesuffix("magic-link")}

    @operation(input=MailTokenInput, output=Status, errors=(VerificationTokenInvalid,), limits=MAILED_TOKEN)
    def post(self, call: Call) -> Status:
        """Stop the act."""
        stop_by_link(token=call.body["token"], client=call.client, now=call.now)
        return Status(status="stopped")
