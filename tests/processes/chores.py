"""The standalone project with one more job, which goes on until it is told to stop."""

import os
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from accounts.core.jobs import jobs
from config.settings import *  # noqa: F403 - the settings of the project, as they are


class Chore:
    """Leaves a file when it begins, and another one when it ended of its own accord."""

    name = "chore"

    def __init__(self, directory: Path) -> None:
        self._begun = directory / "begun"
        self._finished = directory / "finished"

    def next_due(self, now: datetime) -> datetime | None:
        return None if self._begun.exists() else now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        self._begun.touch()
        while not stop():
            time.sleep(0.01)
        self._finished.touch()


jobs.register(Chore(Path(os.environ["CHORES"])))
