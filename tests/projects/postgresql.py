"""The standalone project on PostgreSQL: the full deployment."""

import os

from . import environment

environment.apply(os.environ["TEST_POSTGRES_URL"])

from config.settings import *  # noqa: E402, F403 - the environment comes first

# Many threads of a race connect at once. On a busy machine, that can take longer than the two seconds of the product.
DATABASES["default"]["OPTIONS"]["connect_timeout"] = 10  # noqa: F405 - from the settings
