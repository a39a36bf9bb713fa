"""Web processes are killed while clients refresh."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.load.service import Service, environment
from tests.processes.running import until

from .mailbox import Mailbox
from .people import OK, UNANSWERED, UNAVAILABLE, Person, Record, at_work, check_all
from .stage import Outcome, Progress, fresh_database

CLIENTS = 8
FAMILIES = 6
WEB_PROCESSES = 4
PAUSE_SECONDS = 0.4
LOGOUT_SHARE = 0.03
WORKER_DIED = "Unexpected exit from worker"


def kill(kind: str, *, kills: int, directory: Path) -> Outcome:
    """Kill that many web processes of a service on SQLite or PostgreSQL."""
    progress = Progress(f"kill {kind}")
    random, record = Random(), Record()
    with fresh_database(kind, directory=directory) as url:
        variables = environment(database_url=url, directory=directory)
        with Service(variables=variables, directory=directory, arguments=["--workers", str(WEB_PROCESSES)]) as service:
            mailbox = Mailbox(directory / "mails")
            people = [Person(port=service.port, record=record, mailbox=mailbox) for _ in range(CLIENTS)]

            def keep_refreshing(person: Person) -> Callable[[], None]:
                return lambda: _keep_refreshing(person, record=record, random=random)

            with at_work([keep_refreshing(person) for person in people], record=record):
                until(
                    lambda: all(len(person.families) >= FAMILIES for person in people), what="the logins of all people"
                )
                # The server program stops when a process ends for the second time within six seconds.
                spared = deque[int](maxlen=1)
                for number in range(kills):
                    _kill_one(service, spared=spared, random=random)
                    refreshes = record.count(OK, what="/v1/refresh")
                    progress.report(
                        f"{number + 1} of {kills} killed, {refreshes:,} refreshes, {len(record.lost)} losses"
                    )
            refreshes, logouts = (record.count(OK, what=path) for path in ("/v1/refresh", "/v1/logout"))
            families = sum(len(person.families) for person in people)
            check_all(people, record=record, progress=progress)
            faults = [line for line in service.faults() if WORKER_DIED not in line]
    in_doubt = record.count(OK, what="refresh in doubt")
    return Outcome(
        drill=f"kill {kind}",
        done=f"{kills} web processes killed while {CLIENTS} clients refreshed",
        lost=[*record.lost, *faults],
        figures=(
            f"{refreshes:,} refreshes and {logouts} logouts acknowledged in {families} sessions; "
            f"{in_doubt} refreshes in doubt, which worked when repeated with their key; "
            f"{record.count(UNANSWERED)} calls unanswered, {record.count(*UNAVAILABLE)} answered 503"
        ),
    )


def _keep_refreshing(person: Person, *, record: Record, random: Random) -> None:
    person.sign_up()
    while not record.over.is_set():
        if len(person.live_families) < FAMILIES:
            person.log_in()
        family = random.choice(person.live_families)
        if random.random() < LOGOUT_SHARE:
            person.log_out(family)
        else:
            person.refresh(family)


def _kill_one(service: Service, *, spared: deque[int], random: Random) -> None:
    """Kill a web process and wait for its replacement, which the next kill spares."""
    before = set(service.web_pids())
    os.kill(random.choice(sorted(before - set(spared))), signal.SIGKILL)
    [fresh] = until(lambda: len(now := set(service.web_pids())) == WEB_PROCESSES and now - before, what="a new process")
    spared.append(fresh)
    time.sleep(random.uniform(0, 2 * PAUSE_SECONDS))
