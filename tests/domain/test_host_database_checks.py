"""`manage.py check` reports databases, database routers and times that the service cannot use."""

from typing import Any

import pytest
from django.db import connection, models
from pytest_django import Settings

from accounts.checks import check_databases, check_engine, check_time_zones
from accounts.models import Account


class ForAnotherApp:
    """Has no opinion about the models of this project."""

    def db_for_read(self, model: type[models.Model], **_hints: Any) -> str | None:
        return "reports" if model._meta.app_label == "reports" else None


class ReadsFromReplica:
    """Reads every model from a replica."""

    def db_for_read(self, model: type[models.Model], **_hints: Any) -> str:
        return "replica"


class WritesElsewhere:
    """Writes accounts to another database."""

    def db_for_write(self, model: type[models.Model], **_hints: Any) -> str | None:
        return "other" if model is Account else None


class MigratesElsewhere:
    """Makes the table of accounts in another database only."""

    def allow_migrate(self, db: str, app_label: str, model_name: str = "", **_hints: Any) -> bool | None:
        return db == "other" if (app_label, model_name) == ("authsvc_accounts", "account") else None


def test_a_router_for_other_apps_is_accepted(settings: Settings) -> None:
    settings.DATABASE_ROUTERS = [ForAnotherApp()]

    assert check_databases() == []


def test_a_router_that_moves_the_users_or_a_table_is_an_error(settings: Settings) -> None:
    settings.DATABASE_ROUTERS = [ReadsFromReplica()]

    (found,) = check_databases()

    assert found.id == "authsvc.E008"
    assert settings.AUTH_USER_MODEL in found.msg
    assert "authsvc_sessions.Family" in found.msg


@pytest.mark.parametrize("router", [WritesElsewhere, MigratesElsewhere])
def test_a_router_that_moves_one_table_is_an_error_about_this_table(settings: Settings, router: type[object]) -> None:
    settings.DATABASE_ROUTERS = [router()]

    (found,) = check_databases()

    assert found.msg.endswith("default database: authsvc_accounts.Account.")


def test_sqlite_and_postgresql_are_accepted() -> None:
    assert check_engine() == []


def test_another_database_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "mysql")

    (found,) = check_engine()

    assert found.id == "authsvc.E009"


def test_times_without_a_time_zone_are_an_error(settings: Settings) -> None:
    assert check_time_zones() == []

    settings.USE_TZ = False

    (found,) = check_time_zones()
    assert found.id == "authsvc.E010"
