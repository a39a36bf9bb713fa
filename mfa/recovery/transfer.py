"""The recovery codes in rows of users that `manage.py users` imports and exports."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.ops.transfer import values
from accounts.ops.transfer.parts import RowFacts
from accounts.ops.transfer.values import MOMENT_SCHEMA, RefusedRow
from core.clock import rfc3339
from core.db.bulk import insert_rows
from core.db.ids import new_id

from ..conf import keys
from ..models import RecoveryBatch, RecoveryCode
from .codes import CODES, PEPPERS

DIGEST_BYTES = 32

_BYTES = {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}
_MEMBERS = frozenset({"key", "created_at", "codes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCodes:
    """The recovery codes of a row. Each code is its digest under the key, and the time of its use."""

    key: bytes
    created_at: datetime
    codes: Sequence[tuple[bytes, datetime | None]]


class RecoveryCodesPart:
    """The member `recovery_codes`: the digests of the recovery codes, which only an export with secrets contains."""

    member = "recovery_codes"
    factor = "recovery_code"
    schema: Mapping[str, Any] = {
        "description": "The digests of the recovery codes, only in an export with secrets. They work only here.",
        "type": "object",
        "required": ["key", "codes"],
        "additionalProperties": False,
        "properties": {
            "key": {**_BYTES, "description": "The key of the digests: 32 bytes in base64url."},
            "created_at": MOMENT_SCHEMA,
            "codes": {
                "type": "array",
                "maxItems": CODES,
                "items": {
                    "type": "object",
                    "required": ["digest"],
                    "additionalProperties": False,
                    "properties": {"digest": _BYTES, "used_at": {**MOMENT_SCHEMA, "type": ["string", "null"]}},
                },
            },
        },
    }

    def read(self, value: Any, *, facts: RowFacts) -> NewCodes | None:
        """Return the codes. Raises RefusedRow, also when ENCRYPTION_KEY is unset and the operator drops no factors."""
        given = values.members(value, name="recovery_codes", known=_MEMBERS)
        at = given.get("created_at")
        codes = [
            _read_code(item, now=facts.now)
            for item in values.items(given.get("codes"), name="recovery_codes.codes", most=CODES)
        ]
        if len({digest for digest, _ in codes}) < len(codes):
            raise RefusedRow("recovery_codes: has the same digest twice.")
        if not keys():
            if facts.drops_factors:
                return None
            raise RefusedRow("recovery_codes: ENCRYPTION_KEY is unset, so no codes can be stored.")
        return NewCodes(
            key=_read_bytes(given.get("key"), name="recovery_codes.key"),
            created_at=facts.created_at if at is None else values.moment(at, name="created_at", now=facts.now),
            codes=codes,
        )

    def keys(self, value: NewCodes) -> Sequence[str]:
        return ()

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        return ()

    def insert(self, values: Sequence[tuple[Any, NewCodes]]) -> None:
        insert_rows(
            RecoveryBatch,
            columns=("account", "pepper", "created_at"),
            rows=[(key, PEPPERS.seal(new.key, pk=key), new.created_at) for key, new in values],
        )
        insert_rows(
            RecoveryCode,
            columns=("id", "batch", "digest", "used_at"),
            rows=[(new_id(), key, digest, used_at) for key, new in values for digest, used_at in new.codes],
        )

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        """Return the codes with secrets, and none without. Raises Unsealable when ENCRYPTION_KEY lacks a key."""
        if not with_secrets:
            return {}
        codes = defaultdict(list)
        for code in RecoveryCode.objects.filter(batch__in=account_ids).order_by("id"):
            used_at = rfc3339(code.used_at) if code.used_at else None
            codes[code.batch_id].append({"digest": values.to_base64url(code.digest), "used_at": used_at})
        return {
            batch.pk: {
                "key": values.to_base64url(PEPPERS.unseal(batch.pepper, pk=batch.pk)),
                "created_at": rfc3339(batch.created_at),
                "codes": codes[batch.pk],
            }
            for batch in RecoveryBatch.objects.filter(pk__in=account_ids)
        }


def _read_code(value: Any, *, now: datetime) -> tuple[bytes, datetime | None]:
    given = values.members(value, name="recovery_codes.codes", known=frozenset({"digest", "used_at"}))
    at = given.get("used_at")
    used_at = None if at is None else values.moment(at, name="recovery_codes.used_at", now=now)
    return _read_bytes(given.get("digest"), name="recovery_codes.digest"), used_at


def _read_bytes(value: Any, *, name: str) -> bytes:
    found = values.octets(value, name=name, longest=DIGEST_BYTES)
    if len(found) != DIGEST_BYTES:
        raise RefusedRow(f"{name}: must have {DIGEST_BYTES} bytes.")
    return found
