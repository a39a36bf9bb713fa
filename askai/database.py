"""Connections to the read-only database, and the proof that its role is one.

Each is opened for one piece of work and bounded as a whole, whatever the other end does.
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
    """The database could not be reached, refused, or took too long. The text never holds what it said."""


def prove_read_only(*, dsn: Dsn) -> None:
    """Return when the role was refused a write, which is the only proof that counts.

    Raises DatabaseRoleNotReadOnly when it could write, DatabaseRoleUnverified when there is no telling.
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
    """Return what the work makes of a fresh connection, all within so many seconds. Raises DatabaseUnavailable.

    Errors of the database inside the work are the work's to catch.
    """
    line = _Line(deadline=monotonic() + seconds)
    result: Future[T] = Future()

    def run() -> None:
        try:
            with line.connect(dsn, options=options) as connection:
                made = work(connection)
            # Not before the connection has ended its transaction: whoever waits cuts the line at once.
            result.set_result(made)
        except Exception as error:  # noqa: BLE001 - raised again where the result is awaited
            result.set_exception(error)

    # In a thread of its own: neither a name server nor a server that never answers can be bounded from within.
    Thread(target=run, name="read-only database", daemon=True).start()
    try:
        return result.result(seconds)
    except (TimeoutError, psycopg.Error, OSError):
        # libpq's text tells of addresses and roles.
        raise DatabaseUnavailable from None
    finally:
        line.cut()


def _try_to_write(connection: Connection) -> bool | None:
    """Tell whether the role may write, None when there is no telling. Nothing of it stays."""
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
    """The connection of one piece of work. One thread makes and uses it, another may cut it at any moment."""

    def __init__(self, *, deadline: float) -> None:
        self._deadline = deadline
        self._lock = Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    def connect(self, dsn: Dsn, *, options: str) -> Connection:
        """Return a connection to the first address of the host that takes one, all of them having been checked."""
        addresses = _resolve(dsn.host)
        for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            # A share each, so that one address that swallows packets does not use up the time of the others.
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
        """End the connection, and whatever waits for it, at once; a later one is refused."""
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
    """Return the host's addresses. OSError when it has none or one that no database is reached at."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError:
        # What Python calls a label that is empty or too long.
        raise OSError from None
    addresses = [str(address[0]) for *_, address in found]
    if not all(_is_callable(address) for address in addresses):
        raise OSError
    return addresses


def _is_callable(text: str) -> bool:
    """Private addresses are where databases live; link-local ones are where clouds keep their credentials."""
    address = ipaddress.ip_address(text)
    address = getattr(address, "ipv4_mapped", None) or address
    if address in _NAT64:
        # The IPv4 address that a translator would make of it.
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return not (address.is_link_local or address.is_multicast or address.is_unspecified)
