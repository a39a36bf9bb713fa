"""Settings of mail: the transport, the sender, the look, the pages of links, and the kinds of security mails."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from core.conf import SECONDS, TEXT, URL, WORDS, Kind, Malformed, one_of, section, setting

from .transports import parse_mail_url, parse_sender


def _read_mail_url(value: Any) -> str:
    text: str = TEXT.read(value)
    if text != "off":
        parse_mail_url(text)
    return text


def _read_sender(value: Any) -> str:
    text: str = TEXT.read(value)
    parse_sender(text)
    return text


NAME_MAX = 60

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def _read_name(value: Any) -> str:
    text: str = TEXT.read(value)
    if len(text) > NAME_MAX:
        raise ValueError
    return text.strip()


def _read_logo(value: Any) -> str:
    text: str = URL.read(value)
    # The URL goes into a header of the pages, where these characters separate values.
    if urlsplit(text).scheme != "https" or not text.isascii() or set(text) & set("\"'<>;,"):
        raise ValueError
    return text


def _read_colour(value: Any) -> str:
    if not _COLOUR.fullmatch(value):
        raise ValueError
    return str(value).lower()


class SecurityMail(StrEnum):
    """The kinds of mails that notify an account owner of an event. A mail with a link has no kind."""

    NEW_SIGN_IN = "new_sign_in"
    STOPPED_SIGN_IN = "stopped_sign_in"
    LOCK = "lock"
    TOKEN_REUSE = "token_reuse"  # noqa: S105 - a kind's name
    API_KEY = "api_key"
    FACTORS = "factors"
    ADDRESS = "address"
    PASSWORD = "password"  # noqa: S105 - a kind's name
    TAKEOVER = "takeover"
    DELETION = "deletion"


def _read_security_mails(value: Any) -> tuple[SecurityMail, ...]:
    return () if value == "off" else tuple(_read_security_mail(word) for word in WORDS.read(value))


def _read_security_mail(word: str) -> SecurityMail:
    try:
        return SecurityMail(word)
    except ValueError:
        raise Malformed(f"{word!r} is not a kind of mail") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """Settings of the mails that the service sends."""

    email_url: str = setting(
        "EMAIL_URL",
        "off",
        Kind("off, console://, file:///directory, smtp://user:pass@host:port or smtps://…", _read_mail_url),
        "How the service sends mails. `off` also turns magic links, e-mail changes, verifications, password resets and recoveries off.",
    )
    email_from: str = setting(
        "EMAIL_FROM",
        "",
        Kind("one e-mail address, with or without a display name before it", _read_sender),
        "Sender of mails. Unset: `no-reply@` and the host of BASE_URL.",
    )
    product_name: str = setting(
        "BRAND_NAME",
        "",
        Kind(f"text of at most {NAME_MAX} characters", _read_name),
        "Name of your product on the pages and in the mails. Unset: the host of BASE_URL.",
        earlier="MAIL_PRODUCT_NAME",
    )
    logo_url: str = setting(
        "BRAND_LOGO_URL",
        "",
        Kind("an https URL in ASCII without quotes, commas and semicolons", _read_logo),
        "Logo above the pages and the mails. Browsers and mail programs load it from this URL. Unset: the name of your "
        "product.",
        earlier="MAIL_LOGO_URL",
    )
    dark_logo_url: str = setting(
        "BRAND_LOGO_DARK_URL",
        "",
        Kind("an https URL in ASCII without quotes, commas and semicolons", _read_logo),
        "Logo of the pages in dark mode. It needs BRAND_LOGO_URL. Unset: the same logo in both modes.",
    )
    colour: str = setting(
        "BRAND_COLOUR",
        "",
        Kind("a colour such as #1d4ed8", _read_colour),
        "Colour of the buttons and links on the pages, and of the buttons in the mails. Texts in this colour and on it stay "
        "readable: they get the nearest tone, or black or white. Unset: blue.",
        earlier="MAIL_COLOUR",
    )
    terms_url: str = setting(
        "TERMS_URL", "", URL, "Your terms of use, which the foot of each page links. Unset: no link."
    )
    privacy_url: str = setting(
        "PRIVACY_URL", "", URL, "Your notice on privacy, which the foot of each page links. Unset: no link."
    )
    security_mails: tuple[SecurityMail, ...] = setting(
        "SECURITY_MAILS",
        tuple(SecurityMail),
        Kind("off, or a comma-separated list of these words: " + ", ".join(SecurityMail), _read_security_mails),
        "Kinds of mails by which the service notifies account owners of events. docs/mails.md describes each kind.",
    )
    magic_link_url: str = setting(
        "MAGIC_LINK_URL",
        "",
        URL,
        "Page of your application that completes a magic link. It gets `?token=…`. Unset: the service's own page.",
    )
    email_change_url: str = setting(
        "EMAIL_CHANGE_URL",
        "",
        URL,
        "Page of your application that confirms a new e-mail address. It gets `?token=…`. Unset: the service's own page.",
    )
    email_change_seconds: int = setting(
        "EMAIL_CHANGE_SECONDS", 3600, SECONDS, "Lifetime of an e-mail change token, in seconds."
    )
    email_undo_url: str = setting(
        "EMAIL_UNDO_URL",
        "",
        URL,
        "Page of your application that undoes a change of the e-mail address. It gets `?token=…`. Unset: the service's own "
        "page.",
    )
    email_verification: str = setting(
        "EMAIL_VERIFICATION",
        "on",
        one_of("off", "on", "required"),
        "Whether a sign-up mails a link that verifies the address. With `required`, an account can log in by password only "
        "after its address is verified, and `EMAIL_URL` must not be off.",
    )
    email_verify_url: str = setting(
        "EMAIL_VERIFY_URL",
        "",
        URL,
        "Page of your application that verifies an e-mail address. It gets `?token=…`. Unset: the service's own page.",
    )
    email_verify_seconds: int = setting(
        "EMAIL_VERIFY_SECONDS", 86400, SECONDS, "Lifetime of a token that verifies an e-mail address, in seconds."
    )
    password_reset_url: str = setting(
        "PASSWORD_RESET_URL",
        "",
        URL,
        "Page of your application that sets a new password. It gets `?token=…`. Without a token it asks for the address. "
        "Unset: the service's own page.",
    )
    password_reset_seconds: int = setting(
        "PASSWORD_RESET_SECONDS", 1800, SECONDS, "Lifetime of a link that resets a password, in seconds."
    )
    recovery_cancel_url: str = setting(
        "RECOVERY_CANCEL_URL",
        "",
        URL,
        "Page of your application that cancels the recovery of an account. It gets `?token=…`. Unset: the service's own page.",
    )
    stop_act_url: str = setting(
        "STOP_ACT_URL",
        "",
        URL,
        "Page of your application that stops an act of an operator on an account. It gets `?token=…`. Unset: the "
        "service's own page.",
    )
    recovery_complete_url: str = setting(
        "RECOVERY_COMPLETE_URL",
        "",
        URL,
        "Page of your application that completes the recovery of an account. It gets `?token=…`. Unset: the service's own "
        "page.",
    )
    invitation_url: str = setting(
        "INVITATION_URL",
        "",
        URL,
        "Page of your application that accepts an invitation. It gets `?token=…`. Unset: the service's own page.",
    )
    invitation_seconds: int = setting(
        "INVITATION_SECONDS", 604_800, SECONDS, "Lifetime of an invitation, in seconds. The default is seven days."
    )


settings = section(MailSettings)
