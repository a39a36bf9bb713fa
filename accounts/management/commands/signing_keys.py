"""`manage.py signing_keys`: list, rotate and retire the keys that sign tokens."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core import clock
from core.keys import ring as keyring
from core.keys.ring_file import find_exposure, read_ring
from core.keys.signing_keys import Ring, SigningKey, State


class Command(BaseCommand):
    """Lists, rotates and retires signing keys. Running processes use the change within a second, without a restart."""

    help = "List, rotate and retire the keys that sign tokens."
    # No system check may block the replacement of a key.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        actions.add_parser("list", help="show the keys and their times")
        rotate = actions.add_parser(
            "rotate", help="publish a next key, which becomes the active key a few minutes later"
        )
        rotate.add_argument(
            "--now", action="store_true", help="make the new key active at once, and discard a next key"
        )
        retire = actions.add_parser("retire", help="remove a key at once; the tokens that it signed become invalid")
        retire.add_argument("kid", metavar="KID")

    def handle(self, **options: Any) -> None:
        try:
            lines = _run(options, now=clock.now())
        except (keyring.RefusedChange, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        for line in lines:
            self.stdout.write(line)
        if exposure := find_exposure():
            self.stderr.write(self.style.WARNING(exposure))


def _run(options: dict[str, Any], *, now: datetime) -> list[str]:
    match options["action"]:
        case "list":
            return _table(read_ring(), now=now)
        case "retire":
            ring = keyring.retire(kid=options["kid"], now=now)
            return [
                f"Key {options['kid']} is removed. The tokens that it signed are invalid.",
                f"Key {ring.active_key(now=now).kid} signs access tokens.",
            ]
        case _:
            rotate: Callable[..., Ring] = keyring.rotate_at_once if options["now"] else keyring.rotate
            return _rotation(rotate(now=now), now=now)


def _rotation(ring: Ring, *, now: datetime) -> list[str]:
    new_keys = [keys[-1] for keys in (ring.keys, ring.id_token_keys) if keys]
    lines = []
    for new in new_keys:
        if ring.state_of(new, now=now) is State.NEXT:
            lines.append(f"Key {new.kid} ({new.algorithm}) is published. It signs from {_text(new.active_at)}.")
        else:
            lines.append(f"Key {new.kid} ({new.algorithm}) signs {_signed_by(new, ring)} from now on.")
    old_keys = [key for key in ring.all_keys if key not in new_keys]
    if old_keys and ring.state_of(ring.keys[-1], now=now) is not State.NEXT:
        seconds = int(keyring.JWKS_MAX_AGE.total_seconds())
        lines.append(f"Services with a cached copy of the key set may refuse new tokens for up to {seconds} seconds.")
    return lines + [f"Key {key.kid} stays published until {_text(key.retires_at)}." for key in old_keys]


def _table(ring: Ring, *, now: datetime) -> list[str]:
    rows = [("KID", "ALG", "SIGNS", "STATE", "SIGNS FROM", "PUBLISHED UNTIL")]
    for key in ring.all_keys:
        state = ring.state_of(key, now=now).value
        times = (_text(key.active_at), _text(key.retires_at))
        rows.append((key.kid, key.algorithm, _signed_by(key, ring), state, *times))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _signed_by(key: SigningKey, ring: Ring) -> str:
    return "access tokens" if key in ring.keys else "ID tokens"


def _text(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else "-"
