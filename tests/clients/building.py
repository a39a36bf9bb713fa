"""The client in clients/typescript and the examples in clients/examples, built below var/."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.processes.packages import install
from tests.processes.running import ROOT

SOURCES = ROOT / "clients" / "typescript"
EXAMPLES = ROOT / "clients" / "examples"
CACHE = ROOT / "var" / "clients"
BUILT = "built"
QUIET = ("--no-audit", "--no-fund", "--fetch-retries=1")
RUN_SECONDS = 150


@cache
def built_client() -> Path:
    """Return the directory of the built client.

    Its name changes when a file of the client changes. May skip.
    """
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    return _installed(SOURCES, name="typescript", client=None)


def installed_example(name: str) -> Path:
    """Return the directory of a built example with its packages and the package of the client.

    Its name changes when a file of the example or of the client changes. May skip.
    """
    client = built_client()
    return _installed(EXAMPLES / name, name=f"{name}-{client.name}", client=client)


def pack(client: Path, *, directory: Path) -> Path:
    """Make the package of the built client in the directory, and return its path."""
    # The scripts would build the client anew, while other tests use it.
    run(["npm", "pack", "--ignore-scripts", "--pack-destination", str(directory)], directory=client)
    (package,) = directory.glob("gatehouse-client-*.tgz")
    return package


def _installed(source: Path, *, name: str, client: Path | None) -> Path:
    files = [path for path in source.rglob("*") if path.is_file() and not _is_output(path.relative_to(source))]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:12]
    directory = CACHE / f"{name}-{digest}"
    directory.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / BUILT).exists():
            for file in files:
                copy = directory / file.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
            install(["npm", "ci", *QUIET], directory=directory)
            if client is not None:
                package = pack(client, directory=directory)
                install(["npm", "install", "--no-save", *QUIET, str(package)], directory=directory)
                run(["npm", "run", "build"], directory=directory, NEXT_TELEMETRY_DISABLED="1")
            (directory / BUILT).touch()
    return directory


def run(command: list[str], *, directory: Path, **variables: str) -> None:
    """Run the command. Raise AssertionError with its output when it fails."""
    given = {**os.environ, **variables}
    done = subprocess.run(
        command, cwd=directory, env=given, capture_output=True, text=True, timeout=RUN_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _is_output(path: Path) -> bool:
    return bool({"node_modules", "dist", ".next"} & set(path.parts)) or path.suffix == ".tgz"
