"""The logging of the standalone project: one JSON object per line on standard error.

A host project configures its own logging.
"""

import logging
import time
from functools import lru_cache
from typing import Any

import orjson

from . import tracing
from .http.access_log import request_id_of_context

LEVELS = {"debug": "DEBUG", "info": "INFO", "warn": "WARNING", "error": "ERROR"}
_SPELLED = {level: name for name, level in LEVELS.items()}

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""The attributes of every log record. All other attributes of a record were passed as `extra`."""


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object.

    The members are `time`, `level`, `logger`, `event`, `request_id` during a request, and the fields passed as `extra`.
    A record of a request with a trace also has the member `trace_id`, and a record of an exception `exception`.
    """

    def format(self, record: logging.LogRecord) -> str:
        seconds = int(record.created)
        line: dict[str, Any] = {
            "time": f"{_text_of(seconds)}.{int((record.created - seconds) * 1_000_000):06}Z",
            "level": _SPELLED.get(record.levelname) or record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if request_id := request_id_of_context.get():
            line["request_id"] = request_id
        if trace_id := tracing.current_trace_id():
            line["trace_id"] = trace_id
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


# The time of a line took a fifth of the instructions of an access log line, because Python builds three objects for it.
@lru_cache(maxsize=1)
def _text_of(seconds: int) -> str:
    """Return the second since the epoch as RFC 3339 in UTC, without an offset. The lines of one second share it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def logging_config(*, level: str) -> dict[str, Any]:
    """Return the dict for Django's setting `LOGGING`. `level` is debug, info, warn or error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": LEVELS[level]},
        "loggers": {
            # These two loggers repeat the access log, but with the full path, which may contain credentials.
            "django.request": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            # urllib3 logs paths at debug level. A path may contain a webhook's secret or part of a password's digest.
            "urllib3": {"level": "ERROR"},
        },
    }
