"""The OpenAPI document of the URLconf under test, and answers held against it."""

import re
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
from django.conf import settings
from django.contrib.admindocs.views import simplify_regex
from django.urls import get_urlconf, resolve

from accounts.core.openapi import document

TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z")


def anonymous(path: str) -> str:
    """Return a path template with empty braces, whatever its parts are called and however the template is written."""
    return re.sub(r"<[^>]+>|\{\w+\}", "{}", path)


def check_success(method: str, path: str, status: int, body: Any) -> None:
    """Hold the body of a success against its schema; a member that the schema does not name fails, too.

    Does nothing at an address that the document leaves out.
    """
    route = anonymous(simplify_regex(resolve(path.partition("?")[0]).route))
    validator = _validator(get_urlconf(settings.ROOT_URLCONF), method, route, status)
    if validator is not None:
        validator.validate(body)


@cache
def _validator(urlconf: str, method: str, route: str, status: int) -> jsonschema_rs.Validator | None:
    described = _strict_document(urlconf)
    operation = described["paths"].get(route, {}).get(method.lower())
    if operation is None:
        return None
    schema = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(
        {**schema, "components": described["components"]},
        validate_formats=True,
        formats={"date-time": lambda text: TIMESTAMP.fullmatch(text) is not None},
    )


@cache
def _strict_document(urlconf: str) -> dict[str, Any]:
    described: dict[str, Any] = orjson.loads(document(urlconf=urlconf, root="/"))
    for schema in described["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return {**described, "paths": {anonymous(path): methods for path, methods in described["paths"].items()}}
