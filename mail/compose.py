"""The mails of the service: their templates, their rendering, and the function that queues them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.timesince import timeuntil

from core.conf import core_settings
from core.db.ids import new_id
from core.db.transactions import transaction_required
from core.http.client import Client
from core.http.mounting import find_path
from core.registry import Registry

from . import queue
from .branding import current_brand
from .conf import SecurityMail, settings
from .languages import find_language, format_moment
from .limits import may_notify
from .transports import Letter

NOTICE_LIFETIME = timedelta(days=3)
"""The time for which the worker tries to send a mail that has no expiry of its own."""

VALUE_MAX = 200

# Mail programs turn these patterns into links. An attacker who chooses a nickname, an address or a user agent must not
# get a link into our mails. The patterns also match the characters that browsers treat as `@` and `.`.
_AT = "[@\ufe6b\uff20]"
_DOT = "[.\u2024\u3002\ufe52\uff0e\uff61]"
_LINK_PARTS = re.compile(rf"://+|{_AT}|{_DOT}(?=[^\W\d_])")
_MACHINE_ADDRESS = re.compile(rf"\d+(?:{_DOT}\d+){{3,}}")


class MailTemplate(StrEnum):
    """All mails. Each value is the name of a file in `templates/authsvc_accounts/mails/`, without `.txt`."""

    MAGIC_LINK = "magic_link"
    EMAIL_CHANGE = "email_change"
    EMAIL_VERIFY = "email_verify"
    EMAIL_CHANGE_NOTICE = "email_change_notice"
    EMAIL_CHANGED_NOTICE = "email_changed_notice"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a mail's name
    PASSWORD_RESET = "password_reset"  # noqa: S105 - a mail's name
    PASSWORD_RESET_NOTICE = "password_reset_notice"  # noqa: S105 - a mail's name
    FIRST_PROOF = "first_proof"
    ACCOUNT_TAKEN_OVER = "account_taken_over"
    ACCOUNT_DELETED = "account_deleted"
    ACCOUNT_LOCKED = "account_locked"
    ACCOUNT_LOCKED_REPEATEDLY = "account_locked_repeatedly"
    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    RECOVERY_CODE_USED = "recovery_code_used"
    RECOVERY_CODES_GENERATED = "recovery_codes_generated"
    NEW_SIGN_IN = "new_sign_in"
    SIGN_IN_STOPPED = "sign_in_stopped"
    TOKEN_REUSED = "token_reused"  # noqa: S105 - a mail's name
    API_KEY_CREATED = "api_key_created"
    IDENTITY_LINKED = "identity_linked"
    IDENTITY_UNLINKED = "identity_unlinked"
    RECOVERY_CANCEL = "recovery_cancel"
    RECOVERY_COMPLETE = "recovery_complete"
    RECOVERY_COMPLETED_NOTICE = "recovery_completed_notice"
    INVITATION = "invitation"
    RESET_DEMANDED = "reset_demanded"
    OPERATOR_ACT = "operator_act"
    OPERATOR_ACT_PLANNED = "operator_act_planned"
    OPERATOR_ALERT = "operator_alert"


NEEDED_VALUES: Mapping[MailTemplate, tuple[str, ...]] = {
    MailTemplate.MAGIC_LINK: ("token", "code"),
    MailTemplate.EMAIL_CHANGE: ("token", "email", "new_email"),
    MailTemplate.EMAIL_VERIFY: ("token",),
    MailTemplate.PASSWORD_RESET: ("token",),
    MailTemplate.EMAIL_CHANGE_NOTICE: ("new_email",),
    MailTemplate.EMAIL_CHANGED_NOTICE: ("new_email", "token"),
    MailTemplate.FIRST_PROOF: ("holdings",),
    MailTemplate.ACCOUNT_TAKEN_OVER: ("holdings",),
    MailTemplate.ACCOUNT_LOCKED: ("locked_until",),
    MailTemplate.ACCOUNT_LOCKED_REPEATEDLY: ("locked_until", "locks"),
    MailTemplate.FACTOR_ADDED: ("factor",),
    MailTemplate.FACTOR_REMOVED: ("factor",),
    MailTemplate.RECOVERY_CODE_USED: ("remaining",),
    MailTemplate.API_KEY_CREATED: ("key",),
    MailTemplate.IDENTITY_LINKED: ("provider",),
    MailTemplate.IDENTITY_UNLINKED: ("provider",),
    MailTemplate.RECOVERY_CANCEL: ("token", "requested_at", "ready_at"),
    MailTemplate.RECOVERY_COMPLETE: ("token", "requested_at"),
    MailTemplate.INVITATION: ("token",),
    MailTemplate.RESET_DEMANDED: ("token",),
    MailTemplate.OPERATOR_ACT: ("act",),
    MailTemplate.OPERATOR_ACT_PLANNED: ("token", "act", "ready_at"),
    MailTemplate.OPERATOR_ALERT: ("kind", "holdings"),
}
"""The required values of each mail.

