"""A database prepared as the documentation asks, and roles with more or fewer rights in it."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import psycopg
from psycopg import sql


@dataclass(frozen=True)
class OtherDatabase:
    """A second database on the server of the tests. PUBLIC has no TEMPORARY right in it."""

    host: str
    port: int
    name: str
    superuser_password: str

    def dsn(self, user: str, *, password: str = "pass-7c1f9e", query: str = "") -> str:
        """Return the DSN of a role."""
        return f"postgresql://{quote(user, safe='')}:{password}@{self.host}:{self.port}/{self.name}{query}"

    def superuser_dsn(self) -> str:
        """Return the DSN of the server's superuser."""
        return self.dsn("postgres", password=self.superuser_password)

    def run(self, *statements: str, role: str = "") -> None:
        """Run statements as the superuser. `{role}` and `{database}` are replaced by the names."""
        names = {"role": sql.Identifier(role), "database": sql.Identifier(self.name)}
        with psycopg.connect(self.superuser_dsn(), autocommit=True) as it:
            for statement in statements:
                it.execute(sql.SQL(statement).format(**names))

    @contextmanager
    def role(self, *statements: str, options: str = "LOGIN") -> Iterator[str]:
        """Create a role, run the statements for it, and drop the role after the block."""
        name = f"role_{secrets.token_hex(6)}"
        self.run(f"CREATE ROLE {{role}} {options} PASSWORD 'pass-7c1f9e'", *statements, role=name)
        try:
            yield name
        finally:
            self.run(
                "REASSIGN OWNED BY {role} TO postgres",
                "DROP OWNED BY {role}",
                "DROP ROLE {role}",
                role=name,
            )


@contextmanager
def other_database() -> Iterator[OtherDatabase]:
    """Create a database on the server of the tests, and drop the database after the block."""
    server = urlsplit(os.environ["TEST_POSTGRES_URL"])
    name = f"other_{secrets.token_hex(6)}"
    with psycopg.connect(os.environ["TEST_POSTGRES_URL"], autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"')
        try:
            database = OtherDatabase(
                host=server.hostname or "",
                port=server.port or 5432,
                name=name,
                superuser_password=server.password or "",
            )
            database.run("REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC")
            yield database
        finally:
            session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
