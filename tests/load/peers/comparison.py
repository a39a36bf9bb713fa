"""`./dev bench --peers`: the service and its peers in turn, on one PostgreSQL and with the same hash costs."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path

from accounts.conf import settings as account_settings
from core.threads import THREADS
from tests.load import image
from tests.load.contest import Contender, measure_in_turn
from tests.load.paths import CONNECTIONS, LOGIN_ACCOUNTS, Stock, paths_on
from tests.load.service import Service

from . import better_auth, django_packages, keycloak, kratos, supabase_auth, tables
from .conditions import DATABASE_CONNECTIONS, WORKERS, Conditions, Costs, Missing
from .postgres import PostgresProcess
from .running import Server

OUR_CONNECTIONS = WORKERS * (THREADS + 1) + 8
"""One for each thread and for the counters of a web process, and one for each job of the worker."""
TOLERATED_FAILURES = 0.01
"""A row with fewer failures is marked. More of them end the comparison, because the row would say nothing."""

REMARK = f"""\
The command needs Node, Go, Java and Maven. It builds Supabase Auth {supabase_auth.RELEASE} and Ory Kratos {kratos.MODULE.version}, the newest
version that Go's module proxy serves, and fetches Keycloak {keycloak.VERSION}. It names a peer that it cannot run, with the
reason. `--peer-source PEER=PATH` builds a peer in Go from your own copy of its sources.

Each server has {CONNECTIONS} connections of clients. Gatehouse, the Django peers and better-auth have {WORKERS} web processes. A
server in Go or Java has one process, which uses all cores. Gatehouse has at most {OUR_CONNECTIONS} connections to PostgreSQL, and
each peer at most {DATABASE_CONNECTIONS}. All servers ran all the time on one PostgreSQL with fsync, and all hash with Argon2id at the same
costs. Each round measured all servers one after the other. A ratio is the median of the ratios of all rounds. The CPU
time is that of all processes of a server, and of all processes of PostgreSQL beside it. Memory is the proportional set
size of all processes. A start is from the command to the first answer. Java compiles what runs often, so Keycloak has a
warm-up of {keycloak.WARM_UP_SECONDS} s for each path. Each answer's status is checked, and errors are counted.

The comparison is unfair in both directions:

- Our verify reads no database, and accepts the token of an ended session until it expires. `GET /v1/session` reads the
  session. Supabase Auth (`/user`), Kratos (`/sessions/whoami`) and better-auth (`get-session`) read the session at each
  verify. Keycloak (`userinfo`) reads it from its cache. Verify of a Django peer is a view that needs an access token.
- Gatehouse counts its rate limits, records audit events, writes its access log and looks for suspicious logins. The peers
  have their limits off. Supabase Auth records some events and logs each request. The others log errors only.
- A refresh of Gatehouse, Supabase Auth, Keycloak and the Django peers rotates a refresh token that counts once. Kratos
  has no refresh tokens. Its counterpart, extend, prolongs the session by the administrative route and issues nothing.
  better-auth has no counterpart.
- Gatehouse signs its access tokens with ES256 and Keycloak with RS256, so that anyone can verify them. Supabase Auth
  signs with HS256, its default, which costs less.
- A login of Kratos is two requests, because it opens a flow first. Both count as one login, also in its response time.
- Gatehouse runs from a checkout, with the Argon2 of {{argon2}}. "Argon2 of a checkout and of the image" compares both.
- A login of Keycloak is the password grant, without its pages. Supabase Auth and dj-rest-auth have no list of sessions.

