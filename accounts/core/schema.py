"""The OpenAPI description, derived from what each view declares of its operations."""

import inspect
import re
from collections.abc import Iterable
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent, force_instance
from rest_framework import serializers

from .areas import area_of
from .errors import (
    BadRequest,
    DbUnreachable,
    InvalidAccessToken,
    LengthRequired,
    MissingAuthHeader,
    Overloaded,
    PayloadTooLarge,
    RateLimited,
    ServiceError,
    UnsupportedMediaType,
)

JSON = "application/json"

COMMON = (Overloaded, DbUnreachable)
"""What every route may answer that reads or writes the database."""

_TOKEN_ERRORS = (MissingAuthHeader, InvalidAccessToken)
_BODY_ERRORS = (BadRequest, LengthRequired, PayloadTooLarge, UnsupportedMediaType)
_TOKEN_SCHEME = ResolvedComponent(
    name="accessToken",
    type=ResolvedComponent.SECURITY_SCHEMA,
    object="accessToken",
    schema={"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
)


API_KEY_SCHEME = ResolvedComponent(
    name="apiKey",
    type=ResolvedComponent.SECURITY_SCHEMA,
    object="apiKey",
    schema={"type": "apiKey", "in": "header", "name": "X-API-Key"},
)


class ServiceSchema(AutoSchema):
    """Describes a ServiceView by its operations alone; nothing is guessed, and no setting of a site is asked.

    `common` is what the routes of the view may answer besides the errors that their operations declare, `schemes` what
    they take in place of an access token.
    """

    def __init__(
        self,
        *,
        common: tuple[type[ServiceError], ...] = COMMON,
        schemes: tuple[ResolvedComponent, ...] = (),
    ) -> None:
        super().__init__()
        self.common = common
        self.schemes = schemes

    def errors_of(self, method: str) -> tuple[type[ServiceError], ...]:
        """Return every error that the view's operation can answer, by status and code.

        Left out is what answers no operation: an unknown address or method, a foreign Host, a failure of ours.
        """
        view: Any = self.view
        declared = view.operations[method]
        found = {*declared.errors, *self.common}
        if view.edge_limited:
            found |= {RateLimited}
        if view.caller.needs_token:
            found |= {*_TOKEN_ERRORS}
        if declared.input:
            found |= {*_BODY_ERRORS, declared.input_error}
        if declared.query:
            found |= {BadRequest}
        return tuple(sorted(found, key=lambda error: (error.status, error.code)))

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any]:
        """Return the Operation Object of the view's method; the components that it names are in the registry."""
        self.path, self.path_regex, self.path_prefix = path, path_regex, path_prefix
        self.method, self.registry = method, registry
        view: Any = self.view
        declared = view.operations[method]
        operation: dict[str, Any] = {
            "operationId": self.get_operation_id(),
            "summary": _first_line(view),
            "description": inspect.getdoc(getattr(view, declared.handler)) or "",
            "tags": self.get_tags(),
            "parameters": [*_path_parameters(path), *self._query_parameters(declared.query)],
            "security": [{self._register(scheme).name: []} for scheme in (_TOKEN_SCHEME, *self.schemes)]
            if view.caller.needs_token
            else [],
        }
        if declared.input:
            operation["requestBody"] = self._body(declared.input)
        operation["responses"] = {str(declared.status): self._success(declared), **self._failures(method)}
        return operation

    def get_operation_id(self) -> str:
        """Return the view's name, which says the act, such as `changePassword`; with the method where it has several."""
        view: Any = self.view
        name = type(view).__name__
        return name[0].lower() + name[1:] if len(view.operations) == 1 else self.method.lower() + name

    def get_tags(self) -> list[str]:
        """Return the part of the service that the view belongs to."""
        return [area_of(type(self.view))]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Return the component's name; the `Output` of a class name says nothing to a client."""
        return type(serializer).__name__.removesuffix("Output")

    def _query_parameters(self, declared: type[serializers.Serializer[Any]] | None) -> list[dict[str, Any]]:
        if declared is None:
            return []
        schema = self._map_serializer(force_instance(declared), "request")
        return [
            {
                "name": name,
                "in": "query",
                "required": name in schema.get("required", ()),
                "description": member.pop("description", ""),
                "schema": member,
            }
            for name, member in schema["properties"].items()
        ]

    def _body(self, declared: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        component = self.resolve_serializer(declared, "request")
        return {"required": "required" in component.schema, "content": {JSON: {"schema": component.ref}}}

    def _success(self, declared: Any) -> dict[str, Any]:
        if declared.output:
            schema = self._envelope(force_instance(declared.output))
        else:
            schema = {"type": "object" if declared.media_type == JSON else "string"}
        return {"description": "Success.", "content": {declared.media_type: {"schema": schema}}}

    def _envelope(self, output: Any) -> dict[str, Any]:
        """Return a reference to `{"data": output}`; an array where the output is declared with many=True."""
        is_list = isinstance(output, serializers.ListSerializer)
        item = output.child if is_list else output
        component = self.resolve_serializer(item, "response")
        data: dict[str, Any] = component.ref if component else {"type": "object"}
        if is_list:
            data = {"type": "array", "items": data}
        return self._register(
            ResolvedComponent(
                name=f"{self._get_serializer_name(item, 'response')}{'List' if is_list else ''}Envelope",
                type=ResolvedComponent.SCHEMA,
                object=type(item),
                schema={"type": "object", "required": ["data"], "properties": {"data": data}},
            )
        ).ref

    def _failures(self, method: str) -> dict[str, Any]:
        by_status: dict[str, list[type[ServiceError]]] = {}
        for error in self.errors_of(method):
            by_status.setdefault(str(error.status), []).append(error)
        return {status: self._failure(errors) for status, errors in by_status.items()}

    def _failure(self, errors: Iterable[type[ServiceError]]) -> dict[str, Any]:
        schemas = [self._register(_error_component(error)).ref for error in errors]
        return {
            "description": "\n".join(f"- `{error.code}`: {error.message}" for error in errors),
            "content": {JSON: {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}}},
        }

    def _register(self, component: ResolvedComponent) -> ResolvedComponent:
        self.registry.register_on_missing(component)
        return component


def _first_line(view: Any) -> str:
    return (inspect.getdoc(type(view)) or "").partition("\n")[0].removesuffix(".")


def _path_parameters(path: str) -> list[dict[str, Any]]:
    """Every part of a path is a text: one that names nothing is not found, whatever its form."""
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]


def _error_component(error: type[ServiceError]) -> ResolvedComponent:
    members = {"code": {"type": "string", "enum": [error.code]}, "message": {"type": "string"}, **error.members}
    return ResolvedComponent(
        name=f"{error.__name__}Error",
        type=ResolvedComponent.SCHEMA,
        object=error,
        schema={
            "type": "object",
            "description": error.message,
            "required": ["error"],
            "properties": {"error": {"type": "object", "required": [*members], "properties": members}},
        },
    )
