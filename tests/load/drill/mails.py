"""Workers are killed while they send mails."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import psycopg

from tests.load.service import PASSWORD, Caller, Service, environment
from tests.processes.running import Running, until
from tests.smtp import SmtpHandler, mail_server

from .people import LEASE_SECONDS, Record, at_work
from .stage import Outcome, Progress, fresh_database

ANSWER_SECONDS = 0.03
LIFE_SECONDS = 1.5
BACKLOG = 60
MAILS_EACH = 15
"""The number of links that an account requests. The service sends at most 20 an hour."""


class SlowHandler(SmtpHandler):
    """Accept each mail after the delay of a distant server."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        await asyncio.sleep(ANSWER_SECONDS)
        answer = await super().handle_DATA(server, session, envelope)
        await asyncio.sleep(ANSWER_SECONDS)
        return answer


def mails(*, kills: int, directory: Path) -> Outcome:
    """Kill that many workers in turn, and let another worker finish."""
    progress = Progress("mails")
    random, record, handler = Random(), Record(), SlowHandler()
    requested = Counter[str]()
    with fresh_database("postgresql", directory=directory) as url, mail_server(handler) as port:
        variables = {**environment(database_url=url, directory=directory), "EMAIL_URL": f"smtp://127.0.0.1:{port}"}
        with Service(variables=variables, directory=directory, arguments=["--no-worker"]) as service:

            def keep_requesting() -> None:
                _keep_requesting(requested, port=service.port, url=url, record=record)

            with at_work([keep_requesting], record=record):
                for number in range(kills):
                    with _worker(variables, directory):
                        time.sleep(random.uniform(0, LIFE_SECONDS))
                    progress.report(
                        f"{number + 1} of {kills} workers killed, {requested.total()} mails requested, "
                        f"{len(handler.received)} arrived"
                    )
            with _worker(variables, directory):
                deadline = time.monotonic() + LEASE_SECONDS
                while (waiting := _waiting(url)) and time.monotonic() < deadline:
                    progress.report(f"{waiting} mails wait, those of killed workers until their lease is over")
                    time.sleep(1)
            faults = service.faults()
    return _outcome(requested, handler, kills=kills, faults=faults)


@contextmanager
def _worker(variables: Mapping[str, str], directory: Path) -> Iterator[None]:
    """Run a worker that is killed at the end of the block."""
    worker = Running("worker", variables=variables, directory=directory)
    try:
        until(worker.worker_pids, what="a worker")
        yield
    finally:
        worker.kill()


def _keep_requesting(requested: Counter[str], *, port: int, url: str, record: Record) -> None:
    """Request links for one account after the other, so that mails always wait."""
    caller = Caller(port)
    for number in count():
        email = f"reader-{number}@example.com"
        caller.get_data("POST", "/v1/signup", {"email": email, "password": PASSWORD})
        for _ in range(MAILS_EACH):
            while _waiting(url, due=True) > BACKLOG and not record.over.is_set():
                record.over.wait(0.1)
            if record.over.is_set():
                return
            caller.get_data("POST", "/v1/magic-link/request", {"email": email})
            requested[email] += 1


def _waiting(url: str, *, due: bool = False) -> int:
    """Return the number of unsent mails, or only of those that no worker has claimed."""
    question = "SELECT count(*) FROM authsvc_accounts_outgoingmail WHERE next_attempt_at <= now() OR NOT %s"
    with psycopg.connect(url) as session:
        [waiting] = session.execute(question, [due]).fetchone() or (0,)
    return int(waiting)


def _outcome(requested: Counter[str], handler: SmtpHandler, *, kills: int, faults: list[str]) -> Outcome:
    copies = Counter((mail.to[0], mail.message["Message-ID"]) for mail in handler.received)
    arrived = Counter(to for to, _ in copies)
    missing = requested - arrived
    lost = [f"{number} mails to {to} did not arrive" for to, number in missing.items()]
    lost += [f"{number} mails to {to} that were not requested" for to, number in (arrived - requested).items()]
    doubles = copies.total() - len(copies)
    return Outcome(
        drill="mails",
        done=f"{kills} workers killed, each within {LIFE_SECONDS} s, while they sent mails by SMTP",
        lost=[*lost, *faults],
        figures=f"{requested.total()} mails requested, {len(copies)} arrived, {doubles} of them twice, {missing.total()} lost",
    )
