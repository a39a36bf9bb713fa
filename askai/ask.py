"""Answers a question about the caller's own account. A process works on only a few questions at once."""

import logging
from collections.abc import Sequence
from datetime import datetime

from accounts.errors import EmailNotVerified
from accounts.host import users
from accounts.state.proven_addresses import is_address_proven
from core.errors import Overloaded
from core.threads import QUESTION_THREADS, Slots
from mail.compose import is_mail_on

from .answers.rendering import Answer, render
from .errors import AskAiUnavailable, QuestionNotAnswerable
from .planning import make_query
from .plans.entities import Entity, bindable
from .plans.plan import Fact, Plan, PlanInvalid
from .running.runner import is_runnable, run
from .settings.stored import DatabaseSettings, LlmKind, LlmSettings, Widget

logger = logging.getLogger("authsvc.askai")

_slots = Slots()


def ask(
    *,
    question: str,
    user_id: str,
    widget: Widget,
    llm: LlmSettings,
    database: DatabaseSettings,
    now: datetime,
) -> Answer:
    """Return the answer. It contains only the user's own records.

    Raises EmailNotVerified when the model can cost money and the user has not proven the address. A deployment without
    mail demands no proof. Raises QuestionNotAnswerable when no permitted plan answers the question; the error never states
    the reason. Raises AskAiUnavailable when the model or the database fails, and at once when QUESTION_THREADS other
    questions are in progress.
    """
    if llm.kind is not LlmKind.BUILTIN and is_mail_on():
        _require_proven_address(user_id)
    entities = bindable(widget.entities)
    if not entities:
        raise QuestionNotAnswerable
    try:
        with _slots.taken(at_once=QUESTION_THREADS, threads=QUESTION_THREADS, seconds=0):
            plan = _plan(question, entities=entities, llm=llm, now=now)
            return render(run(plan, database=database, user_id=user_id, now=now))
    except Overloaded:
        logger.warning("too many questions at the same time")
        raise AskAiUnavailable from None


def _require_proven_address(user_id: str) -> None:
    if not is_address_proven(account_id=users.to_account_id(user_id)):
        raise EmailNotVerified


def _plan(question: str, *, entities: Sequence[Entity], llm: LlmSettings, now: datetime) -> Plan:
    try:
        query = make_query(question=question, entities=entities, provider=llm, now=now)
    except PlanInvalid:
        if llm.kind is not LlmKind.BUILTIN:
            # The log omits the exception's text, which may quote the question.
            logger.info("the language model returned no valid plan", extra={"kind": llm.kind})
        raise QuestionNotAnswerable from None
    [plan, *others] = query.parts
    if others or isinstance(plan, Fact) or plan.entity not in entities or not is_runnable(plan):
        raise QuestionNotAnswerable
    return plan
