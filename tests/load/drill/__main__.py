"""`./dev drill`: run the drills and report losses."""

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from http.client import HTTPException
from pathlib import Path
from subprocess import SubprocessError
from tempfile import TemporaryDirectory
from types import FrameType
from typing import NoReturn, TypeAlias

import psycopg
from playwright.sync_api import Error as BrowserError

from tests.load import report
from tests.processes.running import ROOT
from tools.local_postgres import PostgresError

from .clients import clients
from .disk import disk, writers
from .failover import failover
from .kill import kill
from .mails import mails
from .promotion import promotion
from .restart import restart
from .restore import restore
from .rolling import rolling
from .soak import soak
from .stage import Outcome
from .stops import stops

Drill: TypeAlias = Callable[..., Outcome]

NAMES = ("kill", "restart", "stops", "disk", "mails", "restore", "promote", "clients", "soak")
SHOWN = 20
BREAKDOWNS = (
    AssertionError,
    RuntimeError,
    OSError,
    SubprocessError,
    HTTPException,
    PostgresError,
    psycopg.Error,
    BrowserError,
)
"""The errors that end a drill when the service, its database or the browser is no longer reachable."""


def main(arguments: Sequence[str]) -> int:
    """Run the drills that the arguments name and print the outcomes. Return 1 when a drill lost something."""
    parser = argparse.ArgumentParser(prog="./dev drill", allow_abbrev=False)
    parser.add_argument("drills", nargs="*", metavar="DRILL", help=f"one of {', '.join(NAMES)} (default: all but soak)")
    parser.add_argument("--kills", type=_count, default=200, help="web processes killed on each database (%(default)s)")
    parser.add_argument("--restarts", type=_count, default=20, help="restarts of PostgreSQL (%(default)s)")
    parser.add_argument(
        "--rolling",
        type=_count,
        nargs="?",
        const=3,
        metavar="ROUNDS",
        help="only the drill rolling: each of three instances stops and is killed this often (%(const)s); needs haproxy",
    )
    parser.add_argument(
        "--stops", type=_count, default=50, help="stops for each way to start the service (%(default)s)"
    )
    parser.add_argument("--workers", type=_count, default=40, help="workers killed while they send mails (%(default)s)")
    parser.add_argument("--promotions", type=_count, default=20, help="promotions to PostgreSQL killed (%(default)s)")
    parser.add_argument(
        "--soak", type=_count, metavar="MINUTES", help="length of the drill soak in minutes; 30 for a complete one"
    )
    parser.add_argument("--families", type=_count, default=20_000, help="sessions in the drill soak (%(default)s)")
    parser.add_argument(
        "--failover",
        type=_count,
        nargs="?",
        const=10,
        metavar="KILLS",
        help="only the drill failover, with this many kills of the primary's node (%(const)s); needs root and Debian",
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.drills) - set(NAMES):
        parser.error(f"unknown drill: {', '.join(sorted(unknown))}")
    if "soak" in options.drills and not options.soak:
        parser.error("the drill soak needs --soak MINUTES")

    circumstances = report.circumstances(["./dev", "drill", *arguments])
    outcomes = [_run(name, drill) for name, drill in _chosen(options)]
    sys.stdout.write(f"\n{_table(outcomes)}\n\n{circumstances}\n")
    return int(any(outcome.lost for outcome in outcomes))


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number of at least 1")
    return int(text)


def _chosen(options: argparse.Namespace) -> list[tuple[str, Drill]]:
    if options.failover:
        return [("failover", partial(failover, kills=options.failover))]
    if options.rolling:
        return [("rolling", partial(rolling, rounds=options.rolling))]
    drills: dict[str, list[tuple[str, Drill]]] = {
        "kill": [(f"kill {kind}", partial(kill, kind, kills=options.kills)) for kind in ("sqlite", "postgresql")],
        "restart": [("restart", partial(restart, restarts=options.restarts))],
        "stops": [(f"stops {kind}", partial(stops, kind, stops=options.stops)) for kind in ("sqlite", "postgresql")],
        "disk": [("disk", disk), ("writers", writers)],
        "mails": [("mails", partial(mails, kills=options.workers))],
        "restore": [("restore", restore)],
        "promote": [("promote", partial(promotion, kills=options.promotions))],
        "clients": [("clients", clients)],
        "soak": [("soak", partial(soak, minutes=options.soak, families=options.families))] if options.soak else [],
    }
    return [drill for name in NAMES if not options.drills or name in options.drills for drill in drills[name]]


def _run(name: str, drill: Drill) -> Outcome:
    (ROOT / "var").mkdir(mode=0o700, exist_ok=True)
    # The system's directory for temporary files may be in memory, where a commit costs nothing.
    with TemporaryDirectory(prefix="drill-", dir=ROOT / "var", ignore_cleanup_errors=True) as directory:
        try:
            return drill(directory=Path(directory))
        except BREAKDOWNS as error:
            sentence = f"broke down: {type(error).__name__}: {error}"
            return Outcome(drill=name, done="not finished", lost=[sentence], figures="")


def _table(outcomes: Sequence[Outcome]) -> str:
    rows = [
        [
            outcome.drill,
            outcome.done,
            f"LOST, {len(outcome.lost)} times" if outcome.lost else "nothing lost",
            outcome.figures,
        ]
        for outcome in outcomes
    ]
    losses = [f"{outcome.drill}: {sentence}" for outcome in outcomes for sentence in outcome.lost[:SHOWN]]
    return "\n".join(
        [report.table(["drill", "what was done", "verdict", "figures"], rows), *(["", *losses] if losses else [])]
    )


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    # The handler runs once, because a second signal would interrupt the cleanup. SIG_IGN is no option: Python raises
    # OSError for a signal that is already pending.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)
    raise KeyboardInterrupt


if __name__ == "__main__":
    for stop_signal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop_signal, _interrupt)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
