"""The proof that a role is read-only: the database accepts the role's login and refuses its write."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from askai.models import Setting
from askai.running import database as proof
from tests.operators import Console
from tests.patience import is_soon
from tests.rows import each

from .readonly_role import OtherDatabase

PATH = "/settings/database-provider"
CONNECT = "GRANT CONNECT ON DATABASE {database} TO {role}"
SELECT = "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
TEMPORARY = "GRANT TEMPORARY ON DATABASE {database} TO {role}"


def verdict(console: Console, dsn: str) -> str:
    """Store the setting; return the error code, or `stored`."""
    answer = console.put(PATH, {"label": "Reporting", "dsn": dsn})
    assert Setting.objects.exists() == (answer.status == 200)
    return answer.code if answer.status >= 400 else "stored"


@pytest.fixture
def time_limit(monkeypatch: pytest.MonkeyPatch) -> float:
    """Shorten the time limit of a proof."""
    monkeypatch.setattr(proof, "PROOF_SECONDS", 0.5)
    return 0.5


@contextmanager
def answering(*messages: bytes) -> Iterator[int]:
    """Run a server that answers each read with the next message and then hangs up; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    caller, _ = server.accept()
                    with caller, suppress(OSError):
                        for message in messages:
                            caller.recv(8192)
                            caller.sendall(message)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def failure(sqlstate: str, text: str = "no") -> bytes:
    fields = {b"S": "FATAL", b"V": "FATAL", b"C": sqlstate, b"M": text}
    return message(b"E", b"".join(name + value.encode() + b"\0" for name, value in fields.items()) + b"\0")


def test_a_role_that_may_only_read_passes(console: Console, database: OtherDatabase) -> None:
    with database.role(CONNECT, SELECT) as role:
        assert verdict(console, database.dsn(role)) == "stored"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_both_url_schemes_are_accepted(console: Console, reader: str, scheme: str) -> None:
    assert verdict(console, reader.replace("postgresql:", f"{scheme}:")) == "stored"


def test_a_proof_leaves_nothing_in_the_database(console: Console, database: OtherDatabase) -> None:
    with database.role(CONNECT, TEMPORARY) as role:
        verdict(console, database.dsn(role))

    database.run(
        "DO $$ BEGIN IF EXISTS (SELECT FROM pg_class WHERE relname LIKE 'authsvc_probe%')"
        " THEN RAISE 'something stayed'; END IF; END $$"
    )


def test_a_superuser_is_refused(console: Console, database: OtherDatabase) -> None:
    assert verdict(console, database.superuser_dsn()) == "database_role_not_read_only"
    with database.role(options="SUPERUSER LOGIN") as role:
        assert verdict(console, database.dsn(role)) == "database_role_not_read_only"


def test_the_owner_of_the_database_is_refused(console: Console, database: OtherDatabase) -> None:
    with database.role("ALTER DATABASE {database} OWNER TO {role}") as role:
        assert verdict(console, database.dsn(role)) == "database_role_not_read_only"
        database.run("ALTER DATABASE {database} OWNER TO postgres")


def test_a_role_that_can_create_temporary_tables_is_refused(console: Console, database: OtherDatabase) -> None:
    with database.role(CONNECT, SELECT, TEMPORARY) as role:
        assert verdict(console, database.dsn(role)) == "database_role_not_read_only"


def test_a_member_of_a_role_that_can_write_is_refused(console: Console, database: OtherDatabase) -> None:
    with database.role(TEMPORARY) as group, database.role(CONNECT, f'GRANT "{group}" TO {{role}}') as member:
        assert verdict(console, database.dsn(member)) == "database_role_not_read_only"


@pytest.mark.parametrize(
    "right",
    [
        "GRANT INSERT ON notes TO {role}",
        "GRANT UPDATE (text) ON notes TO {role}",
        "GRANT DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT CREATE ON SCHEMA public TO {role}",
        "GRANT CREATE ON DATABASE {database} TO {role}",
        "GRANT pg_write_all_data TO {role}",
    ],
)
def test_a_role_with_another_right_to_write_is_refused(console: Console, database: OtherDatabase, right: str) -> None:
    database.run("CREATE TABLE notes (text text)")
    try:
        with database.role(CONNECT, SELECT, right) as role:
            assert verdict(console, database.dsn(role)) == "database_role_not_read_only"
    finally:
        database.run("DROP TABLE notes")


def test_a_role_that_may_become_a_writer_is_refused(console: Console, database: OtherDatabase) -> None:
    """The member does not inherit the right, but gets it by SET ROLE."""
    with (
        database.role("GRANT pg_write_all_data TO {role}", options="NOLOGIN") as writer,
        database.role(CONNECT, f'GRANT "{writer}" TO {{role}}', options="LOGIN NOINHERIT") as member,
    ):
        assert verdict(console, database.dsn(member)) == "database_role_not_read_only"


