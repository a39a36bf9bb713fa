"""`manage.py users password-hashes`: print how many users have which kind of password hash."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from core.clock import now

from ...proofs.hash_kinds import Progress, count_kinds, find_progress
from .subcommand import Output


class PasswordHashes:
    """Prints the kinds of the stored hashes with their numbers of users. It changes no hash."""

    name = "password-hashes"
    help = (
        "Show how many users have which kind of password hash. A login rewrites a hash of another kind or other costs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the option for a new count."""
        parser.add_argument(
            "--count", action="store_true", help="count now; without it, the last count of the worker is shown"
        )

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Print the progress."""
        if options["count"]:
            out.problem("Counting. A million users take about ten seconds.")
            count_kinds(now=now(), pause=0, stop=lambda: False)
        for line in _lines(find_progress()):
            out.line(line)


def _lines(progress: Progress) -> Iterator[str]:
    if progress.counted_at is None:
        yield "No worker has counted yet. Run this command with --count."
        return
    width = max((len(f"{kind.users:,}") for kind in progress.kinds), default=1)
    for kind in progress.kinds:
        state = "the kind of new hashes" if kind.is_present else "the next login rewrites it"
        yield f"{kind.users:>{width},}  {kind.name:<24}  {state}"
    share = 1 - progress.remaining / progress.users if progress.users else 1
    yield f"{share:.1%} of {progress.users:,} hashes are of the kind of new hashes."
    yield f"Counted {progress.counted_at:%Y-%m-%d %H:%M} UTC. A worker counts once an hour until all are."
