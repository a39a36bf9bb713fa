"""The standalone project on SQLite: the embedded deployment."""

from . import environment

environment.apply(f"sqlite:///{environment.SCRATCH}/unused.sqlite3")

from config.settings import *  # noqa: E402, F403 - the environment comes first

# The database is a file, because tests use threads and each thread has its own connection.
DATABASES["default"]["TEST"] = {"NAME": str(environment.SCRATCH / "test.sqlite3")}  # noqa: F405 - from the settings
