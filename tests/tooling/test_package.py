"""The wheel: its files, and sites that install it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

import setup
from tests.processes.running import ROOT
from tests.tooling.foreign_site import FILES, SETTINGS

pytestmark = [pytest.mark.once, pytest.mark.timeout(300)]

UV = Path(sys.executable).with_name("uv")
PACKAGES = ("accounts", "apikeys", "askai", "console", "gatehouse", "mfa", "sessions_app")
COMMANDS = "gatehouse/accounts/management/commands"
RENAMED = {f"{COMMANDS}/{name}.py": f"{COMMANDS}/gatehouse_{name}.py" for name in ("prune", "webhooks", "worker")}
LEFT_OUT = {f"{COMMANDS}/generate_docs.py"}


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(command, cwd=cwd, env=inherited | variables, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `python -m build` makes from the sdist, which it makes first."""
    checkout = tmp_path_factory.mktemp("checkout") / "gatehouse"
    unneeded = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "var", "*.egg-info")
    shutil.copytree(ROOT, checkout, ignore=unneeded)
    built = run(sys.executable, "-m", "build", "--no-isolation", cwd=checkout)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = (checkout / "dist").glob("*.whl")
    return path


def environment_with(requirement: str, *, wheel: Path, directory: Path) -> Path:
    """Return the interpreter of a new environment with the wheel and the lock's versions of its dependencies. May skip."""
    pins = directory / "pins.txt"
    pins.write_text("\n".join(re.findall(r"^\S+==\S+", (ROOT / "requirements.lock").read_text(), re.MULTILINE)))
    python = directory / "venv" / "bin" / "python"
    made = run(UV, "venv", "--python", sys.executable, directory / "venv", cwd=directory)
    assert made.returncode == 0, made.stderr
    installed = run(
        UV, "pip", "install", "--python", python, f"{requirement} @ {wheel.as_uri()}", "-c", pins, cwd=directory
    )
    if installed.returncode != 0:
        # Only an unreachable package index may skip the test.
        assert "No solution found" not in installed.stderr, installed.stderr
        pytest.skip(f"The dependencies of the wheel could not be installed: {installed.stderr.strip()}")
    return python


@pytest.fixture(scope="module")
def without_extras(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and without extras."""
    return environment_with("gatehouse", wheel=wheel, directory=tmp_path_factory.mktemp("without-extras"))


def use_in_site(apps: Sequence[str], *, python: Path, directory: Path) -> list[str]:
    """Run the site with these apps of the wheel, and return the lines that it prints."""
    settings = f"APPS = {[f'gatehouse.{app}' for app in apps]}\n{SETTINGS}"
    for name, text in {**FILES, "settings.py": settings}.items():
        path = directory / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = run(python, "use.py", cwd=directory / "site", DJANGO_SETTINGS_MODULE="settings")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


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

    assert found.keys() == expected.keys()
    assert found == expected
    assert "gatehouse/py.typed" in found


@pytest.mark.parametrize(
    ("source", "rewritten"),
    [
        ("from accounts import users", "from gatehouse.accounts import users"),
        ("from mfa.conf import settings", "from gatehouse.mfa.conf import settings"),
        ("import mfa.conf as conf", "import gatehouse.mfa.conf as conf"),
        ("import mfa.conf\nuse('é', mfa.conf)", "import gatehouse.mfa.conf\nuse('é', gatehouse.mfa.conf)"),
        ("from . import mfa\nmfa.conf", "from . import mfa\nmfa.conf"),
        ("accounts = accounts.filter()", "accounts = accounts.filter()"),
        ("x = 'accounts.core.db'  # mfa.conf", "x = 'gatehouse.accounts.core.db'  # gatehouse.mfa.conf"),
        ("x = f'see mfa.conf and {mfa}'", "x = f'see gatehouse.mfa.conf and {mfa}'"),
        ("x = '''\n  `manage.py worker`, `worker`'''", "x = '''\n  `manage.py gatehouse_worker`, `worker`'''"),
        ("x = 'https://accounts.google.com'", "x = 'https://accounts.google.com'"),
        (
            "x = {'console.css': 'mfa', 'authsvc_accounts.User': 0}",
            "x = {'console.css': 'mfa', 'authsvc_accounts.User': 0}",
        ),
    ],
)
def test_the_build_puts_the_prefix_before_references_only(source: str, rewritten: str) -> None:
    assert setup.rewrite(source) == rewritten


def test_the_build_refuses_a_variable_with_the_name_of_an_imported_app() -> None:
    with pytest.raises(ValueError, match="Line 2 binds mfa"):
        setup.rewrite("import mfa.conf\ndef use(mfa): return mfa.conf")


def test_a_site_with_packages_of_the_same_names_installs_all_apps(wheel: Path, tmp_path: Path) -> None:
    apps = ("accounts", "sessions_app", "mfa", "apikeys", "askai", "console")
    python = environment_with("gatehouse[all]", wheel=wheel, directory=tmp_path)

    lines = use_in_site(apps, python=python, directory=tmp_path)

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
        "from gatehouse.sessions_app.authentication import AccessTokenAuthentication\n"
        "reveal_type(AccessTokenAuthentication.authenticate)\n"
    )

    checked = run(sys.executable, "-m", "mypy", "--python-executable", without_extras, "views.py", cwd=tmp_path)

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "tuple[Any, gatehouse.accounts.core.keys.jwt.Identity] | None" in checked.stdout
