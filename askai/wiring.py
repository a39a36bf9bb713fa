"""Wiring of the askai app at the start: settings, a sealed column and retention."""

from accounts.ops.retention import Prunable, prunables
from core.keys.columns import sealed_columns

from . import conf, retention
from .settings import stored

conf.settings()
sealed_columns.register(stored.CREDENTIALS)
prunables.register(Prunable(name="remembered plans", rows=retention.prunable_plans))
