"""Tests of the operator's settings before they are stored. A test stores and logs nothing."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from django.utils.translation import gettext

from core.http.answers import Described

from .plans.entities import Entity, bindable
from .plans.plan import PlanInvalid
from .plans.plan_json import read_query
from .providers import ModelFailed, call_model
from .providers.prompt import make_prompt
from .running.database import prove_read_only
from .settings.dsn import Dsn
from .settings.stored import LlmKind, LlmSettings, Widget

QUESTION = "How many sessions do I have?"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingTest:
    """The result of the test of a valid setting. `ok` is true when ask-AI works with these values."""

    example: ClassVar = {"ok": True, "message": "The language model answers with a valid plan."}

    ok: bool
    message: Annotated[str, Described("The result in a sentence for operators.")]


def try_llm(*, provider: LlmSettings) -> SettingTest:
    """Send QUESTION to the model, and return whether it answers with a valid plan."""
    if provider.kind is LlmKind.BUILTIN:
        return SettingTest(ok=True, message=gettext("The built-in parser needs no network."))
    try:
        read_query(call_model(prompt=make_prompt(question=QUESTION, entities=(Entity.SESSIONS,)), provider=provider))
    except ModelFailed as reason:
        return SettingTest(
            ok=False,
            message=gettext("The language model did not answer. Reason: %(reason)s.")
            % {"reason": gettext(str(reason)).rstrip(".。")},
        )
    except PlanInvalid:
        return SettingTest(ok=False, message=gettext("The language model answers, but not with a valid plan."))
    return SettingTest(ok=True, message=gettext("The language model answers with a valid plan."))


def try_database(*, dsn: Dsn) -> SettingTest:
    """Return the success of `prove_read_only`, which raises an error for every other result."""
    prove_read_only(dsn=dsn)
    return SettingTest(ok=True, message=gettext("The database refuses writes of this role."))


def try_widget(*, widget: Widget) -> SettingTest:
    """Return whether users can ask about anything. Reads no other setting."""
    if not widget.enabled:
        return SettingTest(ok=True, message=gettext("The setting is valid. Questions are turned off."))
    if not bindable(widget.entities):
        return SettingTest(
            ok=False,
            message=gettext("The setting is valid, but every question is refused: entities has no records of users."),
        )
    return SettingTest(ok=True, message=gettext("The setting is valid. Users can ask questions."))
