"""Settings of webhooks and of log shipping."""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from core.conf import SWITCH, TEXT, URL, WORDS, Kind, Malformed, one_of, section, setting, whole

from .vocabulary import FACTOR_CHANGES, EventType

DELAY_MAX = 7 * 86_400
SECRET_MIN_BYTES, SECRET_MAX_BYTES = 24, 64
"""The bounds of a secret's length in the Standard Webhooks specification."""

DEFAULT_EVENTS = (
    EventType.SIGNUP_SUCCESS,
    EventType.ACCOUNT_DELETED,
    EventType.ACCOUNT_DEACTIVATED,
    EventType.ACCOUNT_REACTIVATED,
    EventType.ACCOUNT_TAKEN_OVER,
    EventType.PASSWORD_CHANGED,
    EventType.EMAIL_CHANGED,
    EventType.EMAIL_CHANGE_UNDONE,
    EventType.OAUTH_LINKED,
    *FACTOR_CHANGES,
    EventType.RECOVERY_CODES_GENERATED,
    EventType.RECOVERY_STARTED,
    EventType.RECOVERY_COMPLETED,
    EventType.API_KEY_CREATED,
    EventType.API_KEY_REVOKED,
    EventType.ACCOUNT_LOCKED,
    EventType.ACCOUNT_UNLOCKED,
    EventType.TOKEN_REUSE_DETECTED,
    EventType.SESSION_REVOKED,
    EventType.SESSION_ENDED,
    EventType.LOGIN_STOPPED_AT_FACTOR,
    EventType.ANOMALY_DETECTED,
    EventType.CREDENTIAL_STUFFING_DETECTED,
)

_HEADER = re.compile(r"[A-Za-z0-9-]+")
_OWN_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection", "content-type"})
"""Headers that the service sets itself, because they describe the request's target and body."""
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def _read_secrets(value: Any) -> tuple[bytes, ...]:
    words = TEXT.read(value).split()
    secrets = tuple(_read_secret(word) for word in words)
    if not secrets:
        raise ValueError
    return secrets


def _read_secret(word: str) -> bytes:
    body = word.removeprefix("whsec_")
    if body == word or not _BASE64.fullmatch(body):
        raise ValueError
    try:
        secret = base64.b64decode(body, validate=True)
    except binascii.Error:
        raise ValueError from None
    if not SECRET_MIN_BYTES <= len(secret) <= SECRET_MAX_BYTES:
        raise ValueError
    return secret


def _read_events(value: Any) -> tuple[EventType, ...]:
    return tuple(_read_event(word) for word in WORDS.read(value))


def _read_event(word: str) -> EventType:
    try:
        return EventType(word)
    except ValueError:
        raise Malformed(f"{word!r} is not an event type. docs/webhooks.md lists the event types") from None


def _read_delays(value: Any) -> tuple[int, ...]:
    delays = tuple(whole(0, DELAY_MAX).read(word) for word in WORDS.read(value))
    if not delays:
        raise ValueError
    return delays


