"""A language in which each text of the catalogues is recognizable, and the texts of a page that are not of it."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import polib
import pytest
from django.utils.translation import trans_real
from pytest_django import Settings

from tools.catalogues import CATALOGUES

PSEUDO = "de"
"""The language whose texts are replaced. Its dates and numbers stay."""

_KEPT = re.compile(r"%\(\w+\)s|\{\w*\}|%%|</?[a-z]+[^<>]*>|&\w+;|`[^`]*`|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]*)+\b")
_LETTERS = str.maketrans(
    ascii_uppercase + ascii_lowercase,
    "".join(
        chr(first + number)
        for first in (ord("\N{CIRCLED LATIN CAPITAL LETTER A}"), ord("\N{CIRCLED LATIN SMALL LETTER A}"))
        for number in range(26)
    ),
)
_SHOWN = {"alt", "aria-label", "placeholder", "title", "content"}
_DATA_ELEMENTS = {"code", "kbd", "pre", "script", "style", "time", "textarea", "svg", "option"}
_DATA_CLASSES = {"user-text", "mono", "tight-data"}
_WORD = re.compile(r"[A-Za-z]{2,}")


def disguise(text: str) -> str:
    """Return the text with other characters in place of its letters. Placeholders, tags, codes and settings stay."""
    parts = _KEPT.split(text)
    kept = [*_KEPT.findall(text), ""]
    return "".join(part.translate(_LETTERS) + keep for part, keep in zip(parts, kept, strict=True))


def write_catalogue(folder: Path) -> None:
    """Write the catalogue of the language, which has all texts but the formats of dates, below the folder."""
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Language": PSEUDO,
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for one in CATALOGUES:
        for message in one.messages():
            if message.context and message.context.startswith(("date", "day")):
                continue
            entry = polib.POEntry(msgid=message.text, msgctxt=message.context)
            if message.plural is None:
                entry.msgstr = disguise(message.text)
            else:
                entry.msgid_plural = message.plural
                entry.msgstr_plural = {0: disguise(message.text), 1: disguise(message.plural)}
            if catalogue.find(message.text, msgctxt=message.context) is None:
                catalogue.append(entry)
    path = folder / PSEUDO / "LC_MESSAGES/django.mo"
    path.parent.mkdir(parents=True)
    catalogue.save_as_mofile(str(path))


def forget_catalogues() -> None:
    """Let Django read the catalogues again."""
    private: Any = trans_real
    private._translations, private._default = {}, None


class _Texts(HTMLParser):
    """Collects the texts of a page that a person sees or hears, without names and codes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        classes = set((values.get("class") or "").split())
        is_data = tag in _DATA_ELEMENTS or bool(classes & _DATA_CLASSES) or values.get("lang") not in (None, PSEUDO)
        if tag not in {"meta", "link", "input", "br", "hr", "img", "path", "rect"}:
            self.open.append((tag, is_data))
        if tag == "meta" or (is_data and tag != "textarea"):
            return
        self.found += [
            value
            for name, value in values.items()
            if value and (name in _SHOWN or name in {"data-label", "data-confirm", "data-copied", "data-scrolls"})
        ]

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(is_data for _, is_data in self.open):
            self.found.append(data)


def english_in(html: str, *, names: frozenset[str]) -> Iterator[str]:
    """Yield the texts of the page with a word that no catalogue has translated, and that is none of the names."""
    texts = _Texts()
    texts.feed(html)
    texts.close()
    for text in texts.found:
        plain = re.sub(r"\S+@\S+|https?:\S+|[0-9a-f]{8,}\S*|…[0-9a-f]+|[\w./]*_[\w./]*|/\S+", "", text)
        if set(_WORD.findall(plain)) - names:
            yield " ".join(text.split())


@pytest.fixture
def pseudo(tmp_path: Path, settings: Settings) -> Iterator[None]:
    """Pages in the language of the catalogue that disguises each text."""
    write_catalogue(tmp_path)
    settings.LOCALE_PATHS = [str(tmp_path)]
    forget_catalogues()
    yield
    forget_catalogues()
