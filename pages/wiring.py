"""Wiring of the pages at the start: their settings, tables and rooms, the checks, and the sessions of a host site."""

from django.core.checks import Tags, register

from accounts.state.personal_tables import personal_tables

from . import conf
from .account import own_rooms
from .frame.site_sessions import site_sessions
from .personal_data import BROWSER_SESSIONS, PASSKEY_OFFERS
from .site import checks

conf.settings()
personal_tables.register(BROWSER_SESSIONS)
personal_tables.register(PASSKEY_OFFERS)
own_rooms.register_own()
register(checks.check_django_login, Tags.urls)
register(checks.check_base_template, Tags.templates)
register(checks.check_mounting, Tags.urls)
if conf.settings().django_login:
    from .site.django_login import DjangoLogin

    site_sessions.register(DjangoLogin())
