"""What a DSN says, and how nothing else has a say in the connection that is made from it."""

import pytest
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from askai.dsn import DSN_MAX, Dsn, parse_dsn

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
    """Return what libpq makes of the parameters, as a connection would."""
    given = dsn.parameters(address="192.0.2.1", seconds=10, options="-c DateStyle=ISO")
    return dict(conninfo_to_dict(make_conninfo(**given)))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_what_is_left_out_has_a_default(scheme: str) -> None:
    assert parse_dsn(f"{scheme}://reader:secret@db.example.com/app") == PLAIN


@pytest.mark.parametrize(
    ("text", "field", "value"),
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
def test_every_part_is_read_as_it_was_meant(text: str, field: str, value: object) -> None:
    assert getattr(parse_dsn(text), field) == value


@pytest.mark.parametrize(
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
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        parse_dsn(text)


def test_the_longest_is_allowed() -> None:
    start = "postgresql://reader:secret@db.example.com/"

    assert parse_dsn(start + "x" * (DSN_MAX - len(start))).host == "db.example.com"


def test_a_repr_holds_neither_password_nor_user() -> None:
    assert repr(PLAIN) == str(PLAIN) == "<Dsn of db.example.com>"


def test_the_connection_goes_where_the_dsn_says() -> None:
    found = parameters(PLAIN)

    assert {name: found[name] for name in ("user", "password", "host", "hostaddr", "port", "dbname", "options")} == {
        "user": "reader",
        "password": "secret",
        "host": "db.example.com",
        "hostaddr": "192.0.2.1",
        "port": "5432",
        "dbname": "app",
        "options": "-c DateStyle=ISO",
    }


def test_whatever_the_environment_could_say_is_said_already() -> None:
    variables = {option.keyword.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
    # A password that is given is not looked for in a file, what a service file says fills gaps alone, and the rest is
    # for connections that are refused here: over a socket, with Kerberos, with a certificate of the client's. A version
    # of the protocol that the server does not speak ends in no connection.
    moot = {"passfile", "service", "servicefile", "requirepeer", "gsslib", "sslcert", "sslkey", "sslcrldir"}
    versions = {"min_protocol_version", "max_protocol_version"}

    assert variables - set(parameters(PLAIN)) <= moot | versions


def test_without_a_password_none_is_looked_for_elsewhere() -> None:
    dsn = parse_dsn("postgresql://reader@db.example.com/app")

    assert parameters(dsn)["password"]


@pytest.mark.parametrize(("sslmode", "root"), [("verify-full", "system"), ("require", "/nonexistent")])
def test_certificates_are_checked_against_the_machines_roots_alone(sslmode: str, root: str) -> None:
    dsn = parse_dsn(f"postgresql://reader:secret@db.example.com/app?sslmode={sslmode}")

    assert (parameters(dsn)["sslrootcert"], parameters(dsn)["sslcertmode"]) == (root, "disable")


@pytest.mark.parametrize(
    ("given", "left", "expected"), [(10, 10, "10"), (3600, 10, "10"), (3, 10, "3"), (1, 10, "2"), (10, 0.1, "2")]
)
def test_a_connection_waits_no_longer_than_there_is_time(given: int, left: float, expected: str) -> None:
    dsn = parse_dsn(f"postgresql://reader:secret@db.example.com/app?connect_timeout={given}")

    assert dsn.parameters(address="192.0.2.1", seconds=left, options="")["connect_timeout"] == expected
