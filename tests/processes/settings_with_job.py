"""The settings of the standalone project, with one additional job that runs until the worker stops."""

import os
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from config.settings import *  # noqa: F403 - the settings of the project, unchanged
from core.jobs import jobs


class LongJob:
    """Write a file when the job starts, and another file when the job returns."""

    name = "long job"

    def __init__(self, directory: Path) -> None:
        self._started = directory / "started"
        self._finished = directory / "finished"

    def next_due(self, now: datetime) -> datetime | None:
        return None if self._started.exists() else now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        self._started.touch()
        while not stop():
            time.sleep(0.01)
        self._finished.touch()


jobs.register(LongJob(Path(os.environ["JOB_DIRECTORY"])))
