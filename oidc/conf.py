"""Settings of the OpenID provider: the scopes of the deployment, beside those of OpenID."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from core.conf import Kind, Malformed, section, setting
from mail.languages import ENGLISH, LANGUAGES

from .scopes import SCOPES

OWN_SCOPES_MAX = 50
TEXT_MAX = 200
_NAME = re.compile(r"[!#-\[\]-~]{1,60}")
"""The characters of RFC 6749, section 3.3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScope:
    """A scope of the deployment's own services. `texts` has the text of the scope by language, with English."""

    name: str
    texts: Mapping[str, str]


def _read_scopes(value: Any) -> tuple[OwnScope, ...]:
    document = orjson.loads(value) if isinstance(value, str) else value
    if not isinstance(document, Mapping) or len(document) > OWN_SCOPES_MAX:
        raise Malformed(f"it is a JSON object with at most {OWN_SCOPES_MAX} scopes")
    for name, texts in document.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise Malformed("the name of a scope has 1 to 60 ASCII characters, without blanks and quotation marks")
        if name in SCOPES:
            raise Malformed(f"{name} is a scope of OpenID")
        if not isinstance(texts, Mapping) or ENGLISH not in texts or not {*texts} <= {*LANGUAGES}:
            raise Malformed(f"{name} needs an object with a text in en, and perhaps in {', '.join(LANGUAGES[1:])}")
        if not all(_is_text(text) for text in texts.values()):
            raise Malformed(f"each text of {name} has 1 to {TEXT_MAX} printable characters")
    return tuple(OwnScope(name=name, texts=dict(texts)) for name, texts in document.items())


def _is_text(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and 1 <= len(text.strip()) <= len(text) <= TEXT_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcSettings:
    """The settings of the OpenID provider."""

    own_scopes: tuple[OwnScope, ...] = setting(
        "OPENID_SCOPES",
        (),
        Kind('a JSON object such as {"invoices:read": {"en": "read your invoices"}}', _read_scopes),
        "Scopes of your own services, each with its text in the languages of the pages. The page of the consent shows the "
        "text. English is needed, and stands in for a missing language.",
    )


settings = section(OidcSettings)
