"""django-allauth and dj-rest-auth, each in its own environment and on two servers."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.load.contest import Contender
from tests.load.driver import Load
from tests.load.paths import CONNECTIONS, SESSIONS
from tests.load.service import PASSWORD
from tests.processes.running import ROOT
from tools.local_postgres import free_port

from .building import PLACE
from .conditions import WORKERS, Conditions
from .running import Server, post, running

SERVERS = {
    "gunicorn": [
        "--worker-class",
        "gthread",
        "--threads",
        str(CONNECTIONS),
        "--keep-alive",
        "75",
        "--no-control-socket",
    ],
    "granian": ["--interface", "wsgi", "--factory", "--blocking-threads", str(CONNECTIONS)],
}
RECOMMENDED = "gunicorn"
APPLICATION = {
    "gunicorn": "django.core.wsgi:get_wsgi_application()",
    "granian": "django.core.wsgi:get_wsgi_application",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """The routes of a peer and the names of its tokens. `key` names its project and its pins."""

    key: str
    name: str
    login: str
    login_body: tuple[str, str]
    refresh: str
    refresh_body: tuple[str, str]
    access_member: str
    refresh_member: str
    sessions: str | None

    @property
    def bin(self) -> Path:
        """The directory of the programs in the peer's environment."""
        return PLACE / self.key / "bin"


PEERS = (
    Peer(
        key="allauth",
        name="django-allauth",
        login="/_allauth/app/v1/auth/login",
        login_body=('{"email":"', f'","password":"{PASSWORD}"}}'),
        refresh="/_allauth/app/v1/tokens/refresh",
        refresh_body=('{"refresh_token":"', '"}'),
        access_member="access_token",
        refresh_member="refresh_token",
        sessions="/_allauth/app/v1/auth/sessions",
    ),
    Peer(
        key="dj_rest_auth",
        name="dj-rest-auth",
        login="/login/",
        login_body=('{"username":"', f'","password":"{PASSWORD}"}}'),
        refresh="/token/refresh/",
        refresh_body=('{"refresh":"', '"}'),
        access_member="access",
        refresh_member="refresh",
        sessions=None,
    ),
)


@contextmanager
def contenders(peer: Peer, conditions: Conditions) -> Iterator[list[Contender]]:
    """Install the peer and run it on each server, with one database for all of them."""
    _ensure_environment(peer)
    database = f"peer_{peer.key}"
    conditions.new_database(database)
    variables = {
        **conditions.variables,
        "PYTHONPATH": str(ROOT),
        "PEER_RSA_KEY": _rsa_key(),
        "DJANGO_SETTINGS_MODULE": f"tests.load.peers.{peer.key}_settings",
        "PEER_DATABASE": database,
    }
    _fill(peer, emails=conditions.emails, variables=variables)
    # Each server has an owner of its own, because the servers share the sessions of one database.
    owners, others = conditions.emails[: len(SERVERS)], conditions.emails[len(SERVERS) :]
    with ExitStack() as stack:
        found = []
        for server, owner in zip(SERVERS, owners, strict=True):
            process = stack.enter_context(_running(peer, server, variables=variables, directory=conditions.directory))
            loads = _loads_of(peer, port=process.port, owner=owner, others=others)
            found.append(Contender(name=peer.name, server=server, process=process, loads=loads))
        yield found


def _rsa_key() -> str:
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _ensure_environment(peer: Peer) -> None:
    """Install the pinned packages into the peer's environment, unless they are installed already."""
    pins = Path(__file__).with_name(f"{peer.key}.txt")
    stamp = PLACE / peer.key / "pins.txt"
    if stamp.exists() and stamp.read_bytes() == pins.read_bytes():
        return
    uv = str(Path(sys.executable).with_name("uv"))
    variables = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    for command in (
        [sys.executable, "-m", "venv", "--without-pip", "--clear", str(PLACE / peer.key)],
        [uv, "pip", "install", "--quiet", "--python", str(peer.bin / "python"), "-r", str(pins)],
    ):
        subprocess.run(command, env=variables, check=True)
    stamp.write_bytes(pins.read_bytes())


def _fill(peer: Peer, *, emails: Sequence[str], variables: Mapping[str, str]) -> None:
    """Create the peer's tables, and all accounts."""
    fill = f"from tests.load.peers.filling import fill; fill(emails={list(emails)!r}, password={PASSWORD!r})"
    for arguments in (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", fill]):
        command = [str(peer.bin / "python"), "-m", "django", *arguments]
        subprocess.run(command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, check=True)


def _running(
    peer: Peer, server: str, *, variables: Mapping[str, str], directory: Path
) -> AbstractContextManager[Server]:
    """Run the peer on that server."""
    port = free_port()
    where = ["--bind", f"127.0.0.1:{port}"] if server == "gunicorn" else ["--host", "127.0.0.1", "--port", str(port)]
    options = [*SERVERS[server], "--workers", str(WORKERS), "--log-level", "error", *where]
    return running(
        [str(peer.bin / server), *options, APPLICATION[server]],
        name=f"{peer.name} on {server}",
        port=port,
        variables=variables,
        log=directory / f"{peer.key}-{server}.log",
    )


def _loads_of(peer: Peer, *, port: int, owner: str, others: Sequence[str]) -> dict[str, Callable[[float], Load]]:
    logins = [_log_in(peer, port=port, email=owner) for _ in range(SESSIONS)]
    access = [_member(logins[0], peer.access_member)]

    def refresh(_seconds: float) -> Load:
        values = [_member(_log_in(peer, port=port, email=email), peer.refresh_member) for email in others[:CONNECTIONS]]
        body, member = peer.refresh_body, peer.refresh_member
        return Load.post(peer.refresh, body=body, values=values, connections=CONNECTIONS, next_value=member)

    login = Load.post(peer.login, body=peer.login_body, values=others, connections=CONNECTIONS)
    verify = Load.get("/verify", tokens=access, connections=CONNECTIONS)
    loads: dict[str, Callable[[float], Load]] = {
        "login": lambda _seconds: login,
        "verify": lambda _seconds: verify,
        "refresh": refresh,
    }
    if peer.sessions:
        sessions = Load.get(peer.sessions, tokens=access, connections=CONNECTIONS)
        loads["sessions"] = lambda _seconds: sessions
    return loads


def _log_in(peer: Peer, *, port: int, email: str) -> str:
    """Return the answer to a login."""
    before, after = peer.login_body
    return post(port, peer.login, f"{before}{email}{after}").text


def _member(body: str, name: str) -> str:
    found = re.search(rf'"{name}":\s*"([^"]+)"', body)
    if found is None:
        raise RuntimeError(f"there is no {name} in {body}")
    return found[1]
