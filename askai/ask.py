"""A question about one's own account, answered."""

from datetime import datetime

from .entities import bindable
from .errors import QuestionNotAnswerable
from .plan import PlanInvalid
from .planning import make_plan
from .rendering import Answer, render
from .runner import run
from .settings_store import DatabaseProvider, LlmProvider, Widget


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

    Raises QuestionNotAnswerable, which never says why, or AskAiUnavailable.
    """
    entities = bindable(widget.entities)
    if not entities:
        raise QuestionNotAnswerable
    try:
        plan = make_plan(question=question, entities=entities, provider=llm, now=now)
    except PlanInvalid:
        raise QuestionNotAnswerable from None
    if plan.entity not in entities:
        raise QuestionNotAnswerable
    return render(run(plan, database=database, user_id=user_id, now=now))
