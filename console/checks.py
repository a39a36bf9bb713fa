"""The system checks of the settings of operators' sign-in and of their acts."""

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from accounts.checks import find_missing_pages
from core.conf import core_settings
from mail.compose import is_mail_on
from mail.conf import settings as mail_settings

from .account_acts.conf import act_settings
from .conf import browser_settings


def check_second_factor(**_: Any) -> list[CheckMessage]:
    """Warn of a demand for second factors that no operator can meet."""
    if browser_settings().second_factor != "required" or core_settings().encryption_keys:
        return []
    sentence = (
        "OPERATOR_SECOND_FACTOR=required shuts every operator out of the console, because ENCRYPTION_KEY is unset."
    )
    return [CheckWarning(sentence, hint="Set ENCRYPTION_KEY to 32 random bytes in base64.", id="authsvc.W020")]


def check_acts(**_: Any) -> list[CheckMessage]:
    """Warn of acts that no operator can do, or of which no account owner hears."""
    if not act_settings().is_on:
        return []
    found: list[CheckMessage] = []
    if not core_settings().encryption_keys:
        sentence = (
            "OPERATOR_ACTS=on lets no operator act, because an act needs a second factor and ENCRYPTION_KEY is unset."
        )
        found.append(CheckWarning(sentence, hint="Set ENCRYPTION_KEY to 32 random bytes in base64.", id="authsvc.W032"))
    if not is_mail_on():
        sentence = (
            "OPERATOR_ACTS=on mails no account owner, because EMAIL_URL is off. So no owner can stop a planned act."
        )
        found.append(CheckWarning(sentence, hint="Set EMAIL_URL.", id="authsvc.W033"))
    return found


def check_act_pages(**_: Any) -> list[CheckMessage]:
    """Warn of links in mails about planned acts that would lead to no page."""
    pages = {"STOP_ACT_URL": (mail_settings().stop_act_url, "stop-act")}
    return find_missing_pages(pages) if act_settings().is_on else []
