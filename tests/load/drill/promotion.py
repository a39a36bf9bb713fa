"""Promotions to PostgreSQL are killed while clients use every route of the SQLite deployment. The last one succeeds."""

import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from core.db.write_stop import STOP_SECONDS
from tests.load.service import Service, environment
from tests.processes.promoting import kept_stop
from tests.processes.running import Running, until

from .mailbox import Mailbox
from .people import OK, UNANSWERED, UNAVAILABLE, Person, Record, at_work, check_all, use_every_route
from .stage import Outcome, Progress, fresh_database

CLIENTS = 4
CALM_SECONDS = 3
BACK_WITHIN_SECONDS = STOP_SECONDS + 5
MARGIN = 1.05
"""The latest kill, as a share of the time that a whole promotion took."""


def promotion(*, kills: int, directory: Path) -> Outcome:
    """Kill that many promotions at random moments, then promote and switch."""
    progress = Progress("promote")
    random, record = Random(), Record()
    people: list[Person] = []
    delays = []
    with ExitStack() as stack:
        file = stack.enter_context(fresh_database("sqlite", directory=directory))
        whole_run = _seconds_of_a_promotion(file, directory=directory)
        target = stack.enter_context(fresh_database("postgresql", directory=directory))
        variables = environment(database_url=file, directory=directory)
        mailbox = Mailbox(directory / "mails")
        with Service(variables=variables, directory=directory) as old:

            def live_on() -> None:
                while not record.over.is_set():
                    people.append(Person(port=old.port, record=record, mailbox=mailbox))
                    use_every_route(people[-1], random=random)

            working = stack.enter_context(at_work([live_on] * CLIENTS, record=record))
            for number in range(kills):
                progress.wait(CALM_SECONDS, lambda: f"{record.count(OK):,} acknowledged, {len(record.lost)} losses")
                victim = Running("promote", target, variables=variables, directory=directory)
                # The kills are spread over a whole run, and each one has a random part.
                time.sleep(whole_run * MARGIN * (number + random.random()) / kills)
                victim.kill()
                if kept_stop(Path(file.removeprefix("sqlite:///"))) is not None:
                    # The promotion was faster than the kill.
                    Running("promote", "--cancel", variables=variables, directory=directory).exit_code()
                    target = stack.enter_context(fresh_database("postgresql", directory=directory))
                delays.append(_seconds_until_writes(record))
                progress.report_now(f"{number + 1} of {kills} killed, writes after {delays[-1]:.1f} s")
            last = Running("promote", target, variables=variables, directory=directory)
            if last.exit_code() != 0:
                raise RuntimeError(f"the promotion failed: {last.err.read_text()}")
            faults = old.faults()
        switched = {**variables, "DATABASE_URL": target}
        with Service(variables=switched, directory=directory, arguments=["--port", str(old.port)]) as new:
            progress.wait(CALM_SECONDS, lambda: f"switched, {record.count(OK):,} acknowledged")
            record.over.set()
            until(lambda: all(life.done() for life in working), what="the end of the people's work")
            acknowledged = record.count(OK)
            check_all(people, record=record, progress=progress)
            faults += new.faults()
    if max(delays) > BACK_WITHIN_SECONDS:
        record.lose(f"writes were possible only {max(delays):.1f} s after a kill")
    return Outcome(
        drill="promote",
        done=f"{kills} promotions killed under {CLIENTS} clients, and one promotion with a switch to PostgreSQL",
        lost=[*record.lost, *faults],
        figures=(
            f"{acknowledged:,} calls of {len(people)} people acknowledged, {record.count(*UNAVAILABLE)} answered 503, "
            f"{record.count(UNANSWERED)} unanswered at the switch; writes after a kill within {max(delays):.1f} s"
        ),
    )


def _seconds_of_a_promotion(file: str, *, directory: Path) -> float:
    """Return how long a promotion of an empty deployment takes. It accepts writes again afterwards."""
    variables = environment(database_url=file, directory=directory)
    with fresh_database("postgresql", directory=directory) as target:
        seconds = [
            Running(*command, variables=variables, directory=directory).await_end()
            for command in (("migrate",), ("promote", target), ("promote", "--cancel"))
        ]
    return seconds[1]


def _seconds_until_writes(record: Record) -> float:
    """Return the seconds until the next acknowledged write."""
    killed_at, before = time.monotonic(), record.count(OK, what="/v1/refresh")
    until(lambda: record.count(OK, what="/v1/refresh") > before, what="a refresh")
    return time.monotonic() - killed_at
