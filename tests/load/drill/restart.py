"""PostgreSQL stops and starts again while clients use every route."""

import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from tests.load.service import Service, environment
from tools.local_postgres import LocalPostgres

from .mailbox import Mailbox
from .people import MAIL_SECONDS, OK, UNANSWERED, UNAVAILABLE, Person, Record, at_work, check_all, use_every_route
from .stage import Outcome, Progress

if TYPE_CHECKING:
    from tools.local_postgres import StopMode

CLIENTS = 6
CALM_SECONDS = 3
AWAY_SECONDS = 2
NORMAL_WITHIN_SECONDS = 10
MODES: tuple["StopMode", ...] = ("immediate", "fast")


def restart(*, restarts: int, directory: Path) -> Outcome:
    """Restart PostgreSQL that many times, by a crash and by a shutdown in turn."""
    progress = Progress("restart")
    random, record = Random(), Record()
    people: list[Person] = []
    with LocalPostgres(venv=Path(sys.prefix), data=directory / "postgres") as postgres:
        postgres.create_database(name="gatehouse")
        variables = environment(database_url=postgres.url(database="gatehouse"), directory=directory)
        with Service(variables=variables, directory=directory) as service:
            mailbox = Mailbox(directory / "mails")
            before = set(service.pids())

            def live_on() -> None:
                while not record.over.is_set():
                    people.append(Person(port=service.port, record=record, mailbox=mailbox))
                    use_every_route(people[-1], random=random)

            def status() -> str:
                refused = record.count(*UNAVAILABLE)
                return f"{record.count(OK):,} acknowledged, {refused} refusals, {len(record.lost)} losses"

            recoveries = []
            with at_work([live_on] * CLIENTS, record=record):
                for number in range(restarts):
                    progress.wait(CALM_SECONDS, status)
                    postgres.stop(mode=MODES[number % len(MODES)])
                    progress.wait(AWAY_SECONDS, status)
                    postgres.start()
                    recoveries.append(await_calm(record))
                    progress.report_now(
                        f"{number + 1} of {restarts} restarts, normal after {recoveries[-1]:.1f} s; {status()}"
                    )
            acknowledged = record.count(OK)
            check_all(people, record=record, progress=progress)
            replaced = len(before ^ set(service.pids()))
            faults = service.faults()
    if replaced:
        record.lose(f"{replaced} processes of the service ended or started")
    if record.count(UNANSWERED):
        record.lose(f"{record.count(UNANSWERED)} calls were not answered at all")
    if max(recoveries) > NORMAL_WITHIN_SECONDS:
        record.lose(f"it took {max(recoveries):.1f} s until the service was back to normal")
    return Outcome(
        drill="restart",
        done=f"PostgreSQL stopped (crash, shutdown in turn) and started {restarts} times under {CLIENTS} clients",
        lost=[*record.lost, *faults],
        figures=(
            f"{acknowledged:,} calls of {len(people)} people acknowledged, {record.count(*UNAVAILABLE)} answered 503, "
            f"{record.count('late')} mails later than {MAIL_SECONDS} s; normal after {median(recoveries):.1f} s, at most {max(recoveries):.1f} s"
        ),
    )


def await_calm(record: Record) -> float:
    """Wait until no trouble occurs for a while. Return the seconds from now until the last trouble."""
    started = time.monotonic()
    while True:
        now = time.monotonic()
        if now - max(started, record.troubled_at) >= CALM_SECONDS or now - started > 2 * NORMAL_WITHIN_SECONDS:
            return max(0.0, record.troubled_at - started)
        time.sleep(0.1)
