"""The wheel: its files and types, and sites that install it with and without extras."""

import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

import setup

from .environments import ROOT, Workshop, output_of
from .same_names import FILES, SETTINGS

pytestmark = pytest.mark.timeout(300)

PACKAGES = ("gatehouse", *setup.APPS)
COMMANDS = "gatehouse/accounts/management/commands"
RENAMED = {
    f"{COMMANDS}/{name}.py": f"{COMMANDS}/gatehouse_{name}.py"
    for name in ("doctor", "prune", "users", "webhooks", "worker")
}
LEFT_OUT = {f"{COMMANDS}/generate_docs.py"}


def use_in_site(apps: Sequence[str], *, python: Path, directory: Path) -> list[str]:
    """Run the site with these apps of the wheel, and return the lines that it prints."""
    settings = f"APPS = {[f'gatehouse.{app}' for app in apps]}\n{SETTINGS}"
    for name, text in {**FILES, "settings.py": settings}.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return output_of(python, "use.py", cwd=directory, DJANGO_SETTINGS_MODULE="settings").splitlines()


def test_the_wheel_has_each_file_of_the_apps_below_one_package(wheel: Path) -> None:
    expected = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                name = str(path.relative_to(ROOT))
                name = name if package == "gatehouse" else f"gatehouse/{name}"
                text = path.read_bytes()
                if path.suffix == ".py":
                    text = setup.rewrite(text.decode()).encode()
                if name not in LEFT_OUT:
                    expected[RENAMED.get(name, name)] = text

    with ZipFile(wheel) as archive:
        found = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}

    earlier = {f"gatehouse/{name.replace('.', '/')}.py" for name in setup.MOVED}
    empty = {f"gatehouse/accounts/{name}/__init__.py" for name in ("core", "core/http", "events")}
    assert found.keys() == expected.keys() | earlier | empty
    assert expected.items() <= found.items()
    assert "gatehouse/py.typed" in found


def test_a_site_with_packages_of_the_same_names_installs_all_apps(workshop: Workshop, tmp_path: Path) -> None:
    apps = ("accounts", "sessions_app", "mfa", "apikeys", "askai", "pages", "oidc", "console")

    lines = use_in_site(apps, python=workshop.environment("gatehouse[all]"), directory=tmp_path)

    assert {"No changes detected", "the site's own worker", "audit events: 0 would be deleted"} <= set(lines)
    assert lines[-10:] == [
        "201 POST /v1/signup",
        "200 POST /v1/login",
        "200 GET /v1/verify",
        "200 POST /v1/totp/enroll",
        "201 POST /v1/api-keys",
        "501 GET /v1/admin/overview",
        "200 GET /v1/openapi.json",
        "200 GET /.well-known/jwks.json",
        "200 GET /mail/password-reset",
        "the site's own console",
    ]


def test_a_site_installs_accounts_and_sessions_alone_without_extras(without_extras: Path, tmp_path: Path) -> None:
    lines = use_in_site(("accounts", "sessions_app"), python=without_extras, directory=tmp_path)

    assert {"201 POST /v1/signup", "200 POST /v1/login", "200 GET /v1/verify"} <= set(lines)
    assert {"404 POST /v1/totp/enroll", "404 POST /v1/api-keys", "404 GET /v1/admin/overview"} <= set(lines)


def test_a_type_checker_reads_the_types_of_the_wheel(without_extras: Path, tmp_path: Path) -> None:
    (tmp_path / "views.py").write_text(
        "from gatehouse.sessions_app.site.authentication import AccessTokenAuthentication\n"
        "reveal_type(AccessTokenAuthentication.authenticate)\n"
    )

    checked = output_of(sys.executable, "-m", "mypy", "--python-executable", without_extras, "views.py", cwd=tmp_path)

    assert "tuple[Any, gatehouse.core.keys.jwt.Caller] | None" in checked
