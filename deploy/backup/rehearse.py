#!/usr/bin/env python3
"""Rehearse backup and restore of a scratch deployment, and check the state of sessions and accounts afterwards.

Run this program in a checkout, by the Python of the service, as a user other than root. For PostgreSQL, the programs of
a server (initdb, pg_ctl, pg_basebackup) must be in PATH. Nothing outside a temporary directory changes.
"""

import argparse
import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PASSWORD = "correct horse battery"  # noqa: S105 - of accounts that end with the rehearsal
PASSWORD_OF_ROLE = "only-for-the-rehearsal"  # noqa: S105 - of a server that ends with the rehearsal
PATIENCE_SECONDS = 60

failures: list[str] = []


def main(arguments: Sequence[str]) -> int:
    """Rehearse on the databases that the arguments name. Return 1 when a check failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("databases", nargs="*", metavar="DATABASE", help="sqlite or postgresql; default: both")
    databases = parser.parse_args(arguments).databases or ["sqlite", "postgresql"]
    rehearsals = {"sqlite": rehearse_sqlite, "postgresql": rehearse_postgresql}
    if unknown := set(databases) - set(rehearsals):
        parser.error(f"unknown database: {', '.join(sorted(unknown))}")
    for database in databases:
        with tempfile.TemporaryDirectory(prefix="rehearsal-") as directory:
            say(f"\n{database}")
            rehearsals[database](Path(directory))
    say(f"\n{len(failures)} checks failed." if failures else "\nEvery check passed.")
    return int(bool(failures))


def rehearse_sqlite(directory: Path) -> None:
    """Copy the database of a running service, go on, and restore the copy."""
    database, copy = directory / "data" / "auth.sqlite3", directory / "copy.sqlite3"
    variables = environment(directory, database_url=f"sqlite:///{database}")
    with serving(variables) as port:
        past = Past(port)
        past.live_until_the_time()
        statement = f"import sqlite3; sqlite3.connect({str(database)!r}).execute('VACUUM INTO ?', [{str(copy)!r}])"
        run([sys.executable, "-c", statement], variables)
        past.live_after_the_time()
        refused = restore(["sqlite", "--backup", str(copy)], variables)
        check("the restore refuses to replace the database of a running service", refused.returncode != 0)
    for keep in (True, False):
        restore_and_check(["sqlite", "--backup", str(copy)], variables, past=past, keep=keep)


def rehearse_postgresql(directory: Path) -> None:
    """Archive the WAL of a running server, destroy the server, and restore the database to a time."""
    if os.geteuid() == 0:
        sys.exit("PostgreSQL does not run as root. Use another user, or ./dev drill restore in a checkout.")
    archive, base, lost = directory / "archive", directory / "base", directory / "lost"
    archive.mkdir()
    port = free_port()
    variables = environment(
        directory, database_url=f"postgresql://gatehouse:{PASSWORD_OF_ROLE}@127.0.0.1:{port}/gatehouse"
    )
    make_cluster(lost, port=port, archive=archive, directory=directory)
    run(pg_ctl(lost), variables)
    try:
        with serving(variables) as service:
            past = Past(service)
            replication = {**variables, "PGPASSWORD": PASSWORD_OF_ROLE}
            backup = ["pg_basebackup", "--host", "127.0.0.1", "--port", str(port), "--username", "gatehouse"]
            run([*backup, "--checkpoint", "fast", "--pgdata", str(base)], replication)
            past.live_until_the_time()
            time.sleep(1)
            moment = ask(port, "SELECT now()")
            time.sleep(1)
            past.live_after_the_time()
            # Only complete files of the WAL are archived. In production, archive_timeout completes them.
            ask(port, "SELECT pg_switch_wal()")
            await_archive(port)
    finally:
        run(["pg_ctl", "--pgdata", str(lost), "--mode", "immediate", "stop"], variables)
    shutil.rmtree(lost)
    for keep in (True, False):
        data = directory / f"restored-{'kept' if keep else 'revoked'}"
        arguments = ["postgresql", "--base", str(base), "--archive", str(archive), "--data", str(data), "--to", moment]
        # The restored servers of a rehearsal must not add to the archive.
        start = shlex.join(pg_ctl(data, "-c archive_mode=off"))
        try:
            restore_and_check([*arguments, "--start", start], variables, past=past, keep=keep)
        finally:
            run(["pg_ctl", "--pgdata", str(data), "--mode", "fast", "stop"], variables)


class Past:
    """The calls of three people before and after the restored time, and the tokens that they got."""

    def __init__(self, port: int) -> None:
        self._port = port

    def live_until_the_time(self) -> None:
        """Alice and Bob sign up and log in. This state will be restored."""
        self.alice, self.bob = (self._sign_up_and_log_in(name) for name in ("alice", "bob"))

    def live_after_the_time(self) -> None:
        """Alice logs out, Bob refreshes, and Eve signs up. The restore will forget all of it."""
        call(self._port, "POST", "/v1/logout-all", token=self.alice["access_token"])
        self.bob_newer = call(self._port, "POST", "/v1/refresh", {"refresh_token": self.bob["refresh_token"]})[1]
        self._sign_up_and_log_in("eve")

    def _sign_up_and_log_in(self, name: str) -> Any:
        body = {"email": f"{name}@example.com", "password": PASSWORD}
        call(self._port, "POST", "/v1/signup", body)
        return call(self._port, "POST", "/v1/login", body)[1]

    def check(self, port: int, *, keep: bool) -> None:
        """Check the restored state. `keep` states whether the sessions were kept."""

        def refresh(tokens: Mapping[str, str]) -> HTTPStatus:
            return call(port, "POST", "/v1/refresh", {"refresh_token": tokens["refresh_token"]})[0]

        def log_in(name: str) -> HTTPStatus:
            return call(port, "POST", "/v1/login", {"email": f"{name}@example.com", "password": PASSWORD})[0]

        check("an account from before the time can log in", log_in("bob") == HTTPStatus.OK)
        check("an account from after the time does not exist", log_in("eve") == HTTPStatus.UNAUTHORIZED)
        verified, _ = call(port, "GET", "/v1/verify", token=self.bob["access_token"])
        check("the signing keys are the same: an earlier access token still verifies", verified == HTTPStatus.OK)
        check("a refresh token from after the time is refused", refresh(self.bob_newer) == HTTPStatus.UNAUTHORIZED)
        if keep:
            check("with --keep-sessions, a session that had ended lives again", refresh(self.alice) == HTTPStatus.OK)
            check("with --keep-sessions, a token that was rotated works again", refresh(self.bob) == HTTPStatus.OK)
        else:
            check("a session that had ended stays ended", refresh(self.alice) == HTTPStatus.UNAUTHORIZED)
            check("a token that was rotated is refused", refresh(self.bob) == HTTPStatus.UNAUTHORIZED)


def restore_and_check(arguments: Sequence[str], variables: Mapping[str, str], *, past: Past, keep: bool) -> None:
    """Run the restore script, start the service on the restored database, and check it."""
    started = time.monotonic()
    done = restore([*arguments, *(["--keep-sessions"] if keep else [])], variables)
    if done.returncode:
        sys.exit(done.stdout)
    say(f"  restored in {time.monotonic() - started:.1f} s{', sessions kept' if keep else ''}")
    with serving(variables) as port:
        past.check(port, keep=keep)


def restore(arguments: Sequence[str], variables: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run the restore script and return its result with both outputs."""
    command = [sys.executable, str(HERE / "restore.py"), *arguments]
    # A server that the script starts must not hold the pipe, so the output goes to a file.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(command, env=variables, stdout=output, stderr=subprocess.STDOUT, text=True, check=False)
        output.seek(0)
        return subprocess.CompletedProcess(command, done.returncode, stdout=output.read())


