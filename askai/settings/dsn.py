"""The DSN of the read-only database: the parameters that it may have, and the complete parameters of a connection.

Every command imports this module. On SQLite, psycopg would take an eighth of the time of its start, so the functions
that read or use a DSN import it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

SCHEMES = ("postgres://", "postgresql://")
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-full")
DSN_MAX = 2048
PORT_MAX = 65535
CONNECT_SECONDS = 10

_HOST = re.compile(r"[A-Za-z0-9_.:%-]+")
_ALLOWED = {"user", "password", "host", "port", "dbname", "sslmode", "connect_timeout"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dsn:
    """The address of a database: one TCP host, one database and one role."""

    user: str
    password: str
    host: str
    port: int
    database: str
    sslmode: str
    connect_timeout: int

    def __repr__(self) -> str:
        return f"<Dsn of {self.host}>"  # a traceback with local variables must not show the password

    def parameters(self, *, address: str, seconds: float) -> Mapping[str, str]:
        """Return every parameter of a connection to `address`, one of the host's addresses.

        Each parameter that libpq would otherwise take from the environment, a password file or a service file has a
        value. An empty value would count as missing, except in `options`.
        """
        return {
            **_compiled(),
            "user": self.user,
            "password": self.password or "-",
            "host": self.host,
            "hostaddr": address,
            "port": str(self.port),
            "dbname": self.database,
            "options": "",  # a pooler refuses a connection with options
            "sslmode": self.sslmode,
            "sslrootcert": "system" if self.sslmode == "verify-full" else "/nonexistent",
            "sslcertmode": "disable",
            "sslcrl": "/nonexistent",
            "ssl_max_protocol_version": "TLSv1.3",
            "require_auth": "none,password,md5,scram-sha-256",
            "gssencmode": "disable",
            "application_name": "authsvc",
            "client_encoding": "UTF8",
            "connect_timeout": str(max(2, min(self.connect_timeout, round(seconds)))),
        }


def parse_dsn(text: str) -> Dsn:
    """Return the parts of the DSN.

    Raises ValueError when the text is no valid DSN, or lacks user, host or database. Also raises it for a parameter
    outside `_ALLOWED`.
    """
    from psycopg import ProgrammingError  # noqa: PLC0415 - see the module
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - see the module

    if not text.startswith(SCHEMES) or len(text) > DSN_MAX or not text.isprintable():
        raise ValueError
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(text).items()}
    except ProgrammingError:
        # The exception's message quotes the text that psycopg could not parse.
        raise ValueError from None
    if set(given) - _ALLOWED or not all(given.get(name) for name in ("user", "host", "dbname")):
        raise ValueError
    if not _HOST.fullmatch(given["host"]) or given.get("sslmode", "prefer") not in SSL_MODES:
        raise ValueError
    return Dsn(
        user=given["user"],
        password=given.get("password", ""),
        host=given["host"],
        port=_whole(given.get("port", "5432"), maximum=PORT_MAX),
        database=given["dbname"],
        sslmode=given.get("sslmode", "prefer"),
        connect_timeout=_whole(given.get("connect_timeout", str(CONNECT_SECONDS)), maximum=3600),
    )


@cache
def _compiled() -> Mapping[str, str]:
    """Return the defaults that are compiled into libpq."""
    from psycopg import pq  # noqa: PLC0415 - see the module

    defaults = pq.Conninfo.get_defaults()
    return {default.keyword.decode(): default.compiled.decode() for default in defaults if default.compiled}


def _whole(text: str, *, maximum: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= maximum:
        raise ValueError
    return int(text)
