"""Three nodes of PostgreSQL under Patroni, and the programs that lead the service to the primary.

Each node has a network namespace of its own, with its Patroni and its PostgreSQL. All programs come from Debian's
packages. The namespaces need root.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Self
from urllib.request import urlopen

import psycopg

from tools.local_postgres import unprivileged

PACKAGES = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "haproxy": "haproxy",
    "pgbouncer": "pgbouncer",
    "redis-server": "redis-server",
    "ip": "iproute2",
}
BRIDGE = "gatehouse"
NETWORK = "10.213.77"
HUB = f"{NETWORK}.1"
"""The address of the machine's own namespace, which has all programs that are not on a node."""
NODES = 3
PATIENCE = 90.0
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}

SETTINGS: Mapping[str, Any] = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 3,
    "synchronous_mode": True,
    "synchronous_mode_strict": True,
    # Both standbys. Otherwise the asynchronous one may be ahead of the next primary, and must be rewound first.
    "synchronous_node_count": 2,
}
PARAMETERS: Mapping[str, Any] = {
    "max_connections": 100,
    "shared_buffers": "32MB",
    "wal_log_hints": "on",
    "wal_keep_size": "256MB",
    # Without these, the primary waits a minute for a synchronous standby whose network is gone.
    "wal_sender_timeout": "5s",
    "wal_receiver_timeout": "5s",
    # Without this, a standby waits five seconds before it asks the next primary.
    "wal_retrieve_retry_interval": "500ms",
}

HAPROXY = """
global
    maxconn 2000
defaults
    timeout connect 2s
    timeout check 2s
    timeout client 1h
    timeout server 1h
listen postgresql
    bind 127.0.0.1:{database_port}
    mode tcp
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{nodes}
listen service
    bind 127.0.0.1:{service_port}
    mode http
    balance roundrobin
    retries 0
{instances}
"""


def find_missing_packages() -> list[str]:
    """Return the packages of Debian that the drill needs and that are not installed."""
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program, path=ENVIRONMENT["PATH"])]
    return missing if find_postgresql() else [*missing, "postgresql-15"]


def find_postgresql() -> Path | None:
    """Return the directory with the programs of Debian's PostgreSQL."""
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


