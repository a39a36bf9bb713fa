"""Wiring of the OpenID provider at the start: checks, a listener, the names of sessions, a room, and retention."""

from django.core.checks import Tags, register

from accounts.lifecycle import account_listeners
from accounts.ops.retention import Prunable, prunables
from accounts.state.personal_tables import personal_tables
from events.webhooks.senders import senders
from pages.account.rooms import rooms
from sessions_app.families.client_sessions import client_sessions

from . import checks, grants, personal_data, retention
from .applications.room import APPLICATIONS_ROOM
from .logout.tokens import LogoutSender, TellClients

register(checks.check_issuer, Tags.urls)
account_listeners.register(grants.EndGrants())
account_listeners.register(TellClients())
senders.register(LogoutSender())
client_sessions.register(grants.GrantSessions())
rooms.register(APPLICATIONS_ROOM)
for table in personal_data.TABLES:
    personal_tables.register(table)
prunables.register(Prunable(name="codes of applications", rows=retention.prunable_codes))
prunables.register(Prunable(name="pushed requests of applications", rows=retention.prunable_requests))
prunables.register(Prunable(name="requests of devices", rows=retention.prunable_devices))
prunables.register(Prunable(name="assertions of applications", rows=retention.prunable_assertions))
