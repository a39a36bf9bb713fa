"""Tags of the pages' templates. Each part of a form is a template below `authsvc_pages/partials/`, which a site can replace."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.template.context import Context
from django.utils import dateformat
from django.utils.translation import pgettext

from ..frame.assets import asset_url
from ..frame.forms import Form

register = template.Library()


@register.simple_tag
def page_asset(name: str) -> str:
    """Return the URL of a file of the pages, such as `{% page_asset "pages.css" %}`."""
    return asset_url(name)


@register.inclusion_tag("authsvc_pages/partials/field.html", takes_context=True)
def field(context: Context, name: str, **options: Any) -> Mapping[str, object]:
    """Return a field with its label, its hint and its message.

    `options` can have `label`, `type`, `autocomplete`, `hint`, `value`, `inputmode`, `maxlength`, `placeholder`,
    `described_by`, `optional`, `readonly`, `autofocus`, `classes` and `id`. A field is required unless `optional` is set.
    """
    kind = options.get("type", "text")
    values = {"type": kind, "value": _form_of(context).values.get(name, ""), "is_verbatim": kind == "email"}
    return {**values, **_field(context, name, options)}


@register.inclusion_tag("authsvc_pages/partials/password.html", takes_context=True)
def password(context: Context, name: str = "password", **options: Any) -> Mapping[str, object]:
    """Return a field for a password. A script adds a button that shows what was typed. The value is never repeated.

    `rules` are the sentences of the rules for a new password.
    """
    # The message about the field already says a broken rule.
    error = _form_of(context).errors.get(name, "")
    rules = [rule for rule in options.get("rules", ()) if rule not in error]
    return {"autocomplete": "current-password", **_field(context, name, {**options, "rules": rules})}


@register.inclusion_tag("authsvc_pages/partials/field.html", takes_context=True)
def code(context: Context, name: str = "code", **options: Any) -> Mapping[str, object]:
    """Return a field for a code of digits, which phones and password managers can fill. The value is never repeated."""
    own = {
        "type": "text",
        "inputmode": "numeric",
        "autocomplete": "one-time-code",
        "classes": "code",
        "is_verbatim": True,
    }
    return {**own, **_field(context, name, options)}


@register.inclusion_tag("authsvc_pages/partials/choice.html", takes_context=True)
def choice(context: Context, name: str, **options: Any) -> Mapping[str, object]:
    """Return a box to tick. `options` can have `label`, `hint`, `value`, `checked`, `optional` and `id`."""
    checked = _form_of(context).values.get(name, "") != ""
    return {"value": "on", "checked": checked, **_field(context, name, options)}


@register.inclusion_tag("authsvc_pages/partials/secret.html")
def secret(text: str, **options: Any) -> Mapping[str, object]:
    """Return a text that the reader can copy, such as an API key. `options` can have `id` and `label` of the button."""
    return {"text": text, "id": "secret", **options}


@register.inclusion_tag("authsvc_pages/partials/message.html", takes_context=True)
def form_message(context: Context) -> Mapping[str, object]:
    """Return the message about the whole form, if there is one."""
    return {"message": _form_of(context).message}


@register.inclusion_tag("authsvc_pages/partials/form_token.html", takes_context=True)
def form_token(context: Context) -> Mapping[str, object]:
    """Return the hidden fields of a form: the token of the session, and the page that follows if there is one."""
    return {"page": context.get("page"), "next": context.get("next", "")}


@register.filter(expects_localtime=True)
def moment(at: datetime | None) -> str:
    """Return date and time in the zone of the reader, such as `21 November 2026, 03:44 UTC`."""
    # Translators: a date and a time, as characters of Django's filter `date`. T is the name of the time zone.
    return dateformat.format(at, pgettext("date and time", "j F Y, H:i T")) if at else ""


@register.filter(expects_localtime=True)
def day(at: datetime | None) -> str:
    """Return the date in the zone of the reader, such as `21 November 2026`."""
    # Translators: a date, as characters of Django's filter `date`.
    return dateformat.format(at, pgettext("date", "j F Y")) if at else ""


def _field(context: Context, name: str, options: Mapping[str, Any]) -> dict[str, object]:
    """Return the values that every field has. The first field with a message gets the focus, before any other field."""
    errors = {key: text for key, text in _form_of(context).errors.items() if key}
    identity = str(options.get("id") or name)
    error = errors.get(name, "")
    rules = [f"{identity}-rules"] * bool(options.get("rules"))
    notes = [f"{identity}-hint"] * bool(options.get("hint")) + [f"{identity}-error"] * bool(error)
    return {
        **options,
        "page": context.get("page"),
        "name": name,
        "id": identity,
        "error": error,
        "described_by": " ".join([*rules, *notes, *str(options.get("described_by", "")).split()]),
        "autofocus": next(iter(errors)) == name if errors else bool(options.get("autofocus")),
    }


def _form_of(context: Context) -> Form:
    found = context.get("form")
    return found if isinstance(found, Form) else Form()
