"""The setting of the read-only database, without the proof of its role."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from askai.models import Setting
from askai.settings.stored import find_database_settings
from tests.operators import Console
from tests.rows import each

PATH = "/settings/database-provider"
UNSET = {"label": "", "max_rows": 0, "dsn_set": False, "host": "", "database": "", "configured": False}

WRONG: dict[str, list[Any]] = {
    "label": [None, "", " ", "two\nlines", "nul\0", 5, True, [], {}, "x" * 101],
    "max_rows": [None, 0, -1, 501, "50", 50.0, True, [], {}, 10**18],
    "dsn": [None, "", " ", 5, True, [], {}, "text"],
}
"""Invalid values of each member. WRONG_DSNS holds the invalid texts of a DSN."""

WRONG_DSNS = [
    "mysql://u:p@{}/db",
    "POSTGRESQL://u:p@{}/db",
    " postgresql://u:p@{}/db",
    "postgresql://u:p@{}/db\n",
    "postgresql://u:p@{}/db\0",
    "host={} user=u password=p dbname=db",
    "postgresql://{}/db",
    "postgresql://:p@{}/db",
    "postgresql://u:p@{}",
    "postgresql://u:p@{}/",
    "postgresql://u:p@/db",
    "postgresql://u:p@{},{}/db",
    "postgresql://u:p@{}/db?host=elsewhere,127.0.0.1",
    "postgresql://u:p@{}/db?hostaddr=127.0.0.1",
    "postgresql://u:p@%2Fvar%2Frun%2Fpostgresql/db",
    "postgresql://u:p@{}/db?host=/var/run/postgresql",
    "postgresql://u:p@{}/db?host=@abstract",
    "postgresql://u:p@{}/db?port=1,2",
    "postgresql://u:p@{}/db?port=0",
    "postgresql://u:p@{}/db?port=65536",
    "postgresql://u:p@{}/db?port=%D9%A5",
    "postgresql://u:p@{}/db?options=-c%20default_transaction_read_only%3Don",
    "postgresql://u:p@{}/db?service=other",
    "postgresql://u:p@{}/db?passfile=/etc/passwd",
    "postgresql://u:p@{}/db?sslkeylogfile=/tmp/keys",
    "postgresql://u:p@{}/db?sslkey=/tmp/key",
    "postgresql://u:p@{}/db?sslcert=/tmp/cert",
    "postgresql://u:p@{}/db?sslrootcert=/tmp/root",
    "postgresql://u:p@{}/db?sslpassword=x",
    "postgresql://u:p@{}/db?require_auth=none",
    "postgresql://u:p@{}/db?channel_binding=disable",
    "postgresql://u:p@{}/db?gssencmode=prefer",
    "postgresql://u:p@{}/db?krbsrvname=x",
    "postgresql://u:p@{}/db?target_session_attrs=read-only",
    "postgresql://u:p@{}/db?load_balance_hosts=random",
    "postgresql://u:p@{}/db?replication=database",
    "postgresql://u:p@{}/db?application_name=x",
    "postgresql://u:p@{}/db?client_encoding=LATIN1",
    "postgresql://u:p@{}/db?keepalives=0",
    "postgresql://u:p@{}/db?tcp_user_timeout=1",
    "postgresql://u:p@{}/db?unknown=1",
    "postgresql://u:p@{}/db?sslmode=verify",
    "postgresql://u:p@{}/db?sslmode=",
    "postgresql://u:p@{}/db?connect_timeout=0",
    "postgresql://u:p@{}/db?connect_timeout=-1",
    "postgresql://u:p@{}/db?connect_timeout=3601",
    "postgresql://u:p@{}/db?connect_timeout=1e1",
    "postgresql://u:p%00@{}/db",
    "postgresql://u:p%FF@{}/db",
    "postgresql://u:p%zz@{}/db",
    "postgresql://u:p@{}/db%2",
    "postgresql://u:p@[::1/db",
    "postgresql://u:p@{}/" + "d" * 2048,
]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A port that would notice a connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def address_of(listener: socket.socket) -> str:
    return f"127.0.0.1:{listener.getsockname()[1]}"


def was_called(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def test_every_method_returns_the_setting_without_its_dsn(console: Console, reader: str) -> None:
    host, _, database = reader.rpartition("@")[2].partition("/")
    shown = {
        "label": "Reporting",
        "max_rows": 100,
        "dsn_set": True,
        "host": host.partition(":")[0],
        "database": database,
        "configured": True,
    }

    assert console.get(PATH).data == UNSET
    assert console.put(PATH, {"label": "Reporting", "dsn": reader, "max_rows": 100}).data == shown
    assert console.get(PATH).data == shown
    assert console.delete(PATH).data == UNSET
    assert console.get(PATH).data == UNSET
    assert console.delete(PATH).data == UNSET


def test_the_feature_reads_the_stored_setting(console: Console, reader: str) -> None:
    console.put(PATH, {"label": "Reporting", "dsn": reader})

    found = find_database_settings()

    assert found is not None
    assert (found.label, found.max_rows, found.dsn.password) == ("Reporting", 50, "pass-7c1f9e")


@pytest.mark.parametrize(("label", "max_rows"), [("x", 1), ("é" * 100, 500)])
def test_the_smallest_and_the_largest_values_are_allowed(
    console: Console, reader: str, label: str, max_rows: int
) -> None:
    shown = console.put(PATH, {"label": label, "dsn": reader, "max_rows": max_rows}).data

    assert (shown["label"], shown["max_rows"]) == (label, max_rows)


@each(
    "member, value",
    [pytest.param(member, value, id=f"{member} {value!r:.20}") for member, values in WRONG.items() for value in values],
)
def test_an_invalid_member_is_refused_before_any_connection(
    console: Console, listener: socket.socket, member: str, value: Any
) -> None:
    body = {"label": "Reporting", "dsn": f"postgresql://u:p@{address_of(listener)}/db", "max_rows": 50}

    answer = console.put(PATH, {**body, member: value})

    assert answer.code == "invalid_database_provider"
    assert answer.body["error"]["message"].startswith(f"{member}: ")
    assert not was_called(listener)
    assert not Setting.objects.exists()


@each("dsn", WRONG_DSNS)
def test_an_invalid_dsn_is_refused_before_any_connection(console: Console, listener: socket.socket, dsn: str) -> None:
    answer = console.put(PATH, {"label": "Reporting", "dsn": dsn.replace("{}", address_of(listener))})

    assert answer.code == "invalid_database_provider"
    assert not was_called(listener)
    assert not Setting.objects.exists()


def test_the_error_of_an_invalid_dsn_explains_the_format(console: Console) -> None:
    answer = console.put(PATH, {"label": "Reporting", "dsn": "postgresql://u:p@h/db?sslmode=verify-ca"})

    assert answer.body["error"]["message"] == (
        "dsn: must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE. Its only permitted parameters are sslmode "
        "(disable, allow, prefer, require, verify-full) and connect_timeout (1 to 3600)."
    )


@pytest.mark.parametrize("member", ["label", "dsn"])
def test_a_missing_member_gets_the_code_of_this_setting(console: Console, listener: socket.socket, member: str) -> None:
    body = {"label": "Reporting", "dsn": f"postgresql://u:p@{address_of(listener)}/db"}

    answer = console.put(PATH, {name: value for name, value in body.items() if name != member})

    assert answer.body["error"] == {"code": "invalid_database_provider", "message": f"{member}: is required."}
    assert not was_called(listener)


@pytest.mark.parametrize("raw", [b"{", b"[]", b'"text"', b"\xff"])
def test_a_body_other_than_a_json_object_is_malformed(console: Console, raw: bytes) -> None:
    assert console.send("PUT", PATH, raw).code == "bad_request"


def test_a_refused_write_keeps_the_stored_setting(console: Console, reader: str) -> None:
    before = console.put(PATH, {"label": "Reporting", "dsn": reader}).data

    assert console.put(PATH, {"label": "Other", "dsn": "nonsense"}).code == "invalid_database_provider"
    assert console.put(PATH, {"label": "Other", "dsn": reader + "_gone"}).code == "database_role_unverified"
    assert console.get(PATH).data == before
