"""The client in clients/typescript, built below var/."""

import fcntl
import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.processes.packages import install
from tests.processes.running import ROOT

SOURCES = ROOT / "clients" / "typescript"
CACHE = ROOT / "var" / "clients"
BUILT = "built"


@cache
def built_client() -> Path:
    """Return the directory of the built client.

    Its name changes when a file of the client changes. May skip.
    """
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    sources = [path for path in SOURCES.glob("**/*") if path.is_file() and not _is_output(path)] + [SOURCES / ".npmrc"]
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sorted(sources))).hexdigest()[:12]
    directory = CACHE / f"typescript-{digest}"
    directory.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / BUILT).exists():
            for source in sources:
                copy = directory / source.relative_to(SOURCES)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)
            install(["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"], directory=directory)
            (directory / BUILT).touch()
    return directory


def run(command: list[str], *, directory: Path) -> None:
    """Run the command. Raise AssertionError with its output when it fails."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _is_output(path: Path) -> bool:
    return bool({"node_modules", "dist"} & set(path.relative_to(SOURCES).parts))
