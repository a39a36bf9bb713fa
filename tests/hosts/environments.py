"""The wheel, and environments that install it. A run makes each once, for all of its workers."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
LOCKS = ("requirements.lock", "requirements.hosts.lock")


def variables_for_sites() -> dict[str, str]:
    """Return the variables of this process, except the one that chooses a Django project."""
    return {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command with `variables` in addition to the variables for sites."""
    every = variables_for_sites() | variables
    return subprocess.run(command, cwd=cwd, env=every, capture_output=True, text=True, check=False)


def output_of(*command: str | Path, cwd: Path, **variables: str) -> str:
    """Return the standard output of the command. Raises AssertionError with its whole output when it fails."""
    done = run(*command, cwd=cwd, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """A directory that all workers of a run share."""

    directory: Path

    def wheel(self) -> Path:
        """Return the wheel that `python -m build` makes from the sdist, which it makes first."""
        (path,) = (self._once("wheel", build) / "dist").glob("*.whl")
        return path

    def environment(self, *requirements: str) -> Path:
        """Return the interpreter of an environment with the requirements. May skip.

        The requirement `gatehouse`, with or without extras, is the wheel. A requirement such as `django==5.2` has that
        version. All other packages have the versions of the locks.
        """
        wheel = self.wheel()
        wanted = [f"{name} @ {wheel.as_uri()}" if name.startswith("gatehouse") else name for name in requirements]
        name = re.sub(r"[^\w.]+", "-", "-".join(sorted(requirements)))
        return self._once(name, lambda directory: install(wanted, directory=directory)) / "venv" / "bin" / "python"

    def _once(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return the directory that one call of `make` filled. Another worker waits for that call."""
        directory = self.directory / name
        with (self.directory / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = directory / "done"
            if not done.exists():
                shutil.rmtree(directory, ignore_errors=True)
                directory.mkdir()
                make(directory)
                done.touch()
        return directory


def build(directory: Path) -> None:
    """Build the wheel in the directory from a copy of the checkout."""
    unneeded = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "var", "*.egg-info")
    shutil.copytree(ROOT, directory, ignore=unneeded, dirs_exist_ok=True)
    output_of(sys.executable, "-m", "build", "--no-isolation", cwd=directory)


def install(requirements: list[str], *, directory: Path) -> None:
    """Make the environment `venv` in the directory. Skips the test when no index of packages can be reached."""
    pins = directory / "pins.txt"
    texts = ((ROOT / lock).read_text() for lock in LOCKS)
    locked = {pin for text in texts for pin in re.findall(r"^\S+==[^\\\n]+", text, re.MULTILINE)}
    chosen = {requirement.partition("==")[0] for requirement in requirements if "==" in requirement}
    pins.write_text("\n".join(pin for pin in locked if pin.partition("==")[0] not in chosen))
    output_of(UV, "venv", "--python", sys.executable, directory / "venv", cwd=directory)
    python = directory / "venv" / "bin" / "python"
    installed = run(UV, "pip", "install", "--python", python, *requirements, "-c", pins, cwd=directory)
    if installed.returncode != 0:
        assert "No solution found" not in installed.stderr, installed.stderr
        pytest.skip(f"The packages {requirements} could not be installed: {installed.stderr.strip()}")