class Node:
    """A machine of the cluster. `number` begins with 1."""

    def __init__(self, *, number: int, directory: Path, password: str) -> None:
        self.name = f"{BRIDGE}{number}"
        self.address = f"{NETWORK}.{10 + number}"
        self._directory = directory / self.name
        self._password = password
        self._patroni: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the namespace, its network and the configuration."""
        _ip("netns", "add", self.name)
        _ip("link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("link", "set", self.name, "master", BRIDGE, "up")
        _ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            _ip("-n", self.name, "link", "set", device, "up")
        self._directory.mkdir()
        _, owner = unprivileged()
        os.chown(self._directory, owner, -1)
        # Every JSON text is a YAML text too.
        (self._directory / "patroni.yml").write_text(json.dumps(self._configuration()))

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL."""
        identity, _ = unprivileged()
        prefix = ["ip", "netns", "exec", self.name, *identity, "--pdeathsig=KILL"]
        with (self._directory / "patroni.log").open("ab") as log:
            self._patroni = subprocess.Popen(
                [*prefix, "patroni", str(self._directory / "patroni.yml")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
            )

    def kill(self) -> None:
        """Kill every process of the node by SIGKILL."""
        while pids := _ip("netns", "pids", self.name).split():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            if self._patroni is not None:
                self._patroni.wait()

    def kill_postmaster(self) -> None:
        """Kill only the first process of PostgreSQL by SIGKILL."""
        text = (self._directory / "data" / "postmaster.pid").read_text()
        os.kill(int(text.split()[0]), signal.SIGKILL)

    def cut(self) -> None:
        """Drop every packet from and to the node."""
        _ip("link", "set", self.name, "down")

    def mend(self) -> None:
        """Let packets through again."""
        _ip("link", "set", self.name, "up")

    def members(self) -> Sequence[Mapping[str, Any]]:
        """Return the members of the cluster as this node's Patroni sees them. Raises OSError when it does not answer."""
        with urlopen(f"http://{self.address}:8008/cluster", timeout=1) as answer:
            found: Sequence[Mapping[str, Any]] = json.loads(answer.read())["members"]
            return found

    def url(self, database: str) -> str:
        return f"postgresql://postgres:{self._password}@{self.address}:5432/{database}"

    def _configuration(self) -> Mapping[str, Any]:
        return {
            "scope": "gatehouse",
            "name": self.name,
            "restapi": {"listen": f"{self.address}:8008", "connect_address": f"{self.address}:8008"},
            "etcd3": {"host": f"{HUB}:2379"},
            "bootstrap": {
                "dcs": {**SETTINGS, "postgresql": {"use_pg_rewind": True, "parameters": PARAMETERS}},
                "initdb": ["data-checksums", {"encoding": "UTF8"}],
            },
            "postgresql": {
                "listen": f"{self.address}:5432",
                "connect_address": f"{self.address}:5432",
                "data_dir": str(self._directory / "data"),
                "bin_dir": str(find_postgresql()),
                "pgpass": str(self._directory / "pgpass"),
                "parameters": {"unix_socket_directories": ""},
                "authentication": {
                    "superuser": {"username": "postgres", "password": self._password},
                    "replication": {"username": "replicator", "password": self._password},
                },
                "pg_hba": [
                    f"host replication replicator {NETWORK}.0/24 scram-sha-256",
                    f"host all all {NETWORK}.0/24 scram-sha-256",
                ],
            },
        }


class Cluster:
    """The three nodes. They end with the block, and their namespaces are removed."""

    def __init__(self, *, directory: Path) -> None:
        self.password = token_urlsafe(16)
        self._directory = directory
        self._stack = ExitStack()
        self.nodes = [
            Node(number=number, directory=directory, password=self.password) for number in range(1, NODES + 1)
        ]

    def __enter__(self) -> Self:
        self._remove()
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("address", "add", f"{HUB}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        try:
            self._stack.enter_context(programs({"etcd": self._etcd()}, directory=self._directory))
            for node in self.nodes:
                node.make()
            for node in self.nodes:
                node.start()
            self.await_whole()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()

    def find(self, role: str) -> Node:
        """Return a node that is `leader` or `sync_standby`. There must be one."""
        names = self._roles()
        return next(node for node in self.nodes if names.get(node.name) == role)

    def await_whole(self) -> None:
        """Wait until a primary has two synchronous standbys."""
        deadline = time.monotonic() + PATIENCE
        while not self._is_whole():
            if time.monotonic() > deadline:
                raise RuntimeError(f"the database cluster is not whole after {PATIENCE:.0f} s: {self._roles()}")
            time.sleep(0.5)

    def count_readers(self, database: str) -> int:
        """Return the number of clients that are connected to this database on a standby."""
        leader = self.find("leader")
        found = 0
        for node in self.nodes:
            if node is not leader:
                with psycopg.connect(node.url("postgres"), connect_timeout=2) as session:
                    statement = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
                    [(number,)] = session.execute(statement, [database]).fetchall()
                    found += number
        return found

    def _is_whole(self) -> bool:
        roles = self._roles()
        if sorted(roles.values()) != ["leader", "sync_standby", "sync_standby"]:
            return False
        with (
            suppress(psycopg.Error),
            psycopg.connect(self.find("leader").url("postgres"), connect_timeout=2) as session,
        ):
            states = session.execute("SELECT state, sync_state FROM pg_stat_replication").fetchall()
            return states == [("streaming", "sync")] * 2
        return False

    def _roles(self) -> Mapping[str, str]:
        for node in self.nodes:
            with suppress(OSError, ValueError):
                return {member["name"]: member["role"] for member in node.members()}
        return {}

    def _etcd(self) -> Sequence[str]:
        clients, peers = f"http://{HUB}:2379", f"http://{HUB}:2380"
        options = {
            "data-dir": str(self._directory / "etcd"),
            "listen-client-urls": clients,
            "advertise-client-urls": clients,
            "listen-peer-urls": peers,
            "initial-advertise-peer-urls": peers,
            "initial-cluster": f"default={peers}",
        }
        return ["etcd", *(word for name, value in options.items() for word in (f"--{name}", value))]

    def _remove(self) -> None:
        """Remove the nodes of this cluster, or those that an earlier drill has left."""
        made = _ip("netns", "list").split()
        for node in self.nodes:
            if node.name in made:
                node.kill()
                _ip("netns", "delete", node.name)
        self._stack.close()
        # The devices of a namespace outlive it for a moment, unless they are deleted.
        for device in (*(node.name for node in self.nodes), BRIDGE):
            with suppress(RuntimeError):
                _ip("link", "delete", device)


@contextmanager
def programs(commands: Mapping[str, Sequence[str]], *, directory: Path) -> Iterator[None]:
    """Run the commands by name until the end of the block, each with a log in the directory."""
    with ExitStack() as stack:
        for name, command in commands.items():
            log = stack.enter_context((directory / f"{name}.log").open("wb"))
            started = subprocess.Popen(
                ["setpriv", "--pdeathsig=KILL", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
            )
            stack.callback(started.wait)
            stack.callback(started.kill)
        yield


def haproxy(cluster: Cluster, *, database_port: int, service_port: int, instances: Sequence[int]) -> str:
    """Return the configuration that leads to the primary and to the instances of the service at these ports."""
    nodes = [f"    server {node.name} {node.address}:5432 check port 8008" for node in cluster.nodes]
    servers = [f"    server instance{port} 127.0.0.1:{port}" for port in instances]
    return HAPROXY.format(
        database_port=database_port,
        service_port=service_port,
        nodes="\n".join(nodes),
        instances="\n".join(servers),
    )


def _ip(*arguments: str) -> str:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
