"""The pages of the settings of ask-AI: language model, read-only database and widget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urljoin

from django.db import connection
from django.http import HttpResponse
from django.urls import reverse

from accounts.errors import ReauthenticationRequired
from askai.conf import settings as ask_ai_settings
from askai.entities import Entity, bindable
from askai.errors import (
    DatabaseRoleNotReadOnly,
    DatabaseRoleUnverified,
    InvalidAskAiWidget,
    InvalidDatabaseProvider,
    SettingUndecryptable,
)
from askai.settings_store import DEFAULT_MAX_ROWS, DEFAULT_MAX_TOKENS, LlmKind, Widget, find_widget, settings_keys
from askai.trial import SettingTest
from core.conf import core_settings
from core.errors import NotConfigured, ServiceError
from core.http.mounting import find_path
from core.http.view import Call, Operation, operation

from ...views.settings import (
    AskAiWidget,
    DatabaseProvider,
    LlmProvider,
    TestAskAiWidget,
    TestDatabaseProvider,
    TestLlmProvider,
)
from .. import navigation
from ..forms import DatabaseForm, LlmForm, WidgetForm
from ..page import SAFE_METHODS, ConsolePage, Form

_REFUSALS = (DatabaseRoleNotReadOnly, DatabaseRoleUnverified, InvalidAskAiWidget, InvalidDatabaseProvider)

_LABELS = {"api_key": "API key", "dsn": "DSN"}
"""The labels of fields that differ from their names."""

_ENTITIES: Mapping[Entity, str] = {
    Entity.SESSIONS: "Sessions: where the user is signed in",
    Entity.AUDIT_EVENTS: "Audit events: what happened in the user's account",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the three settings that questions need, with its state. `tone` is the CSS class of the state."""

    key: str
    label: str
    url: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of language model. `target` is the base URL that gets the questions; "" without one."""

    name: LlmKind
    label: str
    text: str
    target: str = ""


class SettingPage(ConsolePage):
    """A setting: the stored values without the credential, and a form that tests, stores and removes them."""

    label: ClassVar[str]
    route: ClassVar[Any]
    """The view of the setting's route."""
    trial: ClassVar[Any]
    """The view of the route that tests values."""

    def check_feature(self) -> None:
        """Raise NotConfigured for a write while SETTINGS_ENCRYPTION_KEY is unset. The page says how to set it."""
        if self.request.method not in SAFE_METHODS and not settings_keys():
            raise NotConfigured

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the stored setting and the values of the form, which are the typed ones after a refusal."""
        if not settings_keys():
            return {"is_on": False}
        stored, problem = _read(self, call)
        return {
            "is_on": True,
            "stored": stored,
            "problem": problem,
            "values": self.form.values or self.values_of(stored),
            "parts": [_part_of(page, call) for page in PAGES],
            "setting_url": self.url(),
            "confirm_url": "" if self._is_confirmed(call) else self._confirm_url(),
            "remove_url": reverse(f"authsvc-console-remove-{self.section.removeprefix('settings-')}"),
            **self.details(),
        }

    def find(self, call: Call) -> Any:
        """Return the stored setting without its credential; None without one. Raises SettingUndecryptable."""
        found = self.route().get(call)
        return found if found.configured else None

    def state_of(self, stored: Any) -> tuple[str, str]:
        """Return the state of the setting and its CSS class."""
        return ("stored", "good") if stored else ("missing", "warn")

    def values_of(self, stored: Any) -> Mapping[str, object]:
        """Return the values with which the form begins."""
        raise NotImplementedError

    def details(self) -> Mapping[str, object]:
        """Return the values that only this page needs."""
        raise NotImplementedError

    @classmethod
    def url(cls) -> str:
        """Return the path of the page."""
        return reverse(f"authsvc-console-{cls.section}")

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the setting."""
        return self.render(self.context(call))

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the messages as the result of a test when a test's form is not valid."""
        if self.form.errors and self.is_part:
            return self.show_result(call, None)
        return super().call_handler(declared, call)

    def submit(self, call: Call) -> HttpResponse:
        """Test or store the values of the form. The button that sends the form decides."""
        self.require_recent_factor(call)
        try:
            if self.form.values.get("act") == "test":
                return self.show_result(call, self.trial().post(call))
            self.route().put(call)
        except _REFUSALS as error:
            return self.refuse(call, error)
        return self.redirect(self.url(), notice=f"You stored the {self.label} setting.")

    def refuse(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the message of the error beside its field, or above the form."""
        name, _, message = str(error).partition(": ")
        errors = {name: message} if name in self.form.values else {"": str(error)}
        self.form = Form(values=self.form.values, errors=errors)
        if self.is_part:
            return self.show_result(call, None)
        return self.render(self.context(call), status=error.status)

    def show_result(self, call: Call, result: SettingTest | None) -> HttpResponse:
        """Return the result of a test, in the page or as its part. None shows the messages about the form."""
        if self.is_part:
            # The script shows only the body of an answer with status 200.
            messages = [(_LABELS.get(name, name.replace("_", " ")), text) for name, text in self.form.errors.items()]
            context = {"result": result, "messages": messages}
            return self.render(context, template="authsvc_console/setting_result.html")
        return self.render({**self.context(call), "result": result})

    def _is_confirmed(self, call: Call) -> bool:
        try:
            self.require_recent_factor(call)
        except ReauthenticationRequired:
            return False
        return True

    def _confirm_url(self) -> str:
        return navigation.with_next("authsvc-console-confirm", page=self.url())


class Llm(SettingPage):
    """The language model."""

    section = "settings-llm"
    template = "authsvc_console/setting_llm.html"
    label = "language model"
    route = LlmProvider
    trial = TestLlmProvider

    @operation(input=LlmForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting."""
        return self.submit(call)

    def values_of(self, stored: Any) -> Mapping[str, object]:
        """Return the stored values, or those of the built-in parser."""
        if stored is None:
            return {"kind": LlmKind.BUILTIN, "max_tokens": DEFAULT_MAX_TOKENS}
        model = "" if stored.kind == LlmKind.BUILTIN else stored.model
        return {"kind": stored.kind, "model": model, "max_tokens": stored.max_tokens}

    def details(self) -> Mapping[str, object]:
        """Return the kinds."""
        return {"kinds": _kinds()}


class Database(SettingPage):
    """The read-only database."""

    section = "settings-database"
    template = "authsvc_console/setting_database.html"
    label = "database"
    route = DatabaseProvider
    trial = TestDatabaseProvider

    @operation(input=DatabaseForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting. Both try to write to the database, which takes at most ten seconds."""
        return self.submit(call)

    def values_of(self, stored: Any) -> Mapping[str, object]:
        """Return the stored values."""
        if stored is None:
            return {"label": "Reader", "max_rows": DEFAULT_MAX_ROWS}
        return {"label": stored.label, "max_rows": stored.max_rows}

    def details(self) -> Mapping[str, object]:
        """Return the name of the service's own database, for the statements that make a role."""
        name = connection.settings_dict["NAME"]
        return {"database": name, "quoted_database": connection.ops.quote_name(name)}


class AskAi(SettingPage):
    """The widget."""

    section = "settings-widget"
    template = "authsvc_console/setting_widget.html"
    label = "widget"
    route = AskAiWidget
    trial = TestAskAiWidget

    @operation(input=WidgetForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting."""
        return self.submit(call)

    def find(self, call: Call) -> Widget | None:
        """Return the stored setting. It contains no credential."""
        return find_widget()

    def state_of(self, stored: Any) -> tuple[str, str]:
        """Return whether users can ask."""
        if stored is None:
            return "missing", "warn"
        return ("on", "good") if stored.enabled else ("off", "warn")

    def values_of(self, stored: Any) -> Mapping[str, object]:
        """Return the stored values. Without them, all entities are chosen."""
        widget = stored or Widget(entities=bindable(list(Entity)), greeting="Ask about your account.")
        return {
            "enabled": "on" if widget.enabled else "",
            "allowed_origins": "\n".join(widget.allowed_origins),
            **dict.fromkeys(map(str, widget.entities), "on"),
            "greeting": widget.greeting,
            "placeholder": widget.placeholder,
        }

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the setting, and the entities with whether they are chosen."""
        context = super().context(call)
        values: Any = context.get("values", {})
        return {**context, "entities": [(str(name), label, name in values) for name, label in _ENTITIES.items()]}

    def details(self) -> Mapping[str, object]:
        """Return the path of the element's script, its demo page, and the service's origin."""
        path = find_path("authsvc-ask-ai-script") or ""
        return {"script": path, "demo_url": urljoin(path, "demo"), "origin": core_settings().base_url}


class RemoveLlm(Llm):
    """The form that removes the language model setting."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Remove the setting, also when its credential cannot be decrypted."""
        return _remove(self, call)


class RemoveDatabase(Database):
    """The form that removes the database setting."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Remove the setting, also when its credential cannot be decrypted."""
        return _remove(self, call)


class RemoveAskAi(AskAi):
    """The form that removes the widget setting."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Remove the setting."""
        return _remove(self, call)


PAGES: Sequence[type[SettingPage]] = (Llm, Database, AskAi)


def _remove(page: SettingPage, call: Call) -> HttpResponse:
    page.require_recent_factor(call)
    page.route().delete(call)
    return page.redirect(page.url(), notice=f"You removed the {page.label} setting.")


def _read(page: SettingPage, call: Call) -> tuple[Any, str]:
    """Return the stored setting; None without one. The text says why a stored setting cannot be read."""
    try:
        return page.find(call), ""
    except SettingUndecryptable as error:
        return None, str(error)


def _part_of(page: type[SettingPage], call: Call) -> Part:
    stored, problem = _read(page(), call)
    state, tone = ("cannot be decrypted", "bad") if problem else page().state_of(stored)
    label = navigation.SECTIONS["Settings"][page.section]
    return Part(key=page.section, label=label, url=page.url(), state=state, tone=tone)


def _kinds() -> Sequence[Kind]:
    known = ask_ai_settings()
    return (
        Kind(
            name=LlmKind.BUILTIN,
            label="Built-in parser",
            text="Needs no key and no network, so a question stays on this service. It understands everyday English only.",
        ),
        Kind(
            name=LlmKind.ANTHROPIC,
            label="Anthropic",
            text="Anthropic's Messages API. It needs a key.",
            target=known.llm_base_url_anthropic,
        ),
        Kind(
            name=LlmKind.OPENAI,
            label="OpenAI or compatible",
            text="OpenAI's chat completions, or a compatible server, also on your own machines. It needs a key.",
            target=known.llm_base_url_openai,
        ),
    )
