"""Rate limits, on the store of the project's database and on a stand-in that speaks Redis's protocol."""

import multiprocessing
import socket
import socketserver
import sqlite3
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from pytest_django import Settings

from core import ratelimit
from core.errors import RateLimited
from core.ratelimit import Limit, Rate
from core.ratelimit.windows import window_of
from tests.patience import is_soon
from tests.rows import each

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 3, 44, 29, 123456, tzinfo=UTC)
ON_SQLITE = "sqlite" in django_settings.DATABASES["default"]["ENGINE"]
LOCALHOST = "127.0.0.1"

SetLimits = Callable[..., None]


class Gate:
    """A port that forwards connections to a server while it is open."""

    def __init__(self, *, host: str, port: int) -> None:
        self._target = (host, port)
        self._sockets: list[socket.socket] = []
        self.port = 0
        self.open()

    def open(self) -> None:
        """Forward all connections, including the waiting ones."""
        self.shut()
        threading.Thread(target=self._accept, args=[self._listen()], daemon=True).start()

    def stall(self) -> None:
        """Accept connections and never answer."""
        self.shut()
        self._listen()

    def shut(self) -> None:
        """Close every connection and refuse new ones."""
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def _listen(self) -> socket.socket:
        listener = socket.create_server((LOCALHOST, self.port))
        self.port = listener.getsockname()[1]
        self._sockets.append(listener)
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._sockets += [near, far]
                for source, sink in ((near, far), (far, near)):
                    sink.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._pass_on, args=[source, sink], daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(4096):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


class RedisHandler(socketserver.StreamRequestHandler):
    """Execute the Redis commands of a counter (https://redis.io/docs/latest/develop/reference/protocol-spec/)."""

    disable_nagle_algorithm = True
    server: "RedisServer"

    def handle(self) -> None:
        with suppress(ConnectionError):
            while line := self.rfile.readline():
                words = [self._word() for _ in range(int(line[1:]))]
                self.wfile.write(self.server.answer(*words))

    def _word(self) -> str:
        length = int(self.rfile.readline()[1:])
        return self.rfile.read(length + 2)[:-2].decode()


