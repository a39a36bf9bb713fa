"""Work that one worker of a run does for all."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
"""The name of the worker that this process is, such as `gw0`; "" in a run without workers."""

HAS_WORKERS = bool(WORKER)


def once_a_run(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], str]) -> str:
    """Return the text that `make` returned to the first worker that asked for the name.

    `make` gets a new directory, which lasts as long as the run.
    """
    own = factory.getbasetemp()
    directory = (own.parent if HAS_WORKERS else own) / name
    directory.mkdir(exist_ok=True)
    made = directory / "made"
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            made.write_text(make(directory))
    return made.read_text()
