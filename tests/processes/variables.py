"""The environment variables of a process of the service, and an empty database for it."""

import base64
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection

from tests.projects import environment


@contextmanager
def empty_database(directory: Path) -> Iterator[str]:
    """Yield the URL of a new database of the tested project's kind."""
    with _new_database(directory, template=None) as url:
        yield url


@contextmanager
def copied_database(directory: Path, *, template: str) -> Iterator[str]:
    """Yield the URL of a new database with the content of the template's database, which no process may use."""
    with _new_database(directory, template=template) as url:
        yield url


@contextmanager
def _new_database(directory: Path, *, template: str | None) -> Iterator[str]:
    if connection.vendor == "sqlite":
        path = directory / "auth.sqlite3"
        if template is not None:
            shutil.copy(template.removeprefix("sqlite:///"), path)
        yield f"sqlite:///{path}"
        return
    server, name = os.environ["TEST_POSTGRES_URL"], f"processes_{secrets.token_hex(4)}"
    source = "" if template is None else f' TEMPLATE "{template.rpartition("/")[2]}"'
    # A copy of the files takes a quarter of the processor time of a copy through the write-ahead log.
    source += " STRATEGY FILE_COPY"
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"{source}')
        yield f"{server.rpartition('/')[0]}/{name}"
        session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def standalone(*, database_url: str, directory: Path) -> dict[str, str]:
    """Return the variables of the standalone project, with its files in the directory."""
    own = {"SECRET_KEY": "only-for-tests", "SIGNING_KEYS_FILE": f"{directory}/keys/signing-keys.json"}
    return {**environment.SERVICE, **own, "DATABASE_URL": database_url, "DJANGO_SETTINGS_MODULE": "config.settings"}


def without_findings() -> dict[str, str]:
    """Return the variables of a deployment without findings in `check --deploy`."""

    def key() -> str:
        return base64.b64encode(secrets.token_bytes(32)).decode()

    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "BASE_URL": "https://auth.example.com",
        "ENCRYPTION_KEY": key(),
        "SETTINGS_ENCRYPTION_KEY": key(),
        "EMAIL_URL": "smtps://mailer:secret@mail.example.com",
        "RATE_LIMITS": "on",
        "ARGON2_MEMORY_KIB": "19456",
        "ARGON2_TIME": "2",
    }
