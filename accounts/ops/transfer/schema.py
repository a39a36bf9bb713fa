"""The JSON Schema of a row, which `generate_docs` writes to docs/users-format.schema.json."""

from collections.abc import Mapping
from typing import Any

from core.addresses import EMAIL_MAX, EMAIL_MIN

from ...state.metadata import KEY, RESERVED_CLAIM_NAMES, TOTAL_MAX_BYTES, VALUE_MAX_BYTES
from .claims import LANGUAGE, LANGUAGE_MAX
from .parts import row_parts
from .rows import HASH_MAX, ID_MAX, STATES
from .values import MOMENT_SCHEMA

_OWN: Mapping[str, Any] = {
    "id": {
        "type": "string",
        "minLength": 1,
        "maxLength": ID_MAX,
        "description": "The id of the user. A UUID becomes the user id. Another id always becomes the same UUID.",
    },
    "email": {
        "type": "string",
        "minLength": EMAIL_MIN,
        "maxLength": EMAIL_MAX,
        "pattern": "@",
        "description": "The address in the form that sign-up accepts.",
    },
    "email_verified": {"type": "boolean", "default": False, "description": "Whether the user has proven the address."},
    "email_verified_at": {
        **MOMENT_SCHEMA,
        "description": "When the address was proven. Without it: `created_at`, or the time of the import.",
    },
    "earlier_email_verified": {
        "type": "boolean",
        "default": False,
        "description": "Whether the user has proven an earlier address of the account.",
    },
    "state": {"enum": list(STATES), "default": STATES[0]},
    "deactivated_at": {**MOMENT_SCHEMA, "description": "Only with the state deactivated."},
    "password_hash": {
        "type": "string",
        "minLength": 1,
        "maxLength": HASH_MAX,
        "description": "A hash in one of the forms of docs/users-format.md. Without it the user has no password.",
    },
    "language": {
        "type": "string",
        "minLength": 2,
        "maxLength": LANGUAGE_MAX,
        "pattern": f"^{LANGUAGE.pattern}$",
        "description": "The language of the user's mails. The metadata keep it as `locale`.",
    },
    "metadata": {
        "type": "object",
        "propertyNames": {"pattern": f"^{KEY.pattern}$", "not": {"enum": list(RESERVED_CLAIM_NAMES)}},
        "description": f"Claims of the user's access tokens: at most {TOTAL_MAX_BYTES} bytes of compact JSON, and "
        f"{VALUE_MAX_BYTES} a claim.",
    },
    "created_at": {**MOMENT_SCHEMA, "description": "When the user signed up. Without it: the time of the import."},
}


def row_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a row."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A user",
        "description": "One line of a file for `manage.py users import`. A member can also be null or missing.",
        "type": "object",
        "required": ["email"],
        "additionalProperties": False,
        "properties": {
            "email": _OWN["email"],
            **{name: _or_null(schema) for name, schema in _OWN.items() if name != "email"},
            **{part.member: _or_null(part.schema) for part in row_parts},
        },
    }


def _or_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    about = {name: schema[name] for name in ("description", "default") if name in schema}
    rest = {name: value for name, value in schema.items() if name not in about}
    return {**about, "anyOf": [rest, {"type": "null"}]}
