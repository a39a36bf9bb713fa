"""The pages of the settings of ask-AI: language model, read-only database and widget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urljoin

from django.db import connection
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts.errors import ReauthenticationRequired
from askai.conf import settings as ask_ai_settings
from askai.errors import (
    DatabaseRoleNotReadOnly,
    DatabaseRoleUnverified,
    InvalidAskAiWidget,
    InvalidDatabaseProvider,
    SettingUndecryptable,
)
from askai.plans.entities import Entity, bindable
from askai.settings.stored import (
    DEFAULT_MAX_ROWS,
    DEFAULT_MAX_TOKENS,
    LlmKind,
    Name,
    Widget,
    find_widget,
    settings_keys,
)
from askai.trial import SettingTest
from core.conf import core_settings
from core.errors import NotConfigured, ServiceError
from core.http.call import Call
from core.http.mounting import find_path
from core.http.view import Operation, operation
from pages.frame.forms import Form
from pages.frame.navigation import with_next
from pages.frame.page import SAFE_METHODS

from ....roles import Right
from ....settings.ask_ai import (
    DatabaseSetting,
    LlmSetting,
    check_database,
    check_llm,
    check_widget,
    remove_setting,
    show_database,
    show_llm,
    store_database,
    store_llm,
    store_widget,
)
from ... import navigation
from ...forms import DatabaseForm, LlmForm, WidgetForm
from ...page import ConsolePage

_REFUSALS = (DatabaseRoleNotReadOnly, DatabaseRoleUnverified, InvalidAskAiWidget, InvalidDatabaseProvider)

_LABELS = {
    "model": gettext_noop("model"),
    "kind": gettext_noop("kind"),
    "max_tokens": gettext_noop("max tokens"),
    "max_rows": gettext_noop("max rows"),
    "label": gettext_noop("label"),
    "greeting": gettext_noop("greeting"),
    "placeholder": gettext_noop("placeholder"),
    "allowed_origins": gettext_noop("allowed origins"),
    "entities": gettext_noop("entities"),
    "enabled": gettext_noop("enabled"),
    "api_key": gettext_noop("API key"),
    "dsn": "DSN",
}
"""The labels of fields in messages."""

_ENTITIES: Mapping[Entity, str] = {
    Entity.SESSIONS: gettext_noop("Sessions: where the user is signed in"),
    Entity.AUDIT_EVENTS: gettext_noop("Audit events: what happened in the user's account"),
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

    writes_need = Right.SETTINGS
    stored_text: ClassVar[str]
    removed_text: ClassVar[str]
    name: ClassVar[Name]

    def check_feature(self) -> None:
        """Raise NotConfigured for a write while SETTINGS_ENCRYPTION_KEY is unset. The page says how to set it."""
        if self.request.method not in SAFE_METHODS and not settings_keys():
            raise NotConfigured

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the stored setting and the values of the form, which are the typed ones after a refusal."""
        if not settings_keys():
            return {"is_on": False}
        stored, problem = _read(self)
        return {
            "is_on": True,
            "stored": stored,
            "problem": problem,
            "values": self.form.values or self.values_of(stored),
            "parts": [_part_of(page) for page in PAGES],
            "setting_url": self.url(),
            "confirm_url": "" if self._is_confirmed(call) else self._confirm_url(),
            "remove_url": reverse(f"authsvc-console-remove-{self.section.removeprefix('settings-')}"),
            **self.details(),
        }

    def find(self) -> Any:
        """Return the stored setting without its credential; None without one. Raises SettingUndecryptable."""
        raise NotImplementedError

    def check(self, call: Call) -> SettingTest:
        """Test the values of the form, and store nothing."""
        raise NotImplementedError

    def store(self, call: Call) -> object:
        """Store the values of the form."""
        raise NotImplementedError

    def state_of(self, stored: Any) -> tuple[str, str]:
        """Return the state of the setting and its CSS class."""
        return (gettext("stored"), "good") if stored else (gettext("missing"), "warn")

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
                return self.show_result(call, self.check(call))
            self.store(call)
        except _REFUSALS as error:
            return self.refuse(call, error)
        return self.redirect(self.url(), notice=gettext(self.stored_text))

    def refuse(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the message of the error beside its field, or above the form."""
        name, _, message = str(error).partition(": ")
        errors = {name: message} if name in self.form.values else {"": gettext(str(error))}
        self.form = Form(values=self.form.values, errors=errors)
        if self.is_part:
            return self.show_result(call, None)
        return self.render(self.context(call), status=error.status)

    def show_result(self, call: Call, result: SettingTest | None) -> HttpResponse:
        """Return the result of a test, in the page or as its part. None shows the messages about the form."""
        if self.is_part:
            # The script shows only the body of an answer with status 200.
            messages = [(_label(name), text) for name, text in self.form.errors.items()]
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
        return with_next("authsvc-confirm", page=self.url())


class Llm(SettingPage):
    """The language model."""

    section = "settings-llm"
    template = "authsvc_console/setting_llm.html"
    stored_text = gettext_noop("You stored the language model setting.")
    removed_text = gettext_noop("You removed the language model setting.")
    name = Name.LLM_PROVIDER

    @operation(input=LlmForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting."""
        return self.submit(call)

    def find(self) -> LlmSetting | None:
        """Return the stored setting without its key; None without one. Raises SettingUndecryptable."""
        found = show_llm()
        return found if found.configured else None

    def check(self, call: Call) -> SettingTest:
        """Send a question to the model."""
        return check_llm(**call.body)

    def store(self, call: Call) -> object:
        """Store the values of the form."""
        return store_llm(**call.body, operator_id=call.user_id, client=call.client, now=call.now)

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
    stored_text = gettext_noop("You stored the database setting.")
    removed_text = gettext_noop("You removed the database setting.")
    name = Name.DATABASE_PROVIDER

    @operation(input=DatabaseForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting. Both try to write to the database, which takes at most ten seconds."""
        return self.submit(call)

    def find(self) -> DatabaseSetting | None:
        """Return the stored setting without its DSN; None without one. Raises SettingUndecryptable."""
        found = show_database()
        return found if found.configured else None

    def check(self, call: Call) -> SettingTest:
        """Try to write to the database."""
        return check_database(dsn=call.body["dsn"])

    def store(self, call: Call) -> object:
        """Store the values of the form, after the database refused a write."""
        return store_database(**call.body, operator_id=call.user_id, client=call.client, now=call.now)

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
    stored_text = gettext_noop("You stored the widget setting.")
    removed_text = gettext_noop("You removed the widget setting.")
    name = Name.WIDGET

    @operation(input=WidgetForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Test or store the setting."""
        return self.submit(call)

    def find(self) -> Widget | None:
        """Return the stored setting. It contains no credential."""
        return find_widget()

    def check(self, call: Call) -> SettingTest:
        """Return whether users can ask with the values of the form."""
        return check_widget(value=call.body)

    def store(self, call: Call) -> object:
        """Store the values of the form."""
        return store_widget(value=call.body, operator_id=call.user_id, client=call.client, now=call.now)

    def state_of(self, stored: Any) -> tuple[str, str]:
        """Return whether users can ask."""
        if stored is None:
            return gettext("missing"), "warn"
        return (gettext("on"), "good") if stored.enabled else (gettext("off"), "warn")

    def values_of(self, stored: Any) -> Mapping[str, object]:
        """Return the stored values. Without them, all entities are chosen."""
        widget = stored or Widget(entities=bindable(list(Entity)), greeting=gettext("Ask about your account."))
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
        return {
            **context,
            "entities": [(str(name), gettext(label), name in values) for name, label in _ENTITIES.items()],
        }

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


def _label(name: str) -> str:
    return gettext(_LABELS[name]) if name in _LABELS else name.replace("_", " ")


def _remove(page: SettingPage, call: Call) -> HttpResponse:
    page.require_recent_factor(call)
    remove_setting(name=page.name, operator_id=call.user_id, client=call.client, now=call.now)
    return page.redirect(page.url(), notice=gettext(page.removed_text))


def _read(page: SettingPage) -> tuple[Any, str]:
    """Return the stored setting; None without one. The text says why a stored setting cannot be read."""
    try:
        return page.find(), ""
    except SettingUndecryptable as error:
        return None, gettext(str(error))


def _part_of(page: type[SettingPage]) -> Part:
    stored, problem = _read(page())
    state, tone = (gettext("cannot be decrypted"), "bad") if problem else page().state_of(stored)
    label = gettext(navigation.SECTIONS["Settings"][page.section])
    return Part(key=page.section, label=label, url=page.url(), state=state, tone=tone)


def _kinds() -> Sequence[Kind]:
    known = ask_ai_settings()
    return (
        Kind(
            name=LlmKind.BUILTIN,
            label=gettext("Built-in parser"),
            text=gettext(
                "Needs no key and no network, so a question stays on this service. It understands everyday English only."
            ),
        ),
        Kind(
            name=LlmKind.ANTHROPIC,
            label=gettext("Anthropic"),
            text=gettext("Anthropic's Messages API. It needs a key."),
            target=known.llm_base_url_anthropic,
        ),
        Kind(
            name=LlmKind.OPENAI,
            label=gettext("OpenAI or compatible"),
            text=gettext(
                "OpenAI's chat completions, or a compatible server, also on your own machines. It needs a key."
            ),
            target=known.llm_base_url_openai,
        ),
    )
