"""The standalone project on PostgreSQL: the full deployment."""

import os

from . import environment

environment.apply(os.environ["TEST_POSTGRES_URL"])

from config.settings import *  # noqa: E402, F403 - the environment comes first