def test_the_error_explains_how_to_prepare_the_role(console: Console, database: OtherDatabase) -> None:
    superuser = console.put(PATH, {"label": "x", "dsn": database.superuser_dsn()})
    with database.role(CONNECT, "ALTER ROLE {role} SET default_transaction_read_only = on") as role:
        read_only = console.put(PATH, {"label": "x", "dsn": database.dsn(role)})

    assert "do not use a superuser or the database's owner" in superuser.body["error"]["message"]
    assert "use a primary server and a role without a read-only default" in read_only.body["error"]["message"]


@pytest.mark.parametrize("statement", [CONNECT, TEMPORARY])
def test_a_read_only_session_does_not_prove_a_read_only_role(
    console: Console, database: OtherDatabase, statement: str
) -> None:
    with database.role(CONNECT, statement, "ALTER ROLE {role} SET default_transaction_read_only = on") as role:
        assert verdict(console, database.dsn(role)) == "database_role_unverified"


def test_a_session_under_another_role_does_not_prove_a_read_only_role(
    console: Console, database: OtherDatabase
) -> None:
    with (
        database.role(CONNECT) as harmless,
        database.role(
            TEMPORARY, f'GRANT "{harmless}" TO {{role}}', f'ALTER ROLE {{role}} SET role = "{harmless}"'
        ) as it,
    ):
        assert verdict(console, database.dsn(it)) == "database_role_unverified"


def test_a_role_without_the_connect_right_is_unverified(console: Console, database: OtherDatabase) -> None:
    with database.role() as role:
        database.run("REVOKE CONNECT ON DATABASE {database} FROM PUBLIC")
        try:
            assert verdict(console, database.dsn(role)) == "database_role_unverified"
        finally:
            database.run("GRANT CONNECT ON DATABASE {database} TO PUBLIC")


def test_a_role_without_a_login_is_unverified(console: Console, database: OtherDatabase) -> None:
    with database.role(CONNECT, options="NOLOGIN") as role:
        assert verdict(console, database.dsn(role)) == "database_role_unverified"


def test_an_absent_role_or_database_is_unverified(console: Console, database: OtherDatabase, reader: str) -> None:
    assert verdict(console, database.dsn("nobody")) == "database_role_unverified"
    assert verdict(console, f"{reader}_gone") == "database_role_unverified"


@pytest.mark.parametrize("sqlstate", ["28P01", "28000", "3D000", "42501", "53300", "57P03", "25006", "XX000"])
def test_every_refused_connection_is_unverified(console: Console, sqlstate: str) -> None:
    with answering(failure(sqlstate)) as port:
        assert verdict(console, f"postgresql://u:p@127.0.0.1:{port}/db?sslmode=disable") == "database_role_unverified"


def cause(console: Console, dsn: str) -> str:
    """Return the first sentence of the refusal."""
    answer = console.put(PATH, {"label": "Reporting", "dsn": dsn})
    assert answer.code == "database_role_unverified"
    first, _, rest = answer.body["error"]["message"].partition(". ")
    assert "Check the DSN" in rest
    return str(first)


@each(
    "sqlstate, text, sentence",
    [
        ("28P01", 'password authentication failed for user "u"', "The server refused the user name or the password"),
        ("3D000", 'database "db" does not exist', "The server has no such database"),
        ("28000", 'role "u" does not exist', "The server has no such role"),
        ("42501", 'permission denied for database "db"', "The role lacks the right CONNECT on the database"),
        ("28000", 'no pg_hba.conf entry for host "127.0.0.1"', "The server admits no such connection"),
        ("53300", "sorry, too many clients already", "The server has no free connection"),
        ("57P03", "the database system is starting up", "The server starts or stops at the moment"),
        (
            "28P01",
            "Passwort-Authentifizierung für »u« fehlgeschlagen",
            "The server refused the user name or the password",
        ),
        ("3D000", 'データベース"db"は存在しません', "The server has no such database"),
        ("53300", "désolé, trop de clients sont déjà connectés", "The server has no free connection"),
        ("ZZ999", "Unbekannt", "The server refused the connection or a statement, or it is no PostgreSQL server"),
        ("XX000", "Passwort falsch", "The server refused the connection or a statement, or it is no PostgreSQL server"),
    ],
)
def test_the_error_names_the_cause_of_a_refusal(console: Console, sqlstate: str, text: str, sentence: str) -> None:
    with answering(failure(sqlstate, text)) as port:
        assert cause(console, f"postgresql://u:p@127.0.0.1:{port}/db?sslmode=disable").startswith(sentence)


