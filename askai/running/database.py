"""Connections to the read-only database, and the proof that its role is read-only.

Each connection serves one piece of work. A deadline bounds the whole piece, even when the server never answers.
"""

import ipaddress
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege, ReadOnlySqlTransaction, lookup

from core.deadline import Deadline, run_within

from ..errors import DatabaseRoleNotReadOnly, DatabaseRoleUnverified
from ..settings.dsn import Dsn
from .database_causes import Cause, ForbiddenAddress, cause_of
from .refusals import find_sqlstate

PROOF_SECONDS = 10.0

_NAT64 = ipaddress.ip_network("64:ff9b::/96")

# A role may become each role that it is a member of, by SET ROLE. Every role may update pg_settings, which changes no data.
_RIGHTS = """
    SELECT bool_or(
        r.rolsuper OR r.rolcreaterole OR r.rolcreatedb
        OR r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
        OR has_database_privilege(r.oid, current_database(), 'CREATE')
        OR EXISTS (SELECT FROM pg_namespace n WHERE has_schema_privilege(r.oid, n.oid, 'CREATE'))
        OR EXISTS (
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
            AND (
                has_table_privilege(r.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                OR has_any_column_privilege(r.oid, c.oid, 'INSERT, UPDATE')
            )
        )
    ) FROM pg_roles r WHERE pg_has_role(r.oid, 'MEMBER')
"""

Connection: TypeAlias = psycopg.Connection[Any]
T = TypeVar("T")


class DatabaseUnavailable(Exception):
    """The database could not be reached, refused, or took too long. The message never quotes the database."""


def prove_read_only(*, dsn: Dsn) -> None:
    """Return only when the database refused the role a write. Nothing else counts as proof.

    Raises DatabaseRoleNotReadOnly when the role could write. Raises DatabaseRoleUnverified with the cause when the
    database was unavailable, or when the attempt proved nothing.
    """
    try:
        could_write = use(dsn, _try_to_write, seconds=PROOF_SECONDS, is_test=True)
    except DatabaseUnavailable as error:
        raise DatabaseRoleUnverified.because(str(error)) from None
    if isinstance(could_write, Cause):
        raise DatabaseRoleUnverified.because(could_write.value)
    if could_write:
        raise DatabaseRoleNotReadOnly


def use(dsn: Dsn, work: Callable[[Connection], T], *, seconds: float, is_test: bool = False) -> T:
    """Run `work` on a fresh connection and return its result, all within `seconds`.

    A test of the setting connects once more to find the cause of a refusal in another language. A question never does.
    Raises DatabaseUnavailable when the connection fails, the time is over, or `work` raises a database error.
    """

    def run(deadline: Deadline) -> T:
        # The transaction must end before `run` returns, because `run_within` then ends the connection.
        with _connect(deadline, dsn, is_test=is_test) as connection:
            return work(connection)

    try:
        return run_within(seconds, run, name="read-only database")
    except (TimeoutError, psycopg.Error, OSError) as error:
        # libpq's message contains addresses and role names.
        raise DatabaseUnavailable(cause_of(error).value) from None


def _try_to_write(connection: Connection) -> bool | Cause:
    """Return whether the role may write, or the cause when the attempt proves nothing. The attempt is rolled back.

    A role without the right to make temporary tables may still hold other rights, so the catalog is asked too.
    """
    table = sql.Identifier(f"authsvc_probe_{secrets.token_hex(8)}")
    try:
        row = connection.execute("SELECT current_user = session_user").fetchone()
        if row != (True,):
            return Cause.ANOTHER_ROLE
    except psycopg.Error as error:
        return cause_of(error)
    try:
        connection.execute(sql.SQL("CREATE TEMPORARY TABLE {} (probe integer) ON COMMIT DROP").format(table))
        connection.execute(sql.SQL("INSERT INTO {} VALUES (1)").format(table))
    except InsufficientPrivilege:
        connection.rollback()
        return _has_right_to_write(connection)
    except ReadOnlySqlTransaction:
        return Cause.READ_ONLY
    except psycopg.Error as error:
        return cause_of(error)
    finally:
        with suppress(psycopg.Error):
            connection.rollback()
    return True


def _has_right_to_write(connection: Connection) -> bool | Cause:
    """Return whether the role, or a role that it may become, can change data. Return a cause when the catalog fails."""
    try:
        row = connection.execute(_RIGHTS).fetchone()
    except psycopg.Error as error:
        return cause_of(error)
    return row[0] if row and row[0] is not None else Cause.UNKNOWN


def _connect(deadline: Deadline, dsn: Dsn, *, is_test: bool) -> Connection:
    """Return a connection to the first address of the host that accepts one. All addresses are checked first.

    Raises OSError when the host has a forbidden address or none. When no address accepts, raises the OperationalError of
    the last one.
    """
    failure: psycopg.Error = psycopg.OperationalError("timeout")
    for address, seconds in deadline.shares(_resolve(dsn.host)):
        ends_at = monotonic() + seconds
        conninfo = make_conninfo(**dsn.parameters(address=address, seconds=seconds))
        try:
            connection: Connection = psycopg.connect(conninfo)
            if deadline.attach(connection.fileno()):
                return connection
            connection.close()
        except psycopg.OperationalError as error:
            failure = error
            if not is_test or cause_of(error) is not Cause.UNKNOWN:
                continue
            # The text is in another language.
            if state := find_sqlstate(conninfo=conninfo, seconds=ends_at - monotonic()):
                failure = _of_sqlstate(state, error)
    raise failure


def _of_sqlstate(state: str, error: psycopg.OperationalError) -> psycopg.Error:
    """Return the error as one of the class with this SQLSTATE. psycopg has no class for a state of another product."""
    try:
        return lookup(state)(str(error))
    except KeyError:
        return error


def _resolve(host: str) -> list[str]:
    """Return the host's addresses. Raises OSError when the host has none, or has one that is forbidden."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError:
        # Python raises UnicodeError for a label that is empty or too long.
        raise socket.gaierror from None
    addresses = [str(address[0]) for *_, address in found]
    if not all(_is_permitted(address) for address in addresses):
        raise ForbiddenAddress
    return addresses


def _is_permitted(text: str) -> bool:
    """Return whether the service may connect to the address.

    Private addresses are allowed, because databases use them. Link-local addresses are forbidden, because clouds serve
    credentials there.
    """
    address = ipaddress.ip_address(text)
    address = getattr(address, "ipv4_mapped", None) or address
    if address in _NAT64:
        # A NAT64 translator would connect to this IPv4 address.
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return not (address.is_link_local or address.is_multicast or address.is_unspecified)
