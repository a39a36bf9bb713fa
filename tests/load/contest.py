"""Servers under the same loads, one after the other in every round."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .driver import Driver, Load, driver_of_this_machine
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
    """One round of a path: answers per second, and microseconds of CPU time per answer."""

    rate: float
    cpu: float


def measure_in_turn(
    contenders: Sequence[Contender], *, paths: Sequence[str], rounds: int, seconds: float
) -> dict[tuple[str, str, str], list[Sample]]:
    """Return the samples of each path, name and server, after a warm-up round.

    The order of the contenders is reversed in every second round.
    """
    driver = driver_of_this_machine()
    samples: dict[tuple[str, str, str], list[Sample]] = {}
    for number in range(rounds + 1):
        for path in paths:
            for contender in contenders[:: -1 if number % 2 else 1]:
                if path not in contender.loads:
                    continue
                sample = _measure(driver, contender, path, seconds=seconds if number else WARM_UP_SECONDS)
                sys.stderr.write(
                    f"{f'round {number}' if number else 'warm-up':<10}{path:<14}{contender.name:<16}"
                    f"{contender.server:<14}{sample.rate:>10,.0f}/s\n"
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
