"""`manage.py users`: the acts of operators of the host on accounts. Each subcommand is a module of `management.users`."""

from typing import Any

from django.core.management.base import CommandParser

from core.commands import ServiceCommand

from ..users.subcommand import Output
from ..users.table import list_subcommands


class Command(ServiceCommand):
    """Runs one subcommand."""

    help = "Show and change accounts. `manage.py users SUBCOMMAND --help` has the arguments of each subcommand."

    def add_arguments(self, parser: CommandParser) -> None:
        parsers = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
        for subcommand in list_subcommands():
            own = parsers.add_parser(subcommand.name, help=subcommand.help, description=subcommand.help)
            subcommand.add_arguments(own)

    def handle(self, **options: Any) -> None:
        [chosen] = [one for one in list_subcommands() if one.name == options["subcommand"]]
        chosen.run(options, Output(results=self.stdout, problems=self.stderr))
