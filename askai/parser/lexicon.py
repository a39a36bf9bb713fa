"""The lexicon of a language, and the tokenizer that reads a question by it.

A line of a table is `kind value: entry, entry, …`, or `kind*: value entry, value entry, …`. In an entry, `(a|b)` is a choice and `[a]` is optional. The last
character of an entry may be a mark: `+` plural, `!` a form that can also be a command, `=` a noun that can also be a
command, `~` a finite verb or participle, `?` a question for yes or no.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from ..plans.periods import YEARS
from ..plans.plan import PlanInvalid

SLOTS = ("browsers", "systems", "forms", "places", "ips")
MARKS = "+!=~?"
ENTRY_MAX = 60
MONTHS = 12

_CHOICE = re.compile(r"\[([^\[\]()]*)\]|\(([^\[\]()]*)\)")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_ACCENT = re.compile(r"[\u0300-\u036f]")
_SPACES = re.compile(r"['\u2019\u00b4`\"\u201c\u201d\u201e«»()¿¡\s「」]+|-(?=[^\d])|(?<=[^\d])-|:(?=\s|$)")
_END = re.compile(r"[?!;。]+|(?<!\d)\.+(?=\s|$)|(?<=\d)\.+$")
_ABBREVIATED = re.compile(r"\b([ap])\.\s?m\b\.?")
_NUMERIC = re.compile(
    r"(?P<ip>\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?|(?=[0-9a-f:]*:[0-9a-f]*:)[0-9a-f:.]{2,45}(?:/\d{1,3})?)(?![\da-z:])"
    r"|(?P<iso>(?P<y>\d{4})-(?P<m>\d{2})(?:-(?P<d>\d{2}))?)(?![\w-])"
    r"|(?P<kanji>(?:(?P<ky>\d{4})年)?(?P<km>\d{1,2})月(?:(?P<kd>\d{1,2})日)?|(?P<kyy>\d{4})年)"
    r"|(?P<dots>(?P<dd>\d{1,2})\.\s?(?P<dm>\d{1,2})(?:\.(?:\s?(?P<dy>\d{4}))?)?)(?![\d.])"
    r"|(?P<slash>(?P<s1>\d{1,4})/(?P<s2>\d{1,2})(?:/(?P<s3>\d{4}|\d{1,2}))?)(?![\da-z/])"
    r"|(?P<clock>(?P<ch>\d{1,2}):(?P<cm>\d{2}))(?![\d:])"
    r"|(?P<ordinal>\d{1,2})\.(?=\s[^\W\d])"
    r"|(?P<num>\d{1,4})(?!\d)"
)
_WORD = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or chunk of the question. `mark` is one of MARKS or empty."""

    kind: str
    value: Any = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The entries of a language. `slash` is the order of 3/4: `dm`, `md`, or empty where the order is not certain."""

    entries: dict[str, tuple[Token, ...]]
    slash: str = ""

    def read(self, text: str) -> list[Token]:
        """Return the tokens of a folded text. Each is the longest entry at its place; accents may be missing.

        Raises PlanInvalid at a word that is not in the lexicon.
        """
        tokens: list[Token] = []
        plain = _plain(text)
        position = 0
        while position < len(text):
            if text[position] == " ":
                position += 1
                continue
            end, found = self._longest(text, plain, position)
            number = _NUMERIC.match(plain, position)
            if number is not None and number.end() >= end and _is_edge(plain, position):
                end, found = number.end(), (self._numeric(number),)
            if not found:
                raise PlanInvalid
            tokens.extend(found)
            position = end
        return tokens

    def _longest(self, text: str, plain: str, start: int) -> tuple[int, tuple[Token, ...]]:
        if not _is_edge(plain, start):
            return start, ()
        for end in range(min(len(text), start + ENTRY_MAX), start, -1):
            if not _is_edge(plain, end):
                continue
            found = self.entries.get(text[start:end]) or self.entries.get(plain[start:end])
            if found:
                return end, found
        return start, ()

    def _numeric(self, match: re.Match[str]) -> Token:
        try:
            return self._dated(match) or _numbered(match)
        except ValueError:
            raise PlanInvalid from None

    def _dated(self, found: re.Match[str]) -> Token | None:
        """Return the day of a date such as 2026-11-13, 11月13日, 13.11. and 13/11, in the form of `read_moment`."""
        if found["slash"] and len(found["s1"]) < len("2026"):
            order = self.slash or ("dm" if int(found["s1"]) > MONTHS else "md" if int(found["s2"]) > MONTHS else "")
            if not order:
                raise PlanInvalid
            first, second = found["s1"], found["s2"]
            parts: tuple[str | None, ...] = (
                (found["s3"], second, first) if order == "dm" else (found["s3"], first, second)
            )
        else:
            forms = (("y", "m", "d"), ("ky", "km", "kd"), ("kyy", "km", "kd"), ("dy", "dm", "dd"), ("s1", "s2", "s3"))
            parts = next((found.group(*names) for names in forms if any(found.group(*names))), ())
        if not parts:
            return None
        year, *rest = parts
        return Token("day", "-".join([year or "-", *(f"{int(part):02}" for part in rest if part)]))


def read_address(text: str) -> str:
    """Return the address or network in the form of the records. Raises ValueError when the text is neither."""
    if "/" in text:
        return str(ip_network(text))
    address = ip_address(text)
    return str(getattr(address, "ipv4_mapped", None) or address)


def make_lexicon(*tables: str, slash: str = "") -> Lexicon:
    """Return the lexicon of these tables. A later table wins over an earlier one."""
    entries: dict[str, tuple[Token, ...]] = {}
    plain: dict[str, tuple[Token, ...]] = {}
    for table in tables:
        for line in re.sub(r"\n[ ]+", " ", table).strip().splitlines():
            name, _, listed = line.partition(":")
            kind, _, named = name.strip().partition(" ")
            for entry in _split(listed):
                value, _, written = entry.partition(" ") if kind.endswith("*") else (named, "", entry)
                for phrase, mark in _phrases(written):
                    bare = _plain(phrase)
                    # `cambié` is a past tense. `cambie` can also be a command.
                    is_past = mark == "=" and bare != phrase
                    entries[phrase] = tuple(_tokens(kind.rstrip("*"), value, "~" if is_past else mark))
                    plain[bare] = tuple(_tokens(kind.rstrip("*"), value, mark))
    return Lexicon(entries={**plain, **entries}, slash=slash)


def fold(question: str) -> str:
    """Return the question without differences that have no meaning: case, width, quotes, hyphens."""
    text = _ABBREVIATED.sub(r"\1m", unicodedata.normalize("NFKC", question).casefold())
    text = _END.sub(" ; ", _SPACES.sub(" ", text).strip())
    return " ".join(re.sub("([,、\u2013\u2014~〜&])", r" \1 ", text).split())


def _tokens(kind: str, value: str, mark: str) -> Iterator[Token]:
    """Yield the tokens of an entry. A value such as `login & logout` has several, joined by `and`."""
    for index, part in enumerate(value.split(" & ")):
        if index:
            yield Token("and")
        yield _token(kind, part, mark)


def _token(kind: str, value: str, mark: str) -> Token:
    if kind in SLOTS:
        return Token("cond", (kind, value))
    if kind in ("num", "ord"):
        return Token(kind, int(value))
    if kind == "clock":
        return Token(kind, tuple(int(part) for part in value.split(".")), "24")
    return Token(kind, value, mark)


def _split(listed: str) -> Iterator[str]:
    return (entry.strip() for entry in re.split(r",\s", listed) if entry.strip())


def _phrases(entry: str) -> Iterator[tuple[str, str]]:
    """Yield each folded phrase of an entry with its mark, and the spelling without umlauts."""
    for raw in _expand(entry):
        mark = raw[-1:] if raw[-1:] in MARKS else ""
        text = raw.removesuffix(mark).strip()
        spelled = text if text.isascii() else "".join(_UMLAUTS.get(letter, letter) for letter in text)
        for spelling in {text, spelled}:
            is_folded = spelling.isascii() and spelling.islower() and spelling.replace(" ", "").isalnum()
            yield spelling if is_folded else fold(spelling), mark


def _expand(entry: str) -> Iterator[str]:
    match = _CHOICE.search(entry)
    if match is None:
        yield " ".join(entry.split())
        return
    options = ["", *match[1].split("|")] if match[1] is not None else match[2].split("|")
    for option in options:
        yield from _expand(entry[: match.start()] + option + entry[match.end() :])


def _plain(text: str) -> str:
    """Return the text without accents, with as many letters."""
    return text if text.isascii() else "".join(map(_without_accents, text))


@lru_cache(maxsize=1000)
def _without_accents(letter: str) -> str:
    """Return a Latin letter without its accent. Other scripts keep their marks."""
    base = _ACCENT.sub("", unicodedata.normalize("NFD", letter))
    return base if base.isascii() and len(base) == 1 else letter


def _is_edge(text: str, index: int) -> bool:
    """Return whether a token may begin or end here: not within a Latin word, and not within a number."""
    if index in (0, len(text)):
        return True
    before, after = text[index - 1], text[index]
    return not ((_is_latin(before) and _is_latin(after)) or (before.isdigit() and after.isdigit()))


def _is_latin(letter: str) -> bool:
    return letter.isascii() and _WORD.match(letter) is not None


def _numbered(found: re.Match[str]) -> Token:
    if found["ip"]:
        return Token("cond", ("ips", read_address(found["ip"])))
    if found["clock"]:
        clock = time(int(found["ch"]), int(found["cm"]))
        return Token("clock", (clock.hour, clock.minute), "24")
    if found["ordinal"]:
        return Token("ord", int(found["ordinal"]))
    number = int(found["num"])
    return Token("year" if number in YEARS else "num", number)
