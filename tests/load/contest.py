"""Servers under the same loads, one after the other in every round."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .driver import Driver, Load, PythonDriver, driver_of_this_machine
from .service import Process

WARM_UP_SECONDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A measured server, and the requests of a round for each path, given the seconds of the round."""

    name: str
    server: str
    process: Process
    loads: Mapping[str, Callable[[float], Load]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One round of a path: good answers per second, and microseconds of CPU time for each of them."""

    rate: float
    cpu: float
    database_cpu: float
    """Microseconds of PostgreSQL for a good answer, or 0 where no database is measured."""
    p50: float
    """Milliseconds, like `p99`."""
    p99: float
    failures: int
    """The number of answers that were no success. It is not 0 only where a contest tolerates failures."""


class Database(Protocol):
    """A database server whose CPU time is measured beside that of the contenders."""

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server so far."""


def measure_in_turn(
    contenders: Sequence[Contender],
    *,
    paths: Sequence[str],
    rounds: int,
    seconds: float,
    patient: Collection[str] = (),
    database: Database | None = None,
    tolerated_failures: float = 0,
) -> dict[tuple[str, str, str], list[Sample]]:
    """Return the samples of each path, name and server, after a warm-up round.

    The order of the contenders is reversed in every second round. The driver in Python calls the `patient` paths, which
    must be slow. It awaits the answers of all its requests. wrk drops the last ones, whose CPU time the others would
    then bear. RuntimeError says which contender gave a greater share of failures than `tolerated_failures`.
    """
    drivers = dict.fromkeys(paths, driver_of_this_machine()) | dict.fromkeys(patient, PythonDriver())
    samples: dict[tuple[str, str, str], list[Sample]] = {}
    for number in range(rounds + 1):
        for path in paths:
            for contender in contenders[:: -1 if number % 2 else 1]:
                if path not in contender.loads:
                    continue
                length = seconds if number else WARM_UP_SECONDS
                sample = _measure(
                    drivers[path],
                    contender,
                    path,
                    seconds=length,
                    database=database,
                    tolerated_failures=tolerated_failures,
                )
                sys.stderr.write(
                    f"{f'round {number}' if number else 'warm-up':<10}{path:<14}{contender.name:<16}"
                    f"{contender.server:<14}{sample.rate:>10,.0f}/s{sample.cpu:>12,.0f} µs\n"
                )
                if number:
                    samples.setdefault((path, contender.name, contender.server), []).append(sample)
    return samples


def _measure(
    driver: Driver,
    contender: Contender,
    path: str,
    *,
    seconds: float,
    database: Database | None,
    tolerated_failures: float,
) -> Sample:
    load = contender.loads[path](seconds)
    before, database_before = contender.process.cpu_seconds(), database.cpu_seconds() if database else 0
    driven = driver.drive(load, port=load.port or contender.process.port, seconds=seconds)
    used = contender.process.cpu_seconds() - before
    database_used = database.cpu_seconds() - database_before if database else 0
    total = driven.answers.total()
    good = total - driven.failures
    if not good or driven.failures > total * tolerated_failures:
        raise RuntimeError(f"{path} of {contender.name} was not always a success: {dict(driven.answers)}")
    return Sample(
        rate=good / driven.seconds,
        cpu=used / good * 1_000_000,
        database_cpu=database_used / good * 1_000_000,
        p50=driven.p50,
        p99=driven.p99,
        failures=driven.failures,
    )
