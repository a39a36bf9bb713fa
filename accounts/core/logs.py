"""Logging of the standalone project: one JSON object a line on standard error. A site configures its own."""

from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

from .access_log import request_id_of_context

LEVELS = {"debug": "DEBUG", "info": "INFO", "warn": "WARNING", "error": "ERROR"}


def logging_config(*, level: str) -> dict[str, Any]:
    """Return a `LOGGING` dict. `level` is debug, info, warn or error."""
    before: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _add_request_id,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": before,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    structlog.processors.JSONRenderer(sort_keys=False),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": LEVELS[level]},
        "loggers": {
            # Django repeats on these what the envelope and the access log say already, with the path in clear.
            # urllib3 logs paths at debug level: the prefix of a password's digest, a secret in a webhook's address.
            "urllib3": {"level": "ERROR"},
            "django.request": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def _add_request_id(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    if request_id := request_id_of_context.get():
        event["request_id"] = request_id
    return event
