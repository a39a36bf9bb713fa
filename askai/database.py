"""Connections to the read-only database, and the proof that its role is read-only.

Each connection serves one piece of work. A deadline bounds the whole piece, even when the server never answers.
"""

import ipaddress
import os
import secrets
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from .dsn import Dsn
from .errors import DatabaseRoleNotReadOnly, DatabaseRoleUnverified

PROOF_SECONDS = 10.0

_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Connection: TypeAlias = psycopg.Connection[Any]
T = TypeVar("T")


class DatabaseUnavailable(Exception):
    """The database could not be reached, refused, or took too long. The message never quotes the database."""


def prove_read_only(*, dsn: Dsn) -> None:
    """Return only when the database refused the role a write. Nothing else counts as proof.

    Raises DatabaseRoleNotReadOnly when the role could write. Raises DatabaseRoleUnverified when the database was
    unavailable, or when the attempt proved nothing.
    """
    try:
        could_write = use(dsn, _try_to_write, seconds=PROOF_SECONDS)
    except DatabaseUnavailable:
        raise DatabaseRoleUnverified from None
    if could_write is None:
        raise DatabaseRoleUnverified
    if could_write:
        raise DatabaseRoleNotReadOnly


def use(dsn: Dsn, work: Callable[[Connection], T], *, seconds: float, options: str = "-c DateStyle=ISO") -> T:
    """Run `work` on a fresh connection and return its result, all within `seconds`.

    Raises DatabaseUnavailable when the connection fails, the time is over, or `work` raises a database error.
    """
    line = _Line(deadline=monotonic() + seconds)
    result: Future[T] = Future()

    def run() -> None:
        try:
            with line.connect(dsn, options=options) as connection:
                made = work(connection)
            # The connection must have ended its transaction first: the waiting thread then cuts the line at once.
            result.set_result(made)
        except Exception as error:  # noqa: BLE001 - raised again where the result is awaited
            result.set_exception(error)

    # This needs a separate thread. A thread that waits for a silent name server or database cannot time itself out.
    Thread(target=run, name="read-only database", daemon=True).start()
    try:
        return result.result(seconds)
    except (TimeoutError, psycopg.Error, OSError):
        # libpq's message contains addresses and role names.
        raise DatabaseUnavailable from None
    finally:
        line.cut()


def _try_to_write(connection: Connection) -> bool | None:
    """Tell whether the role may write; None when the attempt proves nothing. The attempt is rolled back."""
    table = sql.Identifier(f"authsvc_probe_{secrets.token_hex(8)}")
    try:
        row = connection.execute("SELECT current_user = session_user").fetchone()
        if row != (True,):
            return None
    except psycopg.Error:
        return None
    try:
        connection.execute(sql.SQL("CREATE TEMPORARY TABLE {} (probe integer) ON COMMIT DROP").format(table))
        connection.execute(sql.SQL("INSERT INTO {} VALUES (1)").format(table))
    except InsufficientPrivilege:
        return False
    except psycopg.Error:
        return None
    finally:
        with suppress(psycopg.Error):
            connection.rollback()
    return True


class _Line:
    """The connection of one piece of work. One thread opens and uses it; another thread may cut it at any moment."""

    def __init__(self, *, deadline: float) -> None:
        self._deadline = deadline
        self._lock = Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    def connect(self, dsn: Dsn, *, options: str) -> Connection:
        """Return a connection to the first address of the host that accepts one. All addresses are checked first.

        Raises OSError when the host has a forbidden address or none, OperationalError when no address accepts.
        """
        addresses = _resolve(dsn.host)
        for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            # Each address gets a share of the time. Otherwise one address that drops packets would use up all of it.
            share = (self._deadline - monotonic()) / left
            try:
                connection = self._open(dsn, address=address, seconds=share, options=options)
            except psycopg.OperationalError:
                if left == 1 or monotonic() >= self._deadline:
                    raise
            else:
                self._hold(connection)
                return connection
        raise psycopg.OperationalError

    def cut(self) -> None:
        """End the connection at once, together with any call that waits for it. A later connection is refused."""
        with self._lock:
            self._is_cut = True
            if self._handle is not None:
                with suppress(OSError):  # it may have ended by itself
                    self._handle.shutdown(socket.SHUT_RDWR)
                self._handle.close()

    def _open(self, dsn: Dsn, *, address: str, seconds: float, options: str) -> Connection:
        return psycopg.connect(make_conninfo(**dsn.parameters(address=address, seconds=seconds, options=options)))

    def _hold(self, connection: Connection) -> None:
        with self._lock:
            if self._is_cut:
                connection.close()
                raise psycopg.OperationalError
            self._handle = socket.socket(fileno=os.dup(connection.fileno()))


def _resolve(host: str) -> list[str]:
    """Return the host's addresses. Raises OSError when the host has none, or has one that is forbidden."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError:
        # Python raises UnicodeError for a label that is empty or too long.
        raise OSError from None
    addresses = [str(address[0]) for *_, address in found]
    if not all(_is_callable(address) for address in addresses):
        raise OSError
    return addresses


def _is_callable(text: str) -> bool:
    """Tell whether the service may connect to the address.

    Private addresses are allowed, because databases use them. Link-local addresses are forbidden, because clouds serve
    credentials there.
    """
    address = ipaddress.ip_address(text)
    address = getattr(address, "ipv4_mapped", None) or address
    if address in _NAT64:
        # A NAT64 translator would connect to this IPv4 address.
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return not (address.is_link_local or address.is_multicast or address.is_unspecified)
