"""Wiring of the pages at the start: a table with data about people."""

from accounts.state.personal_tables import personal_tables

from .personal_data import BROWSER_SESSIONS

personal_tables.register(BROWSER_SESSIONS)
