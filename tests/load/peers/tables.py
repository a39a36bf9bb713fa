"""The tables of `./dev bench --peers`, from the samples of all servers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tests.load import report
from tests.load.contest import Sample

from . import better_auth, keycloak, kratos, supabase_auth
from .django_packages import RECOMMENDED

OURS = "Gatehouse"
OUR_SERVER = "granian"
BESIDE = (supabase_auth.NAME, kratos.NAME, keycloak.NAME, better_auth.NAME)
"""The self-hosted servers of the summary, in the order of its columns."""

TARGETS: Mapping[str, tuple[float, float]] = {
    "login": (1.6, 2),
    "verify": (6, 8),
    "refresh": (5, 8),
    "sessions": (30, 40),
}
"""The smallest and the desired ratio of each path: our rate divided by the rate of the best Django peer.

Django peers count on their recommended server.
"""
TARGETS_ON_NODE: Mapping[str, tuple[float, float]] = {"login": (0.9, 1.3), "verify": (6, 8), "sessions": (3, 4)}
"""The same ratios to better-auth."""

Samples = Mapping[tuple[str, str, str], Sequence[Sample]]
"""The samples of each path, name and server. A round has the same place in each sequence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the summary: our path beside a path of the peers."""

    title: str
    ours: str
    theirs: str


LINES = (
    Line(title="verify", ours="verify", theirs="verify"),
    Line(title="`GET /v1/session` beside their verify", ours="session", theirs="verify"),
    Line(title="refresh", ours="refresh", theirs="refresh"),
    Line(title="refresh beside Kratos's extend", ours="refresh", theirs="extend"),
    Line(title="login", ours="login", theirs="login"),
    Line(title="10 sessions", ours="sessions", theirs="sessions"),
)
PATHS = tuple(dict.fromkeys(path for line in LINES for path in (line.ours, line.theirs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """The memory of a server after the load in MiB, and the seconds from its command to its first answer."""

    memory: float
    start: float


def summary(samples: Samples, footprints: Mapping[tuple[str, str], Footprint]) -> str:
    """Return the CPU time of the self-hosted servers for a request, and their memory and start."""
    servers = {name: server for _, name, server in samples if name in BESIDE}
    names = [name for name in BESIDE if name in servers]
    rows = [_summary_line(line, samples, servers={name: servers[name] for name in names}) for line in LINES]
    own = footprints[OURS, OUR_SERVER]
    others = [footprints[name, servers[name]] for name in names]
    rows.append(["memory after the load, MiB", *(f"{found.memory:.0f}" for found in (own, *others)), ""])
    rows.append(["start on a prepared database, s", *(f"{found.start:.1f}" for found in (own, *others)), ""])
    header = ["µs of CPU time for a request (PostgreSQL's)", OURS, *names, "the cheapest of them to Gatehouse"]
    return report.table(header, rows)


def details(samples: Samples) -> str:
    """Return all figures of all servers."""
    rows = []
    for (path, name, server), taken in sorted(samples.items(), key=lambda item: _order(item[0])):
        ours = samples[_counterpart(path), OURS, OUR_SERVER]
        is_ours = name == OURS
        rows.append(
            [
                path,
                name,
                server,
                report.spread([sample.rate for sample in taken], "{:,.0f}"),
                report.spread([sample.cpu for sample in taken], "{:,.0f} µs"),
                f"{median(sample.database_cpu for sample in taken):,.0f} µs",
                f"{median(sample.p50 for sample in taken):,.1f}, {median(sample.p99 for sample in taken):,.1f} ms",
                str(_failures(taken) or "none"),
                "" if is_ours else report.spread(_ratios(ours, taken, "rate"), "{:.1f}"),
                "" if is_ours else report.spread(_ratios(taken, ours, "cpu"), "{:.1f}"),
            ]
        )
    header = [
        "path",
        "package",
        "server",
        "requests/s",
        "CPU per request",
        "PostgreSQL's CPU",
        "p50, p99",
        "errors",
        "our rate to its rate",
        "its CPU to our CPU",
    ]
    return report.table(header, rows)


def footprints(found: Mapping[tuple[str, str], Footprint]) -> str:
    """Return the memory and the start of each server."""
    rows = [[name, server, f"{own.memory:.0f} MiB", f"{own.start:.1f} s"] for (name, server), own in found.items()]
    return report.table(["package", "server", "memory", "start"], rows)


def verdicts(samples: Samples) -> str:
    """Return our ratio to the best Django peer on its recommended server, and to better-auth."""
    rows = []
    for path, (floor, aim) in TARGETS.items():
        rates = {
            name: samples[path, name, server] for of, name, server in samples if (of, server) == (path, RECOMMENDED)
        }
        if rates:
            best = max(rates, key=lambda name: median(sample.rate for sample in rates[name]))
            rows.append([path, *_verdict(samples, path, rates[best], name=best, floor=floor, aim=aim)])
    for path, (floor, aim) in TARGETS_ON_NODE.items():
        if theirs := samples.get((path, better_auth.NAME, better_auth.SERVER)):
            rows.append([path, *_verdict(samples, path, theirs, name=better_auth.NAME, floor=floor, aim=aim)])
    return report.table(["path", "our rate to the peer", "floor", "aim", "reached"], rows) if rows else ""


def _summary_line(line: Line, samples: Samples, *, servers: Mapping[str, str]) -> list[str]:
    ours = samples[line.ours, OURS, OUR_SERVER]
    theirs = {name: samples.get((line.theirs, name, server), ()) for name, server in servers.items()}
    cells = [_cell(taken) for taken in (ours, *theirs.values())]
    measured = {name: taken for name, taken in theirs.items() if taken}
    if not measured:
        return [line.title, *cells, ""]
    cheapest = min(measured, key=lambda name: median(sample.cpu for sample in measured[name]))
    times = median(_ratios(measured[cheapest], ours, "cpu"))
    return [line.title, *cells, f"{times:.1f} times, {cheapest}"]


def _cell(taken: Sequence[Sample]) -> str:
    """Return the CPU time of the server and of PostgreSQL, marked when requests failed."""
    if not taken:
        return "none"
    figures = f"{median(sample.cpu for sample in taken):,.0f} ({median(sample.database_cpu for sample in taken):,.0f})"
    return f"{figures}, {failures} ERRORS" if (failures := _failures(taken)) else figures


def _failures(taken: Sequence[Sample]) -> int:
    return sum(sample.failures for sample in taken)


def _ratios(above: Sequence[Sample], below: Sequence[Sample], figure: str) -> list[float]:
    """Return the ratios of the figure in each round."""
    return [getattr(one, figure) / getattr(other, figure) for one, other in zip(above, below, strict=True)]


def _counterpart(path: str) -> str:
    """Return our path beside a path of the peers."""
    return next((line.ours for line in LINES if line.theirs == path), path)


def _order(key: tuple[str, str, str]) -> tuple[int, bool, str, str]:
    """Sort by path, with ours first."""
    path, name, server = key
    return PATHS.index(path), name != OURS, name, server


def _verdict(
    samples: Samples, path: str, theirs: Sequence[Sample], *, name: str, floor: float, aim: float
) -> list[str]:
    times = median(_ratios(samples[path, OURS, OUR_SERVER], theirs, "rate"))
    reached = "aim" if times >= aim else "floor" if times >= floor else "no"
    return [f"{times:.1f} times {name}", f"{floor}", f"{aim}", reached]
