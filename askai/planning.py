"""The parser or a model makes a plan of a question. A model's plans are stored for a day.

The same question over the same data must give the same text. Even at temperature 0, a model may make a different plan
the second time.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime

import orjson
from django.db.models import QuerySet

from core.db.transactions import write

from . import builtin
from .models import RememberedPlan
from .plans.entities import Entity
from .plans.plan import Plan
from .plans.plan_json import as_json, read_plan, schema
from .providers import ask_model
from .retention import PLAN_LIFETIME
from .settings.stored import LlmKind, LlmSettings


def make_plan(*, question: str, entities: Sequence[Entity], provider: LlmSettings, now: datetime) -> Plan:
    """Return the plan that answers the question. The caller must check that its entity is one of `entities`.

    Raises PlanInvalid when the question has no plan, AskAiUnavailable when the model fails. A model's new plan is
    stored; this opens a transaction.
    """
    if provider.kind is LlmKind.BUILTIN:
        return builtin.parse(question)
    digest = _digest(question=question, entities=entities, provider=provider)
    remembered = _live(now=now).filter(digest=digest).first()
    if remembered is not None:
        return read_plan(remembered.plan)
    plan = read_plan(ask_model(question=question, entities=entities, provider=provider))
    return read_plan(_remember(digest=digest, plan=plan, now=now))


@write
def _remember(*, digest: bytes, plan: Plan, now: datetime) -> object:
    """Store the plan unless a live plan is stored already, and return the JSON value of the stored plan."""
    RememberedPlan.objects.filter(digest=digest, created_at__lte=now - PLAN_LIFETIME).delete()
    made = RememberedPlan(digest=digest, plan=as_json(plan), created_at=now)
    RememberedPlan.objects.bulk_create([made], ignore_conflicts=True)
    return RememberedPlan.objects.values_list("plan", flat=True).get(digest=digest)


def _live(*, now: datetime) -> QuerySet[RememberedPlan]:
    return RememberedPlan.objects.filter(created_at__gt=now - PLAN_LIFETIME)


def _digest(*, question: str, entities: Sequence[Entity], provider: LlmSettings) -> bytes:
    """Return the digest. The schema in it differs between sets of entities and between versions of the plans."""
    return hashlib.sha256(orjson.dumps([provider.kind, provider.model, schema(entities), question])).digest()
