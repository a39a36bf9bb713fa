"""The envelope of errors, and the one handler that maps every exception to it."""

import logging
from collections.abc import Mapping
from typing import Any

import orjson
from django.core.exceptions import BadRequest as DjangoBadRequest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpResponse, UnreadablePostError

from ..db import outage
from ..db.failures import Fault, fault_of, is_write_refused
from ..errors import (
    BadRequest,
    DbUnreachable,
    InternalError,
    NotFound,
    Overloaded,
    PayloadTooLarge,
    ServiceError,
)

logger = logging.getLogger("authsvc.errors")


def as_service_error(error: Exception) -> ServiceError:  # noqa: PLR0911 - one return a kind of failure
    """Return what a caller is told of any exception. What nobody foresaw is logged and becomes `internal_error`."""
    match error:
        case ServiceError():
            return error
        case Http404():
            return NotFound()
        case RequestDataTooBig():
            return PayloadTooLarge()
        case UnreadablePostError() | SuspiciousOperation() | DjangoBadRequest():
            return BadRequest()
        case PermissionDenied():
            return BadRequest("The request was refused.")
        case DatabaseError() | InterfaceError() if fault_of(error) is Fault.OUTAGE:
            if is_write_refused(error):
                logger.warning("the database cannot be written", extra=outage.note(error))
                return DbUnreachable.for_writes()
            logger.warning("the database does not answer", extra=outage.note(error))
            return DbUnreachable()
        case DatabaseError() if fault_of(error) is Fault.CONTENTION:
            return Overloaded()
    logger.error("unforeseen failure", exc_info=error)
    return InternalError()


def envelope(error: ServiceError) -> HttpResponse:
    """Return the answer that carries the error: its status, its headers and the envelope."""
    return HttpResponse(
        orjson.dumps({"error": error.body()}),
        status=error.status,
        content_type="application/json",
        headers=dict(error.headers()),
    )


def exception_handler(error: Exception, context: Mapping[str, Any] | None = None) -> HttpResponse:  # noqa: ARG001 - DRF's signature
    """Return the envelope for any exception: the one handler behind every view of the service."""
    return envelope(as_service_error(error))
