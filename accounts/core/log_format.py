"""Logging of the standalone project: one JSON object a line on standard error. A site configures its own."""

import logging
from datetime import UTC, datetime
from typing import Any

import orjson

from .clock import rfc3339
from .http.access_log import request_id_of_context

LEVELS = {"debug": "DEBUG", "info": "INFO", "warn": "WARNING", "error": "ERROR"}
_SPELLED = {level: name for name, level in LEVELS.items()}

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""What every record has; all else was passed as `extra`."""


class JsonLines(logging.Formatter):
    """A record as one JSON object: time, level, logger, event, the request's id, what was passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": rfc3339(datetime.fromtimestamp(record.created, tz=UTC)),
            "level": _SPELLED.get(record.levelname) or record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if request_id := request_id_of_context.get():
            line["request_id"] = request_id
        line.update((name, value) for name, value in vars(record).items() if name not in STANDARD)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


def logging_config(*, level: str) -> dict[str, Any]:
    """Return a `LOGGING` dict. `level` is debug, info, warn or error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": LEVELS[level]},
        "loggers": {
            # Django repeats on these what the envelope and the access log say already, with the path in clear.
            "django.request": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            # urllib3 logs paths at debug level: the prefix of a password's digest, a secret in a webhook's address.
            "urllib3": {"level": "ERROR"},
        },
    }
