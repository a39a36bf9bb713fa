"""The standalone project on PostgreSQL, reached through PgBouncer in transaction mode."""

import os

from . import environment

URL = os.environ["TEST_POSTGRES_URL"]
environment.apply(URL)
os.environ |= {"DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": URL}

from config.settings import *  # noqa: E402, F403 - the environment comes first

DATABASES["default"]["OPTIONS"]["connect_timeout"] = 10  # noqa: F405 - as in the project on PostgreSQL
# The tests' database is made without the pooler. After that, tests/conftest.py puts the pooler in front of it.
del DIRECT_DATABASE  # noqa: F821 - from the settings
