"""The subcommands of `manage.py users`."""

from collections.abc import Sequence

from .show import Show
from .subcommand import Subcommand, subcommands_of_apps

_OWN: Sequence[Subcommand] = (Show(),)


def list_subcommands() -> Sequence[Subcommand]:
    """Return all subcommands: those of this app, then those of higher apps."""
    return (*_OWN, *subcommands_of_apps)
