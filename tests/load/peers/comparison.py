"""`./dev bench --peers`: the service and its peers in turn, on one PostgreSQL and with the same hash costs."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import psycopg
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from accounts.conf import settings as account_settings
from tests.load import report
from tests.load.driver import Driver, Load, driver_of_this_machine
from tests.load.paths import CONNECTIONS, LOGIN_ACCOUNTS, LOGIN_CONNECTIONS, SESSIONS, Stock, paths_on
from tests.load.service import PASSWORD, PATIENCE, Process, Service
from tests.processes.running import ROOT, until
from tools.local_postgres import _free_port

ENVIRONMENTS = ROOT / "var" / "peers"
WORKERS = 2
WARM_UP_SECONDS = 2

OURS = "Gatehouse"
TARGETS = {"login": (1.3, 2), "verify": (4, 6), "refresh": (8, 12), "sessions": (6, 8)}
"""The smallest and the desired ratio of each path: our rate divided by the best peer's on its recommended server."""

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

REMARK = f"""\
{WORKERS} web processes each, {CONNECTIONS} connections, for logins {LOGIN_CONNECTIONS}, since we answer 503 to a crowd.
All were running all the time and were measured one after the other, in each round anew. Ratios are medians of the
rounds' own. Verify is a view that an access token opens; django-allauth lists sessions, dj-rest-auth has none to list."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A measured server, and the requests of a round for each path, given the seconds of the round."""

    name: str
    server: str
    process: Process
    loads: Mapping[str, Callable[[float], Load]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One round of a path: answers per second, and microseconds of CPU time per answer."""

    rate: float
    cpu: float


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
            _prepare(peer, url=variables["DATABASE_URL"], variables=of_peer)
            for server in SERVERS:
                process = stack.enter_context(_running(peer, server, variables=of_peer, directory=directory))
                loads = _loads_of(peer, port=process.port, owner=OWNERS[server])
                contenders.append(Contender(name=peer.name, server=server, process=process, loads=loads))
        arguments = ["--workers", str(WORKERS)]
        service = stack.enter_context(Service(variables=variables, directory=directory, arguments=arguments))
        stock = Stock(service.port)
        ours = {path.name: partial(path.load, stock) for path in paths_on("postgresql") if path.name in TARGETS}
        contenders.insert(0, Contender(name=OURS, server="granian", process=service, loads=ours))
        samples = _alternate(contenders, rounds=rounds, seconds=seconds)
    return "\n\n".join([_table(samples), _verdicts(samples), REMARK])


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


def _prepare(peer: Peer, *, url: str, variables: Mapping[str, str]) -> None:
    """Create the peer's database with all accounts."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(variables["PEER_DATABASE"])))
    fill = f"from tests.load.peers.filling import fill; fill(emails={EMAILS!r}, password={PASSWORD!r})"
    for arguments in (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", fill]):
        command = [str(peer.bin / "python"), "-m", "django", *arguments]
        subprocess.run(command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, check=True)


@contextmanager
def _running(peer: Peer, server: str, *, variables: Mapping[str, str], directory: Path) -> Iterator[Process]:
    """Run the peer on that server. Every failure during the block prints the end of the peer's log."""
    port = _free_port()
    where = ["--bind", f"127.0.0.1:{port}"] if server == "gunicorn" else ["--host", "127.0.0.1", "--port", str(port)]
    options = [*SERVERS[server], "--workers", str(WORKERS), "--log-level", "error", *where]
    command = [str(peer.bin / server), *options, APPLICATION[server]]
    log = directory / f"{peer.key}-{server}.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ) as process,
    ):
        try:
            until(lambda: _answers(port, of=process), what=f"an answer of {peer.name} on {server}")
            yield Process(pid=process.pid, port=port)
        except Exception:
            sys.stderr.write(log.read_text()[-2000:])
            raise
        finally:
            process.terminate()


def _answers(port: int, *, of: subprocess.Popen[bytes]) -> bool:
    if of.poll() is not None:
        raise RuntimeError(f"the peer ended with {of.returncode}")
    try:
        _session().get(f"http://127.0.0.1:{port}/verify", timeout=PATIENCE)
    except requests.ConnectionError:
        return False
    return True


def _session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    return session


def _loads_of(peer: Peer, *, port: int, owner: str) -> dict[str, Callable[[float], Load]]:
    logins = [_log_in(peer, port=port, email=owner) for _ in range(SESSIONS)]
    access = [_member(logins[0], peer.access_member)]

    def refresh(_seconds: float) -> Load:
        values = [_member(_log_in(peer, port=port, email=email), peer.refresh_member) for email in OTHERS[:CONNECTIONS]]
        body, member = peer.refresh_body, peer.refresh_member
        return Load.post(peer.refresh, body=body, values=values, connections=CONNECTIONS, next_value=member)

    login = Load.post(peer.login, body=peer.login_body, values=OTHERS, connections=LOGIN_CONNECTIONS)
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
    answer = _session().post(
        f"http://127.0.0.1:{port}{peer.login}",
        data=f"{before}{email}{after}",
        headers={"Content-Type": "application/json", "User-Agent": "Gatehouse load"},
        timeout=PATIENCE,
    )
    answer.raise_for_status()
    return answer.text


def _member(body: str, name: str) -> str:
    found = re.search(rf'"{name}":\s*"([^"]+)"', body)
    if found is None:
        raise RuntimeError(f"there is no {name} in {body}")
    return found[1]


def _alternate(
    contenders: Sequence[Contender], *, rounds: int, seconds: float
) -> dict[tuple[str, str, str], list[Sample]]:
    """Return the samples of each path, name and server, after a warm-up round."""
    driver = driver_of_this_machine()
    samples: dict[tuple[str, str, str], list[Sample]] = {}
    for number in range(rounds + 1):
        for path in TARGETS:
            for contender in contenders:
                if path not in contender.loads:
                    continue
                sample = _measure(driver, contender, path, seconds=seconds if number else WARM_UP_SECONDS)
                sys.stderr.write(
                    f"{f'round {number}' if number else 'warm-up':<10}{path:<10}{contender.name:<16}"
                    f"{contender.server:<10}{sample.rate:>10,.0f}/s\n"
                )
                if number:
                    samples.setdefault((path, contender.name, contender.server), []).append(sample)
    return samples


def _measure(driver: Driver, contender: Contender, path: str, *, seconds: float) -> Sample:
    load = contender.loads[path](seconds)
    before = contender.process.cpu_seconds()
    driven = driver.drive(load, port=contender.process.port, seconds=seconds)
    used = contender.process.cpu_seconds() - before
    return Sample(rate=driven.successes / driven.seconds, cpu=used / driven.successes * 1_000_000)


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
                _spread([sample.rate for sample in taken], "{:,.0f}"),
                _spread([sample.cpu for sample in taken], "{:,.0f} µs"),
                "" if name == OURS else _spread(times, "{:.1f}"),
                "" if name == OURS else _spread(cheaper, "{:.1f}"),
            ]
        )
    header = ["path", "who", "server", "requests/s", "CPU a request", "our rate to it", "its CPU to ours"]
    return report.table(header, rows)


def _verdicts(samples: Mapping[tuple[str, str, str], Sequence[Sample]]) -> str:
    """Return our ratio to the best peer on its recommended server."""
    rows = []
    for path, (floor, aim) in TARGETS.items():
        rates = {
            name: [sample.rate for sample in taken]
            for (of, name, server), taken in samples.items()
            if of == path and server == RECOMMENDED
        }
        best = max(rates, key=lambda name: median(rates[name]))
        ours = [sample.rate for sample in samples[path, OURS, "granian"]]
        times = median(mine / theirs for mine, theirs in zip(ours, rates[best], strict=True))
        reached = "aim" if times >= aim else "floor" if times >= floor else "no"
        rows.append([path, f"{times:.1f} times {best}", f"{floor}", f"{aim}", reached])
    return report.table(["path", f"against the best on {RECOMMENDED}", "floor", "aim", "reached"], rows)


def _spread(figures: Sequence[float], form: str) -> str:
    low, middle, high = (form.format(figure) for figure in (min(figures), median(figures), max(figures)))
    return f"{middle} ({low} to {high})"
