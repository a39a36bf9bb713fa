"""The base class of all routes. Every route of the service is a ServiceView, and all requests take the same steps.

The steps are: authenticate, check the feature, parse, count the call, call the handler, dump the answer. `dispatch`
replaces that of DRF. It reads no attribute that DRF takes from the host project's REST_FRAMEWORK settings. Therefore
these settings cannot change an answer.
"""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import orjson
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from rest_framework import serializers
from rest_framework.views import APIView

from .. import ratelimit, tracing
from ..clock import now as read_clock
from ..conf import core_settings
from ..errors import (
    BadRequest,
    InvalidAccessToken,
    LengthRequired,
    MethodNotAllowed,
    MissingAuthHeader,
    PayloadTooLarge,
    ServiceError,
    UnsupportedMediaType,
)
from ..keys import jwt
from . import access_log, bodies, possession
from .access_tokens import caller_of, has_token
from .answers import binds_key, dump, dumper_of
from .caching import exclude_from_cache
from .call import Call
from .client import Client, client_of
from .host_header import check_host
from .limits import Declared, counting
from .request_headers import RequestHeader
from .responses import as_service_error, envelope, first_message
from .schema import ServiceSchema

if TYPE_CHECKING:
    from typing_extensions import TypeForm

SPEC_VERSION = "1.1"
BODY_MAX_DEPTH = 32
_LENGTH_DIGITS_MAX = 18

# orjson reads an integer beyond 64 bits as a float, but the standard library keeps the exact value.
_LONG_NUMBER = re.compile(rb"[0-9]{19}")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Spec-Version": SPEC_VERSION,
}

T = TypeVar("T")


class Auth(Enum):
    """The callers that a route permits. USER permits every caller whose request contains a valid access token.

    MACHINE permits only API keys. The view itself authenticates them.
    """

    PUBLIC = "Public"
    USER = "User"
    ADMIN = "Admin"
    MACHINE = "API key"

    @property
    def needs_token(self) -> bool:
        """Return whether the route requires an access token."""
        return self in (Auth.USER, Auth.ADMIN)


