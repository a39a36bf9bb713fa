"""Nodes of a PostgreSQL cluster fail while clients use two instances of the service."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median

import psycopg

from tests.load.service import Service, environment
from tests.pgbouncer import pgbouncer, through_pooler
from tools.local_postgres import free_ports

from .client_users import REFRESH, keep_client_session
from .database_cluster import Cluster, Node, find_missing_packages, haproxy, programs
from .mailbox import Mailbox
from .people import OK, UNANSWERED, UNAVAILABLE, Person, Record, at_work, check_all, use_every_route
from .stage import Outcome, Progress

DATABASE = "gatehouse"
KEEPERS = 4
"""People who keep their sessions for the whole drill."""
CLIENTS = 2
"""People who keep a session by the client for Python."""
SESSIONS = 3
USERS = 3
"""People at a time who use every route and then leave."""
PAUSE_SECONDS = 0.3
CALM_SECONDS = 5
STEADY_SECONDS = 8
"""The time without trouble after which the service counts as back. A call that hangs ends sooner."""
BACK_WITHIN_SECONDS = 30
GIVEN_UP_SECONDS = 60
POOLER = {
    "default_pool_size": 40,
    "query_wait_timeout": 3,
    "server_login_retry": 1,
    "server_connect_timeout": 2,
    "tcp_user_timeout": 3000,
}


class TimedRecord(Record):
    """A record that also knows when changes were acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.changed_at: list[float] = []

    def note(self, what: str, outcome: str) -> None:
        super().note(what, outcome)
        if outcome == OK and what == "/v1/refresh":
            self.changed_at.append(time.monotonic())

    def status(self) -> str:
        """Return the counts so far, for the progress output."""
        refused = self.count(*UNAVAILABLE)
        return f"{self.count(OK):,} acknowledged, {refused} refusals, {len(self.lost)} losses"

    def is_changing(self) -> bool:
        """Return whether a change was acknowledged within the last second."""
        return bool(self.changed_at) and self.changed_at[-1] > time.monotonic() - 1

    def seconds_until_back(self, failed_at: float) -> float:
        """Return the seconds from the failure until the last trouble, or until the end of the longest pause of changes.

        Calls that only hang are no trouble, but a pause. On a busy machine there are other, shorter pauses.
        """
        moments = [failed_at, *(moment for moment in self.changed_at if moment > failed_at)]
        _, resumed_at = max(((later - earlier, later) for earlier, later in pairwise(moments)), default=(0, failed_at))
        return max(self.troubled_at, resumed_at) - failed_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of one node. The node is the one with this role at the time of the fault."""

    name: str
    role: str
    strike: Callable[[Node], None]
    repair: Callable[[Node], None]


def faults(kills: int) -> Iterator[Fault]:
    """Yield the faults of a drill in their order."""
    killed = Fault(name="primary killed", role="leader", strike=Node.kill, repair=Node.start)
    yield killed
    yield Fault(name="primary cut off", role="leader", strike=Node.cut, repair=Node.mend)
    yield Fault(name="postmaster killed", role="leader", strike=Node.kill_postmaster, repair=lambda _: None)
    yield Fault(name="synchronous standby cut off", role="sync_standby", strike=Node.cut, repair=Node.mend)
    for number in range(kills - 1):
        yield killed
        if number == 0:
            yield Fault(name="primary cut off", role="leader", strike=Node.cut, repair=Node.mend)


def failover(*, kills: int, directory: Path) -> Outcome:
    """Kill the primary's node that many times, cut off nodes, and kill a postmaster alone."""
    if missing := find_missing_packages():
        raise RuntimeError(f"install {' '.join(missing)}")
    if os.geteuid() != 0:
        raise RuntimeError("network namespaces need root")
    progress = Progress("failover")
    random, record = Random(), TimedRecord()
    people: list[Person] = []
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    with Cluster(directory=directory) as cluster, services(cluster, directory=directory) as (port, instances):
        mailbox = Mailbox(directory / "mails")
        before = [set(instance.pids()) for instance in instances]
        people += [Person(port=port, record=record, mailbox=mailbox) for _ in range(KEEPERS)]

        def use_and_leave() -> None:
            while not record.over.is_set():
                people.append(Person(port=port, record=record, mailbox=mailbox))
                use_every_route(people[-1], random=random)
                record.over.wait(PAUSE_SECONDS)

        lives = [partial(keep_sessions, person, record=record) for person in people]
        users = [Person(port=port, record=record, mailbox=mailbox) for _ in range(CLIENTS)]
        base_url = f"http://127.0.0.1:{port}"
        lives += [partial(keep_client_session, user, base_url=base_url, record=record) for user in users]
        with at_work([*lives, *[use_and_leave] * USERS], record=record):
            for fault in faults(kills):
                seconds[fault.name].append(strike(fault, cluster=cluster, record=record, progress=progress))
        rotations, acknowledged = record.count(OK, what="/v1/refresh"), record.count(OK)
        check_all(people, record=record, progress=progress)
        replaced = sum(len(old ^ set(instance.pids())) for old, instance in zip(before, instances, strict=True))
        errors = [line for instance in instances for line in instance.faults()]
    if replaced:
        record.lose(f"{replaced} processes of the service ended or started")
    return Outcome(
        drill="failover",
        done=", ".join(f"{name} {len(found)} times" for name, found in seconds.items()),
        lost=[*record.lost, *errors],
        figures=(
            f"{acknowledged:,} calls acknowledged, of them {rotations:,} rotations; "
            f"{record.count(OK, what='refresh in doubt')} refreshes in doubt, which worked when repeated with their key; "
            f"{record.count(OK, what=REFRESH):,} refreshes by the client for Python; "
            f"{record.count(*UNAVAILABLE)} answered 503, {record.count(UNANSWERED)} not answered; service back: "
            + "; ".join(f"{name} {median(found):.1f} s, at most {max(found):.1f} s" for name, found in seconds.items())
        ),
    )


