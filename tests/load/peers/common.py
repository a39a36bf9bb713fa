"""The common settings of the peers' projects."""

import os

# libpq reads the server's address from environment variables.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": os.environ.get("PEER_DATABASE"),
        "CONN_MAX_AGE": None,
    }
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "root": {"handlers": ["console"]},
}
PASSWORD_HASHERS = ["tests.load.peers.parts.SameArgon2"]
