"""`./dev bench --against REV`: the service of this checkout and of another revision, in turn."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path as File
from statistics import median

from tests.processes.running import ROOT

from . import report
from .contest import Contender, Sample, measure_in_turn
from .paths import Path, Stock
from .service import Service

NOW, THEN = "now", "revision"
SERVER = "granian"


def resolve(revision: str) -> str | None:
    """Return the abbreviated hash of the commit, or None when this repository has no such commit."""
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", "--short", f"{revision}^{{commit}}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return found.stdout.strip() or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A kind of database with its paths, and the variables of both services on a database each."""

    title: str
    paths: Sequence[Path]
    ours: Mapping[str, str]
    theirs: Mapping[str, str]


def compare(commit: str, *, matches: Sequence[Match], rounds: int, seconds: float, directory: File) -> str:
    """Return the tables of this checkout and of the commit, which gets a worktree and an environment for this time.

    RuntimeError contains the errors of a commit that does not start with the variables.
    """
    with _checkout(commit, root=directory / "revision") as root:
        return "\n\n".join(
            f"On {match.title}:\n\n{_compare(match, root=root, rounds=rounds, seconds=seconds, directory=directory)}"
            for match in matches
        )


@contextmanager
def _checkout(commit: str, *, root: File) -> Iterator[File]:
    """Yield a worktree of the commit with its own environment. Both are deleted after the block."""
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(root), commit], cwd=ROOT, check=True)
    try:
        subprocess.run(["./dev", "setup"], cwd=root, check=True)
        yield root
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(root)], cwd=ROOT, check=True)


def _compare(match: Match, *, root: File, rounds: int, seconds: float, directory: File) -> str:
    with ExitStack() as stack:
        services = {NOW: stack.enter_context(Service(variables=match.ours, directory=directory))}
        try:
            variables = {**match.theirs, "RATE_LIMITS": _known_limits(match.theirs["RATE_LIMITS"], root=root)}
            services[THEN] = stack.enter_context(Service(variables=variables, directory=directory, root=root))
        except AssertionError as error:
            raise RuntimeError(f"the revision does not start with the variables of this benchmark:\n{error}") from None
        contenders = []
        for name, service in services.items():
            stock = Stock(service.port)
            loads = {path.name: partial(path.load, stock) for path in match.paths}
            contenders.append(Contender(name=name, server=SERVER, process=service, loads=loads))
        names = [path.name for path in match.paths]
        return _table(measure_in_turn(contenders, paths=names, rounds=rounds, seconds=seconds), names)


def _known_limits(rates: str, *, root: File) -> str:
    """Return those of the rates whose limits the revision below `root` has. Its settings page names them."""
    page = (root / "docs" / "settings.md").read_text()
    (row,) = re.findall(r"^\| `RATE_LIMITS` .*$", page, re.MULTILINE)
    known = set(re.findall(r"\w+(?==)", row))
    return ",".join(rate for rate in rates.split(",") if rate.partition("=")[0] in known)


def _table(samples: Mapping[tuple[str, str, str], Sequence[Sample]], paths: Sequence[str]) -> str:
    rows = []
    for path in paths:
        ours, theirs = (samples[path, name, SERVER] for name in (NOW, THEN))
        times = [mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True)]
        cpu = [mine.cpu / other.cpu for mine, other in zip(ours, theirs, strict=True)]
        rows.append(
            [
                path,
                *(report.spread([sample.rate for sample in taken], "{:,.0f}") for taken in (ours, theirs)),
                report.spread(times, "{:.2f}"),
                report.spread(cpu, "{:.2f}"),
                _verdict(times),
            ]
        )
    header = ["path", "requests/s", "of the revision", "our rate to it", "our CPU to its", "the revision was"]
    return report.table(header, rows)


def _verdict(times: Sequence[float]) -> str:
    """Return by how much the revision was faster or slower, or that the rounds disagree."""
    if min(times) <= 1 <= max(times):
        return "not clearly different"
    middle = median(times)
    return f"{abs(1 - 1 / middle):.0%} {'slower' if middle > 1 else 'faster'}"
