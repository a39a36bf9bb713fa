"""The operation of migrations that adds an index for the console while requests write."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexOnline(AddIndex):
    """Adds an index on PostgreSQL alone, while requests write to the table.

    SQLite gets no index, because an embedded deployment has no console. The migration needs `atomic = False`, because
    PostgreSQL builds an index concurrently only outside a transaction.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Build the index. An index that an interrupted build left behind is not valid, and goes first."""
        model = to_state.apps.get_model(app_label, self.model_name)
        editor: Any = schema_editor
        alias = editor.connection.alias
        if editor.connection.vendor == "postgresql" and self.allow_migrate_model(alias, model):
            editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}")
            editor.add_index(model, self.index, concurrently=True)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Remove the index where it was built."""
        editor: Any = schema_editor
        if editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
