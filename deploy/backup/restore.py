#!/usr/bin/env python3
"""Restore the database from a backup, and end every session that was live at the time of the restored state.

Stop all instances of the service and their workers first. Run this program in a checkout, by the Python and with the
variables of the service. `./dev restore` adds the variables of `.env`. The program restores PostgreSQL from a base backup and archived WAL, to any time after the base backup.
It restores SQLite from a copy, to the time of the copy.
"""

import argparse
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_URL = "sqlite:///var/auth.sqlite3"
"""The value of DATABASE_URL when it is unset, as in docs/settings.md."""

POLL_SECONDS = 0.5
SILENT_SECONDS = 60


def main(arguments: Sequence[str]) -> None:
    """Restore the database that the arguments and DATABASE_URL name. Raises SystemExit when a step fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    postgresql = kinds.add_parser("postgresql", help="from a base backup and archived WAL")
    postgresql.add_argument("--base", type=_path, required=True, help="directory that pg_basebackup made")
    postgresql.add_argument("--archive", type=_path, required=True, help="directory of the archived WAL")
    postgresql.add_argument("--data", type=_path, required=True, help="new data directory, empty or absent")
    postgresql.add_argument("--to", type=_moment, metavar="TIME", help="such as 2026-11-22T10:30:00Z; default: the end")
    postgresql.add_argument("--start", metavar="COMMAND", help="starts the server; default: pg_ctl with --data")
    sqlite = kinds.add_parser("sqlite", help="from a copy that VACUUM INTO or .backup made")
    sqlite.add_argument("--backup", type=_path, required=True, help="the copy")
    for kind in (postgresql, sqlite):
        kind.add_argument("--keep-sessions", action="store_true", help="do not end the sessions; see docs/operating.md")
    options = parser.parse_args(arguments)

    # No other user of the machine may read a restored file, not even while it is copied.
    os.umask(0o077)
    if not options.keep_sessions:
        # The command at the end needs all variables. Without them, it would fail after the database is replaced.
        run([sys.executable, "manage.py", "check", "--fail-level", "CRITICAL"])
    if options.kind == "postgresql":
        restore_postgresql(
            base=options.base, archive=options.archive, data=options.data, to=options.to, start=options.start
        )
    else:
        restore_sqlite(backup=options.backup)
    if options.keep_sessions:
        say("The sessions stay. A logout, a rotation or a used link after the restored time is forgotten.")
    else:
        run([sys.executable, "manage.py", "revoke_sessions", "--all"])
    say("Restored. Read `After a restore` in docs/operating.md before you start the service.")


def restore_postgresql(*, base: Path, archive: Path, data: Path, to: datetime | None, start: str | None) -> None:
    """Make a data directory from the base backup, and start a server that replays the WAL and then accepts writes."""
    database_url()
    if data.exists() and any(data.iterdir()):
        sys.exit(f"{data} is not empty. Move the old data directory away.")
    if any((base / "pg_tblspc").iterdir()):
        sys.exit(f"{base} has tablespaces, which this program does not restore.")
    run(["pg_verifybackup", "--quiet", "--no-parse-wal", str(base)])
    say(f"Copying {base} to {data}.")
    shutil.copytree(base, data, symlinks=True, dirs_exist_ok=True)
    data.chmod(0o700)
    settings = {
        "restore_command": f'cp {shlex.quote(str(archive))}/"%f" "%p"',
        "recovery_target_action": "promote",
        "recovery_target_time": to.isoformat(sep=" ") if to else "",
    }
    with (data / "postgresql.auto.conf").open("a") as file:
        file.writelines(f"{name} = '{value.replace(chr(39), chr(39) * 2)}'\n" for name, value in settings.items())
    (data / "recovery.signal").touch(mode=0o600)
    say(f"Replaying the WAL to {to or 'its end'}.")
    run(shlex.split(start) if start else ["pg_ctl", "--pgdata", str(data), "--log", f"{data}.log", "start"])
    await_writes()


def database_url() -> str:
    """Return the URL of the server itself. Exit when the variables name no PostgreSQL."""
    url = os.environ.get("DATABASE_DIRECT_URL") or os.environ.get("DATABASE_URL", "")
    if not url.startswith(("postgres://", "postgresql://")):
        sys.exit("DATABASE_URL leads to no PostgreSQL. Run this program with the variables of the service.")
    return url


def await_writes() -> None:
    """Return when the server of DATABASE_URL has ended its recovery and accepts writes."""
    # A pooler would hide the state of the server behind it.
    url = urlsplit(database_url())
    # The password is a variable and no argument, because every user of the machine can see arguments.
    server = {
        "PGHOST": url.hostname or "",
        "PGPORT": str(url.port or 5432),
        "PGUSER": unquote(url.username or ""),
        "PGPASSWORD": unquote(url.password or ""),
        "PGDATABASE": url.path.removeprefix("/"),
    }
    ask = ["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", "SELECT pg_is_in_recovery()"]
    answered_at = time.monotonic()
    while True:
        asked = subprocess.run(ask, env={**os.environ, **server}, capture_output=True, text=True, check=False)
        if asked.stdout.strip() == "f":
            return
        if asked.returncode == 0:
            answered_at = time.monotonic()
        elif time.monotonic() - answered_at > SILENT_SECONDS:
            sys.exit(f"The server does not answer. Read its log.\n{asked.stderr}")
        time.sleep(POLL_SECONDS)


def restore_sqlite(*, backup: Path) -> None:
    """Replace the file of DATABASE_URL by the copy. The replaced file stays beside it under another name."""
    url = os.environ.get("DATABASE_URL") or DEFAULT_URL
    if not url.startswith("sqlite:///"):
        sys.exit("DATABASE_URL leads to no SQLite database. Restore it by: restore.py postgresql")
    path = ROOT / url.removeprefix("sqlite:///")
    check_copy(backup)
    if path.exists():
        refuse_if_open(path)
        aside = path.with_name(f"{path.name}.replaced-{time.time_ns()}")
        path.rename(aside)
        say(f"The replaced database is {aside}.")
    # The log belongs to the replaced file. The counters of the rate limits start again at zero.
    for suffix in ("-wal", "-shm", ".limits", ".limits-wal", ".limits-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    part = path.with_name(f"{path.name}.part")
    shutil.copyfile(backup, part)
    part.chmod(0o600)
    owner = path.parent.stat()
    os.chown(part, owner.st_uid, owner.st_gid)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(path)


def check_copy(backup: Path) -> None:
    """Exit unless the file is a complete SQLite database."""
    try:
        with closing(sqlite3.connect(f"{backup.as_uri()}?mode=ro", uri=True)) as session:
            [found] = session.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        sys.exit(f"{backup} is damaged or missing: {found}")


def refuse_if_open(path: Path) -> None:
    """Exit when another process has the database open."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as session:
        try:
            session.execute("PRAGMA locking_mode = EXCLUSIVE")
            session.execute("BEGIN EXCLUSIVE")
            session.execute("COMMIT")
        except sqlite3.OperationalError as error:
            sys.exit(f"{path} is in use ({error}). Stop the service first.")


def run(command: Sequence[str]) -> None:
    """Run the command in the checkout. Exit when it fails."""
    say(f"$ {shlex.join(command)}")
    if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit(f"The command failed with exit code {code}. The restore is not complete.")


def say(text: str) -> None:
    """Print the text at once, because other programs print too."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _path(text: str) -> Path:
    # The programs run in another directory.
    return Path(text).resolve()


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("must be a time such as 2026-11-22T10:30:00Z") from None
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError("must have a time zone, such as the Z in 2026-11-22T10:30:00Z")
    return moment


if __name__ == "__main__":
    main(sys.argv[1:])
