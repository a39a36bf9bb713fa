"""`./dev bench --peers`: the service and its peers in turn, on one PostgreSQL and with the same hash costs."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from psycopg.conninfo import conninfo_to_dict

from accounts.conf import settings as account_settings
from core.threads import THREADS
from tests.load import report
from tests.load.contest import Contender, Sample, measure_in_turn
from tests.load.driver import Load
from tests.load.paths import CONNECTIONS, LOGIN_ACCOUNTS, SESSIONS, Stock, paths_on
from tests.load.service import PASSWORD, Process, Service, create_database
from tests.processes.running import ROOT
from tools.local_postgres import free_port

from . import better_auth
from .running import post, running

ENVIRONMENTS = ROOT / "var" / "peers"
WORKERS = 2

OURS = "Gatehouse"
TARGETS: Mapping[str, tuple[float, float]] = {
    "login": (1.6, 2),
    "verify": (6, 8),
    "refresh": (5, 8),
    "sessions": (30, 40),
}
"""The smallest and the desired ratio of each path: our rate divided by the rate of the best Django peer.

Django peers count on their recommended server.
"""
TARGETS_ON_NODE: Mapping[str, tuple[float, float]] = {"login": (0.9, 1.3), "verify": (6, 8), "sessions": (3, 4)}
"""The same ratios to better-auth."""

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

OUR_CONNECTIONS = WORKERS * (THREADS + 1) + 8
"""One for each thread and for the counters of a web process, and one for each job of the worker."""

REMARK = f"""\
Each server has {WORKERS} web processes and {CONNECTIONS} connections of clients. Gatehouse has at most {OUR_CONNECTIONS} connections to
PostgreSQL, and each peer at most {WORKERS * CONNECTIONS}. All servers ran all the time. Each round measured all servers one
after the other. A ratio is the median of the ratios of all rounds. Verify is a view that needs an access token.
dj-rest-auth has no list of sessions. The best Django peer is the fastest one on {RECOMMENDED}."""

REMARK_ON_NODE = """\
better-auth hashes by @node-rs/argon2 at the same cost. Its get-session counts as verify, and its list-sessions as
sessions. It has no refresh tokens, so it has no row for refresh. Its rate limits are off."""

NO_NODE = "better-auth was NOT measured: node or npm is missing on this machine."


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
        return ENVIRONMENTS / self.key / "bin"


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
EMAILS = [f"user-{number:03}@example.com" for number in range(LOGIN_ACCOUNTS)]
OWNERS, OTHERS = dict(zip(SERVERS, EMAILS, strict=False)), EMAILS[len(SERVERS) :]
"""OWNERS has the user whose sessions are listed, by server. The servers share one database. OTHERS log in and refresh."""


def compare(*, variables: Mapping[str, str], rounds: int, seconds: float, directory: Path) -> str:
    """Return the tables of the service on the PostgreSQL of `variables` and of its peers on databases beside it."""
    costs = account_settings()
    address = conninfo_to_dict(variables["DATABASE_URL"])
    common = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PEER_ARGON2_MEMORY_KIB": str(costs.argon2_memory_kib),
        "PEER_ARGON2_TIME": str(costs.argon2_time),
        "PEER_ARGON2_PARALLELISM": str(costs.argon2_parallelism),
        "PEER_RSA_KEY": _rsa_key(),
        **{
            f"PG{name.upper()}": str(address[name])
            for name in ("host", "port", "user", "password")
            if address.get(name)
        },
    }
    with ExitStack() as stack:
        contenders = []
        for peer in PEERS:
            _ensure_environment(peer)
            of_peer = {
                **common,
                "DJANGO_SETTINGS_MODULE": f"tests.load.peers.{peer.key}_settings",
                "PEER_DATABASE": f"peer_{peer.key}",
            }
            create_database(of_peer["PEER_DATABASE"], url=variables["DATABASE_URL"])
            _fill(peer, variables=of_peer)
            for server in SERVERS:
                process = stack.enter_context(_running(peer, server, variables=of_peer, directory=directory))
                loads = _loads_of(peer, port=process.port, owner=OWNERS[server])
                contenders.append(Contender(name=peer.name, server=server, process=process, loads=loads))
        if better_auth.is_possible():
            contenders.append(stack.enter_context(_better_auth(variables, common=common, directory=directory)))
        else:
            sys.stderr.write(f"{NO_NODE}\n")
        arguments = ["--workers", str(WORKERS)]
        service = stack.enter_context(Service(variables=variables, directory=directory, arguments=arguments))
        stock = Stock(service.port)
        ours = {path.name: partial(path.load, stock) for path in paths_on("postgresql") if path.name in TARGETS}
        contenders.insert(0, Contender(name=OURS, server="granian", process=service, loads=ours))
        samples = measure_in_turn(contenders, paths=list(TARGETS), rounds=rounds, seconds=seconds)
    remarks = [REMARK, REMARK_ON_NODE if better_auth.is_possible() else NO_NODE]
    return "\n\n".join([_table(samples), _verdicts(samples), *remarks])


def _rsa_key() -> str:
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _ensure_environment(peer: Peer) -> None:
    """Install the pinned packages into the peer's environment, unless they are installed already."""
    pins = Path(__file__).with_name(f"{peer.key}.txt")
    stamp = ENVIRONMENTS / peer.key / "pins.txt"
    if stamp.exists() and stamp.read_bytes() == pins.read_bytes():
        return
    uv = str(Path(sys.executable).with_name("uv"))
    variables = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    for command in (
        [sys.executable, "-m", "venv", "--without-pip", "--clear", str(ENVIRONMENTS / peer.key)],
        [uv, "pip", "install", "--quiet", "--python", str(peer.bin / "python"), "-r", str(pins)],
    ):
        subprocess.run(command, env=variables, check=True)
    stamp.write_bytes(pins.read_bytes())


