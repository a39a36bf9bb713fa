"""The metadata of a row, and the language that the metadata contain."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from mail.languages import LOCALE_KEY

from ...state.metadata import KEY, NUL_IN_JSON, RESERVED_CLAIM_NAMES, TOTAL_MAX_BYTES, VALUE_MAX_BYTES
from . import values
from .values import RefusedRow

LANGUAGE_MAX = 35
LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*", re.ASCII)
"""A language tag such as `de`, `fr-CA` or `pt_BR` (RFC 5646), and its longest useful length."""

DEPTH_MAX = 32
_WHOLE_MAX = 2**63


def read_language(value: Any) -> str:
    """Return a language tag. Raises RefusedRow."""
    language = values.text(value, name="language", longest=LANGUAGE_MAX)
    if not LANGUAGE.fullmatch(language):
        raise RefusedRow("language: must be a language tag such as de or fr-CA.")
    return language


def read_metadata(value: Any) -> dict[str, Any]:
    """Return metadata that `set_claim` could have stored. Raises RefusedRow."""
    if not isinstance(value, dict):
        raise RefusedRow("metadata: must be an object.")
    for key, claim in value.items():
        if key in RESERVED_CLAIM_NAMES or not KEY.fullmatch(key):
            raise RefusedRow(f"metadata: {key[:64]!a} cannot be the name of a claim.")
        if isinstance(claim, (dict, list)) and not _is_shallow(claim, left=DEPTH_MAX):
            raise RefusedRow(f"metadata: {key} must be nested at most {DEPTH_MAX} deep.")
        if len(_encode(claim)) > VALUE_MAX_BYTES:
            raise RefusedRow(f"metadata: {key} must have at most {VALUE_MAX_BYTES} bytes.")
    encoded = _encode(value)
    if len(encoded) > TOTAL_MAX_BYTES:
        raise RefusedRow(f"metadata: must have at most {TOTAL_MAX_BYTES} bytes.")
    if NUL_IN_JSON.search(encoded):
        raise RefusedRow("metadata: must not contain a NUL character.")
    return value


def merge(metadata: dict[str, Any], *, language: str | None) -> dict[str, Any]:
    """Return the metadata with the language. Raises RefusedRow when the metadata name another one."""
    if language is None:
        return metadata
    if metadata.get(LOCALE_KEY, language) != language:
        raise RefusedRow(f"language: differs from the member {LOCALE_KEY} of the metadata.")
    return {**metadata, LOCALE_KEY: language}


def split(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Return the metadata without the language, and the language. It is the reverse of `merge`."""
    language = metadata.get(LOCALE_KEY)
    if not isinstance(language, str) or len(language) > LANGUAGE_MAX or not LANGUAGE.fullmatch(language):
        return dict(metadata), None
    return {key: claim for key, claim in metadata.items() if key != LOCALE_KEY}, language


def settle(value: Any) -> Any:
    """Return the JSON value in the one form that both databases return.

    PostgreSQL stores numbers as decimals. It has no negative zero, and returns a large float as a whole number.
    """
    match value:
        case dict():
            return {key: settle(value[key]) for key in sorted(value)}
        case list():
            return [settle(item) for item in value]
        case bool():
            return value
        case int() | float():
            return _settle_number(value)
    return value


def _settle_number(value: Any) -> Any:
    if isinstance(value, int) and not -_WHOLE_MAX <= value < _WHOLE_MAX:
        return float(value)
    if isinstance(value, float) and value.is_integer() and "e" in repr(value) and abs(value) < _WHOLE_MAX:
        return int(value)
    return value or abs(value)


def _encode(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except (orjson.JSONEncodeError, TypeError):
        raise RefusedRow("metadata: must contain only JSON values, and integers of at most 64 bits.") from None


def _is_shallow(value: Any, *, left: int) -> bool:
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return left > 0 and all(_is_shallow(item, left=left - 1) for item in inner)