def environment(directory: Path, *, database_url: str) -> dict[str, str]:
    """Return the variables of the service."""
    return {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database_url,
        "SECRET_KEY": "only-for-the-rehearsal-only-for-the-rehearsal-only",
        "SIGNING_KEYS_FILE": str(directory / "signing-keys.json"),
        "RATE_LIMITS": "off",
    }


def make_cluster(data: Path, *, port: int, archive: Path, directory: Path) -> None:
    """Make a cluster that archives its WAL."""
    password = directory / "password"
    password.write_text(PASSWORD_OF_ROLE)
    command = ["initdb", "--pgdata", str(data), "--username", "gatehouse", "--pwfile", str(password)]
    run([*command, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8"], os.environ)
    script = shlex.quote(str(HERE / "archive_wal"))
    settings = {
        "port": str(port),
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "max_connections": "50",
        "archive_mode": "on",
        "archive_command": f'{script} "%p" "%f" {shlex.quote(str(archive))}',
    }
    with (data / "postgresql.conf").open("a") as file:
        file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
    run(pg_ctl(data), os.environ)
    ask(port, "CREATE DATABASE gatehouse", database="postgres")
    run(["pg_ctl", "--pgdata", str(data), "stop"], os.environ)


def pg_ctl(data: Path, options: str = "") -> list[str]:
    """Return the command that starts the server on the directory."""
    return ["pg_ctl", "--pgdata", str(data), "--log", f"{data}.log", "--options", options, "start"]


def ask(port: int, statement: str, *, database: str = "gatehouse") -> str:
    """Run the statement, and return its output."""
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "gatehouse", "PGPASSWORD": PASSWORD_OF_ROLE}
    command = ["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", database, "--command", statement]
    return subprocess.run(
        command, env={**os.environ, **server}, capture_output=True, text=True, check=True
    ).stdout.strip()


def await_archive(port: int) -> None:
    """Return when every complete file of the WAL is archived."""
    waiting = "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while ask(port, waiting) != "0":
        if time.monotonic() > deadline:
            sys.exit("The WAL was not archived.")
        time.sleep(0.2)


@contextmanager
def serving(variables: Mapping[str, str]) -> Iterator[int]:
    """Run the service, and yield its port."""
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--workers", "1", "--no-worker"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout is not None  # noqa: S101 - for the type checker
            announced = re.search(r"port (\d+)\.", process.stdout.readline())
            if announced is None:
                log.seek(0)
                sys.exit(f"The service did not start.\n{log.read().decode()}")
            yield int(announced[1])
        finally:
            process.terminate()
            process.communicate()


def call(port: int, method: str, path: str, body: Any = None, *, token: str | None = None) -> tuple[HTTPStatus, Any]:
    """Send the request, and return the status and the payload of the answer."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)) as session:
        session.request(method, path, None if body is None else json.dumps(body), headers)
        response = session.getresponse()
        return HTTPStatus(response.status), json.loads(response.read()).get("data")


def run(command: Sequence[str], variables: Mapping[str, str]) -> None:
    """Run the command. Exit with its output when it fails."""
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(command, env=variables, stdout=output, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            output.seek(0)
            sys.exit(f"$ {shlex.join(command)}\n{output.read()}")


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def check(sentence: str, is_true: bool) -> None:
    """Print whether the sentence is true, and remember a failure."""
    say(f"  {'ok      ' if is_true else 'FAILED  '}{sentence}")
    if not is_true:
        failures.append(sentence)


def say(text: str) -> None:
    """Print the text at once, because the rehearsal takes a while."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
