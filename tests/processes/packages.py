"""Programs of other languages, with packages from their registries. A test without a registry is skipped."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from .running import ROOT

SOURCES = ROOT / "tests" / "verifiers"
CACHE = ROOT / "var" / "verifiers"
INSTALL_SECONDS = 150


def install(command: Sequence[str], *, directory: Path, **variables: str) -> None:
    """Run an install command.

    Skip the test when the command fails, for example without access to a package registry.
    """
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{command[0]} fetched no packages within {INSTALL_SECONDS} s")
    # A lock file that does not fit is a fault of ours.
    assert "EUSAGE" not in done.stderr, done.stderr
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        reason = next((line for line in said if "error" in line.lower()), said[-1] if said else done.returncode)
        pytest.skip(f"{command[0]} could not fetch the packages: {reason}")


@contextmanager
def package_directory(language: str) -> Iterator[Path]:
    """Hold the directory for the packages of the language. Its name changes when one of our files changes.

    One test at a time uses the directory, since the example in it names the port of that test.
    """
    sources = sorted((SOURCES / language).glob("*"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    directory = CACHE / f"{language}-{digest}"
    directory.mkdir(parents=True, exist_ok=True)
    for source in sources:
        shutil.copy(source, directory)
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield directory
