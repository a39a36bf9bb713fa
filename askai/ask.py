"""A question about one's own account, answered. A process has but a few in flight."""

import logging
import os
from collections.abc import Sequence
from datetime import datetime

from accounts.core.errors import Overloaded
from accounts.passwords.slots import Slots

from .entities import Entity, bindable
from .errors import AskAiUnavailable, QuestionNotAnswerable
from .plan import Plan, PlanInvalid
from .planning import make_plan
from .rendering import Answer, render
from .runner import run
from .settings_store import DatabaseProvider, LlmKind, LlmProvider, Widget

logger = logging.getLogger("authsvc.askai")

AT_ONCE = 6
"""How many questions a process works on. A slow model or database holds a thread for seconds that others need too."""

_slots = Slots()
os.register_at_fork(after_in_child=_slots.clear)


def ask(
    *,
    question: str,
    user_id: str,
    widget: Widget,
    llm: LlmProvider,
    database: DatabaseProvider,
    now: datetime,
) -> Answer:
    """Return the answer, made of the user's own records alone.

    Raises QuestionNotAnswerable, which never says why, or AskAiUnavailable, at once when too many others are in flight.
    """
    entities = bindable(widget.entities)
    if not entities:
        raise QuestionNotAnswerable
    try:
        with _slots.taken(at_once=AT_ONCE, places=0):
            plan = _plan(question, entities=entities, llm=llm, now=now)
            return render(run(plan, database=database, user_id=user_id, now=now))
    except Overloaded:
        logger.warning("too many questions are in flight")
        raise AskAiUnavailable from None


def _plan(question: str, *, entities: Sequence[Entity], llm: LlmProvider, now: datetime) -> Plan:
    try:
        plan = make_plan(question=question, entities=entities, provider=llm, now=now)
    except PlanInvalid:
        if llm.kind is not LlmKind.BUILTIN:
            # Without its text, which may quote the question.
            logger.info("the language model gave no plan", extra={"kind": llm.kind})
        raise QuestionNotAnswerable from None
    if plan.entity not in entities:
        raise QuestionNotAnswerable
    return plan
