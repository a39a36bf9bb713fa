"""`manage.py service_keys`: makes, lists and revokes the keys of the operator's own services."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError

from core.clock import now, rfc3339
from core.commands import ServiceCommand

from ...models import DAYS_MAX, NAME_MAX
from ...service_keys import SCOPES, create_service_key, list_service_keys, revoke_service_key


class Command(ServiceCommand):
    """Makes, lists and revokes the keys of the operator's own services."""

    help = "Make, list and revoke the keys by which your own services call the routes that demand a scope."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="make a key and print it; it is stored nowhere")
        create.add_argument("name", help="name of the service that gets the key")
        create.add_argument("--scope", action="append", choices=SCOPES, required=True, help="a scope of the key")
        create.add_argument("--days", type=int, default=0, help="days until the key expires (default: it never does)")
        acts.add_parser("list", help="list the keys that are not revoked")
        revoke = acts.add_parser("revoke", help="revoke a key permanently")
        revoke.add_argument("prefix", help="the part of the key before its second underscore")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write({"create": _create, "list": _list, "revoke": _revoke}[options["act"]](options))


def _create(options: dict[str, Any]) -> str:
    if not 1 <= len(options["name"]) <= NAME_MAX or not options["name"].isprintable():
        raise CommandError(f"The name must have 1 to {NAME_MAX} printable characters.")
    if not 0 <= options["days"] <= DAYS_MAX:
        raise CommandError(f"--days must be at least 0 and at most {DAYS_MAX}.")
    lifetime = timedelta(days=options["days"]) or None
    made = create_service_key(name=options["name"], scopes=options["scope"], lifetime=lifetime, now=now())
    return (
        f"{made.key}\nCopy the key now, because it is not shown again. Revoke it by: service_keys revoke {made.prefix}"
    )


def _list(_: dict[str, Any]) -> str:
    lines = [
        f"{row.prefix}  {row.name}  {' '.join(row.scopes)}  "
        f"{'never expires' if row.expires_at is None else f'expires {rfc3339(row.expires_at)}'}"
        for row in list_service_keys()
    ]
    return "\n".join(lines) or "There are no service keys."


def _revoke(options: dict[str, Any]) -> str:
    if not revoke_service_key(prefix=options["prefix"], now=now()):
        raise CommandError(f"There is no key with the prefix {options['prefix']}. `service_keys list` names the keys.")
    return f"Revoked {options['prefix']}."
