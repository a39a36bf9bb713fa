"""Migration step for a new table that refers to accounts."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


def cascade_in_database(*, app_label: str, model_name: str) -> RunPython:
    """Return an operation after which PostgreSQL deletes the model's rows together with their account.

    Django's own cascade covers the models that a process knows. During an upgrade, a process of the previous release
    does not know the new table. Its deletion of an account would fail. An SQLite database has one release only.
    """

    def run(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if schema_editor.connection.vendor == "postgresql":
            _replace_constraint(apps.get_model(app_label, model_name), schema_editor)

    return RunPython(run, RunPython.noop)


def _replace_constraint(model: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    field = model._meta.get_field("account")
    with schema_editor.connection.cursor() as cursor:
        constraints = schema_editor.connection.introspection.get_constraints(cursor, model._meta.db_table)
    [name] = [
        name for name, found in constraints.items() if found["foreign_key"] and found["columns"] == [field.column]
    ]
    quote = schema_editor.quote_name
    target = field.target_field
    schema_editor.execute(
        f"ALTER TABLE {quote(model._meta.db_table)} DROP CONSTRAINT {quote(name)}, ADD CONSTRAINT {quote(name)} "
        f"FOREIGN KEY ({quote(field.column)}) REFERENCES {quote(target.model._meta.db_table)} ({quote(target.column)}) "
        "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    )
