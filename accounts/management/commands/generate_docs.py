"""`manage.py generate_docs`: write the pages of docs/ that are generated from the code."""

import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils.module_loading import module_has_submodule

from core.conf import Setting, declared
from core.errors import ServiceError
from core.http.openapi import routed_operations
from core.http.tags import area_of
from core.http.view import Auth

from ...ops.transfer.schema import row_schema

ERRORS_HEAD = """\
# Errors

This page lists every error code of the API. An error is `{"error": {"code", "message"}}`. Codes and statuses are stable.
Messages are for people and may change. Only `password_policy_violation` also has `details`: the codes of the broken
rules.

Any address may also answer 400 `bad_request`, 404 `not_found`, 405 `method_not_allowed` and 500 `internal_error`. To a
body that the route does not accept, it may answer 411, 413 and 415.
"""

SETTINGS_HEAD = """\
# Settings

The standalone project reads these variables from its environment. A host project sets the same names in the dict
`AUTH_SERVICE` of its Django settings. For everything under Project, it uses Django's own settings. Everything under
Serving is for `manage.py serve` only. A value that is not valid prevents the start. The error message is one line that
names the variable.
"""

EXCEPTIONS_MAX = 5
"""The most exceptions in a phrase such as `every route but …`. With more exceptions a list of routes is clearer."""


class Command(BaseCommand):
    """Writes the generated pages, or checks that the files match the code."""

    help = "Write docs/errors.md, docs/settings.md and docs/users-format.schema.json from the code."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing, and fail if a page is out of date")
        parser.add_argument("--to", type=Path, metavar="DIRECTORY", help="directory of the pages (default: docs)")

    def handle(self, *, check: bool, to: Path | None, **options: Any) -> None:
        if connection.vendor != "postgresql":
            # An embedded deployment has no console, so the pages would lack the console's routes.
            raise CommandError(
                "The pages describe the full deployment. Set DATABASE_URL to any postgresql:// URL; the command opens no "
                "connection."
            )
        _import_declarations()
        directory = to or Path(settings.BASE_DIR) / "docs"
        pages = {
            directory / "errors.md": errors_page(),
            directory / "settings.md": settings_page(),
            directory / "users-format.schema.json": schema_page(),
        }
        drifted = [page for page, text in pages.items() if not page.exists() or page.read_text() != text]
        if check and drifted:
            names = ", ".join(page.name for page in drifted)
            raise CommandError(f"Out of date: {names}. Run manage.py generate_docs.")
        for page in drifted:
            page.write_text(pages[page])
            self.stdout.write(f"Wrote {page}")


def errors_page() -> str:
    """Return docs/errors.md: every error code with its status, its meaning and the routes that return it."""
    routes, groups = _routes_by_code()
    known = sorted(
        (error for error in ServiceError.registry.values() if area_of(error) != "Project"),
        key=lambda error: (error.status, error.code),
    )
    page = ERRORS_HEAD
    for status, errors in groupby(known, key=lambda error: error.status):
        rows = (
            (f"`{error.code}`", error.message, _routes_text(routes.get(error.code, []), groups)) for error in errors
        )
        page += f"\n## {status}\n\n" + _table(("code", "meaning", "answered by"), rows)
    return page


def settings_page() -> str:
    """Return docs/settings.md: every setting with its default, its form and its meaning."""
    # Two sections can read the same name, such as BASE_URL. The first section counts.
    found: dict[str, tuple[str, Setting]] = {}
    for cls, declaration in declared():
        found.setdefault(declaration.name, (area_of(cls), declaration))
    page = SETTINGS_HEAD
    # Sorted, because the order of the declarations depends on the imports.
    for area, group in groupby(sorted(found.values(), key=_rank), key=lambda item: item[0]):
        rows = ((f"`{one.name}`", _default(one), one.kind.expects, _meaning(one)) for _, one in group)
        page += f"\n## {area}\n\n" + _table(("variable", "default", "must be", "meaning"), rows)
    return page


def schema_page() -> str:
    """Return docs/users-format.schema.json: the JSON Schema of a row of `manage.py users import`."""
    return json.dumps(row_schema(), indent=2, ensure_ascii=False) + "\n"


def _import_declarations() -> None:
    """Import the modules that declare errors and settings. Some of them may not have been imported yet."""
    for app in apps.get_app_configs():
        if app.label.startswith("authsvc_") and app.module is not None:
            for name in ("errors", "conf", "urls"):
                if module_has_submodule(app.module, name):
                    import_module(f"{app.name}.{name}")


def _routes_by_code() -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Return the routes that return each error code, and the named groups of routes."""
    by_code: dict[str, list[str]] = {}
    groups: dict[str, list[str]] = {}
    for routed in routed_operations(urlconf=settings.ROOT_URLCONF):
        route = f"`{routed.method} {routed.path}`"
        declared_operation = routed.view.operations[routed.method]
        for group, is_in in (
            ("every route", True),
            ("every route that takes a token", routed.view.auth.needs_token),
            (
                "every route that takes a token or answers new ones",
                routed.view.auth.needs_token or routed.view.takes_token or declared_operation.binds_key,
            ),
            ("every route of the console", routed.view.auth is Auth.ADMIN),
            ("every route that takes a body", declared_operation.input),
            ("every route that takes a body or a query", declared_operation.input or declared_operation.query),
        ):
            if is_in:
                groups.setdefault(group, []).append(route)
        for error in routed.view.schema.errors_of(routed.method):
            by_code.setdefault(error.code, []).append(route)
    return by_code, groups


def _routes_text(routes: list[str], groups: Mapping[str, list[str]]) -> str:
    if not routes:
        return "no single route"
    for group, members in groups.items():
        exceptions = [route for route in members if route not in routes]
        others = [route for route in routes if route not in members]
        if len(exceptions) + len(others) <= min(EXCEPTIONS_MAX, len(members) // 3):
            but = f" but {', '.join(exceptions)}" if exceptions else ""
            besides = f", and {', '.join(others)}" if others else ""
            return f"{group}{but}{besides}"
    return ", ".join(routes)


def _rank(item: tuple[str, Setting]) -> tuple[bool, bool, str, str]:
    """Return the sort key of a setting. The areas Service and Project come first."""
    area, declaration = item
    return area != "Service", area != "Project", area, declaration.name


def _meaning(declaration: Setting) -> str:
    earlier = f" The earlier name `{declaration.earlier}` still works." if declaration.earlier else ""
    return declaration.doc + earlier


def _default(declaration: Setting) -> str:
    default = declaration.default
    if declaration.default_text:
        return declaration.default_text
    if default is True or default is False:
        return "on" if default else "off"
    text = ",".join(default) if type(default) is tuple else str(default)
    return f"`{text}`" if text else "unset"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