class RedisServer(socketserver.ThreadingTCPServer):
    """Keep counts until the process ends, and record the lifetime that each count was given."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((LOCALHOST, 0), RedisHandler)
        self.counts: Counter[str] = Counter()
        self.lifetimes: dict[str, int] = {}
        self._lock = threading.Lock()

    def answer(self, command: str, *words: str) -> bytes:
        """Execute one command."""
        with self._lock:
            match (command, *words):
                case ("CLIENT", *_):
                    return b"+OK\r\n"
                case ("INCRBY", key, amount):
                    self.counts[key] += int(amount)
                    return b":%d\r\n" % self.counts[key]
                case ("EXPIRE", key, seconds):
                    self.lifetimes[key] = int(seconds)
                    return b":1\r\n"
        return b"-ERR unknown command\r\n"


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


class Store(Protocol):
    """A store that a test can make fail."""

    cache_url: str

    def shut(self) -> None:
        """Refuse every call."""

    def stall(self) -> None:
        """Let every call wait without an answer."""

    def open(self) -> None:
        """Answer calls again."""


class SqliteFile:
    """The store beside an SQLite database."""

    cache_url = ""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._intruder: sqlite3.Connection | None = None

    def shut(self) -> None:
        # A process with an open file would not notice that the file was moved.
        ratelimit.close()
        self._path.rename(self._path.with_suffix(".away"))
        self._path.mkdir()

    def stall(self) -> None:
        self._intruder = sqlite3.connect(self._path, isolation_level=None)
        self._intruder.execute("BEGIN IMMEDIATE")

    def open(self) -> None:
        if self._intruder is not None:
            self._intruder.close()
        if self._path.is_dir():
            self._path.rmdir()
            self._path.with_suffix(".away").rename(self._path)


class Gated(Gate):
    """A store behind a port that a test can close."""

    cache_url = ""


@pytest.fixture(params=["database", "redis"])
def store(
    request: pytest.FixtureRequest, db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, redis_server: RedisServer
) -> Iterator[Store]:
    """Yield each store in turn."""
    ratelimit.close()
    made: Store
    if request.param == "redis":
        made = Gated(host=LOCALHOST, port=redis_server.server_address[1])
        made.cache_url = f"redis://{LOCALHOST}:{made.port}/0"
    elif ON_SQLITE:
        monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "auth.sqlite3"))
        made = SqliteFile(tmp_path / "auth.sqlite3.limits")
    else:
        made = Gated(host=connection.settings_dict["HOST"], port=int(connection.settings_dict["PORT"]))
        monkeypatch.setitem(connection.settings_dict, "HOST", LOCALHOST)
        monkeypatch.setitem(connection.settings_dict, "PORT", str(made.port))
        # The product's own time, after which the tests of silent servers continue.
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "connect_timeout", 2)
    yield made
    ratelimit.close()
    if isinstance(made, Gate):
        made.shut()
    else:
        made.open()


database_only = pytest.mark.parametrize("store", ["database"], indirect=True)
# A file has no connection that could break.
networked = pytest.mark.parametrize("store", ["redis"] if ON_SQLITE else ["database", "redis"], indirect=True)


@pytest.fixture
def limits(settings: Settings) -> SetLimits:
    """Set RATE_LIMITS and the store of the counts."""

    def set_limits(rates: Any, *, store: Store | None = None) -> None:
        changed = {"RATE_LIMITS": rates, "CACHE_URL": store.cache_url if store else ""}
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **changed}

    return set_limits


@pytest.fixture
def key() -> str:
    """A new key without counts, because counts survive a test."""
    return f"alice {uuid4()}"


def passes(limit: Limit, key: str, *, now: datetime) -> int:
    """Return how many attempts in a row pass, up to 50."""
    for passed in range(50):
        try:
            ratelimit.hit(limit, key, now=now)
        except RateLimited:
            return passed
    return 50


def opening(limit: Limit, key: str) -> datetime:
    """Return a moment at which a window of the key opens."""
    passes(limit, key, now=NOW)
    with pytest.raises(RateLimited) as refused:
        ratelimit.hit(limit, key, now=NOW)
    return NOW.replace(microsecond=0) + timedelta(seconds=refused.value.retry_after)


def test_a_limit_allows_exactly_its_number_until_retry_after_has_passed(
    store: Store, limits: SetLimits, key: str
) -> None:
    limits("login=3/m", store=store)

    for _ in range(3):
        ratelimit.hit(Limit.LOGIN, key, now=NOW)
    with pytest.raises(RateLimited) as refused:
        ratelimit.hit(Limit.LOGIN, key, now=NOW)

    wait = refused.value.retry_after
    assert 1 <= wait <= 60
    assert refused.value.headers() == {"Retry-After": str(wait)}
    assert passes(Limit.LOGIN, key, now=NOW + timedelta(seconds=wait - 1)) == 0
    assert passes(Limit.LOGIN, key, now=NOW + timedelta(seconds=wait)) == 3


@database_only
@pytest.mark.parametrize(("period", "seconds"), [("s", 1), ("m", 60), ("h", 3600), ("d", 86400)])
def test_a_window_is_as_long_as_its_period(
    store: Store, limits: SetLimits, key: str, period: str, seconds: int
) -> None:
    limits(f"login=1/{period}")
    start = opening(Limit.LOGIN, key)

    ratelimit.hit(Limit.LOGIN, key, now=start)

    with pytest.raises(RateLimited) as refused:
        ratelimit.hit(Limit.LOGIN, key, now=start)
    assert refused.value.retry_after == seconds


def test_keys_and_limits_are_counted_separately(store: Store, limits: SetLimits, key: str) -> None:
    limits("login=2/m,mail=2/m", store=store)

    assert passes(Limit.LOGIN, key, now=NOW) == 2
    assert passes(Limit.LOGIN, f"{key} too", now=NOW) == 2
    assert passes(Limit.MAIL, key, now=NOW) == 2


def test_several_limits_count_one_attempt_each(store: Store, limits: SetLimits, key: str) -> None:
    limits("login=1/m,login_ip=3/m", store=store)
    both = ((Limit.LOGIN_IP, key), (Limit.LOGIN, key))

    ratelimit.hit_all(*both, now=NOW)
    for _ in range(2):
        with pytest.raises(RateLimited):
            ratelimit.hit_all(*both, now=NOW)

    assert passes(Limit.LOGIN_IP, key, now=NOW) == 0


def test_the_later_opening_of_two_exceeded_limits_counts(store: Store, limits: SetLimits, key: str) -> None:
    limits("login=1/m,login_ip=1/d", store=store)
    start = opening(Limit.LOGIN_IP, key)
    both = ((Limit.LOGIN_IP, key), (Limit.LOGIN, key))
    ratelimit.hit_all(*both, now=start)

    with pytest.raises(RateLimited) as refused:
        ratelimit.hit_all(*both, now=start)

    assert refused.value.retry_after == 86400


@database_only
def test_a_rollback_does_not_remove_counts(store: Store, limits: SetLimits, key: str) -> None:
    limits("login=3/m")

    with suppress(RateLimited), transaction.atomic():
        ratelimit.hit(Limit.LOGIN, key, now=NOW)
        raise RateLimited

    assert passes(Limit.LOGIN, key, now=NOW) == 2


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("connected_before", [False, True])
def test_processes_and_threads_lose_no_count(
    store: Store, limits: SetLimits, key: str, caplog: pytest.LogCaptureFixture, connected_before: bool
) -> None:
    limits("login=1600/d", store=store)
    if connected_before:
        ratelimit.hit(Limit.LOGIN, f"{key} before", now=NOW)
    elif connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS authsvc_rate_limit")
    # An exiting child would close the session of a connection that it inherited.
    connection.close()
    fork = multiprocessing.get_context("fork")
    barrier = fork.Barrier(4)

    def count() -> None:
        barrier.wait()
        with ThreadPoolExecutor(4) as threads:
            for done in [threads.submit(hit_often) for _ in range(4)]:
                done.result()

    def hit_often() -> None:
        for _ in range(100):
            ratelimit.hit(Limit.LOGIN, key, now=NOW)

    processes = [fork.Process(target=count) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    assert passes(Limit.LOGIN, key, now=NOW) == 0
    assert caplog.messages == []


def test_while_the_store_does_not_answer_half_the_limit_is_allowed(
    store: Store, limits: SetLimits, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits("login=10/d,mail=1/d", store=store)
    start = opening(Limit.LOGIN, key)
    assert opening(Limit.MAIL, key) != start
    ratelimit.hit(Limit.LOGIN, key, now=start)
    store.shut()

    assert passes(Limit.LOGIN, key, now=start) == 5
    assert passes(Limit.MAIL, key, now=start) == 1
    with pytest.raises(RateLimited) as refused:
        ratelimit.hit_all((Limit.LOGIN, key), (Limit.MAIL, key), now=start)
    assert 1 <= refused.value.retry_after <= 86400

    store.open()
    assert passes(Limit.LOGIN, key, now=start + timedelta(seconds=4)) == 0
    assert passes(Limit.LOGIN, key, now=start + timedelta(seconds=5)) == 9
    assert caplog.messages == ["the rate limit store does not answer, each process counts alone"]


def test_an_unavailable_store_is_logged_once_a_minute(
    store: Store, limits: SetLimits, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits("login=9999/d", store=store)
    ratelimit.hit(Limit.LOGIN, key, now=NOW)
    store.shut()

    for second in range(120):
        ratelimit.hit(Limit.LOGIN, key, now=NOW + timedelta(hours=1, seconds=second))

    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert {record.name for record in caplog.records} == {"authsvc.ratelimit"}


def test_only_one_attempt_waits_for_a_store_that_hangs(store: Store, limits: SetLimits, key: str) -> None:
    limits("login=50/m", store=store)
    ratelimit.hit(Limit.LOGIN, key, now=NOW)
    store.stall()

    started = time.perf_counter()
    ratelimit.hit(Limit.LOGIN, key, now=NOW)
    waited = time.perf_counter() - started
    for _ in range(20):
        ratelimit.hit(Limit.LOGIN, key, now=NOW)
    all_others = time.perf_counter() - started - waited

    assert waited > 0.5
    assert is_soon(waited, limit=4)
    assert is_soon(all_others, limit=0.5)


@networked
def test_a_connection_lost_while_idle_is_not_an_outage(
    store: Gated, limits: SetLimits, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits("login=10/d", store=store)
    start = opening(Limit.LOGIN, key)
    ratelimit.hit(Limit.LOGIN, key, now=start)

    store.shut()
    store.open()

    assert passes(Limit.LOGIN, key, now=start) == 9
    assert caplog.messages == []


@database_only
def test_expired_windows_are_deleted(store: Store, limits: SetLimits, key: str) -> None:
    limits("signup=9/s,login=9999/d")
    for number in range(150):
        ratelimit.hit_all((Limit.SIGNUP, f"{key} {number}"), (Limit.LOGIN, f"{key} {number}"), now=NOW)

    for _ in range(200):
        ratelimit.hit(Limit.LOGIN, key, now=NOW + timedelta(minutes=5))

    ended = int(NOW.timestamp()) + 100
    assert rows("ends_at < %d", ended) == 0
    # Each key has windows of its own. Those of a few of the 151 keys end within the five minutes.
    assert rows("ends_at > %d", ended) >= 140


def rows(condition: str, moment: int) -> int:
    """Return the number of rows in the database's store."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(f"{connection.settings_dict['NAME']}.limits")) as reader:
            return int(reader.execute(f"SELECT count(*) FROM attempts WHERE {condition % moment}").fetchone()[0])  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM authsvc_rate_limit WHERE {condition % moment}")  # noqa: S608
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("store", ["redis"], indirect=True)
def test_every_count_in_redis_has_a_lifetime(
    store: Store, limits: SetLimits, key: str, redis_server: RedisServer
) -> None:
    limits("login=9/h", store=store)

    ratelimit.hit(Limit.LOGIN, key, now=NOW)

    assert set(redis_server.lifetimes) == set(redis_server.counts)
    assert all(1 <= seconds <= 86400 for seconds in redis_server.lifetimes.values())


