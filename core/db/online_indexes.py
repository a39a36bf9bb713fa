"""The operations of migrations that add an index for the console while requests write."""

import logging
from typing import Any

from django.db import DatabaseError
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.migrations.state import ProjectState

_log = logging.getLogger("authsvc.migrations")


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


class AddPartsIndexOnline(AddIndexOnline):
    """Adds an index that finds parts of a text column, by the extension `pg_trgm` of PostgreSQL.

    The role of the service may be refused the extension. Then there is no index, and a search reads the whole table.
    The models do not know the index, because its extension may be missing.
    """

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create the extension and build the index. Log a warning when the role may not create the extension."""
        model = to_state.apps.get_model(app_label, self.model_name)
        editor: Any = schema_editor
        if editor.connection.vendor != "postgresql" or not self.allow_migrate_model(editor.connection.alias, model):
            return
        try:
            editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        except DatabaseError:
            _log.warning("the role may not create the extension pg_trgm", extra={"index": self.index.name})
            return
        with editor.connection.cursor() as cursor:
            cursor.execute("SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'pg_trgm'")
            [schema] = cursor.fetchone()
        column = model._meta.get_field(self.index.fields[0]).column
        editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}")
        editor.execute(
            f"CREATE INDEX CONCURRENTLY {self.index.name} ON {editor.quote_name(model._meta.db_table)} "
            f"USING gin ({editor.quote_name(column)} {schema}.gin_trgm_ops)"
        )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Remove the index if it was built. The extension stays, because others may use it."""
        editor: Any = schema_editor
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP INDEX IF EXISTS {self.index.name}")
