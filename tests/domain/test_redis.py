"""The counters in a real Redis: with TLS, and in a Redis Cluster."""

import datetime as dt
import ipaddress
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import redis
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pytest_django import Settings

from core import ratelimit
from core.clock import now
from core.errors import RateLimited
from core.ratelimit import Limit
from core.ratelimit.redis_store import RedisStore
from core.ratelimit.windows import Window
from tests.patience import is_soon
from tools.local_postgres import free_port, free_ports

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs Redis: apt-get install redis-server"),
]

LOCALHOST = "127.0.0.1"
LIMIT = 6
ADDRESSES = [f"192.0.2.{number}" for number in range(30)]
PATIENCE = 20


@pytest.fixture
def use(settings: Settings) -> Iterator[Callable[[str], None]]:
    """Let the counters be at this URL until the end of the test."""

    def set_url(url: str) -> None:
        settings.AUTH_SERVICE = {
            **settings.AUTH_SERVICE,
            "CACHE_URL": url,
            "RATE_LIMITS": f"login={LIMIT}/h,mail={LIMIT}/h",
        }

    ratelimit.close()
    yield set_url
    ratelimit.close()


def passes(address: str) -> int:
    """Return the number of attempts that pass. A store that does not answer lets only half of the limit pass."""
    moment = now()
    for passed in range(2 * LIMIT):
        try:
            ratelimit.hit_all((Limit.LOGIN, address), (Limit.MAIL, address), now=moment)
        except RateLimited:
            return passed
    return 2 * LIMIT


@contextmanager
def server(directory: Path, *options: str, port: int) -> Iterator[None]:
    """Run a server in this directory until the end of the block."""
    directory.mkdir()
    command = ["redis-server", "--bind", LOCALHOST, "--dir", str(directory), "--save", "", *options]
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until(lambda: is_open(port))
        yield
    finally:
        process.kill()
        process.wait()


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection((LOCALHOST, port), timeout=1):
        return True
    return False


def until(condition: Callable[[], bool]) -> None:
    started = time.monotonic()
    while not condition():
        assert is_soon(time.monotonic() - started, limit=PATIENCE)
        time.sleep(0.02)