`holdings` is a sequence of lines. `kind` is a word that selects the text. `token` is "" for a notice that has no link this time. `locked_until`, `requested_at` and `ready_at` are times. All other values are one
line of text. A lazy text appears in the language of the mail.
"""

MailValue: TypeAlias = str | Promise | datetime | Sequence[str]


KINDS: Mapping[MailTemplate, SecurityMail] = {
    MailTemplate.NEW_SIGN_IN: SecurityMail.NEW_SIGN_IN,
    MailTemplate.SIGN_IN_STOPPED: SecurityMail.STOPPED_SIGN_IN,
    MailTemplate.ACCOUNT_LOCKED: SecurityMail.LOCK,
    MailTemplate.ACCOUNT_LOCKED_REPEATEDLY: SecurityMail.LOCK,
    MailTemplate.TOKEN_REUSED: SecurityMail.TOKEN_REUSE,
    MailTemplate.API_KEY_CREATED: SecurityMail.API_KEY,
    MailTemplate.FACTOR_ADDED: SecurityMail.FACTORS,
    MailTemplate.FACTOR_REMOVED: SecurityMail.FACTORS,
    MailTemplate.RECOVERY_COMPLETED_NOTICE: SecurityMail.FACTORS,
    MailTemplate.IDENTITY_LINKED: SecurityMail.FACTORS,
    MailTemplate.IDENTITY_UNLINKED: SecurityMail.FACTORS,
    MailTemplate.RECOVERY_CODE_USED: SecurityMail.FACTORS,
    MailTemplate.RECOVERY_CODES_GENERATED: SecurityMail.FACTORS,
    MailTemplate.EMAIL_CHANGE_NOTICE: SecurityMail.ADDRESS,
    MailTemplate.EMAIL_CHANGED_NOTICE: SecurityMail.ADDRESS,
    MailTemplate.FIRST_PROOF: SecurityMail.ADDRESS,
    MailTemplate.PASSWORD_CHANGED: SecurityMail.PASSWORD,
    MailTemplate.PASSWORD_RESET_NOTICE: SecurityMail.PASSWORD,
    MailTemplate.ACCOUNT_TAKEN_OVER: SecurityMail.TAKEOVER,
    MailTemplate.ACCOUNT_DELETED: SecurityMail.DELETION,
}
"""The kind of each mail that SECURITY_MAILS can turn off. A user or an operator requested every other mail."""


_PAGES: Mapping[MailTemplate, tuple[str, str]] = {
    MailTemplate.MAGIC_LINK: ("magic_link_url", "magic-link"),
    MailTemplate.EMAIL_CHANGE: ("email_change_url", "email-change"),
    MailTemplate.EMAIL_CHANGED_NOTICE: ("email_undo_url", "email-undo"),
    MailTemplate.EMAIL_VERIFY: ("email_verify_url", "verify-email"),
    MailTemplate.PASSWORD_RESET: ("password_reset_url", "password-reset"),
    MailTemplate.RECOVERY_CANCEL: ("recovery_cancel_url", "recovery-cancel"),
    MailTemplate.RECOVERY_COMPLETE: ("recovery_complete_url", "recovery-complete"),
    MailTemplate.INVITATION: ("invitation_url", "invitation"),
    MailTemplate.RESET_DEMANDED: ("password_reset_url", "password-reset"),
    MailTemplate.OPERATOR_ACT_PLANNED: ("stop_act_url", "stop-act"),
}
"""The pages of each mail with a link: the field of MailSettings, and the name of the service's own page."""

ClientDescriber: TypeAlias = Callable[[Client], Mapping[str, str]]

client_describers: Registry[ClientDescriber] = Registry()
"""Functions that describe a client. They return `device` and `place`, each as one line; "" means unknown."""


def is_mail_on() -> bool:
    """Return whether the deployment sends mails."""
    return settings().email_url != "off"


def is_sent(*, template: MailTemplate) -> bool:
    """Return whether the deployment sends this mail: mail is on, and SECURITY_MAILS does not leave the mail out."""
    return is_mail_on() and (template not in KINDS or KINDS[template] in settings().security_mails)


