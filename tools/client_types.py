"""The types of the clients, generated from the API's description of a full deployment.

`python -m tools.client_types` writes `clients/python/gatehouse_client/api.py` and `clients/typescript/src/api.ts`. With
`--check` it writes nothing, and exits with 1 if a file is out of date.
"""

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import django

Schema: TypeAlias = Mapping[str, Any]

CLIENTS = Path(__file__).resolve().parent.parent / "clients"
JSON = "application/json"
NOTE = "`python -m tools.client_types` wrote this file."
_REF = "#/components/schemas/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a path or of a query."""

    name: str
    schema: Schema
    is_required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation whose answer is JSON. `data` is the schema of the payload."""

    method: str
    path: str
    body: Schema | None
    is_body_required: bool
    data: Schema
    parameters: Sequence[Parameter]


class Api:
    """The operations of the description, and the components that they use."""

    def __init__(self, described: Any) -> None:
        self._described = described
        self.schemas: Mapping[str, Schema] = described["components"]["schemas"]

    @cached_property
    def operations(self) -> Sequence[Operation]:
        """The operations whose success is `{"data": …}`, in the order of the description."""
        return [
            self._operation(method.upper(), path, described, envelope)
            for path, methods in self._described["paths"].items()
            for method, described in methods.items()
            if (envelope := self._envelope(described))
        ]

    @cached_property
    def components(self) -> Mapping[str, Schema]:
        """The components that the operations use, sorted by name."""
        found: dict[str, Schema] = {}
        waiting = [name for one in self.operations for name in _names_in([one.body, one.data])]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.schemas[name]
                waiting += _names_in(found[name])
        return dict(sorted(found.items()))

    def _envelope(self, described: Any) -> Schema | None:
        """Return the schema of the successful answer, or None for an answer without an envelope."""
        content = next(answer for status, answer in described["responses"].items() if status < "300")["content"]
        schema = content.get(JSON, {}).get("schema", {})
        envelope = self.schemas[schema["$ref"].removeprefix(_REF)] if "$ref" in schema else schema
        return envelope if "data" in envelope.get("properties", {}) else None

    def _operation(self, method: str, path: str, described: Any, envelope: Schema) -> Operation:
        body = described.get("requestBody")
        return Operation(
            method=method,
            path=path,
            body=body["content"][JSON]["schema"] if body else None,
            is_body_required=bool(body and body.get("required")),
            data=envelope["properties"]["data"],
            parameters=[
                Parameter(name=one["name"], schema=one["schema"], is_required=one.get("required", False))
                for one in described.get("parameters", [])
                if one["in"] in {"path", "query"}
            ],
        )


def _names_in(schema: Any) -> Iterator[str]:
    """Yield the names of the components to which the schema refers."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(_REF)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _names_in(part)


class Language(ABC):
    """A way to write the types of an API."""

    scalars: Mapping[str, str]
    anything: str

    @abstractmethod
    def module(self, api: Api) -> str:
        """Return the text of the file."""

    @abstractmethod
    def literal(self, value: Any) -> str:
        """Return the type of exactly this value."""

    @abstractmethod
    def array(self, item: str) -> str:
        """Return the type of arrays of the item type."""

    @abstractmethod
    def mapping(self, value: str) -> str:
        """Return the type of objects with any names and values of this type."""

    def type_of(self, schema: Schema) -> str:
        """Return the type of values that match the schema."""
        if "$ref" in schema:
            return str(schema["$ref"].removeprefix(_REF))
        for several in ("oneOf", "anyOf", "allOf"):
            if several in schema:
                return self._union(self.type_of(one) for one in schema[several])
        if "const" in schema:
            return self.literal(schema["const"])
        if "enum" in schema:
            return self._union(map(self.literal, schema["enum"]))
        kinds = schema.get("type", [])
        return self._union(self._kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))

    def _union(self, types: Iterable[str]) -> str:
        return " | ".join(dict.fromkeys(types)) or self.anything

    def _kind(self, kind: str, schema: Schema) -> str:
        if kind == "array":
            return self.array(self.type_of(schema["items"]))
        if kind == "object":
            values = schema.get("additionalProperties", {})
            return self.mapping(self.type_of(values) if isinstance(values, dict) else self.anything)
        return self.scalars[kind]


