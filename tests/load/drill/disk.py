"""Drills on SQLite: the disk becomes full, and 64 clients write to one file."""

import os
import resource
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from errno import ENOSPC
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Protocol

from tests.load.driver import Load, PythonDriver
from tests.load.service import Caller, Service, environment

from .mailbox import Mailbox
from .people import MAIL_SECONDS, OK, UNANSWERED, UNAVAILABLE, Person, Record, at_work, check_all, use_every_route
from .restart import CALM_SECONDS, NORMAL_WITHIN_SECONDS, await_calm
from .stage import Outcome, Progress

ROUNDS = 3
WRITING_CLIENTS = 5
FULL_SECONDS = 10
EFFECT_SECONDS = 60
DISK_MEBIBYTES = 24
READ_PAUSE_SECONDS = 0.02
WRITERS = 64
WRITING_SECONDS = 20


class Disk(Protocol):
    """The location of the database, and the way to fill its disk."""

    name: str
    directory: Path

    def fill(self, service: Service) -> None:
        """Prevent every file of the database from growing."""

    def clear(self, service: Service) -> None:
        """Let files grow again."""


class SmallDisk:
    """A separate file system in memory, which a ballast file fills."""

    name = f"a tmpfs of {DISK_MEBIBYTES} MiB"

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._ballast = directory / "ballast"

    def fill(self, service: Service) -> None:
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(4096))
            except OSError as error:
                if error.errno != ENOSPC:
                    raise

    def clear(self, service: Service) -> None:
        self._ballast.unlink()


class LimitedFiles:
    """A limit on the size of files, for users who may not mount. As under a quota, no file of the service grows."""

    name = "RLIMIT_FSIZE, as only root may mount"

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def fill(self, service: Service) -> None:
        _limit_files(service, (self.directory / "auth.sqlite3").stat().st_size)

    def clear(self, service: Service) -> None:
        _limit_files(service, resource.RLIM_INFINITY)


def _limit_files(service: Service, size: int) -> None:
    for pid in service.pids():
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


@contextmanager
def _small_disk(directory: Path) -> Iterator[Disk]:
    directory.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={DISK_MEBIBYTES}m,mode=700", "tmpfs", str(directory)]
    if os.geteuid() != 0 or subprocess.run(["mount", *options], capture_output=True, check=False).returncode != 0:
        yield LimitedFiles(directory)
        return
    try:
        yield SmallDisk(directory)
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def disk(*, directory: Path) -> Outcome:
    """Fill the disk several times while clients read and write."""
    progress = Progress("disk")
    random, record = Random(), Record()
    people: list[Person] = []
    with _small_disk(directory / "disk") as small:
        file = small.directory / "auth.sqlite3"
        variables = environment(database_url=f"sqlite:///{file}", directory=directory)
        with Service(variables=variables, directory=directory) as service:
            mailbox = Mailbox(directory / "mails")
            before = set(service.pids())

            def write_on() -> None:
                while not record.over.is_set():
                    people.append(Person(port=service.port, record=record, mailbox=mailbox))
                    use_every_route(people[-1], random=random)

            def read_on() -> None:
                _keep_reading(reader, port=service.port, record=record)

            reader = Person(port=service.port, record=record, mailbox=mailbox)
            reader.sign_up()
            reader.log_in()

            def status() -> str:
                reads = record.count(OK, what="read")
                refused = record.count(*UNAVAILABLE)
                return f"{reads:,} reads, {record.count(OK) - reads:,} writes, {refused} refusals, {len(record.lost)} losses"

            recoveries = []
            with at_work([read_on, *[write_on] * WRITING_CLIENTS], record=record):
                for number in range(ROUNDS):
                    progress.wait(CALM_SECONDS, status)
                    _starve(small, service, record=record, wait=partial(progress.wait, status=status))
                    small.clear(service)
                    recoveries.append(await_calm(record))
                    progress.report_now(
                        f"full {number + 1} of {ROUNDS} times, normal after {recoveries[-1]:.1f} s; {status()}"
                    )
            acknowledged = record.count(OK)
            check_all(people, record=record, progress=progress)
            if before != set(service.pids()):
                record.lose("a process of the service ended")
            faults = service.faults()
        record.lost.extend(_flaws(file))
    if record.count(UNANSWERED):
        record.lose(f"{record.count(UNANSWERED)} calls were not answered at all")
    if max(recoveries) > NORMAL_WITHIN_SECONDS:
        record.lose(f"it took {max(recoveries):.1f} s until the service was back to normal")
    return Outcome(
        drill="disk",
        done=f"SQLite's disk full {ROUNDS} times for {FULL_SECONDS} s ({small.name}) under {WRITING_CLIENTS} writers",
        lost=[*record.lost, *faults],
        figures=(
            f"{acknowledged:,} calls acknowledged, {record.count(OK, what='read'):,} of them reads; "
            f"{record.count('db_unreachable')} answered 503 db_unreachable, {record.count('overloaded')} overloaded, "
            f"{record.count('late')} mails later than {MAIL_SECONDS} s; "
            f"normal after at most {max(recoveries):.1f} s; integrity checked"
        ),
    )