@transaction_required
def enqueue(
    *,
    template: MailTemplate,
    to: str,
    account_id: Any | None,
    values: Mapping[str, MailValue],
    client: Client,
    now: datetime,
    expires_at: datetime | None = None,
    language: str | None = None,
) -> None:
    """Queue the mail. A worker sends it soon after the transaction commits.

    Does nothing for a mail that the deployment does not send, and beyond the daily limit of a recipient (`may_notify`).
    `values` contains the values that NEEDED_VALUES lists for the template. A missing value raises KeyError. The values may come
    from an attacker; the rendering breaks links in them. `client` made the request that caused the mail. The worker tries to
    send the mail until `expires_at`, the expiry of its token. Without `expires_at` the worker tries for
    NOTICE_LIFETIME. Deleting the account also deletes its queued mails. A mail with `account_id` None stays. Without
    `language`, the mail is in the language that `find_language` returns.

    Needs a transaction. Raises RuntimeError outside a transaction.
    """
    if not is_sent(template=template):
        return
    if (
        to != queue.NO_RECIPIENT
        and template in KINDS
        and not may_notify(account_id=account_id, kind=KINDS[template], now=now)
    ):
        return
    language = language or find_language(account_id=account_id, client=client)
    letter = render(
        template=template, to=to, values=values, client=client, now=now, expires_at=expires_at, language=language
    )
    queue.put(letter=letter, template=template, account_id=account_id, expires_at=expires_at or now + NOTICE_LIFETIME)


def render(
    *,
    template: MailTemplate,
    to: str,
    values: Mapping[str, MailValue],
    client: Client,
    now: datetime,
    expires_at: datetime | None,
    language: str,
) -> Letter:
    """Return the mail in the language. Text without a translation stays in English."""
    token = str(values.get("token", ""))
    brand = current_brand()
    link = _link(template, token=token)
    with translation.override(language):
        context = {
            **_facts(client),
            **{name: _quoted(name, values[name]) for name in NEEDED_VALUES.get(template, ())},
            "link": link,
            "lifetime": timeuntil(expires_at, now).replace("\xa0", " ") if expires_at else "",
            "until": format_moment(expires_at) if expires_at else "",
            "when": format_moment(now),
            "base_url": core_settings().base_url,
            "site": brand.name,
        }
        subject, *paragraphs = _paragraphs(render_to_string(f"authsvc_accounts/mails/{template}.txt", context))
        blocks = [_Block.of(paragraph, link=link) for paragraph in paragraphs]
        html = render_to_string(
            "authsvc_accounts/mails/layout.html",
            {"subject": subject, "blocks": blocks, "link": link, "language": language, "brand": brand},
        )
    text = "\n\n".join(paragraphs) + "\n"
    code = str(values.get("code", ""))
    return Letter(id=new_id(), written_at=now, to=to, subject=subject, text=text, html=html, token=token, code=code)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A paragraph of the HTML version: text, or a button with the mail's link."""

    text: str
    is_button: bool

    @classmethod
    def of(cls, paragraph: str, *, link: str) -> "_Block":
        is_button = bool(link) and paragraph.endswith(link)
        return cls(
            text=paragraph.removesuffix(link).rstrip(":\N{FULLWIDTH COLON}\N{NO-BREAK SPACE}\n")
            if is_button
            else paragraph,
            is_button=is_button,
        )


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def _facts(client: Client) -> dict[str, str]:
    facts = {"ip": client.ip}
    for describe in client_describers:
        facts |= {name: without_links(line) for name, line in describe(client).items()}
    return facts


def _quoted(name: str, value: MailValue) -> str | list[str]:
    match value:
        case datetime():
            return format_moment(value)
        case str() | Promise():
            return _spelled_out(str(value)) if name in {"email", "new_email"} else without_links(str(value))
    # IP addresses stay, because the service itself wrote them. `without_links` removes their dots.
    return [_LINK_PARTS.sub(" ", _one_line(line))[:VALUE_MAX] for line in value]


def without_links(value: str) -> str:
    """Return the value as one line of at most VALUE_MAX characters that mail programs do not turn into a link.

    Apply this function to a name that a client chose. A line then shows the name beside facts from the service.
    """
    line = _MACHINE_ADDRESS.sub(lambda found: re.sub(_DOT, " ", found[0]), _one_line(value))
    return " ".join(_LINK_PARTS.sub(" ", line).split())[:VALUE_MAX]


def _spelled_out(address: str) -> str:
    """Return the address as one line such as `alice (at) example (dot) com`.

    The part before the @ can look like the address of a web page. Mail programs would turn it into a link.
    """
    return re.sub(_DOT, " (dot) ", re.sub(_AT, " (at) ", _one_line(address)))


def _one_line(value: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in value).split())


def _link(template: MailTemplate, *, token: str) -> str:
    """Return the URL of the page that takes the token, or "" for a mail without a link or without a token.

    The URL comes from the settings and never from a request, because an attacker can send any Host header.
    """
    if template not in _PAGES or not token:
        return ""
    setting, own_page = _PAGES[template]
    return _with_token(getattr(settings(), setting), token=token, own_page=own_page)


def _with_token(url: str, *, token: str, own_page: str) -> str:
    if not url:
        # The token is in the fragment. Browsers do not send the fragment, so no server logs the token.
        path = find_path(f"authsvc-page-{own_page}") or f"/mail/{own_page}"
        return f"{core_settings().base_url}{path}#token={token}"
    parts = urlsplit(url)
    return parts._replace(query=f"{parts.query}&token={token}".lstrip("&")).geturl()
