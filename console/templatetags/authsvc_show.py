"""Template tags that show values: times, numbers, charts and event types."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import orjson
from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext

from sessions_app.detection.devices import Device
from sessions_app.inventory import device_name
from sessions_app.logins.second_factors import second_factors

from ..browser.charts import Chart
from ..browser.explanations import reasons_of
from ..wording.labels import label_of
from ..wording.lists import all_of
from ..wording.moments import exact_time
from ..wording.numbers import number

register = template.Library()


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Return a `<time>` element in the zone of the page, with seconds. Return "" for None."""
    if value is None:
        return ""
    exact = value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, exact, _in_zone(value))


def _in_zone(value: datetime) -> str:
    """Return the time in the zone of the page, such as `23 Nov 2026, 07:24:05 CET`."""
    at = timezone.localtime(value)
    name = at.tzname() or ""
    # A zone without an abbreviation has its offset as its name.
    return f"{exact_time(at)} {name if name.isalpha() else f'UTC{at.isoformat()[-6:]}'}"


@register.filter
def in_zone(text: str) -> str:
    """Return the sentence with its times in the zone of the page. It states them as `2026-11-21 09:45 UTC` or as `21 November 2026, 09:45 UTC`."""
    return _TIME_OF_TEXT.sub(_show_in_zone, text)


def _show_in_zone(found: re.Match[str]) -> str:
    """Return the time that was found, in the zone of the page. Return a text that is no time unchanged."""
    for form in ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%d %B %Y, %H:%M"):
        # The zone of a time in the year 1 can lead to the year 0.
        with suppress(ValueError, OverflowError):
            return _in_zone(datetime.strptime(found[1], form).replace(tzinfo=UTC))
    return found[0]


@register.filter
def minus(value: int, other: int) -> int:
    """Return the difference of two numbers, at least 0."""
    return max(0, value - other)


@register.filter
def grouped(value: int | None) -> str:
    """Return the number with separators between groups of three digits. Return "" for None."""
    return "" if value is None else number(value)


@register.filter
def words(value: Any) -> str:
    """Return a name such as `login_failed` as words: `Login failed`."""
    return label_of(value)


@register.inclusion_tag("authsvc_console/chart.html")
def chart(chart: Chart, empty: str = "") -> dict[str, object]:
    """Draw a chart. `empty` says which data would fill an empty chart."""
    return {"chart": chart, "empty": empty}


_TIME = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(?::[0-9]{2})?|\b[0-9]{1,2} [A-Z][a-z]+ [0-9]{4}, [0-9]{2}:[0-9]{2}"
)
_TIME_OF_TEXT = re.compile(rf"({_TIME})(?: UTC|(?=[^0-9]{{1,8}}(?:{_TIME}) UTC))")
_CODE = re.compile(r"`([^`]*)`|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]*)+)(?![A-Za-z])")
_TONES: dict[str, str] = {
    **dict.fromkeys(
        (
            "login_failed",
            "login_stopped_at_factor",
            "account_locked",
            "token_reuse_detected",
            "credential_stuffing_detected",
            "failed",
            "error",
        ),
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


@register.simple_tag
def zone() -> str:
    """Return the name of the page's time zone, such as `UTC` or `Europe/Berlin`."""
    return timezone.get_current_timezone_name()


@register.inclusion_tag("authsvc_console/filter_field.html", takes_context=True)
def filter_field(
    context: Mapping[str, Any],
    name: str,
    label: str,
    *,
    size: int = 20,
    maximum: int = 200,
    kind: str = "text",
    options: Sequence[Any] = (),
    blank: str = "",
    is_mono: bool = False,
) -> dict[str, object]:
    """Show a field of a form of filters, with what the operator typed. A message about it stands below it.

    `kind` is `text`, `search` or `datetime-local`. `size` is the number of characters that the field shows. A field with
    `options` is a select, and an option is a value or a pair of a value and its text.
    """
    filters = context["console"]["filters"]
    typed, error = filters.values.get(name, ""), filters.errors.get(name, "")
    if kind == "datetime-local":
        # Such a field cannot show a text that is no time.
        typed, kind = _local(typed), "text" if error else kind
        label = f"{label} ({zone()})"
    return {
        "name": name,
        "label": label,
        "kind": kind,
        "size": size,
        "maximum": maximum,
        "options": [option if isinstance(option, tuple) else (option, words(option)) for option in options],
        "blank": blank,
        "is_mono": is_mono,
        "typed": typed,
        "error": error,
    }


def _local(typed: str) -> str:
    """Return a time with an offset as the value of a field in the zone of the page. Return another text unchanged."""
    try:
        moment = datetime.fromisoformat(typed)
    except ValueError:
        return typed
    return typed if timezone.is_naive(moment) else f"{timezone.localtime(moment):%Y-%m-%dT%H:%M:%S}"


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
    labels = {factor.name: gettext(factor.label_plural) for factor in second_factors}
    return capfirst(labels.get(name, name))


@register.filter
def enrolled_event(name: str) -> str:
    """Return the type of the events of users who added the second factor, such as `totp_enrolled`."""
    return next((str(factor.enrolled_event) for factor in second_factors if factor.name == name), "")


@register.filter(name="device")
def _device(value: Device) -> str:
    """Return the label of the device, such as `Chrome on macOS`."""
    return device_name(value)


@register.filter
def short_id(value: Any) -> str:
    """Return the last eight characters of an id. The first characters of new ids are the same, as they are a time."""
    return f"…{str(value)[-8:]}"


@register.filter
def reasons(metadata: Mapping[str, Any]) -> str:
    """Return the reasons for which detection flagged the event with these metadata."""
    return reasons_of(metadata)


@register.filter
def shell(value: str) -> str:
    """Return the text as one word of a POSIX shell. An e-mail address can contain backticks and dollar signs."""
    return shlex.quote(value)


@register.filter
def details(value: Any) -> str:
    """Return the members of an object as `name: value`, separated by commas. `value` may be a fragment of JSON."""
    members = orjson.loads(orjson.dumps(value)) if isinstance(value, orjson.Fragment) else value
    return ", ".join(f"{name}: {_plain(member)}" for name, member in members.items())


@register.filter(name="plain")
def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return all_of([_plain(item) for item in value])
    return json.dumps(value, ensure_ascii=False)


@register.filter
def marked(text: str) -> SafeString:
    """Return the text with `<code>` in place of backticks and around the names of settings, such as RATE_LIMITS."""
    # The parts with an odd index are the two groups of the pattern. One of them matched, and the other is None.
    parts = [part for part in _CODE.split(str(text)) if part is not None]
    pieces = [format_html("<code>{}</code>" if index % 2 else "{}", part) for index, part in enumerate(parts)]
    return mark_safe("".join(pieces))  # noqa: S308 - each piece is escaped
