"""The OpenAPI description of a view, derived from the operations that the view declares.

Only the description of the API needs this module. `schema` imports it at its first use, because drf-spectacular takes
several MB of memory.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from django.http import HttpResponse
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent, force_instance
from rest_framework import serializers

from ..errors import (
    BadRequest,
    InvalidAccessToken,
    InvalidDpopProof,
    LengthRequired,
    MissingAuthHeader,
    PayloadTooLarge,
    RateLimited,
    ServiceError,
    UnsupportedMediaType,
    UseDpopNonce,
)
from .answer_schemas import Schema, alternatives_of, component_name, example_of, object_schema, schema_of
from .answers import dump
from .contents import section_of
from .fields import Credential
from .request_headers import RequestHeader
from .schema import JSON, AcceptedCredential, SecurityScheme, texts_of

_PROOF_ERRORS = (InvalidDpopProof, UseDpopNonce)
_TOKEN_ERRORS = (MissingAuthHeader, InvalidAccessToken, *_PROOF_ERRORS)
_BODY_ERRORS = (BadRequest, LengthRequired, PayloadTooLarge, UnsupportedMediaType)
TOKEN_SCHEME = SecurityScheme(
    name="accessToken",
    definition={
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "The `access_token` of the newest login or refresh.",
    },
)


class ViewDescription(AutoSchema):
    """Describes a ServiceView by its declared operations. The host project's settings have no effect.

    `common` and `credentials` come from the view's `ServiceSchema`.
    """

    def __init__(self, *, common: Iterable[type[ServiceError]], credentials: Iterable[AcceptedCredential]) -> None:
        super().__init__()
        self.common = common
        self.credentials = credentials

    def errors_of(self, method: str) -> tuple[type[ServiceError], ...]:
        """Return every error that the view's operation can answer, sorted by status and code.

        The result leaves out the errors that belong to no operation. These are an unknown address or method, a wrong
        Host, and an internal error.
        """
        view: Any = self.view
        declared = view.operations[method]
        found = {*declared.errors, *self.common, *(credential.error for credential in self.credentials)}
        if not view.unlimited:
            found |= {RateLimited}
        if view.auth.needs_token:
            found |= {*_TOKEN_ERRORS}
        if declared.binds_key or view.takes_token:
            found |= {*_PROOF_ERRORS}
        if declared.input:
            found |= {*_BODY_ERRORS, declared.input_error}
        if declared.query or declared.header:
            found |= {BadRequest}
        return tuple(sorted(found, key=lambda error: (error.status, error.code)))

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any]:
        """Return the Operation Object of the view's method. The call adds the referenced components to the registry."""
        self.path, self.path_regex, self.path_prefix = path, path_regex, path_prefix
        self.method, self.registry = method, registry
        view: Any = self.view
        declared = view.operations[method]
        operation: dict[str, Any] = {
            "operationId": self.get_operation_id(),
            **texts_of(view, method),
            "tags": self.get_tags(),
            "parameters": [
                *_path_parameters(path, view.path_keywords),
                *self._query_parameters(declared.query),
                *_header_parameters(declared.header),
            ],
            "security": self._requirements(),
        }
        if declared.input:
            operation["requestBody"] = self._body(declared.input)
        operation["responses"] = {str(declared.status): self._success(declared), **self._failures(method)}
        return operation

    def get_operation_id(self) -> str:
        """Return the operation's id in the table of contents."""
        return operation_id(type(self.view), self.method)

    def get_tags(self) -> list[str]:
        """Return a list with the title of the operation's section."""
        return [section_of(self.get_operation_id()).title]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Return the component's name: the whole class name."""
        return type(serializer).__name__

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        """Add the keywords that the field declares to the schema.

        A `Credential` gets no maxLength. Its route answers a long text as a wrong one, not as a malformed one.
        """
        super()._insert_field_validators(field, schema)  # type: ignore[no-untyped-call]  # drf-spectacular has no annotation here
        if isinstance(field, Credential):
            schema.pop("maxLength", None)
        keywords = getattr(field, "keywords", {})
        schema.update(keywords() if callable(keywords) else keywords)

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        """Return the serializer's schema. Its required members include those that the view itself requires."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # as above
        demanded = {name for name, field in serializer.fields.items() if getattr(field, "is_demanded", False)}
        return {**schema, "required": sorted({*schema.get("required", ()), *demanded})} if demanded else schema

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
        content = {"schema": component.ref, "example": example_of(declared)}
        return {"required": "required" in component.schema, "content": {JSON: content}}

    def _success(self, declared: Any) -> dict[str, Any]:
        content: dict[str, Any]
        example = orjson.loads(dump(declared.example))
        if declared.output is HttpResponse:
            content = {"schema": {"type": "object" if declared.media_type == JSON else "string"}}
            if example is not None:
                content["example"] = example
        else:
            content = {"schema": self._envelope(declared.output)}
            if example is not None:
                content["example"] = {"data": example}
            else:
                content |= self._examples(declared.output)
        return {"description": "Success.", "content": {declared.media_type: content}}

    def _examples(self, output: Any) -> dict[str, Any]:
        named = {component_name(one): one for one in alternatives_of(output)}
        if extensions := {credential.scheme.name: credential.output for credential in self._alternatives()}:
            named = {TOKEN_SCHEME.name: output, **extensions}
        if len(named) == 1:
            return {"example": {"data": example_of(output)}}
        return {"examples": {name: {"value": {"data": example_of(one)}} for name, one in named.items()}}

    def _envelope(self, output: Any) -> Schema:
        """Return a reference to the schema of `{"data": output}`."""
        if extensions := [credential.output for credential in self._alternatives()]:
            extended = object_schema(output, register=self._component, extended_by=extensions)
            data = self._component(component_name(output), output, extended)
        else:
            data = schema_of(output, register=self._component)
        envelope = {"type": "object", "required": ["data"], "properties": {"data": data}}
        return self._component(f"{component_name(output)}Envelope", output, envelope)

    def _failures(self, method: str) -> dict[str, Any]:
        by_status: dict[str, list[type[ServiceError]]] = {}
        for error in self.errors_of(method):
            by_status.setdefault(str(error.status), []).append(error)
        return {status: self._failure(errors) for status, errors in by_status.items()}

    def _failure(self, errors: Sequence[type[ServiceError]]) -> dict[str, Any]:
        error = self._component("ErrorBody", ServiceError, _error_schema())
        envelope = {"type": "object", "required": ["error"], "properties": {"error": error}}
        content = {
            "schema": self._component("ErrorEnvelope", ServiceError, envelope),
            "examples": {error.code: {"value": _error_example(error)} for error in errors},
        }
        return {
            "description": "\n".join(f"- `{error.code}`: {error.message}" for error in errors),
            "content": {JSON: content},
        }

    def _requirements(self) -> list[dict[str, list[str]]]:
        """Return the Security Requirement Objects. An empty object among them makes the token optional."""
        view: Any = self.view
        if view.auth.needs_token:
            return [{self._security(scheme): []} for scheme in (TOKEN_SCHEME, *self._schemes())]
        if view.takes_token:
            return [{}, {self._security(TOKEN_SCHEME): []}]
        return [{self._security(scheme): []} for scheme in self._schemes()]

    def _schemes(self) -> Sequence[SecurityScheme]:
        return [credential.scheme for credential in self.credentials]

    def _alternatives(self) -> Sequence[AcceptedCredential]:
        """Return the credentials that the route accepts instead of an access token. Their answers are extended ones."""
        view: Any = self.view
        return [*self.credentials] if view.auth.needs_token else []

    def _security(self, scheme: SecurityScheme) -> str:
        """Add the scheme to the registry, and return its name."""
        self._register(scheme.name, ResolvedComponent.SECURITY_SCHEMA, scheme.name, dict(scheme.definition))
        return scheme.name

    def _component(self, name: str, described: Any, schema: Schema) -> Schema:
        """Add the schema to the registry, and return a reference. `described` is the type that has this schema."""
        return self._register(name, ResolvedComponent.SCHEMA, described, schema).ref

    def _register(self, name: str, kind: Any, described: Any, schema: Schema) -> ResolvedComponent:
        component = ResolvedComponent(name=name, type=kind, object=described, schema=schema)
        self.registry.register_on_missing(component)
        return component


def operation_id(view: Any, method: str) -> str:
    """Return the id that the operation declares, or the view's class name as in `changePassword`. It begins with a verb."""
    name = view.operations[method].id or view.__name__
    return str(name[0].lower() + name[1:])


def _path_parameters(path: str, keywords: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the path parameters. Each is a string of any form, because a wrong value is answered with 404."""
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", **keywords.get(name, {})}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]


def _header_parameters(declared: RequestHeader | None) -> list[dict[str, Any]]:
    if declared is None:
        return []
    schema = {"type": "string", "pattern": f"^{declared.pattern}$"}
    return [
        {
            "name": declared.name,
            "in": "header",
            "required": False,
            "description": declared.description,
            "schema": schema,
            "example": declared.example,
        }
    ]


def _error_example(error: type[ServiceError]) -> dict[str, Any]:
    members = {name: schema["examples"][0] for name, schema in error.members.items()}
    return {"error": {"code": error.code, "message": error.message, **members}}


def _error_schema() -> Schema:
    """Return the schema of every error. A type of its own for each code would fill generated clients with types."""
    errors = ServiceError.registry.values()
    members = {name: schema for error in errors for name, schema in error.members.items()}
    code = "Your program decides by the code. Each answer lists its codes, and a later version can add codes."
    return {
        "type": "object",
        "description": "An error. Only some codes have members other than `code` and `message`.",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "string", "description": code},
            "message": {"type": "string", "description": "A text in English for people."},
            **members,
        },
    }
