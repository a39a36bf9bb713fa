"""The programs for backup and restore. `./dev drill restore` runs them on real databases."""

import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.processes.running import ROOT

pytestmark = pytest.mark.once

BACKUP = ROOT / "deploy" / "backup"


def restore(*arguments: str, variables: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Return the exit code and the output of the program."""
    command = [sys.executable, str(BACKUP / "restore.py"), *arguments]
    done = subprocess.run(command, env={**(variables or {})}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def archive(source: Path, directory: Path) -> int:
    command = [str(BACKUP / "archive_wal"), str(source), source.name, str(directory)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def make_database(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as session:
        session.executescript("PRAGMA journal_mode = WAL; CREATE TABLE filler (x); INSERT INTO filler VALUES ('old')")
    return path


def test_a_damaged_copy_replaces_nothing(tmp_path: Path) -> None:
    database, copy = make_database(tmp_path / "auth.sqlite3"), tmp_path / "copy.sqlite3"
    copy.write_bytes(database.read_bytes()[:-4096] + bytes(4096))
    before = database.read_bytes()

    code, said = restore("sqlite", "--backup", str(copy), variables={"DATABASE_URL": f"sqlite:///{database}"})

    assert code == 1
    assert "is damaged" in said
    assert database.read_bytes() == before


def test_an_open_database_is_not_replaced(tmp_path: Path) -> None:
    database, copy = make_database(tmp_path / "auth.sqlite3"), make_database(tmp_path / "copy.sqlite3")
    variables = {"DATABASE_URL": f"sqlite:///{database}"}

    with closing(sqlite3.connect(database)) as session:
        session.execute("SELECT * FROM filler").fetchall()
        code, said = restore("sqlite", "--backup", str(copy), variables=variables)

    assert code == 1
    assert "Stop the service first." in said
    assert len(list(tmp_path.glob("auth.sqlite3.replaced-*"))) == 0


def test_the_replaced_database_stays_beside_the_restored_one(tmp_path: Path) -> None:
    database, copy = make_database(tmp_path / "auth.sqlite3"), make_database(tmp_path / "copy.sqlite3")

    code, _ = restore(
        "sqlite", "--backup", str(copy), "--keep-sessions", variables={"DATABASE_URL": f"sqlite:///{database}"}
    )

    assert code == 0
    assert database.read_bytes() == copy.read_bytes()
    assert database.stat().st_mode & 0o777 == 0o600
    assert len(list(tmp_path.glob("auth.sqlite3.replaced-*"))) == 1


def test_a_data_directory_with_files_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").touch()
    paths = ("--base", str(tmp_path), "--archive", str(tmp_path), "--data", str(tmp_path))

    code, said = restore("postgresql", *paths)

    assert code == 1
    assert "is not empty" in said


def test_a_time_needs_a_time_zone(tmp_path: Path) -> None:
    paths = ("--base", str(tmp_path), "--archive", str(tmp_path), "--data", str(tmp_path))

    code, said = restore("postgresql", *paths, "--to", "2026-11-22T10:30:00")

    assert code == 2
    assert "must have a time zone" in said


def test_archived_wal_is_never_replaced(tmp_path: Path) -> None:
    source, directory = tmp_path / "000000010000000000000001", tmp_path / "archive"
    directory.mkdir()
    source.write_bytes(b"first")

    assert archive(source, directory) == 0
    assert archive(source, directory) == 0
    source.write_bytes(b"other")
    assert archive(source, directory) != 0

    assert [path.read_bytes() for path in directory.iterdir()] == [b"first"]


def test_wal_that_cannot_be_archived_is_a_failure(tmp_path: Path) -> None:
    source = tmp_path / "000000010000000000000001"
    source.write_bytes(b"first")

    assert archive(source, tmp_path / "missing") != 0
