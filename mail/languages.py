"""The languages of the mails and of their pages, and the form of dates and times in them."""

import re
from datetime import UTC, datetime
from typing import Any

import orjson
from django.apps import apps
from django.conf import settings as django_settings
from django.utils import dateformat
from django.utils.translation import pgettext
from django.utils.translation.trans_real import parse_accept_lang_header

from core.db import sql
from core.http.client import Client

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr", "es", "ja")
"""The languages with a complete catalogue in `accounts/locale/`."""

LOCALE_KEY = "locale"
"""The key of an account's metadata that contains the owner's language, such as `de` or `fr-CA`."""


def find_language(*, account_id: Any | None, client: Client) -> str:
    """Return the language of the mails to the account's owner: `locale` in the metadata, then the client's languages.

    Runs one statement, with or without an account. Otherwise the response time of a request for a link would show
    whether the address has an account.
    """
    table = apps.get_model("authsvc_accounts", "Account")._meta.db_table
    row = sql.fetch_one(f"SELECT metadata FROM {table} WHERE user_id = %s", (account_id,))  # noqa: S608 - the table's own name
    metadata = {} if row is None else orjson.loads(row[0])
    return choose_language(locale=metadata.get(LOCALE_KEY), accept_language=client.accept_language)


def choose_language(*, locale: object, accept_language: str) -> str:
    """Return the first of LANGUAGES that the locale or the header `Accept-Language` names, or else English.

    A regional variant such as `de-AT` or `de_AT` names its language. An operator can store any JSON value as the
    locale, so a value that names no language counts as missing.
    """
    if not django_settings.USE_I18N:
        return ENGLISH
    return find_named(locale) or find_accepted(accept_language) or ENGLISH


def find_named(locale: object) -> str | None:
    """Return the language of LANGUAGES that the locale names, or None. Any JSON value can be a locale."""
    language = re.split("[-_]", locale.strip().lower(), maxsplit=1)[0] if isinstance(locale, str) else ""
    return language if language in LANGUAGES else None


def find_accepted(header: str) -> str | None:
    """Return the first of LANGUAGES that a header `Accept-Language` names, by its qualities, or None."""
    wanted = (find_named(name) for name, quality in parse_accept_lang_header(header) if quality)
    return next(filter(None, wanted), None)


def format_moment(moment: datetime) -> str:
    """Return date and time in UTC, in the current language, such as `21 November 2026, 03:44 UTC`."""
    # Translators: a date and a time, as characters of Django's filter `date`. T is the name of the time zone.
    return dateformat.format(moment.astimezone(UTC), pgettext("date and time", "j F Y, H:i T"))


def format_day(moment: datetime) -> str:
    """Return the date in UTC, in the current language, such as `21 November 2026`."""
    # Translators: a date, as characters of Django's filter `date`.
    return dateformat.format(moment.astimezone(UTC), pgettext("date", "j F Y"))
