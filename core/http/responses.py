"""The envelope of errors: for the views of the service, and for the DRF views of a host project."""

import logging
from collections.abc import Mapping
from typing import Any

import orjson
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import BadRequest as DjangoBadRequest
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpResponse, UnreadablePostError
from django_ratelimit.exceptions import Ratelimited
from rest_framework import exceptions
from rest_framework.serializers import as_serializer_error
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from ..db import outage
from ..db.failures import Fault, fault_of, is_write_refused
from ..errors import (
    BadRequest,
    DbUnreachable,
    InternalError,
    NotFound,
    Overloaded,
    PayloadTooLarge,
    RateLimited,
    ServiceError,
    WritesStopped,
)

logger = logging.getLogger("authsvc.errors")

# The service has its own codes for these codes and statuses of DRF.
_OWN_CODES = {
    ("invalid", 400): BadRequest.code,
    ("parse_error", 400): BadRequest.code,
    ("throttled", 429): RateLimited.code,
    ("error", 500): InternalError.code,
}


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
        case DatabaseError() if fault_of(error) is Fault.STOPPED:
            return WritesStopped()
    logger.error("a request failed with an unexpected error", exc_info=error)
    return InternalError()


def envelope(error: ServiceError) -> HttpResponse:
    """Return the response for the error, with the error's status and headers and the envelope as the body."""
    return _respond(error.body(), status=error.status, headers=error.headers())


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:  # noqa: ARG001 - DRF's signature
    """Return the response for an exception in a DRF view of a host project.

    The host sets this function as EXCEPTION_HANDLER in REST_FRAMEWORK. Status and headers are the same as in DRF's own
    handler. In addition, ValidationError of Django gets 400, and a refusal of django-ratelimit gets 429. An unexpected
    exception is logged and gets 500. The body is JSON in the envelope for every renderer of the view. Transactions of
    ATOMIC_REQUESTS are rolled back.
    """
    set_rollback()
    match error:
        case Http404():
            error = exceptions.NotFound(*error.args)
        # The exception is a subclass of PermissionDenied, so DRF's own handler answers 403.
        case Ratelimited():
            error = exceptions.Throttled()
        case PermissionDenied():
            error = exceptions.PermissionDenied(*error.args)
        case DjangoValidationError():
            error = exceptions.ValidationError(as_serializer_error(error))
        case RequestDataTooBig():
            error = PayloadTooLarge("The body is too large.")
    if not isinstance(error, exceptions.APIException):
        failure = as_service_error(error)
        # The host's response has no X-Request-ID header, which the usual message names.
        return envelope(InternalError("Something went wrong.") if isinstance(failure, InternalError) else failure)
    # The detail has a code of its own, unless it is a list or a dictionary of details.
    code = str(getattr(error.detail, "code", error.default_code))
    message = first_message(error.detail) or str(error.default_detail)
    body = {
        "code": _OWN_CODES.get((code, error.status_code), code),
        # DRF's messages can quote half of a surrogate pair, which is not valid UTF-8.
        "message": message.encode(errors="replace").decode(),
    }
    return _respond(body, status=error.status_code, headers=_headers_of(error))


def first_message(detail: Any, path: str = "") -> str:
    """Return one sentence about the first invalid member of DRF's error detail, such as `email: is required.`.

    Returns "" when the detail has no message.
    """
    if isinstance(detail, Mapping):
        # Messages about the whole object have one of these keys.
        unnamed = (api_settings.NON_FIELD_ERRORS_KEY, NON_FIELD_ERRORS)
        named = ((path if key in unnamed else f"{path}.{key}".strip("."), inner) for key, inner in detail.items())
        return next(filter(None, (first_message(inner, name) for name, inner in named)), "")
    if isinstance(detail, list):
        return next(filter(None, (first_message(item, path) for item in detail)), "")
    return f"{path}: {detail}" if path else str(detail)


def _headers_of(error: exceptions.APIException) -> dict[str, str]:
    """Return the headers that DRF's own handler adds. DRF itself adds Allow to every response of a view."""
    headers = {}
    # DRF sets this attribute when the first authentication class of the view has a challenge.
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if seconds := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(seconds))
    return headers


def _respond(body: Mapping[str, Any], *, status: int, headers: Mapping[str, str]) -> HttpResponse:
    return HttpResponse(
        orjson.dumps({"error": body}), status=status, content_type="application/json", headers=dict(headers)
    )