def test_the_error_names_the_cause_of_a_missing_connection(
    console: Console, database: OtherDatabase, time_limit: float
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert cause(console, f"postgresql://u:p@127.0.0.1:{port}/db") == "The host did not answer in time"
    assert cause(console, f"postgresql://u:p@127.0.0.1:{port}/db").startswith("The host refused the connection")
    assert cause(console, "postgresql://u:p@nobody.invalid/db") == "The host name was not found"
    assert cause(console, "postgresql://u:p@169.254.169.254/db").startswith("The service never connects")
    with database.role(CONNECT, options="NOLOGIN") as role:
        assert cause(console, database.dsn(role)) == "The role may not log in"
    with database.role(CONNECT, "ALTER ROLE {role} SET default_transaction_read_only = on") as role:
        assert cause(console, database.dsn(role)).startswith("The session is read-only")


def test_messages_of_the_server_are_never_shown(console: Console, caplog: pytest.LogCaptureFixture) -> None:
    with answering(failure("28P01", "the-secret-of-the-inner-network")) as port:
        answer = console.put(PATH, {"label": "x", "dsn": f"postgresql://u:p@127.0.0.1:{port}/db?sslmode=disable"})

    assert answer.code == "database_role_unverified"
    assert "inner-network" not in str(answer.body)
    assert "inner-network" not in caplog.text


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 OK\r\n\r\n", b"\0" * 64, b"E\xff\xff\xff\xff", b"R\0\0\0\x08\0\0\0\x00", b""]
)
def test_a_server_other_than_postgresql_is_unverified(console: Console, time_limit: float, answer: bytes) -> None:
    with answering(answer) as port:
        assert verdict(console, f"postgresql://u:p@127.0.0.1:{port}/db?sslmode=disable") == "database_role_unverified"


def test_a_server_that_demands_a_cleartext_password_is_unverified(console: Console, time_limit: float) -> None:
    with answering(message(b"R", struct.pack("!I", 3)), failure("28P01")) as port:
        assert verdict(console, f"postgresql://u:p@127.0.0.1:{port}/db?sslmode=disable") == "database_role_unverified"


def test_a_server_without_tls_is_unverified_where_tls_is_demanded(console: Console, reader: str) -> None:
    for sslmode in ("require", "verify-full"):
        assert verdict(console, f"{reader}?sslmode={sslmode}") == "database_role_unverified"


def test_a_closed_port_is_unverified(console: Console) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert verdict(console, f"postgresql://u:p@127.0.0.1:{port}/db") == "database_role_unverified"


def test_a_proof_takes_at_most_ten_seconds() -> None:
    assert proof.PROOF_SECONDS == 10


