"""Wiring of the pages at the start: their settings, a table with data about people, and the rooms of the account."""

from accounts.state.personal_tables import personal_tables

from . import conf
from .account import own_rooms
from .personal_data import BROWSER_SESSIONS, PASSKEY_OFFERS

conf.settings()
personal_tables.register(BROWSER_SESSIONS)
personal_tables.register(PASSKEY_OFFERS)
own_rooms.register_own()
