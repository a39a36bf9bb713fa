"""A file or a directory that a command cannot use ends the command with one line that names it."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from .conftest import Run
from .running import Running

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        settings.ROOT_URLCONF != "config.urls" or connection.vendor != "sqlite",
        reason="the embedded deployment writes every kind of file",
    ),
]

# A directory below a file can be made by no user, not even by root.
BELOW_A_FILE = "file/below"
COMMANDS = pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("migrate",), ("revoke_sessions", "--all")], ids=lambda command: command[0]
)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no database, and no set of keys" * 100)
    (tmp_path / "directory").mkdir()


def last_line(running: Running) -> str:
    """Return the last line of a command that failed without a traceback."""
    assert running.exit_code() == 1
    text = running.err.read_text()
    assert "Traceback" not in text
    return text.splitlines()[-1]


@COMMANDS
@pytest.mark.parametrize("place", [f"{BELOW_A_FILE}/auth.sqlite3", "directory", "file"])
def test_an_unusable_database_file_is_named_in_one_line(
    manage: Run, tmp_path: Path, command: tuple[str, ...], place: str
) -> None:
    path = tmp_path / place

    line = last_line(manage(*command, DATABASE_URL=f"sqlite:///{path}"))

    assert str(path) in line or f"{path.parent} cannot be made" in line


def test_a_database_directory_that_cannot_be_written_is_named_in_one_line(serve: Run) -> None:
    line = last_line(serve(DATABASE_URL="sqlite:////proc/auth.sqlite3"))

    assert line.startswith("Not started: DATABASE_URL: /proc/auth.sqlite3.lock cannot be written: ")


@pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("signing_keys", "list")], ids=lambda command: command[0]
)
@pytest.mark.parametrize("place", [f"{BELOW_A_FILE}/keys.json", "directory", "file"])
def test_an_unusable_file_of_the_signing_keys_is_named_in_one_line(
    manage: Run, tmp_path: Path, command: tuple[str, ...], place: str
) -> None:
    path = tmp_path / place

    line = last_line(manage(*command, SIGNING_KEYS_FILE=str(path)))

    assert f"SIGNING_KEYS_FILE: {path} " in line


def test_an_unreachable_database_is_one_line_of_a_command(manage: Run) -> None:
    line = last_line(manage("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:9/nothing"))

    assert line.startswith("The database does not answer. ")
