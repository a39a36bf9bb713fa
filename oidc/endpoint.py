"""The base class of the endpoints that clients call. Their requests are forms, and their answers are JSON of RFC 6749."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

import orjson
from django.http import HttpRequest, HttpResponse, QueryDict

from core.errors import InvalidDpopProof, ServiceError, UseDpopNonce
from core.http import bodies, possession
from core.http.client import Client as HttpClient
from core.http.responses import as_service_error
from core.http.view import Auth, Operation, ServiceView, check_body_headers
from core.keys.jwt import Caller

from .clients.authentication import authenticate
from .errors import InvalidProof, NonceMissing, OauthError
from .models import Client

FORM = "application/x-www-form-urlencoded"
VALUE_MAX = 16_000
"""The maximum length of a parameter. The longest one is an access token."""

_SERVER_ERROR = 500


class Endpoint(ServiceView):
    """An endpoint for clients. It is public for the API's dispatch, because a client authenticates by its own means."""

    auth = Auth.PUBLIC
    schema = None

    proof_status: ClassVar[int] = 400
    """The status for a proof of possession that is not valid."""

    def prove_key(
        self, request: HttpRequest, client: HttpClient, caller: Caller | None, *, now: datetime
    ) -> HttpClient:
        """Return the client with the key of the request's proof. Raises as `find_key` does."""
        return replace(client, key=possession.find_key(request, now=now))

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the parameters of the form. Raises OauthError when a parameter occurs twice (RFC 6749, section 3.2)."""
        if request.method != "POST":
            return {}
        check_body_headers(request, media_type=FORM)
        raw = bodies.read(request) if request.META.get("CONTENT_LENGTH") else b""
        return single_values(QueryDict(raw, encoding="utf-8"))

    @property
    def authorization(self) -> str:
        """The header Authorization of the request, or ""."""
        return self.request.META.get("HTTP_AUTHORIZATION", "")  # type: ignore[no-any-return]  # META is untyped

    def client_of(self, form: Mapping[str, str], *, now: datetime) -> Client:
        """Return the client that the request authenticates. Raises as `authenticate` does."""
        return authenticate(authorization=self.authorization, form=form, now=now)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error in the form of RFC 6749, section 5.2."""
        match error:
            case InvalidDpopProof():
                error = InvalidProof(str(error), status=self.proof_status)
            case UseDpopNonce():
                error = NonceMissing(status=self.proof_status)
        if isinstance(error, OauthError):
            response = json_answer({"error": error.error, "error_description": str(error)}, status=error.status)
            if error.challenge:
                response.headers["WWW-Authenticate"] = error.challenge
            return response
        failure = as_service_error(error)
        response = json_answer({"error": _code_of(failure), "error_description": str(failure)}, status=failure.status)
        for name, value in failure.headers().items():
            response.headers[name] = value
        return response


def single_values(data: QueryDict) -> dict[str, str]:
    """Return the parameters. An empty value counts as none. Several values of `resource` are joined by blanks.

    Raises OauthError when another parameter occurs twice, or a value is long.
    """
    if "resource" in data:
        data = data.copy()
        data["resource"] = " ".join(map(str, data.getlist("resource")))
    for name, values in data.lists():
        if len(values) > 1:
            raise OauthError("invalid_request", f"The parameter {ascii(name)[1:-1][:50]} occurs twice.")
        if len(str(values[0])) > VALUE_MAX or "\0" in str(values[0]):
            raise OauthError("invalid_request", f"The value of {ascii(name)[1:-1][:50]} is not valid.")
    return {str(name): str(value) for name, value in data.items() if value}


def json_answer(body: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """Return the response with this body. No cache may store it."""
    return HttpResponse(
        orjson.dumps(body),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store", "Pragma": "no-cache"},
    )


def _code_of(failure: ServiceError) -> str:
    if failure.status >= _SERVER_ERROR:
        return "temporarily_unavailable" if failure.headers() else "server_error"
    return "temporarily_unavailable" if failure.code == "rate_limited" else "invalid_request"
