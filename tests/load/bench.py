"""`./dev bench`: the speed of the service, compared with the capacity of the machine."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path as File
from statistics import median
from tempfile import TemporaryDirectory

from core.threads import THREADS
from tests.processes.running import ROOT

from . import (
    against,
    anchors,
    applications,
    image,
    importing,
    instructions,
    notifications,
    pages,
    questions,
    report,
    rotation_replay,
    size,
    storm,
    timing,
)
from .driver import Driver, PythonDriver, Wrk, driver_of_this_machine
from .paths import BARE, CONNECTIONS, DATABASE, HASH, PATH_NAMES, USER_AGENTS, Path, Stock, Target, paths_on
from .peers import comparison, readme
from .service import Process, Service, create_database, environment

DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
WARM_UP_SECONDS = 1
WORKER_CONNECTIONS = 8
"""One for each job of the worker in a full deployment."""

MEMORY = (140, 120)
START = (2.5, 1.5)

CAVEATS = {
    Wrk.name: "Load by wrk, on the cores of the service and of the database.",
    PythonDriver.name: (
        "Load by a driver in Python, because wrk is not installed. The driver takes CPU time away from the service. "
        "Therefore the requests per second are too low. The ratios to the hash and to the bare refresh are too low as "
        "well, because these two need no driver. The ratio of verify is too high, because the bare server loses most. "
        "The CPU time per request is correct."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One round of a path: answers per second, and microseconds of the web processes' CPU time per answer."""

    rate: float
    cpu: float
    anchor_rate: float | None

    @property
    def ratio(self) -> float | None:
        """The rate divided by the anchor's rate."""
        return None if self.anchor_rate is None else self.rate / self.anchor_rate


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks that the arguments name, and print the results."""
    parser = argparse.ArgumentParser(prog="./dev bench", allow_abbrev=False)
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"one of {', '.join(PATH_NAMES)} (default: all)")
    parser.add_argument("--on", choices=DATABASES, help="one database (default: both)")
    parser.add_argument(
        "--rounds", type=_count, default=5, help="rounds, each of which takes every path in turn (%(default)s)"
    )
    parser.add_argument("--seconds", type=_count, default=4, help="length of one measurement (%(default)s)")
    parser.add_argument(
        "--storm", action="store_true", help="instead: response times of other routes while 64 clients log in"
    )
    parser.add_argument("--outage", action="store_true", help="instead: the answers during an outage of PostgreSQL")
    parser.add_argument(
        "--size",
        type=_count,
        metavar="USERS",
        help="instead: a PostgreSQL database with that many users and ten events for each",
    )
    parser.add_argument(
        "--peers",
        nargs="*",
        choices=comparison.PEERS,
        metavar="PEER",
        help=f"instead: compare the service with its peers on PostgreSQL: {', '.join(comparison.PEERS)} (default: all)",
    )
    parser.add_argument(
        "--peer-source",
        action="append",
        default=[],
        type=_peer_source,
        metavar="PEER=PATH",
        help=f"build this peer from the sources in that directory: one of {', '.join(comparison.WITH_SOURCES)}",
    )
    parser.add_argument(
        "--pages", action="store_true", help="instead: a login by page beside one of the API, and the sign-in page"
    )
    parser.add_argument(
        "--applications", action="store_true", help="instead: a refresh of an application beside one of /v1/refresh"
    )
    parser.add_argument(
        "--instructions", action="store_true", help="instead: the instructions of a request, counted by valgrind"
    )
    parser.add_argument(
        "--image",
        action="store_true",
        help="instead: the hashes of the Argon2 that the image builds; with --peers, the service uses this Argon2",
    )
    parser.add_argument(
        "--timing",
        action="store_true",
        help="instead: whether the time of a refused login or of a link request reveals an account",
    )
    parser.add_argument(
        "--notifications", action="store_true", help="instead: the cost of webhooks and shipped logs for a login"
    )
    parser.add_argument(
        "--questions", action="store_true", help="instead: the answers of ask-AI for a user with many events"
    )
    parser.add_argument(
        "--import",
        dest="imported",
        type=_count,
        nargs="?",
        const=0,
        metavar="USERS",
        help="instead: an import beside a running service (default: 100,000 users on SQLite, 1,000,000 on PostgreSQL)",
    )
    parser.add_argument(
        "--against",
        type=_commit,
        metavar="REV",
        help="instead: by how much the revision, such as HEAD^, was faster or slower than this checkout",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"write the result into docs/benchmarks.md, only on a machine with a load below {report.QUIET_LOAD}",
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.paths) - set(PATH_NAMES):
        parser.error(f"unknown path: {', '.join(sorted(unknown))}")
    if options.peer_source and options.peers is None:
        parser.error("--peer-source needs --peers")
    if options.write and options.against:
        parser.error("--write keeps no comparison with a revision")
    if options.write and (load := report.load_of_machine()) >= report.QUIET_LOAD:
        parser.error(
            f"--write needs a quiet machine, and the load of this machine is {load:.2f}. Wait until it is below "
            f"{report.QUIET_LOAD} (see uptime), or measure without --write."
        )

    # The circumstances are read before the benchmarks load the machine.
    circumstances = report.circumstances(["./dev", "bench", *(word for word in arguments if word != "--write")])
    (ROOT / "var").mkdir(mode=0o700, exist_ok=True)
    # The system's directory for temporary files may be in memory, where a commit costs nothing.
    with TemporaryDirectory(prefix="bench-", dir=ROOT / "var") as name:
        directory = File(name)
        # This process also signs tokens and hashes passwords, under the settings of the service.
        os.environ |= environment(database_url="sqlite:///unused", directory=directory)
        for title, measure in _measurements(options, directory=directory):
            text = f"{measure()}\n\n{circumstances}"
            sys.stdout.write(f"\n{title}\n\n{text}\n")
            sys.stdout.flush()
            if options.write:
                report.write_section(title, text)
        if options.write and options.peers is not None:
            readme.write()
    return 0


def _commit(text: str) -> str:
    if (commit := against.resolve(text)) is None:
        raise argparse.ArgumentTypeError(f"this repository has no commit {text}")
    return commit


def _peer_source(text: str) -> tuple[str, File]:
    peer, separator, path = text.partition("=")
    if peer not in comparison.WITH_SOURCES or not separator:
        raise argparse.ArgumentTypeError(f"must be PEER=PATH with one of {', '.join(comparison.WITH_SOURCES)}")
    if not File(path).is_dir():
        raise argparse.ArgumentTypeError(f"{path} is no directory")
    return peer, File(path).absolute()


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number of at least 1")
    return int(text)


def _measurements(options: argparse.Namespace, *, directory: File) -> list[tuple[str, Callable[[], str]]]:
    if options.outage:
        return [("Outage of PostgreSQL", partial(storm.outage, directory=directory))]
    if options.size or options.questions:
        variables = environment(database_url=os.environ["TEST_POSTGRES_URL"], directory=directory)
        run = partial(size.size, users=options.size) if options.size else questions.measure_questions
        title = "A large database" if options.size else "Questions to ask-AI"
        return [(title, partial(run, variables=variables, directory=directory))]
    if options.peers is not None:
        variables = environment(database_url=os.environ["TEST_POSTGRES_URL"], directory=directory)
        names = dict.fromkeys(options.peers or comparison.PEERS)
        run = partial(comparison.compare, variables=variables, names=names, sources=dict(options.peer_source))
        run = partial(run, with_image=options.image, directory=directory)
        return [(readme.TITLE, partial(run, rounds=options.rounds, seconds=options.seconds))]
    if options.image:
        variables = environment(database_url=f"sqlite:///{directory}/auth.sqlite3", directory=directory)
        run = partial(image.compare_builds, variables=variables, directory=directory)
        return [("Argon2 of a checkout and of the image", partial(run, rounds=options.rounds))]
    databases = [options.on] if options.on else list(DATABASES)
    if options.imported is not None:
        return [_import(database, options.imported or None, directory=directory) for database in databases]
    return _measurements_of_routes(options, databases, directory=directory)


def _measurements_of_routes(
    options: argparse.Namespace, databases: Sequence[str], *, directory: File
) -> list[tuple[str, Callable[[], str]]]:
    if options.against:
        matches = [_match(database, options.paths, directory=directory) for database in databases]
        compare = partial(against.compare, options.against, matches=matches, directory=directory)
        return [(f"Against {options.against}", partial(compare, rounds=options.rounds, seconds=options.seconds))]
    found: list[tuple[str, Callable[[], str]]] = []
    for database in databases:
        variables = environment(database_url=_url(database, directory=directory), directory=directory)
        if options.storm:
            run = partial(storm.storm, variables=variables, directory=directory)
            found.append((f"Storm of logins on {DATABASES[database]}", run))
            continue
        if options.notifications:
            run = partial(notifications.measure_notifications, variables=variables, directory=directory)
            found.append((f"Cost of webhooks and shipped logs for a login, on {DATABASES[database]}", run))
            continue
        if options.pages:
            run = partial(pages.measure_pages, rounds=options.rounds, seconds=options.seconds)
            run = partial(run, variables=variables, directory=directory)
            found.append((f"Pages on {DATABASES[database]}", run))
            continue
        if options.applications:
            run = partial(applications.measure_applications, rounds=options.rounds, seconds=options.seconds)
            run = partial(run, variables=variables, directory=directory)
            found.append((f"Refresh of an application on {DATABASES[database]}", run))
            continue
        if options.instructions:
            run = partial(instructions.count_instructions, variables=variables, directory=directory)
            found.append((f"Instructions of a request on {DATABASES[database]}", run))
            continue
        if options.timing:
            run = partial(timing.timing, variables=variables, directory=directory)
            found.append((f"Timing of refused logins on {DATABASES[database]}", run))
            continue
        paths = _selected(database, options.paths)
        measure = partial(
            measure_paths,
            paths,
            variables=variables,
            rounds=options.rounds,
            seconds=options.seconds,
            directory=directory,
        )
        found.append((DATABASES[database], measure))
    return found


def _url(database: str, *, directory: File) -> str:
    return os.environ["TEST_POSTGRES_URL"] if database == "postgresql" else f"sqlite:///{directory}/auth.sqlite3"


def _import(database: str, rows: int | None, *, directory: File) -> tuple[str, Callable[[], str]]:
    variables = environment(database_url=_url(database, directory=directory), directory=directory)
    run = partial(importing.measure_import, database=database, rows=rows, variables=variables, directory=directory)
    return f"Import of users on {DATABASES[database]}", run


def _selected(database: str, names: Sequence[str]) -> list[Path]:
    return [path for path in paths_on(database) if not names or path.name in names]


def _match(database: str, names: Sequence[str], *, directory: File) -> against.Match:
    """Return the match on this kind of database, with an empty database for each service."""
    if database == "postgresql":
        ours = os.environ["TEST_POSTGRES_URL"]
        theirs = create_database("revision", url=ours)
    else:
        ours, theirs = (f"sqlite:///{directory}/{name}.sqlite3" for name in ("auth", "revision"))
    return against.Match(
        title=DATABASES[database],
        paths=_selected(database, names),
        ours=environment(database_url=ours, directory=directory),
        theirs=environment(database_url=theirs, directory=directory),
    )


def measure_paths(
    paths: Sequence[Path], *, variables: Mapping[str, str], rounds: int, seconds: float, directory: File
) -> str:
    """Start a service and return the tables of its paths."""
    driver = driver_of_this_machine()
    samples: dict[str, list[Sample]] = {path.name: [] for path in paths}
    with Service(variables=variables, directory=directory) as service, anchors.bare_server() as bare:
        stock = Stock(service.port)
        measure_anchor = _anchors(paths, stock, driver, bare=bare, variables=variables, runs=rounds + 1)
        for number in range(rounds + 1):
            for path in paths:
                length = seconds if number else WARM_UP_SECONDS
                anchor_rate = measure_anchor[path.anchor](number, length) if path.anchor else None
                sample = _measure(path, stock, driver, service=service, seconds=length, anchor_rate=anchor_rate)
                sys.stderr.write(
                    f"{f'round {number}' if number else 'warm-up':<10}{path.name:<14}{sample.rate:>10,.0f}/s\n"
                )
                if number:
                    samples[path.name].append(sample)
        memory = service.memory_mebibytes()
        if faults := service.faults():
            raise RuntimeError("the service logged failures:\n" + "\n".join(faults[:10]))
    footprint = (
        f"{_processes(variables)}Memory of all processes afterwards: {memory:.0f} MiB PSS (floor {MEMORY[0]}, aim {MEMORY[1]}). Start to "
        f"first answer, migrations included: {service.start_seconds:.1f} s (floor {START[0]}, aim {START[1]})."
    )
    return "\n\n".join([_table(paths, samples), _anchor_table(paths, samples), footprint, CAVEATS[driver.name]])


def _processes(variables: Mapping[str, str]) -> str:
    """Return the number of processes, and their connections to PostgreSQL."""
    if variables["DATABASE_URL"].startswith("sqlite:"):
        return f"{anchors.CORES} web processes and a worker. "
    # One more connection of a web process counts the attempts for the rate limits.
    web = THREADS + 1
    return (
        f"{anchors.CORES} web processes with {web} connections to PostgreSQL each, and a worker with {WORKER_CONNECTIONS}: "
        f"at most {anchors.CORES * web + WORKER_CONNECTIONS}. "
    )


def _anchors(
    paths: Sequence[Path],
    stock: Stock,
    driver: Driver,
    *,
    bare: Process,
    variables: Mapping[str, str],
    runs: int,
) -> dict[str, Callable[[int, float], float]]:
    """Return the functions that measure each anchor. A function takes the run's number and the seconds."""
    measures: dict[str, Callable[[int, float], float]] = {
        BARE: lambda _, seconds: anchors.drive_bare(driver, bare, connections=CONNECTIONS, seconds=seconds),
        HASH: lambda _, seconds: anchors.hash_rate(seconds),
    }
    if all(path.anchor != DATABASE for path in paths):
        return measures
    refresh_token = stock.log_in(1, user_agent=USER_AGENTS[0])
    recording = anchors.record_rotation(refresh_token=refresh_token, runs=runs, variables=variables)
    url = variables["DATABASE_URL"]
    replay = (
        partial(rotation_replay.replay_on_sqlite, recording, file=url.removeprefix("sqlite:///"))
        if url.startswith("sqlite:")
        else partial(rotation_replay.replay_on_postgresql, recording, url=url)
    )
    return {**measures, DATABASE: lambda run, seconds: replay(run=run, seconds=seconds)}


