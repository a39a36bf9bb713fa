"""`manage.py users import`: make accounts from the export of another system, or from our own."""

import hashlib
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import OperationalError

from core.clock import now
from core.errors import DbUnreachable, Overloaded
from events.conf import webhook_settings

from ...host import users
from ...ops.transfer.importing import Plan, import_users
from ...ops.transfer.inputs import BrokenInput, Input
from ...ops.transfer.readers import OWN, READERS
from ...ops.transfer.records import Record
from ...ops.transfer.resumption import Journal, Totals
from ...ops.transfer.rows import Terms
from ...ops.transfer.seen import SeenKeys
from ...ops.transfer.survey import Survey, survey
from ...state.metadata import KEY, RESERVED_CLAIM_NAMES
from ..progress import show_progress
from .subcommand import Output

REFUSED_EXIT_CODE = 3
"""The exit code of an import that is complete and refused rows."""

INTERRUPTED_EXIT_CODE = 130
"""The exit code of shells for Ctrl-C."""


class Import:
    """Makes an account of each row. It never changes an account that exists."""

    name = "import"
    help = "Make accounts from an export of another system, or of `users export`. Repeating it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file, its format and the choices."""
        parser.add_argument("file", metavar="FILE", type=Path, help="the export: a file, or a folder of files")
        parser.add_argument("--from", dest="format", choices=tuple(READERS), default=OWN, help="format (%(default)s)")
        parser.add_argument(
            "--with",
            dest="companion",
            metavar="FILE",
            type=Path,
            help="second file: auth0's hashes, supabase's identities",
        )
        parser.add_argument(
            "--issuer",
            action="append",
            default=[],
            type=_pair,
            metavar="ALIAS=URL",
            help="issuer of a provider's alias",
        )
        parser.add_argument(
            "--column", action="append", default=[], type=_pair, metavar="MEMBER=COLUMN", help="column of a csv"
        )
        parser.add_argument(
            "--metadata", action="append", default=[], metavar="NAME", help="member of the export that becomes claims"
        )
        parser.add_argument("--rp-id", default="", metavar="DOMAIN", help="domain of the passkeys in the export")
        parser.add_argument("--hash-config", type=Path, metavar="FILE", help="firebase: file with the hash parameters")
        parser.add_argument(
            "--source", type=_source, metavar="NAME", help="name of the other system (default: its format)"
        )
        parser.add_argument("--id-claim", type=_claim, metavar="NAME", help="claim that keeps the other id")
        parser.add_argument("--drop-factors", action="store_true", help="import people who lose a second factor by it")
        parser.add_argument("--webhooks", action="store_true", help="send account_imported to the webhook")
        parser.add_argument("--dry-run", action="store_true", help="tell what would happen, and store nothing")
        parser.add_argument("--resume", action="store_true", help="go on where a killed import stopped")
        parser.add_argument(
            "--refused", type=Path, metavar="FILE", help="file for the refused rows (default: FILE.refused.ndjson)"
        )

    def run(self, options: Mapping[str, Any], out: Output) -> None:
        """Import the file. Raises CommandError, with REFUSED_EXIT_CODE, when rows were refused."""
        _check(options)
        try:
            with tempfile.TemporaryDirectory(prefix="gatehouse-import-") as scratch:
                totals = _Run(options, out, scratch=Path(scratch)).finish()
        except KeyboardInterrupt:
            raise CommandError("Stopped. Go on with --resume.", returncode=INTERRUPTED_EXIT_CODE) from None
        except BrokenInput as error:
            raise CommandError(str(error)) from None
        except (Overloaded, DbUnreachable, OperationalError):
            raise CommandError("The database does not answer or stays busy. Go on with --resume later.") from None
        if totals.refused:
            refused = _beside(options, "refused.ndjson")
            raise CommandError(f"{totals.refused:,} refused, see {refused}", returncode=REFUSED_EXIT_CODE)


