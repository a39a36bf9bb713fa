"""The JSON Schema of answers, derived from their dataclasses. Only the description of the API needs this module."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import orjson
from drf_spectacular.plumbing import append_meta, build_array_type, build_object_type, resolve_type_hint

from .answers import Absent, Component, Described

Schema: TypeAlias = dict[str, Any]
Register: TypeAlias = Callable[[str, Any, Schema], Schema]
"""A function that stores a component (its name, its type, its schema) and returns a reference to it."""


def component_name(answer: Any) -> str:
    """Return the name of the component that describes answers of this type. For a list, it ends in `List`."""
    if get_origin(answer) is Annotated:
        return next(note.name for note in get_args(answer) if isinstance(note, Component))
    if get_origin(answer) is list:
        return f"{component_name(get_args(answer)[0])}List"
    # A subclass must not inherit the name.
    return str(vars(answer).get("component", answer.__name__))


def alternatives_of(answer: Any) -> Sequence[Any]:
    """Return the dataclasses of a union in their order; otherwise only the type itself."""
    plain = get_args(answer)[0] if get_origin(answer) is Annotated else answer
    return get_args(plain) if _is_union(plain) else (plain,)


def example_of(answer: Any) -> Any:
    """Return the example that the dataclass declares. For a list, return a list with this example."""
    return [example_of(get_args(answer)[0])] if get_origin(answer) is list else answer.example


def schema_of(hint: Any, *, register: Register) -> Schema:
    """Return the JSON Schema of values of this type. Each dataclass, and each union with a name, becomes a component.

    Raises UnableToProceedError for a type that drf-spectacular does not know either.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(hint, register=register)
    if is_dataclass(hint):
        schema = object_schema(hint, register=register, extended_by=getattr(hint, "extensions", ()))
        return register(component_name(hint), hint, schema)
    if origin in (list, tuple, Sequence):
        return build_array_type(schema_of(args[0], register=register))
    if origin in (dict, Mapping):
        return build_object_type(additionalProperties=schema_of(args[1], register=register))
    if _is_union(hint):
        return _union(args, register=register)
    return _leaf(hint)


def object_schema(answer: Any, *, register: Register, extended_by: Iterable[Any] = ()) -> Schema:
    """Return the schema of the dataclass as an object. A member whose type includes Absent is not required.

    `extended_by` are subclasses of the dataclass. Their further members are not required either.
    """
    hints = get_type_hints(answer, include_extras=True)
    members = {member.name: hints[member.name] for member in fields(answer)}
    required = [name for name, hint in members.items() if Absent not in alternatives_of(hint)]
    for extension in extended_by:
        hints = get_type_hints(extension, include_extras=True)
        members |= {member.name: hints[member.name] for member in fields(extension)}
    return build_object_type(
        description=inspect.getdoc(answer),
        properties={name: schema_of(hint, register=register) for name, hint in members.items()},
        required=required,
    )


def _annotated(hint: Any, *, register: Register) -> Schema:
    plain, *notes = get_args(hint)
    schema = schema_of(plain, register=register)
    for note in notes:
        match note:
            case Described():
                schema = append_meta(schema, note.schema())
            case Component():
                schema = register(note.name, plain, schema)
    return schema


def _union(alternatives: Sequence[Any], *, register: Register) -> Schema:
    schemas = [schema_of(one, register=register) for one in alternatives if one not in (NoneType, Absent)]
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    if NoneType not in alternatives:
        return schema
    if "enum" in schema:
        schema = {**schema, "enum": [*schema["enum"], None]}
    return append_meta(schema, {"nullable": True})


def _leaf(hint: Any) -> Schema:
    if hint in (Any, orjson.Fragment):  # a Fragment is JSON that is stored as text
        return {}
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        (value,) = get_args(hint)
        if isinstance(value, bool):  # openapi-generator writes Java that does not compile for a constant boolean
            return {"type": "boolean", "description": f"Always {orjson.dumps(value).decode()}."}
        return {**resolve_type_hint(type(value)), "const": value}
    leaf: Schema = resolve_type_hint(hint)
    return leaf


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)
