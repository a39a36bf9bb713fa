"""The standalone project on SQLite: the embedded deployment."""

from . import environment

environment.apply(f"sqlite:///{environment.SCRATCH}/unused.sqlite3")

from config.settings import *  # noqa: E402, F403 - the environment comes first

# A file, not memory: tests use threads, and each has a connection of its own.
DATABASES["default"]["TEST"] = {"NAME": str(environment.SCRATCH / "test.sqlite3")}  # noqa: F405 - from the settings
