"""The envelope of errors, and the handler that maps every exception to an envelope."""

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


def as_service_error(error: Exception) -> ServiceError:  # noqa: PLR0911 - one return per kind of failure
    """Return the service error that the caller gets for an exception.

    A database outage is logged. An unexpected exception is logged and becomes `internal_error`.
    """
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
    """Return the response for the error, with the error's status and headers and the envelope as the body."""
    return HttpResponse(
        orjson.dumps({"error": error.body()}),
        status=error.status,
        content_type="application/json",
        headers=dict(error.headers()),
    )


def exception_handler(error: Exception, context: Mapping[str, Any] | None = None) -> HttpResponse:  # noqa: ARG001 - DRF's signature
    """Return the response for any exception. All views of the service use this handler."""
    return envelope(as_service_error(error))
