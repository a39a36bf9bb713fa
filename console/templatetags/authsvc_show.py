"""Template tags that show values: times, numbers, charts and event types."""

import json
import re
import shlex
from datetime import UTC, datetime
from typing import Any

import orjson
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from sessions_app.logins.second_factors import second_factors

from ..browser.charts import Chart

register = template.Library()


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Return a `<time>` element in UTC, which the script moves to the operator's zone. Return "" for None."""
    if value is None:
        return ""
    at = value.astimezone(UTC)
    exact = at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return format_html('<time datetime="{}" title="{}">{} UTC</time>', exact, exact, at.strftime("%-d %b %Y, %H:%M"))


@register.filter
def minus(value: int, other: int) -> int:
    """Return the difference of two numbers, at least 0."""
    return max(0, value - other)


@register.filter
def grouped(value: int | None) -> str:
    """Return the number with commas between groups of three digits. Return "" for None."""
    return "" if value is None else f"{value:,}"


@register.filter
def words(value: Any) -> str:
    """Return a name such as `login_failed` as words: `Login failed`."""
    found = [_SPELLINGS.get(word, word) for word in str(value).replace("-", "_").split("_")]
    text = " ".join(found)
    return text[:1].upper() + text[1:]


@register.inclusion_tag("authsvc_console/chart.html")
def chart(chart: Chart, empty: str = "") -> dict[str, object]:
    """Draw a chart. `empty` says which data would fill an empty chart."""
    return {"chart": chart, "empty": empty}


_CODE = re.compile(r"`([^`]*)`|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]*)+)(?![A-Za-z])")
_SPELLINGS = {"api": "API", "totp": "TOTP", "oauth": "OAuth", "ip": "IP", "success": "succeeded", "signup": "sign-up"}
_TONES: dict[str, str] = {
    **dict.fromkeys(
        ("login_failed", "account_locked", "token_reuse_detected", "credential_stuffing_detected", "failed", "error"),
        "bad",
    ),
    **dict.fromkeys(
        ("anomaly_detected", "api_key_rejected", "password_breach_rejected"),
        "warn",
    ),
    **dict.fromkeys(
        (
            "account_deactivated",
            "account_taken_over",
            "email_change_undone",
            "recovery_started",
            "recovery_completed",
            "warn",
            "pending",
        ),
        "warn",
    ),
    **dict.fromkeys(("login_success", "delivered"), "good"),
    **dict.fromkeys(("signup_success", "account_imported", "info", "in_flight", "oauth_linked"), "info"),
    **dict.fromkeys(("ok",), "good"),
    **dict.fromkeys(("degraded",), "warn"),
    **dict.fromkeys(("unreachable", "confirmed"), "bad"),
    **dict.fromkeys(("unreviewed",), "warn"),
}


@register.filter
def tone(value: Any) -> str:
    """Return the CSS class for an event type, a status or a level. Return "" for a neutral one."""
    return _TONES.get(str(value)) or _factor_tones().get(str(value), "")


def _factor_tones() -> dict[str, str]:
    tones: dict[str, str] = {}
    for factor in second_factors:
        tones |= {factor.enrolled_event: "good", factor.removed_event: "warn", factor.failed_event: "warn"}
    return tones


@register.filter
def factor_label(name: str) -> str:
    """Return the plural label of the second factor, such as `Authenticator apps`."""
    labels = {factor.name: factor.label_plural for factor in second_factors}
    return capfirst(labels.get(name, name))


@register.filter
def short_id(value: Any) -> str:
    """Return the last eight characters of an id. The first characters of new ids are the same, as they are a time."""
    return f"…{str(value)[-8:]}"


@register.filter
def shell(value: str) -> str:
    """Return the text as one word of a POSIX shell. An e-mail address can contain backticks and dollar signs."""
    return shlex.quote(value)


@register.filter
def details(value: Any) -> str:
    """Return the members of an object as `name: value`, separated by commas. `value` may be a fragment of JSON."""
    members = orjson.loads(orjson.dumps(value)) if isinstance(value, orjson.Fragment) else value
    return ", ".join(f"{name}: {_plain(member)}" for name, member in members.items())


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return " and ".join(_plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


@register.filter
def marked(text: str) -> SafeString:
    """Return the text with `<code>` in place of backticks and around the names of settings, such as RATE_LIMITS."""
    # The parts with an odd index are the two groups of the pattern. One of them matched, and the other is None.
    parts = [part for part in _CODE.split(str(text)) if part is not None]
    pieces = [format_html("<code>{}</code>" if index % 2 else "{}", part) for index, part in enumerate(parts)]
    return mark_safe("".join(pieces))  # noqa: S308 - each piece is escaped
