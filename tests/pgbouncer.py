"""PgBouncer in transaction mode, in front of the PostgreSQL server of the tests."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest

from tests.patience import is_soon
from tools.local_postgres import free_port

PATIENCE = 10

CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own_port}
unix_socket_dir =
pool_mode = transaction
# Two transactions of a client run on different connections to PostgreSQL whenever possible.
server_round_robin = 1
min_pool_size = 3
max_client_conn = 500
# A client is any role of the server, with the role's own password.
auth_type = scram-sha-256
auth_file = {directory}/users
auth_user = {user}
{settings}
"""


@contextmanager
def pgbouncer(server: str, *, settings: Mapping[str, int | str] | None = None) -> Iterator[int]:
    """Run PgBouncer in front of the server of this URL, for its databases and roles, and yield PgBouncer's port.

    The URL has the name and the password of a superuser. `settings` are further settings of PgBouncer. Skip the test if
    PgBouncer is not installed.
    """
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        pytest.skip("needs PgBouncer: apt-get install pgbouncer")
    parts = urlsplit(server)
    port = free_port()
    with TemporaryDirectory(prefix="pgbouncer-") as directory:
        configuration = CONFIGURATION.format(
            host=parts.hostname,
            port=parts.port,
            user=parts.username,
            own_port=port,
            directory=directory,
            settings="\n".join(f"{name} = {value}" for name, value in (settings or {}).items()),
        )
        (Path(directory) / "users").write_text(f'"{parts.username}" "{parts.password}"\n')
        (Path(directory) / "pgbouncer.ini").write_text(configuration)
        process = _start(program, Path(directory))
        try:
            _await_port(port, process)
            yield port
        finally:
            process.kill()
            process.wait()


def through_pooler(url: str, *, port: int) -> str:
    """Return the URL of the same database and role through the pooler at this port."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{port}").geturl()


def _start(program: str, directory: Path) -> subprocess.Popen[bytes]:
    # PgBouncer refuses to run as root.
    prefix = []
    if os.geteuid() == 0:
        prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig=KILL"]
        for path in (directory, *directory.iterdir()):
            shutil.chown(path, "nobody")
    with (directory / "log").open("wb") as log:
        return subprocess.Popen([*prefix, program, directory / "pgbouncer.ini"], stdout=log, stderr=log)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    started = time.monotonic()
    while is_soon(time.monotonic() - started, limit=PATIENCE) and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise AssertionError("PgBouncer did not start")
