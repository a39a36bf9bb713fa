"""The parts of a DSN, and the connection that uses nothing but the DSN."""

import pytest
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from askai.settings.dsn import DSN_MAX, Dsn, parse_dsn
from tests.rows import each

pytestmark = pytest.mark.once

PLAIN = Dsn(
    user="reader",
    password="secret",
    host="db.example.com",
    port=5432,
    database="app",
    sslmode="prefer",
    connect_timeout=10,
)


def parameters(dsn: Dsn) -> dict[str, object]:
    """Return the connection parameters as libpq parses them."""
    given = dsn.parameters(address="192.0.2.1", seconds=10)
    return dict(conninfo_to_dict(make_conninfo(**given)))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_omitted_parts_have_defaults(scheme: str) -> None:
    assert parse_dsn(f"{scheme}://reader:secret@db.example.com/app") == PLAIN


@each(
    "text, field, value",
    [
        ("postgresql://reader:secret@db.example.com:6432/app", "port", 6432),
        ("postgresql://reader:secret@db.example.com/app?port=6432", "port", 6432),
        ("postgresql://reader:secret@db.example.com:65535/app", "port", 65535),
        ("postgresql://reader:secret@db.example.com:1/app", "port", 1),
        ("postgresql://reader:secret@[2001:db8::1]/app", "host", "2001:db8::1"),
        ("postgresql://reader:secret@192.0.2.1/app", "host", "192.0.2.1"),
        ("postgresql://re%40der%2F:secret@db.example.com/app", "user", "re@der/"),
        ("postgresql://reader:p%40ss%3A%2F%3F%23%27%5C%20w@db.example.com/app", "password", "p@ss:/?#'\\ w"),
        ("postgresql://reader:%C3%A9@db.example.com/app", "password", "é"),
        ("postgresql://reader@db.example.com/app", "password", ""),
        ("postgresql://reader@db.example.com/app?password=other", "password", "other"),
        ("postgresql://reader:secret@db.example.com/a%20b%2Fc", "database", "a b/c"),
        (
            "postgresql://reader:secret@db.example.com/postgresql%3A%2F%2Felsewhere",
            "database",
            "postgresql://elsewhere",
        ),
        *[
            (f"postgresql://reader:secret@db.example.com/app?sslmode={mode}", "sslmode", mode)
            for mode in ("disable", "allow", "prefer", "require", "verify-full")
        ],
        ("postgresql://reader:secret@db.example.com/app?connect_timeout=1", "connect_timeout", 1),
        ("postgresql://reader:secret@db.example.com/app?connect_timeout=3600", "connect_timeout", 3600),
    ],
)
def test_every_part_is_parsed(text: str, field: str, value: object) -> None:
    assert getattr(parse_dsn(text), field) == value


@each(
    "text",
    [
        "",
        "postgresql://",
        "postgresql:reader@db.example.com/app",
        "https://reader:secret@db.example.com/app",
        "postgresql://reader:secret@db.example.com/app?sslmode=verify-ca",
        "postgresql://reader:secret@db.example.com/app?sslmode=REQUIRE",
        "postgresql://reader:secret@db.example.com/app?sslmode=require&sslmode=nonsense",
        "postgresql://reader:secret@db.example.com/app?dbname=other&options=x",
        "postgresql://reader:secret@a,b/app",
        "postgresql://reader:secret@a:1,b:2/app",
        "postgresql://reader:secret@%2Ftmp/app",
        "postgresql://reader:secret@%40abstract/app",
        "postgresql://reader:secret@db.example.com/app\u202e",
        "postgresql://reader:secret@dé.example.com/app",
        "postgresql://reader:secret@db.example.com:٥٤٣٢/app",
        "postgresql://reader:secret@db.example.com/" + "x" * DSN_MAX,
    ],
)
def test_an_invalid_dsn_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        parse_dsn(text)


def test_a_dsn_of_the_greatest_length_is_allowed() -> None:
    start = "postgresql://reader:secret@db.example.com/"

    assert parse_dsn(start + "x" * (DSN_MAX - len(start))).host == "db.example.com"


def test_a_repr_contains_neither_password_nor_user() -> None:
    assert repr(PLAIN) == str(PLAIN) == "<Dsn of db.example.com>"


def test_the_connection_uses_the_address_of_the_dsn() -> None:
    found = parameters(PLAIN)

    assert {name: found[name] for name in ("user", "password", "host", "hostaddr", "port", "dbname", "options")} == {
        "user": "reader",
        "password": "secret",
        "host": "db.example.com",
        "hostaddr": "192.0.2.1",
        "port": "5432",
        "dbname": "app",
        "options": "",
    }


def test_no_environment_variable_changes_the_connection() -> None:
    variables = {option.keyword.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
    # libpq does not search a password file when the password is given. A service file only fills gaps. The other moot
    # parameters belong to connections that the DSN refuses. These use a socket, Kerberos or a client certificate. With
    # a protocol version that the server lacks, libpq does not connect.
    moot = {"passfile", "service", "servicefile", "requirepeer", "gsslib", "sslcert", "sslkey", "sslcrldir"}
    versions = {"min_protocol_version", "max_protocol_version"}

    assert variables - set(parameters(PLAIN)) <= moot | versions


def test_a_missing_password_is_not_read_from_another_source() -> None:
    dsn = parse_dsn("postgresql://reader@db.example.com/app")

    assert parameters(dsn)["password"]


@pytest.mark.parametrize(("sslmode", "root"), [("verify-full", "system"), ("require", "/nonexistent")])
def test_certificates_are_checked_only_against_the_machines_roots(sslmode: str, root: str) -> None:
    dsn = parse_dsn(f"postgresql://reader:secret@db.example.com/app?sslmode={sslmode}")

    assert (parameters(dsn)["sslrootcert"], parameters(dsn)["sslcertmode"]) == (root, "disable")


@pytest.mark.parametrize(
    ("given", "left", "expected"), [(10, 10, "10"), (3600, 10, "10"), (3, 10, "3"), (1, 10, "2"), (10, 0.1, "2")]
)
def test_a_connection_attempt_ends_at_its_timeout(given: int, left: float, expected: str) -> None:
    dsn = parse_dsn(f"postgresql://reader:secret@db.example.com/app?connect_timeout={given}")

    assert dsn.parameters(address="192.0.2.1", seconds=left)["connect_timeout"] == expected