def _starve(small: Disk, service: Service, *, record: Record, wait: Callable[[float], None]) -> None:
    """Fill the disk, and wait for a time after the first refused call. The disk stays full."""
    before = record.count(*UNAVAILABLE)
    small.fill(service)
    # SQLite first overwrites the space that it already has on the disk.
    deadline = time.monotonic() + EFFECT_SECONDS
    while record.count(*UNAVAILABLE) == before and time.monotonic() < deadline:
        wait(1)
    wait(FULL_SECONDS)
    if record.count(*UNAVAILABLE) == before:
        record.lose("no call was refused: the disk was not full, so the drill proves nothing")
    if Caller(service.port).call("GET", "/v1/health").status != 503:
        record.lose("health did not report that the disk is full")


def _keep_reading(reader: Person, *, port: int, record: Record) -> None:
    """Read repeatedly while writers fail, and record each read without a success as a loss."""
    caller = Caller(port)
    token = reader.families[0].access
    while not record.over.wait(READ_PAUSE_SECONDS):
        for path in ("/v1/verify", "/v1/sessions"):
            try:
                answer = caller.call("GET", path, token=token)
            except (OSError, HTTPException) as error:
                record.lose(f"reading {path} was not answered: {type(error).__name__}")
                continue
            record.note("read", OK if answer.status == 200 else "refused")
            if answer.status != 200:
                record.lose(f"reading {path} was answered {answer.status} {answer.body}")


def writers(*, directory: Path) -> Outcome:
    """Let 64 clients refresh one session each, at full speed, on one SQLite file."""
    progress = Progress("writers")
    file = directory / "auth.sqlite3"
    variables = environment(database_url=f"sqlite:///{file}", directory=directory)
    record = Record()
    with Service(variables=variables, directory=directory) as service, PythonDriver() as driver:
        mailbox = Mailbox(directory / "mails")
        people = [Person(port=service.port, record=record, mailbox=mailbox) for _ in range(WRITERS)]
        for person in people:
            person.sign_up()
        tokens = [person.log_in().newest for person in people]
        progress.report_now(f"{WRITERS} writers for {WRITING_SECONDS} s")
        body = ('{"refresh_token":"', '"}')
        load = Load.post("/v1/refresh", body=body, values=tokens, connections=WRITERS, next_value="refresh_token")
        driven = driver.drive(load, port=service.port, seconds=WRITING_SECONDS)
        lost = [*record.lost, *service.faults()]
    if set(driven.answers) != {200}:
        lost.append(f"not all were answered 200: {dict(driven.answers)}")
    with closing(sqlite3.connect(file)) as session:
        question = "SELECT count(*) FROM authsvc_accounts_event WHERE type = 'token_rotated'"
        [written] = session.execute(question).fetchone()
    if written != driven.answers[200]:
        lost.append(f"{driven.answers[200]} refreshes were acknowledged, but {written} are stored")
    return Outcome(
        drill="writers",
        done=f"{WRITERS} clients refreshed for {WRITING_SECONDS} s on one SQLite file",
        lost=[*lost, *_flaws(file)],
        figures=f"{driven.answers[200]:,} answers 200, {driven.answers[200] / driven.seconds:,.0f}/s",
    )


def _flaws(file: Path) -> list[str]:
    """Return the errors that SQLite finds in its file."""
    with closing(sqlite3.connect(file)) as session:
        found = [row[0] for row in session.execute("PRAGMA integrity_check")]
        found += [f"broken foreign key: {row}" for row in session.execute("PRAGMA foreign_key_check")]
    return [sentence for sentence in found if sentence != "ok"]