@pytest.mark.parametrize("timeout", ["", "?connect_timeout=3600"])
def test_a_proof_with_a_silent_host_ends_in_time(console: Console, time_limit: float, timeout: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        started = monotonic()
        found = verdict(console, f"postgresql://u:p@127.0.0.1:{server.getsockname()[1]}/db{timeout}")
        took = monotonic() - started

    assert found == "database_role_unverified"
    assert took >= time_limit
    assert is_soon(took - time_limit, limit=2)


def test_a_proof_with_a_waiting_database_ends_in_time(
    console: Console, database: OtherDatabase, time_limit: float
) -> None:
    with database.role(CONNECT, TEMPORARY) as role:
        database.run(
            "CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); END $$",
            "CREATE EVENT TRIGGER slow ON ddl_command_start EXECUTE FUNCTION slow()",
        )
        try:
            started = monotonic()
            assert verdict(console, database.dsn(role)) == "database_role_unverified"
            assert is_soon(monotonic() - started - time_limit, limit=2)
        finally:
            database.run(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
                "DROP EVENT TRIGGER slow",
                "DROP FUNCTION slow()",
            )


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "169.254.43518",
        "[fe80::1]",
        "[::ffff:169.254.169.254]",
        "224.0.0.1",
        "239.255.255.255",
        "[ff02::1]",
        "0.0.0.0",  # noqa: S104 - nothing listens there
        "0",
        "[::]",
        "[::ffff:0.0.0.0]",
    ],
)
def test_the_proof_does_not_connect_to_a_forbidden_address(
    console: Console, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    called: list[object] = []
    monkeypatch.setattr("psycopg.connect", lambda *arguments, **_: called.append(arguments))

    assert verdict(console, f"postgresql://u:p@{host}/db") == "database_role_unverified"
    assert called == []


def test_the_proof_does_not_connect_to_a_name_with_a_forbidden_address(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = [(socket.AF_INET, 1, 6, "", (address, 0)) for address in ("127.0.0.1", "169.254.169.254")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_others: addresses)
    called: list[object] = []
    monkeypatch.setattr("psycopg.connect", lambda *arguments, **_: called.append(arguments))

    assert verdict(console, "postgresql://u:p@db.example.com/db") == "database_role_unverified"
    assert called == []


@pytest.mark.parametrize("host", ["nobody.invalid", "a..b", "x" * 64 + ".example", "x" * 300, "."])
def test_a_name_without_an_address_is_unverified(console: Console, host: str) -> None:
    assert verdict(console, f"postgresql://u:p@{host}/db") == "database_role_unverified"


def test_the_first_address_that_answers_decides(
    console: Console, database: OtherDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = [(socket.AF_INET, 1, 6, "", (address, 0)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_others: addresses)

    with database.role(CONNECT) as role:
        dsn = database.dsn(role).replace("127.0.0.1", "db.example.com")
        assert verdict(console, dsn) == "stored"


def test_a_silent_address_leaves_time_for_the_next_one(
    console: Console, database: OtherDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = [(socket.AF_INET, 1, 6, "", (address, 0)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_others: addresses)
    # libpq waits for at least two seconds.
    monkeypatch.setattr(proof, "PROOF_SECONDS", 4)

    with socket.create_server(("127.0.0.2", database.port)), database.role(CONNECT) as role:
        dsn = database.dsn(role).replace("127.0.0.1", "db.example.com")
        assert verdict(console, dsn) == "stored"


def test_names_with_special_characters_are_used_unchanged(console: Console, database: OtherDatabase) -> None:
    odd = "od d'\\\"@:/?#%é"
    database.run(r"CREATE ROLE {role} LOGIN PASSWORD E'p ''\\''\n@'", CONNECT, role=odd)
    try:
        assert verdict(console, database.dsn(odd, password="p%20'%5C%27%0A%40")) == "stored"
    finally:
        database.run("DROP OWNED BY {role}", "DROP ROLE {role}", role=odd)


@pytest.mark.parametrize(
    "variables",
    [
        {"PGOPTIONS": "-c default_transaction_read_only=on"},
        {"PGOPTIONS": "-c nonsense=1"},
        {"PGUSER": "postgres", "PGPASSWORD": "other", "PGDATABASE": "postgres", "PGPORT": "1"},
        {"PGHOST": "/nowhere", "PGHOSTADDR": "192.0.2.1"},
        {"PGPASSFILE": "/etc/passwd"},
        {"PGSSLMODE": "verify-full", "PGSSLROOTCERT": "/nowhere", "PGREQUIRESSL": "1"},
        {"PGSSLCERT": "/nowhere", "PGSSLKEY": "/nowhere", "PGSSLCERTMODE": "require", "PGSSLCRL": "/nowhere"},
        {"PGREQUIREAUTH": "scram-sha-256", "PGCHANNELBINDING": "require", "PGREQUIREPEER": "nobody"},
        {"PGTARGETSESSIONATTRS": "standby", "PGLOADBALANCEHOSTS": "random"},
        {"PGGSSENCMODE": "require", "PGKRBSRVNAME": "x", "PGGSSLIB": "x"},
        {"PGCLIENTENCODING": "LATIN1", "PGAPPNAME": "x", "PGCONNECT_TIMEOUT": "1"},
    ],
    ids=",".join,
)
def test_the_proof_ignores_the_environment_variables_of_libpq(
    console: Console, database: OtherDatabase, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    with database.role(CONNECT) as reader, database.role(CONNECT, TEMPORARY) as writer, monkeypatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)

        assert verdict(console, database.dsn(writer)) == "database_role_not_read_only"
        assert verdict(console, database.dsn(reader)) == "stored"


def test_the_proof_ignores_a_service_file(
    console: Console, database: OtherDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    service = tmp_path / "services.conf"
    service.write_text("[other]\nhost=192.0.2.1\nport=1\nuser=postgres\npassword=x\ndbname=postgres\nsslmode=require\n")

    with database.role(CONNECT) as reader, database.role(CONNECT, TEMPORARY) as writer, monkeypatch.context() as patch:
        patch.setenv("PGSERVICEFILE", str(service))
        patch.setenv("PGSERVICE", "other")

        assert verdict(console, database.dsn(writer)) == "database_role_not_read_only"
        assert verdict(console, database.dsn(reader)) == "stored"


def test_a_proof_leaves_no_session_open(console: Console, database: OtherDatabase) -> None:
    with database.role(CONNECT) as reader, database.role(CONNECT, TEMPORARY) as writer:
        verdict(console, database.dsn(writer))
        verdict(console, database.dsn(reader))

        for role in (reader, writer):
            # The server removes a closed session from the list a moment later, so this statement polls.
            database.run(
                "DO $$ BEGIN FOR i IN 1..200 LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot();"
                f" IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = '{role}') THEN RETURN; END IF;"
                " END LOOP; RAISE 'a session is left'; END $$"
            )
