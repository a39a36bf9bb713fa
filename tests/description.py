"""The OpenAPI document of the URLconf under test, and checks of answers against the document."""

import re
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
from django.conf import settings
from django.contrib.admindocs.views import simplify_regex
from django.urls import get_urlconf, resolve

from core.http.openapi import document

TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z")


def anonymous(path: str) -> str:
    """Return a path template with empty braces, so that the names and forms of its parts do not matter."""
    return re.sub(r"<[^>]+>|\{\w+\}", "{}", path)


def check_success(method: str, path: str, status: int, body: Any) -> None:
    """Validate the body of a success by its schema. A member that the schema does not name is an error too.

    Does nothing for a path that the document leaves out.
    """
    route = anonymous(simplify_regex(resolve(path.partition("?")[0]).route))
    urlconf = get_urlconf(settings.ROOT_URLCONF)
    validator = _validator(urlconf, method, route, status)
    if validator is None:
        return
    validator.validate(body)
    operation = strict_document(urlconf)["paths"][route][method.lower()]
    example = operation["responses"][str(status)]["content"]["application/json"].get("example", {})
    if "status" in example.get("data", {}) and set(example["data"]) == {"status"}:
        assert body == example, "the answer is not the one that the description shows"


def validator_of(schema: dict[str, Any], described: dict[str, Any]) -> jsonschema_rs.Validator:
    """Return a validator for the schema, which may refer to components of the document."""
    return jsonschema_rs.Draft202012Validator(
        {**schema, "components": described["components"]},
        validate_formats=True,
        formats={"date-time": lambda text: TIMESTAMP.fullmatch(text) is not None},
    )


@cache
def _validator(urlconf: str, method: str, route: str, status: int) -> jsonschema_rs.Validator | None:
    described = strict_document(urlconf)
    operation = described["paths"].get(route, {}).get(method.lower())
    if operation is None:
        return None
    return validator_of(operation["responses"][str(status)]["content"]["application/json"]["schema"], described)


@cache
def strict_document(urlconf: str) -> dict[str, Any]:
    """Return the document with anonymous path parts. Its schemas forbid members that they do not name."""
    described: dict[str, Any] = orjson.loads(document(urlconf=urlconf, server=""))
    for schema in described["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return {**described, "paths": {anonymous(path): methods for path, methods in described["paths"].items()}}
