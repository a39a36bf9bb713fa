"""The causes for which the read-only database cannot be used, in the words of the service.

A message of libpq or of the server contains addresses, names of roles, and any text that the server chooses. So no page,
log or answer has such a message. It only selects a cause.
"""

import re
import socket
from collections.abc import Mapping, Sequence
from enum import Enum

import psycopg
from django.utils.translation import gettext_noop


class Cause(Enum):
    """A cause. The value is the sentence for operators."""

    NOT_FOUND = gettext_noop("The host name was not found.")
    FORBIDDEN = gettext_noop("The service never connects to the address of this host, such as a link-local address.")
    REFUSED = gettext_noop("The host refused the connection: no server listens at this port.")
    UNREACHABLE = gettext_noop("No network path leads to the host.")
    TIMEOUT = gettext_noop("The host did not answer in time. A firewall may drop the packets.")
    PASSWORD = gettext_noop("The server refused the user name or the password.")
    NO_LOGIN = gettext_noop("The role may not log in.")
    NO_ROLE = gettext_noop("The server has no such role.")
    NO_DATABASE = gettext_noop("The server has no such database.")
    NO_CONNECT = gettext_noop("The role lacks the right CONNECT on the database.")
    NOT_ADMITTED = gettext_noop(
        "The server admits no such connection: pg_hba.conf has no entry for this service, role and database."
    )
    FULL = gettext_noop("The server has no free connection.")
    STARTING = gettext_noop("The server starts or stops at the moment.")
    NO_TLS = gettext_noop("The server offers no TLS, but `sslmode` demands it.")
    CERTIFICATE = gettext_noop("The certificate of the server is not trusted, or names another host.")
    ANOTHER_ROLE = gettext_noop("The session has another role than the login.")
    READ_ONLY = gettext_noop("The session is read-only, so a refused write proves nothing about the role.")
    UNKNOWN = gettext_noop("The server refused the connection or a statement, or it is no PostgreSQL server.")


class ForbiddenAddress(OSError):
    """The host has an address to which the service never connects."""


_SQLSTATES: Mapping[str, Cause] = {
    "28P01": Cause.PASSWORD,
    # Also the state of a missing role and of a missing entry in pg_hba.conf, which most messages name.
    "28000": Cause.NO_LOGIN,
    "3D000": Cause.NO_DATABASE,
    "42501": Cause.NO_CONNECT,
    "53300": Cause.FULL,
    "57P01": Cause.STARTING,
    "57P03": Cause.STARTING,
}
"""The causes by the SQLSTATE of the server. A message in English can be more exact."""

# The server writes these messages in English, unless its `lc_messages` names another language.
_MESSAGES: Sequence[tuple[str, Cause]] = (
    (r"password authentication failed|no password supplied", Cause.PASSWORD),
    (r"is not permitted to log in", Cause.NO_LOGIN),
    (r"permission denied for database", Cause.NO_CONNECT),
    (r'database ".*" does not exist', Cause.NO_DATABASE),
    (r'role ".*" does not exist', Cause.NO_ROLE),
    (r"pg_hba\.conf", Cause.NOT_ADMITTED),
    (r"too many (clients|connections)|remaining connection slots", Cause.FULL),
    (r"is (starting up|shutting down)|not yet accepting connections", Cause.STARTING),
    (r"does not support SSL|but SSL was required", Cause.NO_TLS),
    (r"certificate", Cause.CERTIFICATE),
    (r"Connection refused", Cause.REFUSED),
    (r"No route to host|Network is unreachable|Host is unreachable", Cause.UNREACHABLE),
    (r"timeout|timed out", Cause.TIMEOUT),
)


def cause_of(error: Exception) -> Cause:
    """Return the cause of a failed connection or statement."""
    match error:
        case ForbiddenAddress():
            return Cause.FORBIDDEN
        case socket.gaierror() | UnicodeError():
            return Cause.NOT_FOUND
        case TimeoutError() | psycopg.errors.ConnectionTimeout():
            return Cause.TIMEOUT
    text = str(error)
    named = next((cause for pattern, cause in _MESSAGES if re.search(pattern, text, re.IGNORECASE)), None)
    return named or _SQLSTATES.get(getattr(error, "sqlstate", None) or "", Cause.UNKNOWN)
