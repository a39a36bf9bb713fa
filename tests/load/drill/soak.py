"""Clients use every route for a long time."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

from tests.load.service import Service, environment
from tests.processes.running import ROOT

from .mailbox import Mailbox
from .people import OK, UNAVAILABLE, Family, Person, Record, at_work, use_every_route
from .stage import Outcome, Progress, fresh_database

REFRESHING_CLIENTS = 5
LIVING_CLIENTS = 2
SAMPLE_SECONDS = 2
WARM_UP_SHARE = 0.2
GROWTH_MAX = 0.05


def soak(*, minutes: int, families: int, directory: Path) -> Outcome:
    """Refresh that many families while people come and go, and measure the memory."""
    progress = Progress("soak")
    random, record = Random(), Record()
    samples: list[float] = []
    with fresh_database("postgresql", directory=directory) as url:
        variables = environment(database_url=url, directory=directory)
        with Service(variables=variables, directory=directory) as service:
            progress.report_now(f"making {families:,} families")
            tokens = _make_families(families, variables=variables)
            mailbox = Mailbox(directory / "mails")

            def refresh_on(share: Sequence[str]) -> None:
                client = Person(port=service.port, record=record, mailbox=mailbox)
                client.families = [Family(access="", newest=token, mark="") for token in share]
                while not record.over.is_set():
                    family = random.choice(client.families)
                    client.refresh(family)
                    client.list_sessions(family)
                    # No client uses this token here again.
                    family.older.clear()

            def live_on() -> None:
                while not record.over.is_set():
                    person = Person(port=service.port, record=record, mailbox=mailbox)
                    use_every_route(person, random=random)
                    person.check(mails_until=time.monotonic())

            shares = [tokens[number::REFRESHING_CLIENTS] for number in range(REFRESHING_CLIENTS)]
            refreshing = [lambda share=share: refresh_on(share) for share in shares]
            until = time.monotonic() + minutes * 60
            with at_work([*refreshing, *[live_on] * LIVING_CLIENTS], record=record):
                while time.monotonic() < until:
                    # A thread may end while this loop reads it.
                    with suppress(FileNotFoundError, ProcessLookupError):
                        samples.append(service.memory_mebibytes())
                    progress.report(f"{record.count(OK):,} calls, {samples[-1]:.1f} MiB, {len(record.lost)} losses")
                    time.sleep(SAMPLE_SECONDS)
            faults = service.faults()
    if refused := record.count(*UNAVAILABLE):
        record.lose(f"{refused} calls were answered 503")
    warm = samples[round(len(samples) * WARM_UP_SHARE) :]
    quarter = max(1, len(warm) // 4)
    first, last = median(warm[:quarter]), median(warm[-quarter:])
    if last > first * (1 + GROWTH_MAX):
        record.lose(f"memory grew from {first:.1f} to {last:.1f} MiB")
    return Outcome(
        drill="soak",
        done=f"{minutes} minutes of mixed load over {families:,} families",
        lost=[*record.lost, *faults],
        figures=f"{record.count(OK):,} calls; memory (PSS) {first:.1f} MiB after warm-up, {last:.1f} MiB in the end",
    )


def _make_families(number: int, *, variables: Mapping[str, str]) -> list[str]:
    """Create that many families and return their refresh tokens."""
    call = f"from tests.load.drill.families import make_families; make_families({number})"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", call],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return list(json.loads(done.stdout))