@contextmanager
def cluster(directory: Path, *, nodes: int) -> Iterator[list[int]]:
    """Run a cluster of this many nodes, each with an equal part of the slots, and yield their ports."""
    free = free_ports(2 * nodes)
    ports, bus = free[:nodes], free[nodes:]
    with ExitStack() as stack:
        for number, port in enumerate(ports):
            options = ("--cluster-enabled", "yes", "--port", str(port), "--cluster-port", str(bus[number]))
            stack.enter_context(server(directory / str(port), *options, port=port))
        clients = [stack.enter_context(redis.Redis(port=port, decode_responses=True)) for port in ports]
        bounds = [number * 16384 // nodes for number in range(nodes + 1)]
        for number, client in enumerate(clients):
            client.execute_command("CLUSTER ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            client.execute_command("CLUSTER MEET", LOCALHOST, ports[0], bus[0])
        until(lambda: all(knows_all(client, nodes=nodes) for client in clients))
        yield ports


def knows_all(client: "redis.Redis", *, nodes: int) -> bool:
    lines = client.execute_command("CLUSTER INFO")  # type: ignore[no-untyped-call]  # redis leaves it untyped
    state = lines if isinstance(lines, dict) else dict(line.split(":") for line in str(lines).split())
    return state["cluster_state"] == "ok" and state["cluster_size"] == str(nodes)


def test_a_server_counts_exactly(use: Callable[[str], None], tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path / "redis", "--port", str(port), "--requirepass", "pass-7c1f9e", port=port):
        use(f"redis://:pass-7c1f9e@{LOCALHOST}:{port}/3")

        assert [passes(address) for address in ADDRESSES] == [LIMIT] * len(ADDRESSES)


@pytest.mark.parametrize("nodes", [1, 3])
def test_a_cluster_counts_exactly(use: Callable[[str], None], tmp_path: Path, nodes: int) -> None:
    with cluster(tmp_path, nodes=nodes) as ports:
        use(f"redis://{LOCALHOST}:{ports[0]}")
        # The first attempt that another node counts repeats the count of its other limit.
        passes("198.51.100.1")
        passes("198.51.100.2")

        assert [passes(address) for address in ADDRESSES] == [LIMIT] * len(ADDRESSES)

        held = [redis.Redis(port=port).dbsize() for port in ports]
        assert all(held)


def test_a_cluster_counts_on_after_a_slot_moved(use: Callable[[str], None], tmp_path: Path) -> None:
    with cluster(tmp_path, nodes=3) as ports:
        use(f"redis://{LOCALHOST}:{ports[0]}")
        passes("198.51.100.1")
        passes("198.51.100.2")

        move_free_slots(ports)

        assert [passes(address) for address in ADDRESSES] == [LIMIT] * len(ADDRESSES)


def move_free_slots(ports: Sequence[int]) -> None:
    """Move slots of the first node that hold no key to the second node. The first node keeps at least half of its slots.

    A node without slots would become a replica.
    """
    with redis.Redis(port=ports[0]) as first, redis.Redis(port=ports[1]) as second:
        owner = second.execute_command("CLUSTER MYID")
        slots = range(16384 // len(ports) // 2)
        counts = first.pipeline(transaction=False)
        for slot in slots:
            counts.execute_command("CLUSTER COUNTKEYSINSLOT", slot)
        free = [slot for slot, keys in zip(slots, counts.execute(), strict=True) if not keys]
        for node in (second, first):
            moves = node.pipeline(transaction=False)
            for slot in free:
                moves.execute_command("CLUSTER SETSLOT", slot, "NODE", owner)
            moves.execute()


def test_a_cluster_counts_on_the_nodes_that_are_left(tmp_path: Path) -> None:
    windows = [Window(ends_at=int(time.time()) + 60, key=bytes([number] * 16)) for number in range(12)]
    counted: list[bytes] = []
    with cluster(tmp_path, nodes=3) as ports:
        store = RedisStore(f"redis://{LOCALHOST}:{ports[0]}")
        store.add(windows, second=int(time.time()))
        with redis.Redis(port=ports[0]) as node:
            node.shutdown(nosave=True)

        for window in windows:
            try:
                counted += store.add([window], second=int(time.time()))
            except store.failures:
                store.close()
        store.close()

    assert 0 < len(counted) < len(windows)


def test_with_tls_the_server_needs_a_certificate_of_the_named_authority(
    use: Callable[[str], None], tmp_path: Path
) -> None:
    authority = make_certificate(tmp_path, "server")
    other = make_certificate(tmp_path, "other")
    port = free_port()
    files = ("--tls-cert-file", str(tmp_path / "server.pem"), "--tls-key-file", str(tmp_path / "server.key"))
    options = ("--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no", *files)
    with server(tmp_path / "redis", *options, port=port):
        use(f"rediss://{LOCALHOST}:{port}?ssl_ca_certs={authority}")
        trusted = [passes(address) for address in ADDRESSES]
        use(f"rediss://{LOCALHOST}:{port}?ssl_ca_certs={other}")
        untrusted = passes("198.51.100.1")

    assert trusted == [LIMIT] * len(ADDRESSES)
    assert untrusted == LIMIT // 2


def make_certificate(directory: Path, name: str) -> Path:
    """Write a key and a certificate that signs itself, for the loopback address. Return the path of the certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(LOCALHOST))])
    moment = now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment - dt.timedelta(days=1))
        .not_valid_after(moment + dt.timedelta(days=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = directory / f"{name}.pem"
    path.write_bytes(certificate.public_bytes(Encoding.PEM))
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (directory / f"{name}.key").write_bytes(text)
    return path
