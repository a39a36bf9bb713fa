"""Answers a question about the caller's own account. A process works on only a few questions at once."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from accounts.conf import retention_settings
from accounts.errors import EmailNotVerified
from accounts.host import users
from accounts.state.lookup import get_own_account
from accounts.state.proven_addresses import is_address_proven
from core.db.ids import parse_id
from core.errors import Overloaded
from core.keys.jwt import Caller
from core.threads import QUESTION_THREADS, Slots
from mail.compose import is_mail_on
from sessions_app.detection.locations import knows_locations
from sessions_app.families.queries import FamilySessions

from .answers.answer import Answer, compose
from .errors import AskAiUnavailable, QuestionNotAnswerable
from .planning import make_query
from .plans.entities import Column, Entity, bindable
from .plans.plan import WEEK_STARTS, By, Fact, GroupBy, Language, Part, Plan, PlanInvalid, Query, Rows, check
from .running.facts import fact_names, read_fact
from .running.results import Result
from .running.runner import run
from .running.scope import Scope
from .settings.stored import DatabaseSettings, LlmKind, LlmSettings, Widget

logger = logging.getLogger("authsvc.askai")

_slots = Slots()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, the zone of its times, and the language in which its reader reads."""

    text: str
    zone: ZoneInfo
    language: Language | None


def ask(
    *,
    question: Question,
    caller: Caller,
    widget: Widget,
    llm: LlmSettings,
    database: DatabaseSettings,
    now: datetime,
) -> Answer:
    """Return the answer. It contains only the caller's own records and the state of the caller's own account.

    Raises EmailNotVerified when the model can cost money and the user has not proven the address. A deployment without
    mail demands no proof. Raises QuestionNotAnswerable when no permitted plan answers the question; the error never states
    the reason. Raises AskAiUnavailable when the model or the database fails, and at once when QUESTION_THREADS other
    questions are in progress.
    """
    if llm.kind is not LlmKind.BUILTIN and is_mail_on():
        _require_proven_address(caller.user_id)
    entities = bindable(widget.entities)
    if not entities:
        raise QuestionNotAnswerable
    try:
        with _slots.taken(at_once=QUESTION_THREADS, threads=QUESTION_THREADS, seconds=0):
            query = _plan(question, entities=entities, llm=llm, now=now)
            read = read_records(query, caller=caller, zone=question.zone, database=database, now=now)
            return compose(query, read.query, read.results, scope=read.scope, max_rows=database.max_rows)
    except PlanInvalid:
        raise QuestionNotAnswerable from None
    except Overloaded:
        logger.warning("too many questions at the same time")
        raise AskAiUnavailable from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A query as this deployment can answer it, and the result of each part."""

    query: Query
    scope: Scope
    results: Sequence[Result]


def read_records(query: Query, *, caller: Caller, zone: ZoneInfo, database: DatabaseSettings, now: datetime) -> Read:
    """Read the caller's own records and state for a permitted query.

    Raises PlanInvalid when this deployment cannot answer a part: it has no such fact, or knows no locations.
    """
    query = replace(query, parts=tuple(_answerable(part) for part in query.parts))
    scope = Scope(user_id=caller.user_id, family_id=None, now=now, zone=zone, week_start=WEEK_STARTS[query.language])
    plans = [part for part in query.parts if isinstance(part, Plan)]
    if any(plan.entity is Entity.AUDIT_EVENTS for plan in plans):
        scope = replace(scope, events_since=_find_deleted_until(caller, now=now))
    if any(plan.filters.which is not None for plan in plans):
        scope = replace(scope, family_id=_find_own_family(caller, now=now))
    found = iter(run(plans, database=database, scope=scope))
    results: list[Result] = [
        read_fact(part.name, user_id=caller.user_id, now=now) if isinstance(part, Fact) else next(found)
        for part in query.parts
    ]
    return Read(query=query, scope=scope, results=results)


def _require_proven_address(user_id: str) -> None:
    if not is_address_proven(account_id=users.to_account_id(user_id)):
        raise EmailNotVerified


def _find_own_family(caller: Caller, *, now: datetime) -> UUID | None:
    """Return the id of the session of the access token; None when it has ended."""
    token_id, account_id = parse_id(caller.token_id), users.to_account_id(caller.user_id)
    if token_id is None or account_id is None:
        return None
    return FamilySessions().find_family(token_id=str(token_id), account_id=account_id, now=now)


def _find_deleted_until(caller: Caller, *, now: datetime) -> datetime | None:
    """Return the time before which events may have been deleted; None when the account is younger."""
    cutoff = now - timedelta(days=retention_settings().audit_days)
    return cutoff if get_own_account(user_id=caller.user_id).created_at < cutoff else None


def _plan(question: Question, *, entities: Sequence[Entity], llm: LlmSettings, now: datetime) -> Query:
    """Return a query about these entities only. Facts belong to the events of the account.

    Raises PlanInvalid when there is none.
    """
    facts = fact_names() if Entity.AUDIT_EVENTS in entities else ()
    try:
        query = make_query(
            question=question.text, language=question.language, entities=entities, facts=facts, provider=llm, now=now
        )
        check(query)
    except PlanInvalid:
        if llm.kind is not LlmKind.BUILTIN:
            # The log omits the exception's text, which may quote the question.
            logger.info("the language model returned no valid plan", extra={"kind": llm.kind})
        raise
    for part in query.parts:
        if (part.name not in facts) if isinstance(part, Fact) else (part.entity not in entities):
            raise PlanInvalid
    return query


def _answerable(part: Part) -> Part:
    """Return the part as this deployment can answer it. Without locations, an address takes the place of a location.

    Raises PlanInvalid when nothing can take its place.
    """
    if isinstance(part, Fact) or knows_locations():
        return part
    shape = part.shape
    if part.filters.places is not None or (isinstance(shape, GroupBy) and shape.by is By.PLACE):
        raise PlanInvalid
    if isinstance(shape, Rows) and Column.LOCATION in shape.columns:
        columns = dict.fromkeys(Column.IP if column is Column.LOCATION else column for column in shape.columns)
        return replace(part, shape=replace(shape, columns=tuple(columns)))
    return part
