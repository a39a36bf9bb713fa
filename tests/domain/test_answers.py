from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest

from core.http.answer_schemas import Schema, schema_of
from core.http.answers import ABSENT, Absent, Described, Status, dump, dumper_of
from core.http.call import Call
from core.http.view import ServiceView, operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel."""

    spokes: Annotated[int, Described("How many.", {"minimum": 3})]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bicycle:
    """A bicycle."""

    component: ClassVar = "Bike"

    wheels: Sequence[Wheel]
    colour: str | None
    extras: Mapping[str, Any]
    bell: str | Absent


def described(answer: Any) -> dict[str, Schema]:
    components: dict[str, Schema] = {}

    def register(name: str, _: Any, schema: Schema) -> Schema:
        components[name] = schema
        return {"$ref": name}

    schema_of(answer, register=register)
    return components


def test_a_dataclass_becomes_a_component_of_the_name_that_it_declares() -> None:
    components = described(list[Bicycle])

    assert components == {
        "Wheel": {
            "type": "object",
            "description": "A wheel.",
            "properties": {"spokes": {"type": "integer", "description": "How many.", "minimum": 3}},
            "required": ["spokes"],
        },
        "Bike": components["Bike"],
    }
    assert components["Bike"]["description"] == "A bicycle."
    assert components["Bike"]["properties"]["wheels"] == {"type": "array", "items": {"$ref": "Wheel"}}


def test_a_member_that_can_be_absent_is_not_required() -> None:
    assert described(Bicycle)["Bike"]["required"] == ["colour", "extras", "wheels"]


def test_the_dump_leaves_out_an_absent_member() -> None:
    bicycle = Bicycle(wheels=[Wheel(spokes=32)], colour=None, extras={}, bell=ABSENT)

    assert dumper_of(list[Bicycle])([bicycle]) == b'[{"wheels":[{"spokes":32}],"colour":null,"extras":{}}]'


def test_an_absent_value_that_its_type_does_not_declare_is_an_error() -> None:
    with pytest.raises(TypeError, match="Absent"):
        dump({"bell": ABSENT})


def test_mypy_refuses_a_handler_that_does_not_return_its_output() -> None:
    class Wrong(ServiceView):
        # An unused `type: ignore` is an error of mypy.
        @operation(output=Status)  # type: ignore[arg-type]
        def get(self, call: Call) -> str:
            return str(call)

    assert Wrong.operations["GET"].output is Status
