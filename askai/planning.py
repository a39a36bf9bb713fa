"""The parser or a model makes a query of a question. A model's queries are stored for a day.

The same question over the same data must give the same text. Even at temperature 0, a model may make a different query
the second time.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

import orjson
from django.db.models import QuerySet

from core.db.transactions import write

from .models import RememberedPlan
from .parser import parse
from .plans.entities import Entity
from .plans.plan import Language, Query
from .plans.plan_json import as_json, read_query
from .providers import ask_model
from .providers.prompt import make_prompt
from .retention import PLAN_LIFETIME
from .settings.stored import LlmKind, LlmSettings


def make_query(
    *,
    question: str,
    language: Language | None,
    entities: Sequence[Entity],
    facts: Sequence[str],
    provider: LlmSettings,
    now: datetime,
) -> Query:
    """Return the query that answers the question. The caller must check its entities and facts.

    The stored query depends on the whole prompt, which differs between sets of entities and between versions of the plans.
    Raises PlanInvalid when the question has no query, AskAiUnavailable when the model fails. A model's new query is
    stored; this opens a transaction.
    """
    if provider.kind is LlmKind.BUILTIN:
        return parse(question, language=language)
    prompt = make_prompt(question=question, entities=entities, facts=facts)
    digest = hashlib.sha256(orjson.dumps([provider.kind, provider.model, asdict(prompt)])).digest()
    remembered = _live(now=now).filter(digest=digest).first()
    if remembered is not None:
        return read_query(remembered.plan)
    query = read_query(ask_model(prompt=prompt, provider=provider))
    return read_query(_remember(digest=digest, query=query, now=now))


@write
def _remember(*, digest: bytes, query: Query, now: datetime) -> object:
    """Store the query unless a live one is stored already, and return the JSON value of the stored query."""
    RememberedPlan.objects.filter(digest=digest, created_at__lte=now - PLAN_LIFETIME).delete()
    made = RememberedPlan(digest=digest, plan=as_json(query), created_at=now)
    RememberedPlan.objects.bulk_create([made], ignore_conflicts=True)
    return RememberedPlan.objects.values_list("plan", flat=True).get(digest=digest)


def _live(*, now: datetime) -> QuerySet[RememberedPlan]:
    return RememberedPlan.objects.filter(created_at__gt=now - PLAN_LIFETIME)
