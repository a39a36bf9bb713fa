"""A caller of the API. The caller checks every answer against the conventions of the API."""

import re
from collections.abc import Mapping
from typing import Any

import orjson
from django.test import Client
from django.urls import resolve

from core import errors
from core.http import openapi

from .answer import Answer
from .description import check_success

__all__ = ["CHROME_ON_MAC", "PASSWORD", "Answer", "Api"]

PASSWORD = "correct horse battery"
CHROME_ON_MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/141.0.0.0 Safari/537.36"
)

# Any route may answer these codes, even when the route does not declare them.
ANYWHERE = {
    "bad_request",
    "not_found",
    "method_not_allowed",
    "length_required",
    "payload_too_large",
    "unsupported_media_type",
    "rate_limited",
    "overloaded",
    "db_unreachable",
}
FOR_SIGNED_IN = {"missing_auth_header", "invalid_access_token", "invalid_dpop_proof", "use_dpop_nonce"}


class Api:
    """A caller with an address, a user agent, and the tokens of its last login."""

    def __init__(self, *, ip: str = "203.0.113.7", user_agent: str = CHROME_ON_MAC) -> None:
        self.client = Client(raise_request_exception=False)
        self.ip = ip
        self.user_agent = user_agent

    def get(self, path: str, **options: Any) -> Answer:
        """GET the path."""
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Answer:
        """POST the body as JSON."""
        return self.call("POST", path, body, **options)

    def delete(self, path: str, body: Any = None, **options: Any) -> Answer:
        """DELETE the path."""
        return self.call("DELETE", path, body, **options)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a JSON body, or none, and return the checked answer."""
        raw = b"" if body is None else orjson.dumps(body)
        return self.send(method, path, raw, token=token, headers=headers)

    def send(
        self,
        method: str,
        path: str,
        raw: bytes = b"",
        *,
        token: str | None = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send the bytes unchanged and return the checked answer."""
        given = {"User-Agent": self.user_agent, **(headers or {})}
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        response = self.client.generic(method, path, raw, content_type=content_type, headers=given, REMOTE_ADDR=self.ip)
        return _checked(method, path, response)


def _checked(method: str, path: str, response: Any) -> Answer:
    body = orjson.loads(response.content) if response.content else None
    answer = Answer(status=response.status_code, body=body, headers=response.headers)
    assert answer.headers["Content-Type"] == "application/json", response.content
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", answer.headers["X-Request-ID"])
    if path.startswith("/v1"):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Spec-Version"] == "1.1"
    if body is None:
        return answer
    if answer.status < 400:
        assert set(body) == {"data"} or not path.startswith("/v1")
        check_success(method, path, answer.status, body)
        return answer
    error = body["error"]
    assert set(body) == {"error"}
    assert set(error) == {"code", "message"} | ({"details"} if error["code"] == "password_policy_violation" else set())
    assert error["message"]
    known = errors.ServiceError.registry[error["code"]]
    assert known.status == answer.status
    _check_declared(method, path, error["code"])
    return answer


def _check_declared(method: str, path: str, code: str) -> None:
    function: Any = resolve(path.partition("?")[0]).func
    view = function.cls
    method = "GET" if method == "HEAD" else method
    declared = view.operations.get(method)
    if declared is None:
        return
    # drf-spectacular has one object for the views of all threads, also for the thread that generates the document.
    with openapi._generating:
        own = view().schema.errors_of(method) if view.schema else declared.errors
    allowed = ANYWHERE | {error.code for error in own} | {declared.input_error.code}
    if view.auth.value != "Public":
        allowed |= FOR_SIGNED_IN
    if view.auth.value == "Admin":
        allowed |= {"not_operator"}
    assert code in allowed, f"{method} {path} answered {code}, which it does not declare"
