"""Wiring of the askai app at the start: settings, a sealed column and retention."""

from accounts.ops.retention import Prunable, prunables
from core.keys.columns import sealed_columns

from . import conf, retention, settings_store

conf.settings()
sealed_columns.register(settings_store.CREDENTIALS)
prunables.register(Prunable(name="remembered plans", rows=retention.prunable_plans))