The best Django peer is the fastest one on {django_packages.RECOMMENDED}."""


def _ours(variables: Mapping[str, str], *, directory: Path) -> AbstractContextManager[Service]:
    return Service(variables=variables, directory=directory, arguments=["--workers", str(WORKERS)])


@contextmanager
def _gatehouse(variables: Mapping[str, str], conditions: Conditions) -> Iterator[list[Contender]]:
    """Run the service, whose worker counts as well. The first start migrates, so the second one is measured."""
    with _ours(variables, directory=conditions.directory):
        pass
    with _ours(variables, directory=conditions.directory) as service:
        stock = Stock(service.port)
        loads = {path.name: partial(path.load, stock) for path in paths_on("postgresql") if path.name in tables.PATHS}
        process = Server(pid=service.pid, port=service.port, start_seconds=service.start_seconds)
        yield [Contender(name=tables.OURS, server=tables.OUR_SERVER, process=process, loads=loads)]


@contextmanager
def _one(
    contender: Callable[[Conditions], AbstractContextManager[Contender]], conditions: Conditions
) -> Iterator[list[Contender]]:
    with contender(conditions) as found:
        yield [found]


PEERS: Mapping[str, tuple[str, Callable[[Conditions], AbstractContextManager[list[Contender]]]]] = {
    **{peer.name: (peer.name, partial(django_packages.contenders, peer)) for peer in django_packages.PEERS},
    "better-auth": (better_auth.NAME, partial(_one, better_auth.contender)),
    supabase_auth.MODULE.key: (supabase_auth.NAME, partial(_one, supabase_auth.contender)),
    kratos.MODULE.key: (kratos.NAME, partial(_one, kratos.contender)),
    "keycloak": (keycloak.NAME, partial(_one, keycloak.contender)),
}
"""The name of each peer and its start, by the word for the command line."""
WITH_SOURCES = (supabase_auth.MODULE.key, kratos.MODULE.key)
"""The peers that are built from sources, for --peer-source."""


def compare(
    *,
    variables: Mapping[str, str],
    names: Collection[str],
    sources: Mapping[str, Path],
    with_image: bool,
    rounds: int,
    seconds: float,
    directory: Path,
) -> str:
    """Return the tables of the service on the PostgreSQL of `variables` and of its peers on databases beside it.

    `names` selects the peers. The text names those that this machine cannot run, with the reason. `with_image` gives the
    service the Argon2 that the image builds, which needs a C compiler.
    """
    if with_image:
        variables = {**variables, "PYTHONPATH": str(image.build_argon2(directory))}
    costs = account_settings()
    conditions = Conditions(
        emails=[f"user-{number:03}@example.com" for number in range(LOGIN_ACCOUNTS)],
        costs=Costs(memory_kib=costs.argon2_memory_kib, time=costs.argon2_time, parallelism=costs.argon2_parallelism),
        database_url=variables["DATABASE_URL"],
        directory=directory,
        sources=sources,
    )
    missing = []
    with ExitStack() as stack:
        contenders: list[Contender] = []
        for word in names:
            name, start = PEERS[word]
            sys.stderr.write(f"preparing {name}\n")
            try:
                contenders += stack.enter_context(start(conditions))
            except Missing as reason:
                missing.append(f"{name} was NOT measured: {reason}")
                sys.stderr.write(f"{missing[-1]}\n")
        contenders = [*stack.enter_context(_gatehouse(variables, conditions)), *contenders]
        samples = measure_in_turn(
            contenders,
            paths=tables.PATHS,
            patient=["login"],
            rounds=rounds,
            seconds=seconds,
            database=PostgresProcess(variables["DATABASE_URL"]),
            tolerated_failures=TOLERATED_FAILURES,
        )
        footprints = {
            (contender.name, contender.server): tables.Footprint(
                memory=contender.process.memory_mebibytes(), start=contender.process.start_seconds
            )
            for contender in contenders
            if isinstance(contender.process, Server)
        }
    parts = [
        tables.summary(samples, footprints),
        *missing,
        REMARK.format(argon2="the image" if with_image else "a checkout"),
        tables.details(samples),
        tables.footprints(footprints),
        tables.verdicts(samples),
    ]
    return "\n\n".join(part for part in parts if part)