def _measure(
    path: Path, stock: Stock, driver: Driver, *, service: Service, seconds: float, anchor_rate: float | None
) -> Sample:
    load = path.load(stock, seconds)
    before = service.cpu_seconds()
    driven = driver.drive(load, port=service.port, seconds=seconds)
    used = service.cpu_seconds() - before
    return Sample(
        rate=driven.successes / driven.seconds, cpu=used / driven.successes * 1_000_000, anchor_rate=anchor_rate
    )


def _table(paths: Sequence[Path], samples: Mapping[str, Sequence[Sample]]) -> str:
    rows = []
    for path in paths:
        taken = samples[path.name]
        ratios = [sample.ratio for sample in taken if sample.ratio is not None]
        rows.append(
            [
                path.name,
                report.spread([sample.rate for sample in taken], "{:,.0f}"),
                f"{report.spread(ratios, '{:.2f}')} of {path.anchor}" if ratios else "",
                report.spread([sample.cpu for sample in taken], "{:,.0f} µs"),
                _target(path.floor),
                _target(path.aim),
                _reached(path, taken),
            ]
        )
    return report.table(["path", "requests/s", "ratio", "CPU per request", "floor", "aim", "reached"], rows)


def _anchor_table(paths: Sequence[Path], samples: Mapping[str, Sequence[Sample]]) -> str:
    rows = []
    for path in paths:
        rates = [sample.anchor_rate for sample in samples[path.name] if sample.anchor_rate is not None]
        if path.anchor and rates:
            rows.append([path.anchor, report.spread(rates, "{:,.0f}")])
    return report.table(["anchor", "per second"], rows) if rows else "No anchors."


def _target(target: Target) -> str:
    parts = [f"{target.ratio:.2f}"] if target.ratio is not None else []
    return ", ".join(parts + ([f"{target.cpu:,.0f} µs"] if target.cpu is not None else []))


def _reached(path: Path, taken: Sequence[Sample]) -> str:
    for name, target in (("aim", path.aim), ("floor", path.floor)):
        ratios = [sample.ratio for sample in taken if sample.ratio is not None]
        is_fast = target.ratio is None or median(ratios) >= target.ratio
        is_cheap = target.cpu is None or median(sample.cpu for sample in taken) <= target.cpu
        if is_fast and is_cheap:
            return name
    return "no"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
