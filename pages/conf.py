"""Settings of the pages."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.conf import SWITCH, TEXT, WORDS, Kind, Malformed, read_origin, section, setting

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


STYLESHEET_MAX = 100_000
"""The largest stylesheet of a site, in bytes."""


def _read_stylesheet(value: Any) -> Path:
    path = Path(TEXT.read(str(value)))
    if path.suffix != ".css":
        raise Malformed("the name of the file must end with .css")
    try:
        content = path.read_bytes()
        content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"the file cannot be read: {type(error).__name__}") from None
    if len(content) > STYLESHEET_MAX:
        raise Malformed(f"the file must have at most {STYLESHEET_MAX} bytes")
    return path


STYLESHEET = Kind("the path of a CSS file of at most 100 kB in UTF-8", _read_stylesheet)
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
    stylesheet: Path | None = setting(
        "PAGES_STYLESHEET",
        None,
        STYLESHEET,
        "Path of a CSS file that restyles the pages. The service serves the file after its own stylesheet.",
        default_text="unset",
    )
    base_template: str = setting(
        "PAGES_BASE_TEMPLATE",
        "",
        TEXT,
        "Template of your site in which the pages appear, such as `base.html`. It needs the blocks `title` and `content`. "
        "The site then sends its own Content-Security-Policy. Only a host project has such a template.",
    )
    django_login: bool = setting(
        "PAGES_DJANGO_LOGIN",
        False,
        SWITCH,
        "Whether a sign-in on the pages also signs the user in to Django, so that `login_required` lets the user pass. A "
        "sign-out of either then ends both. Only a host project has Django's sessions.",
    )


settings = section(PagesSettings)