def test_a_stored_key_reveals_no_address(settings: Settings) -> None:
    address = "alice@example.com"
    rate = Rate(10, 60)
    second = int(NOW.timestamp())

    key = window_of("login", address, rate=rate, second=second).key
    settings.SECRET_KEY = "another"
    elsewhere = window_of("login", address, rate=rate, second=second).key

    assert len(key) == len(elsewhere) == 16
    assert key != elsewhere
    assert window_of("login", "x" * 100_000, rate=rate, second=second).key not in (key, elsewhere)


def test_windows_open_at_different_times() -> None:
    ends = {window_of("login", f"{n}", rate=Rate(10, 60), second=1_000_000).ends_at for n in range(1000)}

    assert ends == set(range(1_000_001, 1_000_061))


def test_the_edge_limit_counts_each_address_per_process(limits: SetLimits) -> None:
    limits("edge=3/m")

    for _ in range(3):
        ratelimit.hit_edge("192.0.2.1", now=NOW)
    with pytest.raises(RateLimited) as refused:
        ratelimit.hit_edge("192.0.2.1", now=NOW)

    wait = timedelta(seconds=refused.value.retry_after)
    assert timedelta(seconds=1) <= wait <= timedelta(minutes=1)
    ratelimit.hit_edge("192.0.2.2", now=NOW)
    with pytest.raises(RateLimited):
        ratelimit.hit_edge("192.0.2.1", now=NOW + wait - timedelta(seconds=1))
    ratelimit.hit_edge("192.0.2.1", now=NOW + wait)


