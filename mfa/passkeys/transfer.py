"""The passkeys in rows of users that `manage.py users` imports and exports."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.ops.transfer import values
from accounts.ops.transfer.parts import RowFacts
from accounts.ops.transfer.values import MOMENT_SCHEMA, RefusedRow
from core.clock import rfc3339
from core.db.bulk import insert_rows
from core.db.ids import TEXT_LENGTH, new_id

from ..conf import keys, settings
from ..models import (
    CREDENTIAL_ID_MAX,
    DEFAULT_NICKNAME,
    NICKNAME_MAX,
    PASSKEYS_MAX,
    PUBLIC_KEY_MAX,
    USER_HANDLE_MAX,
    Passkey,
)
from .errors import InvalidPasskeyResponse
from .owned import NAME, handle_of, user_handle

COUNT_MAX = 2**32 - 1
TRANSPORTS = ("ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb")

_BYTES = {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}
_COLUMNS = (
    "id",
    "account",
    "credential_id",
    "public_key",
    "sign_count",
    "transports",
    "aaguid",
    "is_backup_eligible",
    "is_backed_up",
    "user_verified",
    "signs_in_alone",
    "nickname",
    "created_at",
    "last_used_at",
    "imported_handle",
    "learns_backup",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPasskey:
    """A passkey of a row. `handle` is empty, and `is_backup_eligible` None, when the other system did not store it."""

    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: Sequence[str]
    aaguid: UUID
    is_backup_eligible: bool | None
    is_backed_up: bool
    user_verified: bool
    signs_in_alone: bool
    nickname: str
    created_at: datetime
    last_used_at: datetime | None
    handle: bytes

    @property
    def key(self) -> str:
        """The credential id."""
        return values.to_base64url(self.credential_id)


class PasskeysPart:
    """The member `passkeys`."""

    member = "passkeys"
    factor = NAME
    schema: Mapping[str, Any] = {
        "description": "The passkeys of the user. Bytes are in base64url without padding.",
        "type": "array",
        "maxItems": PASSKEYS_MAX,
        "items": {
            "type": "object",
            "required": ["credential_id", "public_key", "rp_id"],
            "additionalProperties": False,
            "properties": {
                "credential_id": _BYTES,
                "public_key": {**_BYTES, "description": "The key in COSE."},
                "sign_count": {"type": "integer", "minimum": 0, "maximum": COUNT_MAX, "default": 0},
                "rp_id": {"type": "string", "description": "The domain of the passkey, which must be WEBAUTHN_RP_ID."},
                "user_handle": {**_BYTES, "description": "Without it, the passkey is a second factor only."},
                "transports": {"type": "array", "maxItems": len(TRANSPORTS), "items": {"enum": list(TRANSPORTS)}},
                "aaguid": {"type": "string", "format": "uuid"},
                "backup_eligible": {
                    "type": ["boolean", "null"],
                    "description": "Whether it can be synced. Without it, the first use tells.",
                },
                "backed_up": {"type": "boolean"},
                "user_verified": {"type": "boolean"},
                "signs_in_alone": {
                    "type": "boolean",
                    "description": "Whether the passkey is enough for a login. It needs a user_handle.",
                },
                "nickname": {"type": "string", "maxLength": NICKNAME_MAX},
                "created_at": MOMENT_SCHEMA,
                "last_used_at": {**MOMENT_SCHEMA, "type": ["string", "null"]},
            },
        },
    }

    def read(self, value: Any, *, facts: RowFacts) -> Sequence[NewPasskey] | None:
        """Return the passkeys. Raises RefusedRow.

        Passkeys of another domain cannot be used here. Without a key to store passkeys, none works. They are left out
        when the operator drops factors.
        """
        found = []
        for place, item in enumerate(values.items(value, name="passkeys", most=PASSKEYS_MAX)):
            given = values.members(item, name=f"passkeys[{place}]", known=_MEMBERS)
            obstacle = _find_obstacle(given)
            if obstacle is None:
                found.append(_read_passkey(given, name=f"passkeys[{place}]", facts=facts))
            elif not facts.drops_factors:
                raise RefusedRow(f"passkeys[{place}]: {obstacle} --drop-factors imports the user without it.")
        if len({passkey.key for passkey in found}) < len(found):
            raise RefusedRow("passkeys: has the same credential_id twice.")
        return found or None

    def keys(self, value: Sequence[NewPasskey]) -> Sequence[str]:
        return [passkey.key for passkey in value]

    def find_taken(self, keys: Collection[str]) -> Collection[str]:
        ids = [values.octets(key, name="credential_id", longest=CREDENTIAL_ID_MAX) for key in keys]
        taken = Passkey.objects.filter(credential_id__in=ids).values_list("credential_id", flat=True)
        return {values.to_base64url(credential_id) for credential_id in taken}

    def insert(self, values: Sequence[tuple[Any, Sequence[NewPasskey]]]) -> None:
        rows = [_row(account_id, passkey) for account_id, passkeys in values for passkey in passkeys]
        insert_rows(Passkey, columns=_COLUMNS, rows=rows)

    def export(self, account_ids: Sequence[Any], *, with_secrets: bool) -> Mapping[Any, Any]:
        found = defaultdict(list)
        rp_id = settings().rp_id
        passkeys = Passkey.objects.filter(account_id__in=account_ids)
        for one in passkeys.order_by("created_at", "id"):
            row = {
                "credential_id": values.to_base64url(one.credential_id),
                "public_key": values.to_base64url(one.public_key),
                "sign_count": one.sign_count,
                "rp_id": rp_id,
                "transports": one.transports,
                "aaguid": str(one.aaguid),
                "backup_eligible": None if one.learns_backup else one.is_backup_eligible,
                "backed_up": one.is_backed_up,
                "user_verified": one.user_verified,
                "signs_in_alone": one.signs_in_alone,
                "nickname": one.nickname,
                "created_at": rfc3339(one.created_at),
                "last_used_at": rfc3339(one.last_used_at) if one.last_used_at else None,
            }
            if handle := handle_of(one):
                row["user_handle"] = values.to_base64url(handle)
            found[one.account_id].append(row)
        return found


_MEMBERS = frozenset(PasskeysPart.schema["items"]["properties"])


def _find_obstacle(given: Mapping[str, Any]) -> str | None:
    if not keys():
        return "ENCRYPTION_KEY is unset, so no passkey can be used."
    if given.get("rp_id") != settings().rp_id:
        return f"The passkey is not of the domain {settings().rp_id}, so it cannot be used here."
    return None


def _read_passkey(given: Mapping[str, Any], *, name: str, facts: RowFacts) -> NewPasskey:
    def flag(member: str) -> bool:
        value = given.get(member)
        return False if value is None else values.flag(value, name=f"{name}.{member}")

    def moment(member: str) -> datetime | None:
        value = given.get(member)
        return None if value is None else values.moment(value, name=f"{name}.{member}", now=facts.now)

    handle = given.get("user_handle")
    if handle is None and flag("signs_in_alone"):
        raise RefusedRow(f"{name}.signs_in_alone: needs a user_handle.")
    return NewPasskey(
        credential_id=_read_bytes(given, "credential_id", name=name, longest=CREDENTIAL_ID_MAX),
        public_key=_read_public_key(given, name=name),
        sign_count=values.whole(given.get("sign_count", 0), name=f"{name}.sign_count", most=COUNT_MAX),
        transports=_read_transports(given.get("transports") or [], name=name),
        aaguid=_read_aaguid(given.get("aaguid"), name=name),
        is_backup_eligible=None if given.get("backup_eligible") is None else flag("backup_eligible"),
        is_backed_up=flag("backed_up"),
        user_verified=flag("user_verified"),
        signs_in_alone=flag("signs_in_alone"),
        nickname=_read_nickname(given.get("nickname"), name=name),
        created_at=moment("created_at") or facts.created_at,
        last_used_at=moment("last_used_at"),
        handle=b"" if handle is None else _read_bytes(given, "user_handle", name=name, longest=USER_HANDLE_MAX),
    )


def _read_bytes(given: Mapping[str, Any], member: str, *, name: str, longest: int) -> bytes:
    return values.octets(given.get(member), name=f"{name}.{member}", longest=longest)


def _read_public_key(given: Mapping[str, Any], *, name: str) -> bytes:
    from .registration import require_usable  # noqa: PLC0415 - the library takes 5 MB
    from .webauthn_data import reading_response  # noqa: PLC0415 - see above

    found = _read_bytes(given, "public_key", name=name, longest=PUBLIC_KEY_MAX)
    try:
        with reading_response():
            require_usable(found)
    except InvalidPasskeyResponse:
        raise RefusedRow(f"{name}.public_key: can never verify a signature.") from None
    return found


def _read_transports(value: Any, *, name: str) -> Sequence[str]:
    found = values.items(value, name=f"{name}.transports", most=len(TRANSPORTS))
    if any(transport not in TRANSPORTS for transport in found):
        raise RefusedRow(f"{name}.transports: must be some of {', '.join(TRANSPORTS)}.")
    return sorted(set(found))


def _read_aaguid(value: Any, *, name: str) -> UUID:
    if value is None:
        return UUID(int=0)
    text = values.text(value, name=f"{name}.aaguid", longest=TEXT_LENGTH)
    try:
        return UUID(text)
    except ValueError:
        raise RefusedRow(f"{name}.aaguid: must be a UUID.") from None


def _read_nickname(value: Any, *, name: str) -> str:
    text = "" if value is None else values.text(value, name=f"{name}.nickname", longest=NICKNAME_MAX, shortest=0)
    return text.strip() or DEFAULT_NICKNAME


def _row(account_id: Any, passkey: NewPasskey) -> tuple[Any, ...]:
    # A passkey that was made here for the same user id has the handle that derives from the id.
    handle = None if passkey.handle == user_handle(account_id=account_id) else passkey.handle
    return (
        new_id(),
        account_id,
        passkey.credential_id,
        passkey.public_key,
        passkey.sign_count,
        passkey.transports,
        passkey.aaguid,
        bool(passkey.is_backup_eligible),
        passkey.is_backed_up,
        passkey.user_verified,
        passkey.signs_in_alone,
        passkey.nickname,
        passkey.created_at,
        passkey.last_used_at,
        handle,
        passkey.is_backup_eligible is None,
    )
