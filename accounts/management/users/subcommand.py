"""The interface of a subcommand of `manage.py users`, and the registry for the subcommands of higher apps."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.core.management.base import OutputWrapper

from core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The streams of a command. `results` is standard output, and `problems` is standard error."""

    results: OutputWrapper
    problems: OutputWrapper

    def line(self, text: str) -> None:
        """Write a line of the result."""
        self.results.write(text)

    def problem(self, text: str) -> None:
        """Write a line about a failure, a question or the progress."""
        self.problems.write(text)


class Subcommand(Protocol):
    """One subcommand. A module has one, and `table.py` lists it."""

    @property
    def name(self) -> str:
        """The word after `manage.py users`."""

    @property
    def help(self) -> str:
        """One sentence for `manage.py users --help`."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments of the subcommand."""

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Run the subcommand with its parsed arguments.

        Raises CommandError when all or a part of it failed. The process then exits with the error's `returncode`.
        """


subcommands_of_apps: Registry[Subcommand] = Registry()
"""The subcommands of higher apps, which register them in their `wiring`."""
