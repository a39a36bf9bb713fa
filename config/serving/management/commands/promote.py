"""`manage.py promote`: move an embedded deployment from SQLite to PostgreSQL."""

import time
from argparse import ArgumentTypeError
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from accounts.ops.promotion.lines import Table, find_tables
from accounts.ops.promotion.promotion import Progress, Promoted, Step, promote
from accounts.ops.promotion.source import Source, Unfit
from accounts.ops.promotion.target import Target, take_turn
from config.database import database_of
from config.environment import POSTGRESQL_URL
from config.settings import BASE_DIR
from core.commands import ServiceCommand
from core.conf import Malformed
from core.db.deployment import use_database
from core.db.tables import compare_migrations
from core.keys.columns import sealed_columns
from mail.models import OutgoingMail

from ...checks import check_pooler
from .serve import MIGRATION_LOCK

LINE_SECONDS = 5.0
"""The time in seconds between two lines about a step. A terminal gets one line that changes."""

_NEXT = """
Switch now. The clients keep their sessions.
  1. Stop this deployment. It answers, but it accepts no changes any more.
  2. Set DATABASE_URL to the URL that you gave to this command.
  3. Start the service: manage.py serve
  4. Make an operator for the console: manage.py grant_operator -email ADDRESS
Keep all other variables and files:
  SECRET_KEY, which opens the queued mails ({mails:,}).
{sealed}  SIGNING_KEYS_FILE, so that the access tokens stay valid.
  CACHE_URL, if it is set. Without it the limits count from zero, in PostgreSQL instead of {limits}.
The ids that the database counts go on after the largest ones, in {counters}.
To stay on SQLite, run manage.py promote --cancel. Changes that were made in PostgreSQL would then be lost.
"""


def _url(text: str) -> dict[str, Any]:
    try:
        return database_of(POSTGRESQL_URL.read(text), base_dir=BASE_DIR)
    except Malformed as error:
        raise ArgumentTypeError(str(error)) from None
    except (ValueError, ImproperlyConfigured):
        raise ArgumentTypeError(f"must be {POSTGRESQL_URL.expects}") from None


class Command(ServiceCommand):
    """Moves all data to PostgreSQL while the service serves. Writes stop for the last part only."""

    help = (
        "Move this SQLite deployment to PostgreSQL while it serves, with all sessions, keys and queues. Writes stop for "
        "the last part. Afterwards this deployment refuses writes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "url", nargs="?", type=_url, metavar="URL", help=f"an empty database: {POSTGRESQL_URL.expects}"
        )
        what.add_argument("--cancel", action="store_true", help="let this deployment accept writes again")

    def handle(self, *, url: dict[str, Any] | None, cancel: bool, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("DATABASE_URL is not an SQLite database, so there is nothing to promote.")
        source = Source(connection.settings_dict["NAME"])
        try:
            with source.taken():
                if cancel:
                    self._cancel(source)
                elif url is not None:
                    self._promote(source, url)
        except Unfit as reason:
            raise CommandError(str(reason)) from None

    def _cancel(self, source: Source) -> None:
        target = source.resume()
        if target is None:
            self.stdout.write("This deployment accepts writes. There was nothing to cancel.")
        else:
            self.stdout.write(
                f"This deployment accepts writes again. Do not use {target} any more: it falls behind now."
            )

    def _promote(self, source: Source, url: dict[str, Any]) -> None:
        source.check()
        _check_release("this database", "Start the service of this release on it once.")
        tables = find_tables()
        for name in source.find_left_behind(tables):
            self.stderr.write(f"The table {name} is not of the service. It stays behind.")
        use_database(url)
        target = Target(connection.get_connection_params())
        try:
            self._prepare(source, target)
            screen = _Screen(self)
            began = time.monotonic()
            promoted = promote(source=source, target=target, tables=tables, report=screen.show)
            screen.end()
            self._conclude(source, target, tables, promoted, seconds=time.monotonic() - began)
        finally:
            target.close()

    def _prepare(self, source: Source, target: Target) -> None:
        self.stdout.write(f"From {source.path} to {target.name}, PostgreSQL {target.version}.")
        target.check()
        if check_pooler(databases=["default"]):
            raise Unfit("The URL leads to a pooler in transaction mode. Give the address of PostgreSQL itself.")
        connection.ensure_connection()
        # The connection that migrates has the lock. After a kill, PostgreSQL keeps both until its statement has ended.
        take_turn(connection.connection, lock=MIGRATION_LOCK)
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        _check_release("the target", "Use the same release for both.")
        connection.close()
        target.take(lock=MIGRATION_LOCK)
        self.stdout.write("The target is fit. Its tables are made.")

    def _conclude(
        self, source: Source, target: Target, tables: list[Table], promoted: Promoted, *, seconds: float
    ) -> None:
        filled = [table for table in promoted.tables if table.rows or table.changed]
        width = max(len(table.name) for table in promoted.tables)
        self.stdout.write(f"{'the same on both sides':{width}}  {'rows':>11}  checksum of the copy  changed meanwhile")
        for table in filled:
            self.stdout.write(f"{table.name:{width}}  {table.rows:>11,}  {table.checksum[:20]}  {table.changed:>17,}")
        self.stdout.write(f"{len(promoted.tables) - len(filled)} more tables have no rows.")
        rows = sum(table.rows for table in promoted.tables)
        self.stdout.write(
            f"Promoted {rows:,} rows in {seconds:.0f} s. For {promoted.stopped_seconds:.1f} s no writes were possible."
        )
        sealed = "".join(
            f"  {column.variable}, which opens the {column.name} ({_count(column):,}).\n" for column in sealed_columns
        )
        counters = " and ".join(table.name for table in tables if table.serial)
        mails = next(table.rows for table in promoted.tables if table.name == OutgoingMail._meta.db_table)
        self.stdout.write(
            _NEXT.format(mails=mails, sealed=sealed, limits=f"{source.path.name}.limits", counters=counters).strip()
        )


def _count(column: Any) -> int:
    return int(column.model._default_manager.exclude(**{column.column: None}).count())


def _check_release(database: str, advice: str) -> None:
    """Raise Unfit when the default database has not exactly the migrations of this release."""
    migrations = compare_migrations()
    if migrations.missing:
        raise Unfit(f"The migrations of {database} are incomplete. {advice}")
    if migrations.unknown:
        raise Unfit(f"A newer release migrated {database}. {advice}")


class _Screen:
    """Shows the progress of the steps with a rate and the time left."""

    def __init__(self, command: ServiceCommand) -> None:
        self._out = command.stdout
        self._is_terminal = command.stdout.isatty()
        self._step: Step | None = None
        self._began = self._shown = 0.0
        self._line = ""

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.step is not self._step:
            self.end()
            self._step, self._began, self._shown = progress.step, now, now
        rate = progress.rows / max(now - self._began, 0.001)
        left = (progress.total - progress.rows) / rate if rate else 0.0
        self._line = f"{progress.rows:,} of {progress.total:,} rows {progress.step.value}, {rate:,.0f} a second"
        if self._is_terminal:
            self._out.write(f"\r{self._line}, {left:.0f} s left  ", ending="")
            self._out.flush()
        elif now - self._shown > LINE_SECONDS:
            self._shown = now
            self._out.write(f"{self._line}, {left:.0f} s left")
            self._out.flush()

    def end(self) -> None:
        """End the line of the step."""
        if self._line:
            self._out.write(
                f"{chr(13) if self._is_terminal else ''}{self._line}, {time.monotonic() - self._began:.1f} s"
            )
            self._out.flush()
        self._line = ""
