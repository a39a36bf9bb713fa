"""Routes that show, store, delete and test the settings of ask-AI. A test stores nothing.

No response contains a credential, not even a masked one. A test needs a recent login like a write, because the service
then calls a host that the operator names.
"""

from askai.errors import (
    DatabaseRoleNotReadOnly,
    DatabaseRoleUnverified,
    InvalidAskAiWidget,
    InvalidDatabaseProvider,
    InvalidLlmProvider,
    SettingUndecryptable,
)
from askai.settings.stored import Name, Widget, find_widget, settings_keys
from askai.trial import SettingTest
from core.errors import NotConfigured
from core.http.call import Call
from core.http.view import operation

from ..roles import Right
from ..serializers import DatabaseProviderInput, LlmProviderInput, WidgetInput
from ..settings.ask_ai import (
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
from .base import AdminView


class _SettingView(AdminView):
    """A route for a setting. It exists only while SETTINGS_ENCRYPTION_KEY is set."""

    writes_need = Right.SETTINGS

    def check_feature(self) -> None:
        """Raise NotConfigured while SETTINGS_ENCRYPTION_KEY is unset."""
        if not settings_keys():
            raise NotConfigured


class LlmProvider(_SettingView):
    """The language model of ask-AI."""

    @operation(id="getLlmProvider", output=LlmSetting, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> LlmSetting:
        """Show the language model setting.

        The answer does not contain the API key.
        """
        return show_llm()

    @operation(
        id="setLlmProvider",
        input=LlmProviderInput,
        input_error=InvalidLlmProvider,
        output=LlmSetting,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> LlmSetting:
        """Store the language model setting.

        Every request must contain the API key.
        """
        return store_llm(**call.body, operator_id=call.user_id, client=call.client, now=call.now)

    @operation(id="deleteLlmProvider", output=LlmSetting, example=LlmSetting(), errors=(NotConfigured,))
    def delete(self, call: Call) -> LlmSetting:
        """Delete the language model setting.

        The call succeeds even if the stored setting cannot be decrypted.
        """
        remove_setting(name=Name.LLM_PROVIDER, operator_id=call.user_id, client=call.client, now=call.now)
        return LlmSetting()


class DatabaseProvider(_SettingView):
    """The read-only database of ask-AI."""

    @operation(id="getDatabaseProvider", output=DatabaseSetting, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> DatabaseSetting:
        """Show the read-only database setting.

        The answer contains only the host and the database of the DSN.
        """
        return show_database()

    @operation(
        id="setDatabaseProvider",
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=DatabaseSetting,
        errors=(DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured),
    )
    def put(self, call: Call) -> DatabaseSetting:
        """Store the read-only database setting.

        The service first connects to the database and tries to write. It stores the setting only if the database
        refuses the write. The check takes at most ten seconds.
        """
        return store_database(**call.body, operator_id=call.user_id, client=call.client, now=call.now)

    @operation(id="deleteDatabaseProvider", output=DatabaseSetting, example=DatabaseSetting(), errors=(NotConfigured,))
    def delete(self, call: Call) -> DatabaseSetting:
        """Delete the read-only database setting.

        The call succeeds even if the stored setting cannot be decrypted.
        """
        remove_setting(name=Name.DATABASE_PROVIDER, operator_id=call.user_id, client=call.client, now=call.now)
        return DatabaseSetting()


class AskAiWidget(_SettingView):
    """The widget of ask-AI."""

    @operation(id="getAskAiWidget", output=Widget, errors=(NotConfigured,))
    def get(self, call: Call) -> Widget:
        """Show the widget setting.

        If no setting is stored, `enabled` is false.
        """
        return find_widget() or Widget()

    @operation(
        id="setAskAiWidget",
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=Widget,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> Widget:
        """Store the widget setting.

        The new setting replaces every part of an earlier setting.
        """
        return store_widget(value=call.body, operator_id=call.user_id, client=call.client, now=call.now)

    @operation(id="deleteAskAiWidget", output=Widget, example=Widget(), errors=(NotConfigured,))
    def delete(self, call: Call) -> Widget:
        """Delete the widget setting.

        From then on, the service answers questions with the error `not_configured`.
        """
        remove_setting(name=Name.WIDGET, operator_id=call.user_id, client=call.client, now=call.now)
        return Widget()


class TestLlmProvider(_SettingView):
    """Test a language model setting."""

    @operation(input=LlmProviderInput, input_error=InvalidLlmProvider, output=SettingTest, errors=(NotConfigured,))
    def post(self, call: Call) -> SettingTest:
        """Send a question to the language model with the values of the body. The service stores nothing.

        The test takes at most twelve seconds. The body must contain the API key, even if one is stored.
        """
        return check_llm(**call.body)


class TestDatabaseProvider(_SettingView):
    """Test a read-only database setting."""

    @operation(
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=SettingTest,
        example=SettingTest(ok=True, message="The database refuses writes of this role."),
        errors=(DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured),
    )
    def post(self, call: Call) -> SettingTest:
        """Connect to the database of the body and try to write, as a `PUT` does. The service stores nothing.

        The check takes at most ten seconds. The errors are those of a `PUT`.
        """
        return check_database(dsn=call.body["dsn"])


class TestAskAiWidget(_SettingView):
    """Test a widget setting."""

    @operation(
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=SettingTest,
        example=SettingTest(ok=True, message="The setting is valid. Users can ask questions."),
        errors=(NotConfigured,),
    )
    def post(self, call: Call) -> SettingTest:
        """Check the widget setting of the body. The service stores nothing."""
        return check_widget(value=call.body)
