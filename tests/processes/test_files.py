"""The permissions of the files that the service writes."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.client import PASSWORD

from .conftest import Run
from .running import call, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        settings.ROOT_URLCONF != "config.urls" or connection.vendor != "sqlite",
        reason="the embedded deployment writes every kind of file",
    ),
]


def test_only_the_owner_can_read_the_files_of_a_service(serve: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    server = serve(
        DATABASE_URL=f"sqlite:///{home}/database/auth.sqlite3",
        SIGNING_KEYS_FILE=f"{home}/keys/signing-keys.json",
        EMAIL_URL=f"file://{home}/mails",
        RATE_LIMITS="on",
    )
    port = server.await_ready()
    alice = {"email": "alice@example.com"}
    assert call(port, "POST", "/v1/signup", {**alice, "password": PASSWORD}).status == 201
    assert call(port, "POST", "/v1/login", {**alice, "password": PASSWORD}).status == 200
    assert call(port, "POST", "/v1/magic-link/request", alice).status == 200
    until(lambda: list(home.glob("mails/*.eml")), what="a mail")

    written = list(home.rglob("*"))
    modes = {str(path.relative_to(home)): path.stat().st_mode & 0o777 for path in written}
    directories = {str(path.relative_to(home)) for path in written if path.is_dir()}

    assert {f"database/auth.sqlite3{suffix}" for suffix in ("", "-wal", "-shm", ".limits", ".lock")} <= set(modes)
    assert modes == {name: 0o700 if name in directories else 0o600 for name in modes}


def test_a_database_that_others_can_read_causes_a_warning(manage: Run, tmp_path: Path) -> None:
    database = tmp_path / "auth.sqlite3"
    database.touch(mode=0o600)
    variables = {"DATABASE_URL": f"sqlite:///{database}"}
    private = manage("check", "--deploy", **variables)
    assert private.exit_code() == 0
    assert "authsvc.W018" not in private.err.read_text()

    database.chmod(0o644)
    exposed = manage("check", "--deploy", **variables)

    assert exposed.exit_code() == 0
    assert f"Other users of the machine can access the database: {database}." in exposed.err.read_text()