class _Run:
    """One run of the command."""

    def __init__(self, options: Mapping[str, Any], out: Output, *, scratch: Path) -> None:
        self._options = options
        self._out = out
        self._scratch = scratch
        self._input = Input(
            path=options["file"],
            scratch=scratch,
            companion=options["companion"],
            issuers=dict(options["issuer"]),
            columns=dict(options["column"]),
            metadata=tuple(options["metadata"]),
            rp_id=options["rp_id"],
            hash_config=options["hash_config"],
        )

    def finish(self) -> Totals:
        """Import all records, and return the totals."""
        found = survey(self._read())
        self._announce(found)
        options = self._options
        terms = Terms(
            source=options["source"] or options["format"],
            now=now(),
            drops_factors=options["drop_factors"],
            id_claim=options["id_claim"] or "",
        )
        plan = Plan(terms=terms, is_dry_run=options["dry_run"], is_announced=options["webhooks"])
        with (
            Journal(
                refused=_beside(options, "refused.ndjson"),
                progress=_beside(options, "progress.json"),
                fingerprint=_fingerprint(options),
                is_resumed=options["resume"],
            ) as journal,
            SeenKeys(self._scratch / "seen.sqlite3") as seen,
            show_progress(total=found.records, unit="users", done=journal.totals.records) as progress,
        ):
            for step in import_users(self._read(), plan=plan, seen=seen, skip=journal.totals.records):
                journal.note(step)
                progress.advance(step.records)
            journal.finish()
        self._report(journal.totals)
        return journal.totals

    def _read(self) -> Iterator[Record]:
        return READERS[self._options["format"]](self._input)

    def _announce(self, found: Survey) -> None:
        self._out.problem(f"{found.records:,} users in {self._options['file']}.")
        for name, count in sorted(found.left_out.items()):
            self._out.problem(f"Left out of {count:,}: {name}.")
        if found.weak:
            self._out.problem(
                f"{found.weak:,} of them have a weak password hash, which is wrapped in Argon2id. That takes about "
                f"{found.describe_wrapping()} on {found.processors} processors."
            )

    def _report(self, totals: Totals) -> None:
        imported = "would be imported" if self._options["dry_run"] else "imported"
        for name, count in (
            (imported, totals.imported),
            ("already present", totals.present),
            ("deleted here", totals.deleted),
            ("refused", totals.refused),
        ):
            self._out.line(f"{name:<18}{count:>12,}")


def _check(options: Mapping[str, Any]) -> None:
    for name in ("file", "companion", "hash_config"):
        if options[name] is not None and not options[name].exists():
            raise CommandError(f"{options[name]} does not exist.")
    if options["webhooks"] and not webhook_settings().url:
        raise CommandError("WEBHOOK_URL is unset, so --webhooks has no receiver.")
    if options["resume"] and options["dry_run"]:
        raise CommandError("--dry-run stores nothing, so there is nothing to resume.")
    if not users.can_be_inserted_in_bulk():
        raise CommandError("The site's user model has tables of parent models, so users cannot be inserted in bulk.")
    if not users.can_name_new_users():
        raise CommandError("The site's user model has a login name that the service cannot fill.")


def _beside(options: Mapping[str, Any], ending: str) -> Path:
    chosen: Path | None = options["refused"]
    given: Path = options["file"].resolve()
    if chosen is None:
        return given.with_name(f"{given.name}.{ending}")
    return chosen if ending.startswith("refused") else chosen.with_name(f"{chosen.name}.{ending}")


def _fingerprint(options: Mapping[str, Any]) -> str:
    """Return a digest of the files and of the options that decide about rows."""
    paths = [path for name in ("file", "companion", "hash_config") if (path := options[name]) is not None]
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    states = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    chosen = ("format", "issuer", "column", "metadata", "rp_id", "source", "id_claim", "drop_factors")
    return hashlib.sha256(repr((states, [options[name] for name in chosen])).encode()).hexdigest()


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not name or not mark or not value:
        raise ArgumentTypeError("must have the form NAME=VALUE")
    return name, value


def _source(text: str) -> str:
    if not KEY.fullmatch(text):
        raise ArgumentTypeError("must have at most 64 letters, digits and _ . -")
    return text


def _claim(text: str) -> str:
    if not KEY.fullmatch(text) or text in RESERVED_CLAIM_NAMES:
        raise ArgumentTypeError("cannot be the name of a claim")
    return text