def strike(fault: Fault, *, cluster: Cluster, record: TimedRecord, progress: Progress) -> float:
    """Let the fault happen and repair it. Return the seconds until the service was back, which the repair follows."""
    progress.wait(CALM_SECONDS, record.status)
    node = cluster.find(fault.role)
    failed_at = time.monotonic()
    fault.strike(node)
    await_steady(record, failed_at=failed_at, progress=progress)
    seconds = record.seconds_until_back(failed_at)
    if seconds > BACK_WITHIN_SECONDS:
        record.lose(f"{fault.name}: the service was back only after {seconds:.1f} s")
    fault.repair(node)
    cluster.await_whole()
    if readers := cluster.count_readers(DATABASE):
        record.lose(f"{readers} connections of the service led to a standby, whose data may be old")
    progress.report_now(f"{fault.name}: back after {seconds:.1f} s; {record.status()}")
    return seconds


def keep_sessions(person: Person, *, record: Record) -> None:
    """Refresh the same sessions in turn until the end of the drill."""
    person.sign_up()
    families = [person.log_in() for _ in range(SESSIONS)]
    while not record.over.is_set():
        for family in families:
            person.refresh(family)
            record.over.wait(PAUSE_SECONDS)


def await_steady(record: TimedRecord, *, failed_at: float, progress: Progress) -> None:
    """Wait until changes have been acknowledged for a while without any trouble."""
    while time.monotonic() < max(failed_at, record.troubled_at) + STEADY_SECONDS or not record.is_changing():
        if time.monotonic() > failed_at + GIVEN_UP_SECONDS:
            record.lose(f"the service was not back after {GIVEN_UP_SECONDS} s")
            return
        progress.report(record.status())
        time.sleep(0.2)


@contextmanager
def services(cluster: Cluster, *, directory: Path) -> Iterator[tuple[int, Sequence[Service]]]:
    """Run two instances of the service, and all programs between them and the cluster.

    Yields the port of the proxy in front of the instances, and the instances.
    """
    database_port, service_port, cache_port, *ports = free_ports(5)
    with psycopg.connect(cluster.find("leader").url("postgres"), autocommit=True) as session:
        session.execute(f"CREATE DATABASE {DATABASE}")
    direct = f"postgresql://postgres:{cluster.password}@127.0.0.1:{database_port}/{DATABASE}"
    (directory / "haproxy.cfg").write_text(
        haproxy(cluster, database_port=database_port, service_port=service_port, instances=ports)
    )
    between = {
        "haproxy": ["haproxy", "-db", "-f", str(directory / "haproxy.cfg")],
        "redis": [
            "redis-server",
            "--bind",
            "127.0.0.1",
            "--port",
            str(cache_port),
            "--save",
            "",
            "--dir",
            str(directory),
        ],
    }
    with ExitStack() as stack:
        stack.enter_context(programs(between, directory=directory))
        pooler_port = stack.enter_context(pgbouncer(direct, settings=POOLER))
        variables = {
            **environment(database_url=through_pooler(direct, port=pooler_port), directory=directory),
            "DATABASE_POOLER": "transaction",
            "DATABASE_DIRECT_URL": direct,
            "CACHE_URL": f"redis://127.0.0.1:{cache_port}",
        }
        yield (
            service_port,
            [
                stack.enter_context(
                    Service(variables=variables, directory=directory, arguments=["--port", str(port), "--workers", "2"])
                )
                for port in ports
            ],
        )
