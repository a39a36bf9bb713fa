"""The migrations of a minor series are additive: the code of the release before runs on the new schema."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.rows import each

pytestmark = pytest.mark.once

BASELINE = {
    "authsvc_accounts": "0013_names_in_the_admin",
    "authsvc_sessions": "0006_keyed_rotations",
    "authsvc_mfa": "0007_account_recoveries_cascade",
    "authsvc_apikeys": "0001_initial",
    "authsvc_askai": "0001_initial",
    "authsvc_console": "0002_console_sessions",
    "authsvc_pages": "0003_passkey_offers",
    "authsvc_oidc": "0001_initial",
}
"""The last migration of each app before the rule. A new minor series moves the baseline."""

HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)


def find_faults(operations: Sequence[Operation], *, app: str, state: ProjectState) -> Iterator[str]:
    """Yield each operation that the code of an older release may not survive."""
    state = state.clone()
    created: set[str] = set()
    for operation in operations:
        fault = _fault_of(operation, app=app, state=state, created=created)
        if fault:
            yield f"{operation.describe()}: {fault}"
        if isinstance(operation, migrations.CreateModel):
            created.add(operation.name_lower)
        operation.state_forwards(app, state)


def _fault_of(operation: Operation, *, app: str, state: ProjectState, created: set[str]) -> str:
    # An older release does not know a table of the same migration.
    if isinstance(operation, HARMLESS) or getattr(operation, "model_name_lower", "") in created:
        return ""
    match operation:
        case migrations.AddField(field=field):
            is_optional = field.null or field.has_db_default()
            return "" if is_optional else "an older release inserts rows without the column; use null or db_default"
        case migrations.AlterField(field=field):
            before = state.models[app, operation.model_name_lower].fields[operation.name]
            return "" if is_wider(before, field) else "an older release may write values that the column refuses"
        case migrations.RunSQL() | migrations.RunPython() | migrations.SeparateDatabaseAndState():
            return "a test cannot tell what the operation does"
    return "an older release needs the schema as it was"


def is_wider(before: Any, after: Any) -> bool:
    """Return whether the column of the field takes every value that it took before."""

    def kind(field: Any) -> tuple[Any, ...]:
        return type(field), field.unique, getattr(field.remote_field, "model", None)

    return (
        kind(before) == kind(after)
        and before.null <= after.null
        and (before.max_length or 0) <= (after.max_length or 0)
    )


def test_each_migration_after_the_baseline_is_additive() -> None:
    loader = MigrationLoader(None)
    faults = []
    for app, last in BASELINE.items():
        for (label, name), migration in loader.disk_migrations.items():
            if label == app and name > last:
                parents = [parent for parent in migration.dependencies if parent in loader.disk_migrations]
                state = loader.project_state(parents)
                faults += [
                    f"{app} {name}: {fault}" for fault in find_faults(migration.operations, app=app, state=state)
                ]

    assert faults == []


def test_the_baseline_names_each_app_and_existing_migrations() -> None:
    there = set(MigrationLoader(None).disk_migrations)

    assert set(BASELINE.items()) <= there
    assert {label for label, _ in there if label.startswith("authsvc_")} == set(BASELINE)
    assert all(apps.get_app_config(label) for label in BASELINE)


@each(
    "operation",
    [
        migrations.RemoveField("account", "email_key"),
        migrations.RenameField("account", "email_key", "key"),
        migrations.DeleteModel("storedhashkind"),
        migrations.RenameModel("storedhashkind", "kind"),
        migrations.AlterModelTable("storedhashkind", "kinds"),
        migrations.AddField("account", "colour", models.CharField(max_length=8)),
        migrations.AddField("account", "colour", models.CharField(max_length=8, default="red")),
        migrations.AlterField("outgoingmail", "template", models.CharField(max_length=39)),
        migrations.AlterField("outgoingmail", "template", models.TextField()),
        migrations.AlterField("outgoingmail", "account", models.ForeignKey("authsvc_accounts.account", models.CASCADE)),
        migrations.AlterField("event", "type", models.CharField(max_length=40, unique=True)),
        migrations.AddConstraint(
            "outgoingmail", models.CheckConstraint(condition=models.Q(attempts__lt=9), name="few_attempts")
        ),
        migrations.RunSQL("DROP TABLE authsvc_accounts_storedhashkind"),
        migrations.RunPython(migrations.RunPython.noop),
    ],
)
def test_a_change_that_breaks_an_older_release_is_refused(operation: Operation) -> None:
    state = MigrationLoader(None).project_state(list(BASELINE.items()))

    assert len(list(find_faults([operation], app="authsvc_accounts", state=state))) == 1


@each(
    "operation",
    [
        migrations.CreateModel("Tree", [("id", models.AutoField(primary_key=True))]),
        migrations.AddField("account", "colour", models.CharField(max_length=8, null=True)),
        migrations.AddField("account", "colour", models.CharField(max_length=8, db_default="red")),
        migrations.AlterField("outgoingmail", "template", models.CharField(max_length=41)),
        migrations.AlterField("outgoingmail", "sealed", models.BinaryField(null=True)),
        migrations.AddIndex("outgoingmail", models.Index(fields=["template"], name="by_template")),
    ],
)
def test_an_addition_is_accepted(operation: Operation) -> None:
    state = MigrationLoader(None).project_state(list(BASELINE.items()))

    assert list(find_faults([operation], app="authsvc_accounts", state=state)) == []