SIGNING_SECRETS = Kind(
    "whsec_ and 24 to 64 bytes in standard base64, or several such secrets with spaces between them", _read_secrets
)
"""The kind of the secrets that sign requests by Standard Webhooks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """Settings of the webhook."""

    url: str = setting(
        "WEBHOOK_URL",
        "",
        URL,
        "URL to which events are sent. Unset: there is no webhook, and no deliveries are recorded.",
    )
    secrets: tuple[bytes, ...] = setting(
        "WEBHOOK_SECRET",
        (),
        SIGNING_SECRETS,
        "Secret that signs each request. With several secrets, a request has one signature for each secret, so that a "
        "receiver can change its secret.",
    )
    events: tuple[EventType, ...] = setting(
        "WEBHOOK_EVENTS",
        DEFAULT_EVENTS,
        Kind("a comma-separated list of event types", _read_events),
        "Types of the events that are sent.",
    )
    allow_private: bool = setting(
        "WEBHOOK_ALLOW_PRIVATE",
        False,
        SWITCH,
        "Whether WEBHOOK_URL and addresses for logout tokens may use http, and may resolve to an address that is not public.",
    )
    retry_seconds: tuple[int, ...] = setting(
        "WEBHOOK_RETRY_SECONDS",
        (0, 5, 300, 1_800, 7_200, 18_000, 36_000),
        Kind(f"a comma-separated list of whole numbers of seconds, each at most {DELAY_MAX}", _read_delays),
        "Pauses before the attempts, in seconds. The first pause starts at the event, and each further pause at a failed "
        "attempt. After the last attempt the delivery fails.",
        default_text="`0,5,300,1800,7200,18000,36000`",
    )
    retention_days: int = setting(
        "RETENTION_DELIVERY_DAYS", 30, whole(1, 36_500), "Days for which webhook deliveries are kept."
    )


def _read_shipping(value: Any) -> str:
    return value if value in ("off", "record") else URL.read(value)


def _read_headers(value: Any) -> tuple[tuple[str, str], ...]:
    pairs = tuple(tuple(part.strip() for part in word.split("=", 1)) for word in WORDS.read(value))
    if not all(len(pair) == 2 and _is_header(*pair) for pair in pairs):  # noqa: PLR2004
        raise ValueError
    return pairs  # type: ignore[return-value]  # the check above made sure that each is a pair


def _is_header(name: str, value: str) -> bool:
    is_name = _HEADER.fullmatch(name) and name.lower() not in _OWN_HEADERS
    return bool(is_name) and value.isascii() and value.isprintable()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippingSettings:
    """Settings of the redacted copy of the log."""

    target: str = setting(
        "LOG_SHIPPING",
        "off",
        Kind("off, record or the URL of an OTLP/HTTP collector, without blanks or credentials", _read_shipping),
        "`record` keeps a redacted copy of the log for the console. With the URL of a collector, the service also sends "
        "the copy to the collector. It adds `/v1/logs` to a URL without a path.",
    )
    level: str = setting(
        "LOG_SHIPPING_LEVEL",
        "info",
        one_of("debug", "info", "warn", "error"),
        "Lowest level of the lines in the copy. The copy never contains lines below LOG_LEVEL.",
    )
    headers: tuple[tuple[str, str], ...] = setting(
        "LOG_SHIPPING_HEADERS",
        (),
        Kind(
            "a comma-separated list of NAME=VALUE without control characters and without the headers Host, "
            "Content-Length, Transfer-Encoding, Connection and Content-Type",
            _read_headers,
        ),
        "Headers of the requests to the collector, such as `authorization=Bearer …`.",
    )
    redaction: str = setting(
        "LOG_REDACTION",
        "mask",
        one_of("mask", "hash"),
        "How addresses and ids are redacted in the copy. `mask` writes `[redacted]`. `hash` writes a keyed hash, which "
        "is the same for the same value.",
    )
    hash_key: str = setting("LOG_SHIPPING_HASH_KEY", "", TEXT, "Secret key of the hashes with LOG_REDACTION=hash.")
    retention_days: int = setting(
        "RETENTION_LOG_DAYS", 14, whole(1, 36_500), "Days for which the copy of the log is kept."
    )

    @property
    def is_on(self) -> bool:
        """Return whether the service keeps a copy of the log."""
        return self.target != "off"

    @property
    def endpoint(self) -> str:
        """The URL of the collector. It is "" when no collector gets the copy."""
        if self.target in ("off", "record"):
            return ""
        parts = urlsplit(self.target)
        return self.target if parts.path.strip("/") else parts._replace(path="/v1/logs").geturl()


webhook_settings = section(WebhookSettings)
shipping_settings = section(ShippingSettings)


def check_shipping() -> None:
    """Raise ImproperlyConfigured when valid settings of log shipping do not fit together."""
    if shipping_settings().redaction == "hash" and not shipping_settings().hash_key:
        raise ImproperlyConfigured("LOG_REDACTION=hash needs LOG_SHIPPING_HASH_KEY. Set it to any secret text.")


def check_webhooks() -> None:
    """Raise ImproperlyConfigured when valid settings of the webhook do not fit together."""
    webhook = webhook_settings()
    if webhook.url and not webhook.secrets:
        raise ImproperlyConfigured(
            "WEBHOOK_URL needs WEBHOOK_SECRET. Set it to whsec_ and 32 random bytes in standard base64."
        )
    if urlsplit(webhook.url).scheme == "http" and not webhook.allow_private:
        raise ImproperlyConfigured("WEBHOOK_URL must be https, unless WEBHOOK_ALLOW_PRIVATE is on.")
