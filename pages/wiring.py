"""Wiring of the pages at the start: their settings, and a table with data about people."""

from accounts.state.personal_tables import personal_tables

from . import conf
from .personal_data import BROWSER_SESSIONS

conf.settings()
personal_tables.register(BROWSER_SESSIONS)
