"""The OpenAPI document of the deployment. It describes every operation in the URLconf, at the path of its mount."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.settings import SPECTACULAR_DEFAULTS, patched_settings

from .contents import CONTENTS, position_of
from .description import operation_id
from .view import SPEC_VERSION, ServiceView

DESCRIPTION = """\
Accounts, sessions, second factors, API keys and an operator console.

**Start here.** Sign up, then log in. Send the access token as `Authorization: Bearer …`. It expires after some minutes.
On `invalid_access_token`, refresh once, keep only the newest refresh token, and repeat the request. If the refresh fails
too, log in again. Never use a refresh token twice: the second use ends the session.

**Bodies.** A success is `{"data": …}`, and an error is `{"error": {"code", "message"}}`. Your program decides by the code.
It can show or log the message. A request body is a JSON object of at most 64 KiB and 32 levels. The service ignores
members that are not listed. A text must not contain a NUL character. Write an integer without a fraction, not as `5.0`.
Timestamps are in UTC.

**Schemas.** The answer is 400 if the body or the query does not match its schema. A body or query that matches its schema
is refused as malformed only where its description says so. Tokens, codes, ids and passwords are plain texts. If one of
them is wrong or malformed, the answer is the error that the operation lists. Treat tokens as opaque.

**Errors of every address.** Any address can also answer 404 `not_found`, 405 `method_not_allowed` with `Allow`, 400
`bad_request` for a Host that the service does not accept, and 500 `internal_error`. An operation without a body can answer
400, 411, 413 or 415 if you send a body. If an answer has `Retry-After`, wait as many seconds, then try again. When you
report a problem, include the `X-Request-ID` of the answer.
"""


def _position(endpoint: tuple[str, str, str, Any]) -> int:
    _, _, method, callback = endpoint
    return position_of(operation_id(callback.cls, method))


# These are all of drf-spectacular's own defaults, so that the host project's SPECTACULAR_SETTINGS have no effect.
_SETTINGS = {
    **{
        name: default
        for name, default in SPECTACULAR_DEFAULTS.items()
        if not name.startswith("SERVE_") and name != "DEFAULT_GENERATOR_CLASS"
    },
    "OAS_VERSION": "3.1.0",
    "TITLE": "Gatehouse",
    "VERSION": SPEC_VERSION,
    "DESCRIPTION": DESCRIPTION,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # The document contains enums inline, because components need unique names. Two apps may use the name `status` for
    # different enums.
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enum_id_removal"],
    "SORT_OPERATIONS": _position,
}

# drf-spectacular stores its settings, its warnings and the schema of each view class in global state during a
# generation. Therefore only one generation runs at a time.
_generating = threading.Lock()


class _ServiceRoutes(EndpointEnumerator):
    def should_include_endpoint(self, path: str, callback: Callable[..., Any]) -> bool:
        view = getattr(callback, "cls", object)
        return issubclass(view, ServiceView) and super().should_include_endpoint(path, callback)


class _Generator(SchemaGenerator):
    endpoint_inspector_cls = _ServiceRoutes


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedOperation:
    """An operation with the path of its mount. `path` is a template such as `/v1/sessions/{session_id}`."""

    method: str
    path: str
    view: ServiceView


def routed_operations(*, urlconf: str) -> list[RoutedOperation]:
    """Return all operations of the URLconf that belong in the document, sorted by path."""
    with _generating, patched_settings({**_SETTINGS, "SORT_OPERATIONS": True}):
        found = _ServiceRoutes(urlconf=urlconf).get_api_endpoints()
    return [RoutedOperation(method=method, path=path, view=callback.cls()) for path, _, method, callback in found]


@cache
def document(*, urlconf: str, server: str) -> bytes:
    """Return the OpenAPI 3.1 document of the URLconf as JSON. The process generates each document once.

    `server` is the address below which the whole site is served, without a slash at its end.
    """
    with _generating, patched_settings(_SETTINGS), GENERATOR_STATS.silence():
        described = _Generator(urlconf=urlconf).get_schema(public=True)
    used = {tag for methods in described["paths"].values() for one in methods.values() for tag in one["tags"]}
    tags = [{"name": part.title, "description": part.description} for part in CONTENTS if part.title in used]
    return orjson.dumps({**described, "tags": tags, "servers": [{"url": server}]})
