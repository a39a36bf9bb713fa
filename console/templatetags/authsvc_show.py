"""Template tags that show values: times, numbers, charts and event types."""

from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

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
def grouped(value: int | None) -> str:
    """Return the number with commas between groups of three digits. Return "" for None."""
    return "" if value is None else f"{value:,}"


@register.filter
def words(value: Any) -> str:
    """Return a name such as `login_failed` as words: `Login failed`."""
    text = str(value).replace("_", " ").strip()
    return text[:1].upper() + text[1:]


@register.inclusion_tag("authsvc_console/chart.html")
def chart(chart: Chart, empty: str = "") -> dict[str, object]:
    """Draw a chart. `empty` says which data would fill an empty chart."""
    return {"chart": chart, "empty": empty}
