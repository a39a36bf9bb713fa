"""Settings of the pages."""

import re
from dataclasses import dataclass
from typing import Any

from core.conf import WORDS, Kind, Malformed, read_origin, section, setting

from .return_addresses import ReturnAddress, is_plain_path

_ORIGIN_AND_PATH = re.compile(r"([a-z]+://[^/?#]*)(/[^?#]*)?", re.IGNORECASE)


def _read_return_to(value: Any) -> tuple[ReturnAddress, ...]:
    return tuple(_read_address(word) for word in WORDS.read(value))


def _read_address(word: str) -> ReturnAddress:
    found = _ORIGIN_AND_PATH.fullmatch(word)
    if found is None:
        raise Malformed("an address must be an origin with or without a path, and without a query and a fragment")
    path = (found[2] or "").rstrip("/")
    if path and not is_plain_path(path):
        raise Malformed("a path must have no empty, dot or encoded segments")
    return ReturnAddress(origin=read_origin(found[1]), path=path)


RETURN_TO = Kind("a comma-separated list of origins, each with or without a path", _read_return_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesSettings:
    """Settings of the pages."""

    return_to: tuple[ReturnAddress, ...] = setting(
        "RETURN_TO",
        (),
        RETURN_TO,
        "Addresses of your applications to which the sign-in page may lead by `return_to`, such as "
        "`https://app.example.com` or `https://app.example.com/signed-in`. An address with a path permits this path and "
        "those below it.",
    )


settings = section(PagesSettings)