def test_a_late_request_does_not_reopen_an_edge_window(limits: SetLimits) -> None:
    limits("edge=1/m")
    later = NOW + timedelta(minutes=1)
    ratelimit.hit_edge("192.0.2.3", now=later)

    for moment in (NOW, later):
        with pytest.raises(RateLimited):
            ratelimit.hit_edge("192.0.2.3", now=moment)


def test_the_edge_limit_works_after_the_clock_was_set_back(limits: SetLimits) -> None:
    limits("edge=1/m")
    ratelimit.hit_edge("192.0.2.4", now=NOW + timedelta(days=365))

    ratelimit.hit_edge("192.0.2.4", now=NOW)


def test_a_flood_of_addresses_neither_fills_the_memory_nor_resets_a_limit(limits: SetLimits) -> None:
    limits("edge=50/m")
    # The counts of this test lie in a time that no other test uses.
    now = NOW + timedelta(days=10)
    eve = "198.51.100.66"
    for _ in range(50):
        ratelimit.hit_edge(eve, now=now)

    tracemalloc.start()
    for number in range(70_000):
        # One address in 65,536 shares Eve's slot and is refused with Eve's.
        with suppress(RateLimited):
            ratelimit.hit_edge(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", now=now)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 100_000
    with pytest.raises(RateLimited):
        ratelimit.hit_edge(eve, now=now)


@database_only
def test_a_site_that_turns_django_ratelimit_off_keeps_the_services_limits(
    store: Store, limits: SetLimits, settings: Settings, key: str
) -> None:
    limits("login=1/m,edge=1/m")
    settings.RATELIMIT_ENABLE = False
    ratelimit.hit_edge("192.0.2.5", now=NOW)

    assert passes(Limit.LOGIN, key, now=NOW) == 1
    with pytest.raises(RateLimited):
        ratelimit.hit_edge("192.0.2.5", now=NOW)


@pytest.mark.parametrize("rates", ["off", "login=off,edge=off"])
def test_a_limit_that_is_off_is_not_counted(
    store: Store, limits: SetLimits, key: str, caplog: pytest.LogCaptureFixture, rates: str
) -> None:
    limits("on", store=store)
    ratelimit.hit(Limit.LOGIN, key, now=NOW)
    limits(rates, store=store)
    store.shut()

    for _ in range(4000):
        ratelimit.hit(Limit.LOGIN, key, now=NOW)
        ratelimit.hit_edge("192.0.2.6", now=NOW)

    assert caplog.messages == []


DEFAULTS = {
    "signup": Rate(30, 60),
    "login": Rate(10, 60),
    "login_ip": Rate(100, 60),
    "completion": Rate(10, 60),
    "completion_ip": Rate(60, 60),
    "mail": Rate(5, 60),
    "mail_ip": Rate(30, 60),
    "mail_account": Rate(5, 60),
    "mailbox": Rate(20, 3600),
    "password": Rate(10, 60),
    "refresh": Rate(60, 60),
    "api_keys": Rate(20, 60),
    "ask_ai": Rate(20, 60),
    "ask_ai_ip": Rate(60, 60),
    "edge": Rate(3000, 60),
}


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ("", {}),
        ("on", {}),
        ("true", {}),
        (True, {}),
        ("off", dict.fromkeys(DEFAULTS)),
        ("OFF", dict.fromkeys(DEFAULTS)),
        (False, dict.fromkeys(DEFAULTS)),
        ("login=20/m", {"login": Rate(20, 60)}),
        ("login=20/m,signup=off", {"login": Rate(20, 60), "signup": None}),
        (" login=20/s , mail=3/d,", {"login": Rate(20, 1), "mail": Rate(3, 86400)}),
        (["login=1/h"], {"login": Rate(1, 3600)}),
    ],
)
def test_configured_rate_limits_change_the_defaults(
    limits: SetLimits, value: Any, changes: dict[str, Rate | None]
) -> None:
    limits(value)

    read = ratelimit.settings().rate_limits

    assert {name: read[Limit(name)] for name in DEFAULTS} == DEFAULTS | changes


