"""The language that the owner of an account chooses, in which the service writes the mails."""

from datetime import datetime

from core.db.transactions import write
from core.keys.jwt import Caller
from mail.languages import LOCALE_KEY

from ..state.lookup import hold_signed_in_account
from ..state.metadata import set_claim


@write
def choose_language(*, caller: Caller, language: str, now: datetime) -> None:
    """Store the language in the account's metadata, where `find_language` of the mails reads it.

    Raises InvalidAccessToken when the session has ended. Raises BadRequest when the metadata have no room left. Opens
    its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    set_claim(user_id=str(account.pk), key=LOCALE_KEY, value=language, now=now)