class Python(Language):
    """TypedDicts, and one overload of `request` for each operation."""

    scalars: Mapping[str, str] = {
        "string": "str",
        "integer": "int",
        "number": "float",
        "boolean": "bool",
        "null": "None",
    }
    anything = "Any"

    def literal(self, value: Any) -> str:
        return (
            "None"
            if value is None
            else f"Literal[{_quoted(value)}]"
            if isinstance(value, str)
            else f"Literal[{value!r}]"
        )

    def array(self, item: str) -> str:
        return f"list[{item}]"

    def mapping(self, value: str) -> str:
        return f"dict[str, {value}]"

    def module(self, api: Api) -> str:
        head = (
            f'"""The types of the API\'s bodies and answers. {NOTE}"""\n\n'
            "from __future__ import annotations\n\n"
            "from collections.abc import Mapping\n"
            "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload\n"
        )
        components = "".join(self._component(name, schema) for name, schema in api.components.items())
        overloads = "".join(map(self._overload, api.operations))
        return f"{head}{components}{_PYTHON_REQUESTS}{overloads}{_PYTHON_REQUEST}"

    def _component(self, name: str, schema: Schema) -> str:
        if "properties" not in schema:
            return f'\n\n{name}: TypeAlias = "{self.type_of(schema)}"'
        required = schema.get("required", [])
        members = "".join(
            f"    {member}: {kind if member in required else f'NotRequired[{kind}]'}\n"
            for member, kind in ((member, self.type_of(part)) for member, part in schema["properties"].items())
        )
        return f'\n\nclass {name}(TypedDict):\n    """{_first_line(schema)}"""\n\n{members}'

    def _overload(self, one: Operation) -> str:
        arguments = [f'method: Literal["{one.method}"]', f'path: Literal["{one.path}"]']
        if one.body is not None:
            body = self.type_of(one.body)
            arguments.append(f"body: {body}" if one.is_body_required else f"body: {body} | None = None")
        if one.parameters:
            arguments += ["*", *map(self._argument, one.parameters)]
        lines = "".join(f"        {argument},\n" for argument in ["self", *arguments])
        return f"    @overload\n    def request(\n{lines}    ) -> {self.type_of(one.data)}: ...\n\n"

    def _argument(self, parameter: Parameter) -> str:
        return f"{parameter.name}: {self.type_of(parameter.schema)}{'' if parameter.is_required else ' = ...'}"


class TypeScript(Language):
    """Interfaces, and a table of all operations."""

    scalars: Mapping[str, str] = {
        "string": "string",
        "integer": "number",
        "number": "number",
        "boolean": "boolean",
        "null": "null",
    }
    anything = "unknown"

    def literal(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def array(self, item: str) -> str:
        return f"({item})[]" if " " in item else f"{item}[]"

    def mapping(self, value: str) -> str:
        return f"Record<string, {value}>"

    def module(self, api: Api) -> str:
        components = "".join(self._component(name, schema) for name, schema in api.components.items())
        tables = "".join(
            f"  {method}: {{\n{''.join(self._row(one) for one in api.operations if one.method == method)}  }};\n"
            for method in dict.fromkeys(one.method for one in api.operations)
        )
        return (
            f"/** The types of the API's bodies and answers. {NOTE} */\n{components}"
            f"\n/** The body and the payload of each operation. */\nexport interface Routes {{\n{tables}}}\n"
        )

    def _component(self, name: str, schema: Schema) -> str:
        if "properties" not in schema:
            return f"\nexport type {name} = {self.type_of(schema)};\n"
        required = schema.get("required", [])
        members = "".join(
            f"  {member}{'' if member in required else '?'}: {self.type_of(part)};\n"
            for member, part in schema["properties"].items()
        )
        return f"\n/** {_first_line(schema)} */\nexport interface {name} {{\n{members}}}\n"

    def _row(self, one: Operation) -> str:
        body = self.type_of(one.body) if one.body is not None else "undefined"
        optional = "" if one.is_body_required else "?"
        return f'    "{one.path}": {{ body{optional}: {body}; data: {self.type_of(one.data)} }};\n'


_PYTHON_REQUESTS = '''

class TypedRequests:
    """The method `request` with the types of each operation."""

'''
_PYTHON_REQUEST = '''\
    def request(self, method: str, path: str, body: Any = None, **parameters: Any) -> Any:
        """Send a request with the access token of the session, and return the payload of the answer.

        `parameters` fill the braces of the path. All others are the query. Without a session, the request has no token.
        Raises GatehouseError.
        """
        return self._request(method, path, body, parameters)

    def _request(self, method: str, path: str, body: Any, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError
'''


def _first_line(schema: Schema) -> str:
    return str(schema.get("description", "")).partition("\n")[0]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def files() -> Mapping[Path, str]:
    """Return the text of each generated file."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings  # noqa: PLC0415 - needs the settings

    from core.http.openapi import document  # noqa: PLC0415 - see above

    api = Api(json.loads(document(urlconf=settings.ROOT_URLCONF, server="")))
    return {
        CLIENTS / "python" / "gatehouse_client" / "api.py": Python().module(api),
        CLIENTS / "typescript" / "src" / "api.ts": TypeScript().module(api),
    }


def main(arguments: Sequence[str]) -> int:
    """Write the files that are out of date. With `--check`, write nothing and return 1 if there are some."""
    outdated = {file: text for file, text in files().items() if not file.exists() or file.read_text() != text}
    for file, text in outdated.items():
        if arguments == ["--check"]:
            sys.stderr.write(f"Out of date: {file}. Run python -m tools.client_types.\n")
        else:
            file.write_text(text)
            sys.stderr.write(f"Wrote {file}\n")
    return int(bool(outdated) and arguments == ["--check"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
