"""Settings of the second factors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.conf import (
    ORIGINS,
    SECONDS,
    TEXT,
    WORDS,
    Kind,
    core_settings,
    one_of,
    read_origin,
    section,
    setting,
    whole,
)
from mail.compose import is_mail_on

ISSUER_MAX = 60
DOMAIN_MAX = 253
WAIT_HOURS_MAX = 720
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")
_ANDROID = re.compile(r"android:apk-key-hash:[A-Za-z0-9_-]{43}")


def _read_issuer(value: Any) -> str:
    text: str = TEXT.read(value).strip()
    if ":" in text or len(text) > ISSUER_MAX:
        raise ValueError
    return text


def _read_domain(value: Any) -> str:
    text: str = TEXT.read(value)
    if not _DOMAIN.fullmatch(text) or len(text) > DOMAIN_MAX:
        raise ValueError
    return text


def _read_origins(value: Any) -> tuple[str, ...]:
    return tuple(word if _ANDROID.fullmatch(word) else read_origin(word) for word in WORDS.read(value))


def _read_wait(value: Any) -> int | None:
    return None if value == "off" else whole(1, WAIT_HOURS_MAX).read(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class MfaSettings:
    """Settings of the mfa app."""

    totp_issuer: str = setting(
        "TOTP_ISSUER",
        "",
        Kind(f"text of at most {ISSUER_MAX} characters without a colon", _read_issuer),
        "Name of the service in authenticator apps. Unset: the host of BASE_URL.",
    )
    webauthn_rp_id: str = setting(
        "WEBAUTHN_RP_ID",
        "",
        Kind("a domain such as example.com, in lower case, without a scheme or port", _read_domain),
        "Domain to which passkeys are bound. Existing passkeys stop working when it changes. Unset: the host of BASE_URL, "
        "which must then be a name and not an IP address.",
    )
    webauthn_rp_name: str = setting(
        "WEBAUTHN_RP_NAME", "", TEXT, "Name that browsers show beside a passkey. Unset: the domain."
    )
    webauthn_origins: tuple[str, ...] = setting(
        "WEBAUTHN_ORIGINS",
        (),
        Kind("a comma-separated list of origins, scheme://host[:port] or android:apk-key-hash:…", _read_origins),
        "Web pages and Android apps in which passkeys can be used. A page must be on the domain or one of its subdomains. "
        "Unset: BASE_URL.",
    )
    webauthn_related_origins: tuple[str, ...] = setting(
        "WEBAUTHN_RELATED_ORIGINS",
        (),
        ORIGINS,
        "Web pages on other domains in which passkeys can be used too. Browsers read this list from "
        "`/.well-known/webauthn` on WEBAUTHN_RP_ID. Browsers accept at least five different names; the name of "
        "example.org is `example`. Unset: that path answers 404.",
    )
    passkey_user_verification: str = setting(
        "PASSKEY_USER_VERIFICATION",
        "preferred",
        one_of("preferred", "required"),
        "Whether a passkey that completes a login must verify its user by PIN or biometrics. `preferred` also accepts a "
        "touch. With `required`, an authenticator that cannot verify its user no longer works as a second factor.",
    )
    ceremony_seconds: int = setting(
        "CEREMONY_SECONDS", 300, SECONDS, "Time in which a user must finish the use of a passkey, in seconds."
    )

    recovery_wait_hours: int | None = setting(
        "RECOVERY_WAIT_HOURS",
        None,
        Kind("off, or a whole number of hours of at least 1 and at most 720", _read_wait),
        "Hours after which a user who lost all second factors can have them removed by a mailed link. With this setting, "
        "the mailbox alone opens an account after the wait. `off`: no such recovery.",
        default_text="`off`",
    )

    @property
    def issuer(self) -> str:
        """The name under which an authenticator app lists the account."""
        return self.totp_issuer or _host()

    @property
    def rp_id(self) -> str:
        """The domain to which passkeys are bound."""
        return self.webauthn_rp_id or _host()

    @property
    def rp_name(self) -> str:
        """The name that browsers show beside a passkey."""
        return self.webauthn_rp_name or self.rp_id

    @property
    def must_verify_user(self) -> bool:
        """Whether a passkey must verify its user when it completes a login."""
        return self.passkey_user_verification == "required"

    @property
    def own_origins(self) -> tuple[str, ...]:
        """The origins on the domain at which passkeys may be used."""
        return self.webauthn_origins or (core_settings().base_url,)

    @property
    def origins(self) -> tuple[str, ...]:
        """All origins at which passkeys may be used."""
        return (*self.own_origins, *self.webauthn_related_origins)


def keys() -> Sequence[bytes]:
    """Return the keys that seal the data of second factors. Empty when ENCRYPTION_KEY is unset."""
    return core_settings().encryption_keys


def _host() -> str:
    return urlsplit(core_settings().base_url).hostname or ""


settings = section(MfaSettings)


def is_recovery_on() -> bool:
    """Return whether accounts that lost their second factors can be recovered on this deployment."""
    return settings().recovery_wait_hours is not None and is_mail_on()
