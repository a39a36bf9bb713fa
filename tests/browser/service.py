"""The service that the browser visits: `manage.py serve` with its background worker, as in production."""

import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from tests.client import PASSWORD, Answer
from tests.mails import read, text_of, token_in
from tests.processes.running import PATIENCE, ROOT, Running, call, until
from tests.processes.variables import standalone


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A user with an account and an access token."""

    email: str
    access: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The running service, called over HTTP without a browser."""

    port: int
    mails: Path
    database_url: str
    variables: Mapping[str, str]

    @property
    def url(self) -> str:
        """The origin, without a slash at the end. The host is a name, because passkeys need a name."""
        return f"http://localhost:{self.port}"

    def get(self, path: str, *, token: str | None = None) -> Answer:
        """GET the path."""
        return call(self.port, "GET", path, token=token)

    def post(self, path: str, body: Any = None, *, token: str | None = None) -> Answer:
        """POST the body as JSON."""
        return call(self.port, "POST", path, body, token=token)

    def sign_up(self) -> Visitor:
        """Sign up and log in with a new address."""
        person = {"email": f"alice.{secrets.token_hex(4)}@example.com", "password": PASSWORD}
        assert self.post("/v1/signup", person).status == 201
        return Visitor(email=person["email"], access=self.post("/v1/login", person).data["access_token"])

    def manage(self, *arguments: str) -> None:
        """Run a command of the host with the variables of the service."""
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.variables, check=True)

    def let_logins_age(self) -> None:
        """Let all logins be an hour old, and all second factors two hours."""
        hour = datetime.now(UTC) - timedelta(hours=1)  # noqa: TID251 - the service runs by the clock of the machine
        old = hour - timedelta(hours=1)
        for table, column, at in (
            ("authsvc_sessions_family", "authenticated_at", hour),
            ("authsvc_mfa_passkey", "created_at", old),
            ("authsvc_mfa_totp", "confirmed_at", old),
        ):
            if self.database_url.startswith("sqlite:///"):
                with closing(sqlite3.connect(self.database_url.removeprefix("sqlite:///"), timeout=PATIENCE)) as file:
                    file.execute(f"UPDATE {table} SET {column} = ?", [f"{at:%F %T}"])  # noqa: S608 - our own names
                    file.commit()
            else:
                with psycopg.connect(self.database_url) as session:
                    session.execute(f"UPDATE {table} SET {column} = %s", [at])  # noqa: S608 - our own names

    def token_mailed_to(self, address: str) -> str:
        """Return the token of the only link mailed to the address. All mails to this address are deleted."""

        def links() -> list[str]:
            return [token_in(mail) for mail in read(self.mails, to=address) if "#token=" in text_of(mail)]

        (token,) = until(links, what=f"a link for {address}")
        return str(token)


@contextmanager
def serving(*, port: int, database_url: str, directory: Path, **variables: str) -> Iterator[Service]:
    """Run the service with one web process and the worker. Its data lie in the directory."""
    mails = directory / "mails"
    own = {"BASE_URL": f"http://localhost:{port}", "EMAIL_URL": f"file://{mails}", "OPERATOR_ACTS": "on"}
    inherited = standalone(database_url=database_url, directory=directory)
    variables = {**inherited, **own, **variables}
    running = Running(
        *("serve", "--port", str(port), "--workers", "1"),
        variables=variables,
        directory=directory,
    )
    try:
        running.await_ready()
        yield Service(port=port, mails=mails, database_url=database_url, variables=variables)
        assert running.stop() == 0
    finally:
        running.kill()