def _fill(peer: Peer, *, variables: Mapping[str, str]) -> None:
    """Create the peer's tables, and all accounts."""
    fill = f"from tests.load.peers.filling import fill; fill(emails={EMAILS!r}, password={PASSWORD!r})"
    for arguments in (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", fill]):
        command = [str(peer.bin / "python"), "-m", "django", *arguments]
        subprocess.run(command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, check=True)


@contextmanager
def _better_auth(variables: Mapping[str, str], *, common: Mapping[str, str], directory: Path) -> Iterator[Contender]:
    """Run better-auth on a database beside that of `variables`."""
    better_auth.install()
    own = {**common, "PEER_DATABASE": "peer_better_auth"}
    create_database(own["PEER_DATABASE"], url=variables["DATABASE_URL"])
    with better_auth.running_server(emails=EMAILS, workers=WORKERS, variables=own, directory=directory) as process:
        owner, *others = EMAILS
        loads = better_auth.loads_of(port=process.port, owner=owner, others=others)
        yield Contender(name=better_auth.NAME, server=better_auth.SERVER, process=process, loads=loads)


def _running(
    peer: Peer, server: str, *, variables: Mapping[str, str], directory: Path
) -> AbstractContextManager[Process]:
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


def _loads_of(peer: Peer, *, port: int, owner: str) -> dict[str, Callable[[float], Load]]:
    logins = [_log_in(peer, port=port, email=owner) for _ in range(SESSIONS)]
    access = [_member(logins[0], peer.access_member)]

    def refresh(_seconds: float) -> Load:
        values = [_member(_log_in(peer, port=port, email=email), peer.refresh_member) for email in OTHERS[:CONNECTIONS]]
        body, member = peer.refresh_body, peer.refresh_member
        return Load.post(peer.refresh, body=body, values=values, connections=CONNECTIONS, next_value=member)

    login = Load.post(peer.login, body=peer.login_body, values=OTHERS, connections=CONNECTIONS)
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


def _table(samples: Mapping[tuple[str, str, str], Sequence[Sample]]) -> str:
    rows = []
    for (path, name, server), taken in samples.items():
        ours = samples[path, OURS, "granian"]
        times = [mine.rate / theirs.rate for mine, theirs in zip(ours, taken, strict=True)]
        cheaper = [theirs.cpu / mine.cpu for mine, theirs in zip(ours, taken, strict=True)]
        rows.append(
            [
                path,
                name,
                server,
                report.spread([sample.rate for sample in taken], "{:,.0f}"),
                report.spread([sample.cpu for sample in taken], "{:,.0f} µs"),
                "" if name == OURS else report.spread(times, "{:.1f}"),
                "" if name == OURS else report.spread(cheaper, "{:.1f}"),
            ]
        )
    header = [
        "path",
        "package",
        "server",
        "requests/s",
        "CPU per request",
        "our rate to its rate",
        "its CPU to our CPU",
    ]
    return report.table(header, rows)


def _verdicts(samples: Mapping[tuple[str, str, str], Sequence[Sample]]) -> str:
    """Return our ratio to the best Django peer on its recommended server, and to better-auth."""
    rows = []
    for path, (floor, aim) in TARGETS.items():
        rates = {
            name: samples[path, name, server] for of, name, server in samples if (of, server) == (path, RECOMMENDED)
        }
        best = max(rates, key=lambda name: median(sample.rate for sample in rates[name]))
        rows.append([path, *_verdict(samples[path, OURS, "granian"], rates[best], name=best, floor=floor, aim=aim)])
    for path, (floor, aim) in TARGETS_ON_NODE.items():
        if theirs := samples.get((path, better_auth.NAME, better_auth.SERVER)):
            ours = samples[path, OURS, "granian"]
            rows.append([path, *_verdict(ours, theirs, name=better_auth.NAME, floor=floor, aim=aim)])
    return report.table(["path", "our rate to the peer", "floor", "aim", "reached"], rows)


def _verdict(ours: Sequence[Sample], theirs: Sequence[Sample], *, name: str, floor: float, aim: float) -> list[str]:
    times = median(mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True))
    reached = "aim" if times >= aim else "floor" if times >= floor else "no"
    return [f"{times:.1f} times {name}", f"{floor}", f"{aim}", reached]
