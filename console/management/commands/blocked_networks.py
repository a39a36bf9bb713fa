"""`manage.py blocked_networks`: list the networks that operators blocked, and unblock one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError, no_translations

from accounts.management.users.os_user import find_os_user
from core.clock import now, rfc3339
from core.commands import ServiceCommand
from core.db.deployment import is_embedded

from ...blocks.networks import BlockRefused, list_blocks, parse_network, unblock_by_command


class Command(ServiceCommand):
    """Lists the blocked networks, and ends the block of one."""

    help = "List the networks that operators blocked in the console. --unblock ends a block, such as that of your own network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--unblock", metavar="NETWORK", help="IP address or network whose block ends now")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        if is_embedded():
            raise CommandError("An embedded deployment has no console, so no network is blocked there.")
        if options["unblock"]:
            self._unblock(options["unblock"])
            return
        blocks = list_blocks(now=now())
        for row in blocks:
            self.stdout.write(f"{row.network}  until {rfc3339(row.ends_at)}  {row.reason!a}")
        if not blocks:
            self.stdout.write("No network is blocked.")

    def _unblock(self, text: str) -> None:
        try:
            network = str(parse_network(text))
        except BlockRefused as error:
            raise CommandError(str(error)) from None
        if not unblock_by_command(network=network, os_user=find_os_user(), now=now()):
            raise CommandError(f"{network} is not blocked. Without --unblock, the command lists the blocked networks.")
        self.stdout.write(f"{network} is unblocked. Every process permits it within seconds.")
