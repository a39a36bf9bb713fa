"""The programs for backup and restore. `./dev drill restore` runs them on real databases."""

import re
import shutil
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
    own = {"SECRET_KEY": "only-for-tests", **(variables or {})}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
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


def test_without_a_secret_key_nothing_is_replaced(tmp_path: Path) -> None:
    database, copy = make_database(tmp_path / "auth.sqlite3"), make_database(tmp_path / "copy.sqlite3")
    before = database.read_bytes()

    code, said = restore(
        "sqlite", "--backup", str(copy), variables={"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": ""}
    )

    assert code == 1
    assert "SECRET_KEY must be set" in said
    assert database.read_bytes() == before


def test_a_deployment_without_database_url_is_the_one_of_dev_run(tmp_path: Path) -> None:
    program = tmp_path / "deploy" / "backup" / "restore.py"
    program.parent.mkdir(parents=True)
    program.write_text((BACKUP / "restore.py").read_text())
    (tmp_path / "var").mkdir()
    database, copy = make_database(tmp_path / "var" / "auth.sqlite3"), make_database(tmp_path / "copy.sqlite3")
    command = [sys.executable, str(program), "sqlite", "--backup", str(copy), "--keep-sessions"]

    done = subprocess.run(command, env={}, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(database.parent.glob("auth.sqlite3.replaced-*"))) == 1


@pytest.mark.parametrize(
    ("kind", "url", "sentence"),
    [
        ("sqlite", "postgresql://localhost/auth", "DATABASE_URL leads to no SQLite database."),
        ("postgresql", "sqlite:///var/auth.sqlite3", "DATABASE_URL leads to no PostgreSQL."),
        ("postgresql", "", "DATABASE_URL leads to no PostgreSQL."),
    ],
)
def test_the_backup_of_another_kind_of_database_is_refused(tmp_path: Path, kind: str, url: str, sentence: str) -> None:
    paths = ["--backup"] if kind == "sqlite" else ["--base", str(tmp_path), "--archive", str(tmp_path), "--data"]

    code, said = restore(kind, *paths, str(tmp_path / "new"), "--keep-sessions", variables={"DATABASE_URL": url})

    assert code == 1
    assert said.startswith(sentence)


@pytest.mark.parametrize("page", ["deploying.md", "operating.md"])
def test_the_documented_copy_of_an_sqlite_database_is_readable_by_its_owner_alone(tmp_path: Path, page: str) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("sqlite3 is not installed (package sqlite3)")
    database, copy = make_database(tmp_path / "auth.sqlite3"), tmp_path / "copy.sqlite3"
    [command] = re.findall(r"\(umask .* \"VACUUM INTO '.*'\"\)", (ROOT / "docs" / page).read_text())
    command = re.sub(r"sqlite3 \S+ ", f"sqlite3 {database} ", command)
    command = re.sub(r"'.*'", f"'{copy}'", command)

    subprocess.run(["sh", "-c", f"umask 022; {command}"], check=True)

    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_data_directory_with_files_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").touch()
    paths = ("--base", str(tmp_path), "--archive", str(tmp_path), "--data", str(tmp_path))

    code, said = restore("postgresql", *paths, variables={"DATABASE_URL": "postgresql://localhost/auth"})

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
