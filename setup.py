"""Builds the wheel, with the apps below `gatehouse.`. A site can then have its own packages `accounts` and `mfa`.

The checkout has the apps at its top level. The build copies their modules and puts the prefix before each reference to
an app. References are imports, imported names, and dotted paths in strings and comments. The line numbers stay the
same.
"""

import ast
import io
import re
import shutil
import tokenize
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel
from setuptools.errors import OptionError

ROOT = Path(__file__).resolve().parent
APPS = ("accounts", "apikeys", "askai", "console", "core", "events", "mail", "mfa", "oidc", "pages", "sessions_app")

PREFIXED_COMMANDS = ("doctor", "prune", "users", "webhooks", "worker")
"""A site can have commands with these names. The wheel calls them `gatehouse_prune` and so on."""

LEFT_OUT_COMMANDS = ("generate_docs",)
"""The command writes pages of the checkout."""


def _modules_of(app: str) -> str:
    files = [*(ROOT / app).glob("*.py"), *(path.parent for path in (ROOT / app).glob("*/__init__.py"))]
    return "|".join(sorted({path.stem for path in files}))


MOVED = {
    "accounts.core.errors": "core.errors",
    "accounts.core.http.client": "core.http.client",
    "accounts.core.http.responses": "core.http.responses",
    "accounts.events.audit": "events.audit",
    "accounts.events.vocabulary": "events.vocabulary",
    "sessions_app.asgi": "sessions_app.site.asgi",
    "sessions_app.authentication": "sessions_app.site.authentication",
    "sessions_app.decorators": "sessions_app.site.decorators",
    "sessions_app.django_sessions": "sessions_app.site.django_sessions",
    "sessions_app.locations": "sessions_app.detection.locations",
    "sessions_app.ninja": "sessions_app.site.ninja",
    "sessions_app.pending": "sessions_app.logins.pending",
    "sessions_app.revocation_list": "sessions_app.site.revocation_list",
    "sessions_app.second_factors": "sessions_app.logins.second_factors",
    "sessions_app.spectacular": "sessions_app.site.spectacular",
}
"""Earlier names of public modules. The wheel has a module of each name, so that sites need not change their imports."""


# The name after the dot must be a module. Therefore the host `accounts.google.com` and the file `console.css` stay.
_DOTTED = "|".join(rf"{app}\.(?:{_modules_of(app)})\b" for app in APPS)
_COMMAND = rf"(?<=manage\.py )(?:{'|'.join(PREFIXED_COMMANDS)})\b"
_IN_TEXT = re.compile(rf"(?<![\w./:@-])(?:{_DOTTED})|(?P<command>{_COMMAND})")
# Python 3.12 and newer split an f-string into several tokens.
_TEXT_TOKENS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def rewrite(source: str) -> str:
    """Return the module as the wheel has it. Raises ValueError for code whose meaning the prefix could change."""
    # A line ends at "\n" only, as in the positions of ast and tokenize.
    lines = source.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    insertions = {
        starts[row - 1] + len(lines[row - 1].encode()[:column].decode()): "gatehouse."
        for row, column in _references(source)
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _TEXT_TOKENS:
            first, last = (starts[row - 1] + column for row, column in (token.start, token.end))
            for found in _IN_TEXT.finditer(source, first, last):
                insertions[found.start()] = "gatehouse_" if found["command"] else "gatehouse."
    parts = []
    done = 0
    for offset, prefix in sorted(insertions.items()):
        parts += [source[done:offset], prefix]
        done = offset
    return "".join([*parts, source[done:]])


def _references(source: str) -> Iterator[tuple[int, int]]:
    """Yield the line and the column, in bytes, of each reference to an app in the code."""
    nodes = list(ast.walk(ast.parse(source)))
    imported = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names if _is_ours(alias.name)]
    names = {alias.name.partition(".")[0] for alias in imported if alias.asname is None}
    for alias in imported:
        yield alias.lineno, alias.col_offset
    for node in nodes:
        match node:
            case ast.ImportFrom(level=0, module=str(module)) if _is_ours(module):
                yield node.lineno, node.col_offset + len("from ")
            case ast.Name(id=name, ctx=ast.Load()) if name in names:
                yield node.lineno, node.col_offset
            case ast.Name(id=name) | ast.arg(arg=name) if name in names:
                raise ValueError(f"Line {node.lineno} binds {name}, which the module also imports.")


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in APPS


class BuildApps(build_py):
    """Copies the modules of the apps and rewrites them."""

    def run(self) -> None:
        """Build into an empty directory. Files of an earlier build would otherwise stay in the wheel."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        for old, new in MOVED.items():
            self._write_moved(Path(self.build_lib, "gatehouse", *old.split(".")).with_suffix(".py"), new)

    def _write_moved(self, target: Path, new: str) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        for package in target.parents:
            if (package / "apps.py").exists():
                break
            (package / "__init__.py").touch()
        target.write_text(
            f'"""An earlier name of `gatehouse.{new}`."""\n\nfrom gatehouse.{new} import *  # noqa: F403\n'
        )

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """Return package, name in the wheel and file of each module."""
        found: list[tuple[str, str, str]] = super().find_package_modules(package, package_dir)
        if not package.endswith(".management.commands"):
            return found
        return [
            (package, f"gatehouse_{name}" if name in PREFIXED_COMMANDS else name, file)
            for _, name, file in found
            if name not in LEFT_OUT_COMMANDS
        ]

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """Copy the module to its place in the wheel, with the prefix before each reference."""
        target: str
        target, copied = super().build_module(module, module_file, package)
        Path(target).write_text(rewrite(Path(module_file).read_text("utf-8")), "utf-8")
        return target, copied


class RefuseEditable(editable_wheel):
    """Refuses an editable installation, which would import the modules without the prefix."""

    def run(self) -> None:
        """Raise OptionError."""
        raise OptionError(
            "Gatehouse cannot be installed in editable mode, because the wheel has its apps below `gatehouse.`. Install it "
            "by `pip install PATH`, and again after each change. To run the service from the checkout, use `./dev run`."
        )


if __name__ == "__main__":
    packages = find_packages(include=[*APPS, *(f"{app}.*" for app in APPS)])
    setup(
        packages=["gatehouse", *(f"gatehouse.{package}" for package in packages)],
        package_dir={f"gatehouse.{app}": app for app in APPS},
        cmdclass={"build_py": BuildApps, "editable_wheel": RefuseEditable},
    )
