"""docs/users-format.schema.json and the code agree about rows."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from accounts.ops.transfer.rows import Terms, known_members, read_row
from accounts.ops.transfer.values import RefusedRow
from core.clock import now
from tests.rows import each

pytestmark = pytest.mark.once

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "users-format.schema.json").read_text("utf-8"))
ALICE = {"email": "alice@example.com"}
IDENTITY = {"issuer": "https://accounts.google.com", "subject": "4711"}
GOOD: list[dict[str, Any]] = [
    ALICE,
    dict.fromkeys(sorted(known_members() - {"email"})) | ALICE,
    ALICE | {"id": "auth0|4711", "email_verified": True, "email_verified_at": "2024-02-29T12:30:00Z"},
    ALICE | {"state": "deactivated", "deactivated_at": "2024-02-29T12:30:00.000001+02:00"},
    ALICE | {"language": "fr-CA", "metadata": {"plan": {"seats": [1, 2.5, None, True]}}},
    ALICE | {"identities": [IDENTITY | {"provider": "google", "name": ""}]},
    ALICE | {"totp": {"secret": "A" * 32, "algorithm": "SHA1", "digits": 6, "period": 30}},
    ALICE | {"other_factors": []},
    ALICE | {"recovery_codes": {"key": "A" * 43, "codes": [{"digest": "A" * 43, "used_at": None}]}},
]
BAD: list[dict[str, Any]] = [
    {},
    {"email": None},
    {"email": "alice"},
    ALICE | {"nickname": "al"},
    ALICE | {"id": 4711},
    ALICE | {"email_verified": "true"},
    ALICE | {"state": "banned"},
    ALICE | {"created_at": 1700000000},
    ALICE | {"created_at": "yesterday"},
    ALICE | {"language": "d"},
    ALICE | {"metadata": {"iss": 1}},
    ALICE | {"metadata": {"1": 1}},
    ALICE | {"metadata": []},
    ALICE | {"identities": [{"issuer": "google", "subject": "1"}]},
    ALICE | {"identities": [IDENTITY | {"provider": "Google Mail"}]},
    ALICE | {"identities": [IDENTITY | {"email": "x"}]},
    ALICE | {"totp": {"secret": "A" * 32, "digits": 8}},
    ALICE | {"totp": "A"},
    ALICE | {"passkeys": {}},
    ALICE | {"passkeys": [{"credential_id": "AAAA"}]},
    ALICE | {"other_factors": ["sms"] * 21},
    ALICE | {"recovery_codes": {"codes": []}},
]


def accepts(row: dict[str, Any]) -> bool:
    try:
        read_row(row, terms=Terms(source="test", now=now()))
    except RefusedRow:
        return False
    return True


@each("row", GOOD)
def test_both_accept_the_row(row: dict[str, Any]) -> None:
    assert jsonschema_rs.Draft202012Validator(SCHEMA, validate_formats=True).is_valid(row)
    assert accepts(row)


@each("row", BAD)
def test_both_refuse_the_row(row: dict[str, Any]) -> None:
    assert not jsonschema_rs.Draft202012Validator(SCHEMA, validate_formats=True).is_valid(row)
    assert not accepts(row)


@each(
    "row, reason",
    [
        (ALICE | {"email_verified_at": "2024-02-29T12:30:00Z"}, "email_verified_at: needs email_verified to be true."),
        (ALICE | {"deactivated_at": "2024-02-29T12:30:00Z"}, "deactivated_at: needs the state deactivated."),
    ],
)
def test_a_time_of_proof_or_deactivation_needs_its_state(row: dict[str, Any], reason: str) -> None:
    with pytest.raises(RefusedRow) as refused:
        read_row(row, terms=Terms(source="test", now=now()))

    assert str(refused.value) == reason


def test_the_schema_has_all_members() -> None:
    assert set(SCHEMA["properties"]) == known_members()
