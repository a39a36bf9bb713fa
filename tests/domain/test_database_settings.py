"""Django's settings for DATABASE_URL, with a pooler and without."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.database import database_of, pooled_database_of
from config.environment import ProjectSettings
from core.conf import load
from tests.rows import each

pytestmark = pytest.mark.once

URL = "postgresql://alice:secret@db.example.com:6432/auth"
POOLED = {"SECRET_KEY": "x", "DATABASE_URL": URL, "DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": URL}


def test_options_of_the_url_win_over_those_of_the_service(tmp_path: Path) -> None:
    query = "?connect_timeout=7&tcp_user_timeout=9000&prepare_threshold=5&sslmode=verify-full"

    for database in (database_of(URL + query, base_dir=tmp_path), pooled_database_of(URL + query)):
        assert database["OPTIONS"] == {
            "connect_timeout": 7,
            "tcp_user_timeout": 9000,
            "keepalives_idle": 5,
            "keepalives_interval": 3,
            "server_side_binding": True,
            "prepare_threshold": 5,
            "sslmode": "verify-full",
        }


def test_through_a_pooler_nothing_is_prepared_and_no_cursor_outlives_its_transaction(tmp_path: Path) -> None:
    direct, pooled = database_of(URL, base_dir=tmp_path), pooled_database_of(URL)

    assert (direct["OPTIONS"]["prepare_threshold"], direct["DISABLE_SERVER_SIDE_CURSORS"]) == (1, False)
    assert (pooled["OPTIONS"]["prepare_threshold"], pooled["DISABLE_SERVER_SIDE_CURSORS"]) == (None, True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"DATABASE_POOLER": "session"}, "DATABASE_POOLER must be transaction."),
        ({"DATABASE_POOLER": "on"}, "DATABASE_POOLER must be transaction."),
        (
            {"DATABASE_DIRECT_URL": ""},
            "DATABASE_POOLER needs DATABASE_DIRECT_URL, which leads to the same database without the pooler.",
        ),
        (
            {"DATABASE_DIRECT_URL": "sqlite:///var/auth.sqlite3"},
            "DATABASE_DIRECT_URL must be postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        ),
        (
            {"DATABASE_URL": "sqlite:///var/auth.sqlite3"},
            "DATABASE_POOLER needs a DATABASE_URL that starts with postgresql://.",
        ),
    ],
)
def test_a_pooler_needs_a_known_mode_and_a_direct_url(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ImproperlyConfigured) as raised:
        load(ProjectSettings, POOLED | changes)

    assert str(raised.value) == message


@each("password", ["pa/ss", "pa#ss", "pa?ss", "pa@s/s", "pa@s#s", "pa@s?x=1", "pa[ss", "p:12/ss", "/", "#"])
@each("name", ["DATABASE_URL", "DATABASE_DIRECT_URL"])
def test_a_password_that_is_not_percent_encoded_is_refused_with_the_codes_of_its_characters(
    name: str, password: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as raised:
        load(ProjectSettings, POOLED | {name: f"postgresql://alice:{password}@db.example.com/auth"})

    text = str(raised.value)
    assert text.startswith(f"{name} must be ")
    assert text.endswith(": percent-encode the password: %2F for /, %23 for #, %3F for ?, %40 for @ and %25 for %.")


def test_a_percent_encoded_password_reaches_the_driver_decoded(tmp_path: Path) -> None:
    url = "postgresql://alice:pa%2Fs%23s%3F%40%25@db.example.com/auth"

    found = database_of(load(ProjectSettings, POOLED | {"DATABASE_URL": url}).database_url, base_dir=tmp_path)

    assert (found["PASSWORD"], found["HOST"], found["NAME"]) == ("pa/s#s?@%", "db.example.com", "auth")


def test_a_url_without_a_host_leads_to_a_local_socket(tmp_path: Path) -> None:
    url = "postgresql:///auth?host=/run/postgresql"

    found = database_of(load(ProjectSettings, POOLED | {"DATABASE_URL": url}).database_url, base_dir=tmp_path)

    assert (found["NAME"], found["OPTIONS"]["host"]) == ("auth", "/run/postgresql")


def test_a_url_without_the_path_of_a_file_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured):
        load(ProjectSettings, {"SECRET_KEY": "x", "DATABASE_URL": "sqlite:///"})


def test_no_router_leads_a_read_to_another_database() -> None:
    assert (set(settings.DATABASES), settings.DATABASE_ROUTERS) == ({"default"}, [])