Handler: TypeAlias = Callable[[Any, Call], T]
Input: TypeAlias = type[serializers.Serializer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The declared input, output, errors and limits of one method of a view. Dispatch, schema, docs and tests use it."""

    handler: str
    id: str = ""
    input: Input | None = None
    query: Input | None = None
    header: RequestHeader | None = None
    output: Any = HttpResponse
    errors: tuple[type[ServiceError], ...] = ()
    limits: Declared = ()
    status: int = 200
    media_type: str = "application/json"
    example: object = None
    input_error: type[ServiceError] = BadRequest
    dump: Callable[[Any], bytes] = dump
    binds_key: bool = False
    """Whether the operation answers tokens that a proof of possession in the request binds to its key."""
    _readers: dict[tuple[str, str], serializers.BaseSerializer[Any]] = field(default_factory=dict, init=False)

    def read(self, member: str, data: Mapping[str, Any], error: type[ServiceError]) -> Mapping[str, Any]:
        """Return the validated data of the member `input` or `query`, or {} when the operation declares no such member.

        Raises `error` when the data is not valid.
        """
        if getattr(self, member) is None:
            return {}
        try:
            # The API's messages are in English, although the host project may have another language active.
            with translation.override("en"):
                return self.reader(member, language="en").run_validation(data)  # type: ignore[no-any-return]  # the stubs return Any
        except serializers.ValidationError as invalid:
            raise error(first_message(invalid.detail)) from None

    def reader(self, member: str, *, language: str) -> serializers.BaseSerializer[Any]:
        """Return the serializer of the declared member `input` or `query`, for messages in this language.

        The operation builds each serializer once, because validation keeps no state between calls. A serializer keeps
        its messages in the language of their first use.
        """
        key = (member, language)
        return self._readers.get(key) or self._readers.setdefault(key, getattr(self, member)())


def operation(
    *,
    output: "TypeForm[T]",
    id: str = "",  # noqa: A002 - the name in OpenAPI
    input: Input | None = None,  # noqa: A002 - the usual name for the data of a request
    query: Input | None = None,
    header: RequestHeader | None = None,
    errors: tuple[type[ServiceError], ...] = (),
    limits: Declared = (),
    status: int = 200,
    media_type: str = "application/json",
    example: object = None,
    input_error: type[ServiceError] = BadRequest,
) -> Callable[[Handler[T]], Handler[T]]:
    """Return a decorator that declares the operation of a handler method. The handler returns an `output`.

    `output` is a frozen dataclass, a list of one, or a union of several. For a document without an envelope it is
    HttpResponse. `example` replaces the example of the output's class; without an envelope it is the whole body. A body
    that `input` refuses is answered with `input_error`. `limits` are the limits that count the calls, beside `edge`. A
    public operation, and one that reads a credential, declares them or an EdgeAlone.
    """

    def mark(handler: Handler[T]) -> Handler[T]:
        declared = Operation(
            handler=handler.__name__,
            id=id,
            input=input,
            query=query,
            header=header,
            output=output,
            errors=errors,
            limits=limits,
            status=status,
            media_type=media_type,
            example=example,
            input_error=input_error,
            dump=dumper_of(output),
            binds_key=binds_key(output),
        )
        run = counting(handler, limits)
        run.operation = declared  # type: ignore[attr-defined]  # __init_subclass__ collects it
        return run

    return mark


class ServiceView(APIView):
    """A route of the service. The route requires an access token unless the class sets another `auth`."""

    auth: ClassVar[Auth] = Auth.USER
    takes_token: ClassVar[bool] = False
    """True when a public route also reads an access token. A token that is not valid counts as none."""
    any_host: ClassVar[bool] = False
    is_catch_all: ClassVar[bool] = False
    """True when the view answers addresses that match no route. The access log then contains an empty route."""
    unlimited: ClassVar[str] = ""
    """The reason why not even the limit `edge` counts the requests. Empty for a route whose requests it counts."""
    operations: ClassVar[Mapping[str, Operation]] = {}
    path_keywords: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """JSON Schema keywords of the path parameters, by parameter name."""

    # The generator of the API's description reads this attribute.
    versioning_class = None
    schema: Any = ServiceSchema()
    """The schema of the view. None removes the route from the API's description."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        declared = {
            name.upper(): getattr(getattr(cls, name, None), "operation", None) for name in cls.http_method_names
        }
        cls.operations = {method: operation for method, operation in declared.items() if operation is not None}

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view function. The host project's ATOMIC_REQUESTS does not wrap it in a transaction."""
        return transaction.non_atomic_requests(super().as_view(**initkwargs))

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        started = perf_counter()
        caller: jwt.Caller | None = None
        client = client_of(request)
        request_id = request_id_of(request)
        access_log.bind(request_id=request_id)
        span = tracing.begin_request(request.META.get("HTTP_TRACEPARENT", ""))
        exclude_from_cache(request)
        try:
            now = read_clock()
            if not self.any_host:
                check_host(request)
            if not self.unlimited:
                ratelimit.hit_edge(client.ip, now=now)
            caller = self.authenticate(request, now=now)
            client = self.prove_key(request, client, caller, now=now)
            declared = self.operation_of(request)
            self.check_feature()
            call = Call(
                now=now,
                client=client,
                caller=caller,
                path=kwargs,
                header=declared.header.read(request) if declared.header else None,
                body=self.read_body(request, declared),
                query=declared.read("query", self.read_query(request), BadRequest) if declared.query else {},
                lacks_token=self.takes_token and not has_token(request),
            )
            answer = self.call_handler(declared, call)
            response = answer if isinstance(answer, HttpResponseBase) else success(answer, declared)
        except Exception as error:  # noqa: BLE001 - every error is answered
            response = self.answer_error(error)
        set_headers(response, request_id=request_id)
        if possession.has_proof(request):
            possession.offer_nonce(response, now=read_clock())
        match = None if self.is_catch_all else request.resolver_match
        route = match.route if match else ""
        access_log.write(
            request=request,
            response=response,
            route=route,
            ip=client.ip,
            user_id=caller.user_id if caller else None,
            started=started,
        )
        if span is not None:
            method = access_log.method_of(request)
            tracing.end_request(span, method=method, route=route, status=response.status_code)
        return response

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the caller by the request's access token, or None on a public route that does not take a token.

        The check of a bearer token does not read the database. Raises as `caller_of` does.
        """
        if self.auth is Auth.PUBLIC:
            return _find_caller(request, now=now) if self.takes_token else None
        return caller_of(request, now=now)

    def prove_key(self, request: HttpRequest, client: Client, caller: jwt.Caller | None, *, now: datetime) -> Client:
        """Return the client with the key whose possession the request proves, when the operation binds new tokens to it.

        Raises InvalidDpopProof or UseDpopNonce when the proof is not valid. The handler then does not run.
        """
        declared = self.operations.get(request.method or "")
        if declared is None or not declared.binds_key or not possession.has_proof(request):
            return client
        # The check of a bound access token has used the proof up.
        proven = caller.key if caller is not None else ""
        return replace(client, key=proven or possession.find_key(request, now=now))

    def check_feature(self) -> None:
        """Raise the route's own 404 when the deployment has not configured the feature. By default, do nothing."""

    def operation_of(self, request: HttpRequest) -> Operation:
        """Return the operation of the request's method. HEAD gets the operation of GET.

        Raises MethodNotAllowed when the route has no such method.
        """
        method = "GET" if request.method == "HEAD" else request.method or ""
        try:
            return self.operations[method]
        except KeyError:
            raise MethodNotAllowed(allow=", ".join(sorted(self.operations))) from None

    def read_query(self, request: HttpRequest) -> Mapping[str, Any]:
        """Return the parameters of the query. Of a parameter that occurs several times, the last value counts."""
        return request.GET.dict()

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the validated JSON body. Raises the operation's `input_error` when the body is not valid.

        Raises LengthRequired, PayloadTooLarge or UnsupportedMediaType before any of the body is read.
        """
        check_body_headers(request, media_type="application/json")
        raw = bodies.read(request) if request.META.get("CONTENT_LENGTH") else b""
        return declared.read("input", read_json_object(raw), declared.input_error)

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the operation's handler."""
        return getattr(self, declared.handler)(call)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the response for an exception of the request. An unexpected exception is logged."""
        return envelope(as_service_error(error))


def _find_caller(request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
    """Return the caller by a valid access token. Return None when the request contains no valid token."""
    try:
        return caller_of(request, now=now)
    except (MissingAuthHeader, InvalidAccessToken):
        return None


def request_id_of(request: HttpRequest) -> str:
    """Return the request id of the caller's `X-Request-ID` header, or a new id.

    The caller's id is used only if it has at most 64 characters. They must be letters, digits, `.`, `_` or `-`.
    """
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)


def check_body_headers(request: HttpRequest, *, media_type: str) -> None:
    """Check the headers of the body before any of the body is read.

    Raises LengthRequired when a chunked body has no length, and BadRequest when the length is malformed. Raises
    PayloadTooLarge when the body is too large. Raises UnsupportedMediaType when the body has a type other than
    `media_type`; a body without a type passes.
    """
    meta = request.META
    length = meta.get("CONTENT_LENGTH", "")
    if not length:
        if meta.get("HTTP_TRANSFER_ENCODING"):
            raise LengthRequired
        return
    if not length.isascii() or not length.isdigit():
        raise BadRequest("The Content-Length header must be a number.")
    # The number of digits comes first, because `int` refuses a text of more than 4,300 digits.
    if len(length) > _LENGTH_DIGITS_MAX or int(length) > bodies.BODY_MAX_BYTES:
        raise PayloadTooLarge
    stated = meta.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if length.strip("0") and stated not in ("", media_type):
        raise UnsupportedMediaType


def read_json_object(raw: bytes) -> Mapping[str, Any]:
    """Return the JSON object of a body. An empty body counts as `{}`. Raises BadRequest for any other body."""
    if not raw:
        return {}
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BadRequest(_fault_of(raw)) from None
    if not isinstance(data, dict):
        raise BadRequest("The body must be a JSON object.")
    if is_deeper(data, BODY_MAX_DEPTH):
        raise BadRequest(f"The body must have at most {BODY_MAX_DEPTH} nested levels.")
    return json.loads(raw) if _LONG_NUMBER.search(raw) else data


def _fault_of(raw: bytes) -> str:
    """Return the error message for a body that is not valid JSON.

    The message names a member that contains half of a surrogate pair.
    """
    try:
        # The standard library accepts half of a surrogate pair, but orjson does not.
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    for name, value in data.items() if isinstance(data, dict) else ():
        try:
            json.dumps([name, value], ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return f"{ascii(name)[1:-1]}: must not contain half of a surrogate pair."
    return "The body must be valid JSON in UTF-8."


def is_deeper(value: Any, levels: int) -> bool:
    """Return whether the JSON value has more than this number of nested levels."""
    if not isinstance(value, (dict, list)):
        return False
    if levels == 0:
        return True
    return any(is_deeper(item, levels - 1) for item in (value.values() if isinstance(value, dict) else value))


def success(answer: Any, declared: Operation) -> HttpResponse:
    """Return the response for the answer of the operation's handler, with the envelope as the body."""
    body = declared.dump({"data": answer})
    return HttpResponse(body, status=declared.status, content_type="application/json")


def set_headers(response: HttpResponseBase, *, request_id: str) -> None:
    """Add the headers of every answer to the response."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["X-Request-ID"] = request_id
    if isinstance(response, HttpResponse):
        response.headers["Content-Length"] = str(len(response.content))
    if core_settings().is_https:
        _set_strict_transport(response)


def _set_strict_transport(response: HttpResponseBase) -> None:
    """Set the HSTS header if Django's SECURE_HSTS_ settings enable the header.

    The header affects a whole domain. Therefore the host project decides on the header with these settings.
    """
    if settings.SECURE_HSTS_SECONDS:
        subdomains = "; includeSubDomains" if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else ""
        preload = "; preload" if settings.SECURE_HSTS_PRELOAD else ""
        response.headers["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}{subdomains}{preload}"