@each(
    "value",
    [
        "none",
        "login",
        "login=",
        "login=on",
        "login=20",
        "login=20/",
        "login=/m",
        "login=20/w",
        "login=20/M",
        "login=20/minute",
        "login=0/m",
        "login=-1/m",
        "login=1.5/m",
        "login=٢٠/m",
        "login=20/m=3",
        "login = 20/m",
        "login=20/m;signup=off",
        "logins=20/m",
        "on,login=20/m",
        5,
        {"login": "20/m"},
    ],
)
def test_a_malformed_rate_limit_is_refused_with_the_expected_form(limits: SetLimits, value: Any) -> None:
    limits(value)

    with pytest.raises(ImproperlyConfigured) as refused:
        ratelimit.settings()

    assert str(refused.value) == (
        "RATE_LIMITS must be on, off, or changes such as login=20/m,signup=off. A limit is one of "
        "signup, login, login_ip, login_fallback, login_code, completion, completion_ip, mail, mail_ip, mail_account, mailbox, "
        "password, refresh, authorize, pushed, device, api_keys, ask_ai, ask_ai_ip, export, edge. A period is one of s, m, h, d."
    )


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:6379/0",
        "redis://:secret@cache.example",
        "rediss://cache.example:6380",
        "unix:///run/valkey.sock?db=1",
    ],
)
def test_every_url_form_of_the_redis_client_is_accepted(settings: Settings, url: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "CACHE_URL": url}

    assert ratelimit.settings().cache_url == url


@pytest.mark.parametrize(
    "url", ["localhost:6379", "memcached://127.0.0.1", "redis://localhost:port", "redis://localhost?timeout=1", 6379]
)
def test_a_malformed_cache_url_is_refused(settings: Settings, url: Any) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "CACHE_URL": url}

    with pytest.raises(ImproperlyConfigured, match=r"^CACHE_URL must be a redis://, rediss:// or unix:// URL\.$"):
        ratelimit.settings()


@each(
    "ip, key",
    [
        ("", ""),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002::/64"),
        ("2001:db8:1:2::1", "2001:0db8:0001:0002::/64"),
        ("2001:0DB8:0001:0002:0000:0000:0000:0001", "2001:0db8:0001:0002::/64"),
        ("2001:db8:1:3::1", "2001:0db8:0001:0003::/64"),
        ("fe80::1%eth0", "fe80:0000:0000:0000::/64"),
        ("::1", "0000:0000:0000:0000::/64"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(ip: str, key: str) -> None:
    assert ratelimit.network_key(ip) == key
