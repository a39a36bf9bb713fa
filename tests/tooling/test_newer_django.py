"""A host project with a newer Django than the lock's version. That Django needs a newer interpreter."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes.running import ROOT
from tests.processes.variables import empty_database

SMOKE = (
    "tests/api/host_site/test_own_pages.py",
    "tests/api/host_site/test_own_users.py",
    "tests/contract/test_routes.py",
)
TOOLS = ("django-allauth", "factory-boy", "jsonschema-rs", "pytest", "pytest-django", "pytest-timeout", "time-machine")

pytestmark = [
    pytest.mark.skipif(
        settings.ROOT_URLCONF == "config.urls", reason="the standalone project runs what the lock names"
    ),
    pytest.mark.timeout(600),
]


def uv(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    # pyenv puts only the chosen interpreters on the path. The commands of the others fail.
    installed = sorted(
        map(str, Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob("versions/3.1[2-9]*/bin"))
    )
    path = os.pathsep.join([*installed, os.environ["PATH"]])
    variables = {**os.environ, "PATH": path, "UV_PYTHON_DOWNLOADS": "never"}
    command = [Path(sys.executable).with_name("uv"), *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def environment_with(django: str, directory: Path) -> Path:
    """Return the interpreter of a new environment with this Django and the lock's other packages. May skip."""
    made = uv("venv", "--python", ">=3.12", directory / "venv")
    if made.returncode != 0:
        pytest.skip(f"Django {django} needs Python 3.12 or newer, and there is none: {made.stderr.strip()}")
    constraints = directory / "constraints.txt"
    pins = re.findall(r"^(?!django==|django-stubs)\S+==\S+", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    constraints.write_text("\n".join(pins))
    python = directory / "venv" / "bin" / "python"
    packages = [f"django=={django}.*", *TOOLS]
    project = ("-r", "pyproject.toml", "--all-extras", "--group", "standalone")
    installed = uv("pip", "install", "--python", python, *project, "-c", constraints, *packages)
    if installed.returncode != 0:
        # Only an unreachable package index may skip the test.
        assert "No solution found" not in installed.stderr, installed.stderr
        pytest.skip(f"Django {django} could not be installed: {installed.stderr.strip()}")
    return python


@pytest.mark.parametrize("django", ["6.0", "6.1"])
def test_the_apps_work_in_a_host_project_on_a_newer_django(django: str, tmp_path: Path) -> None:
    python = environment_with(django, tmp_path)

    with empty_database(tmp_path) as url:
        variables = {**os.environ, "TEST_POSTGRES_URL": url}
        for command in (
            ["-c", f"import django; assert django.__version__.startswith({django!r})"],
            ["-m", "django", "makemigrations", "--check", "--dry-run"],
            ["-m", "pytest", "-q", "-p", "no:cacheprovider", *SMOKE],
        ):
            done = subprocess.run(
                [python, *command], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
            )

            assert done.returncode == 0, done.stdout + done.stderr
