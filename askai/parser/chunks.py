"""Patterns over the tokens of a question, and rules that join neighbouring tokens to a chunk.

A pattern is a regular expression over tokens: `num unit ago`. Each word of it names a kind. `con.login` also names the
value of the token, `con:verb` its mark, and `any` is every token. A name in capital letters is one of NAMES.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

from .lexicon import Token

Tokens: TypeAlias = list[Token]
Make: TypeAlias = Callable[[Tokens], Sequence[Token] | None]

_MARKS = {"many": "+", "order": "!", "either": "=", "verb": "~", "yesno": "?", "plain": ""}
_WORD = re.compile(r"([a-z_]+)(?:\.([a-z_]+))?(?::([a-z_]+))?")
_WIDTH = 3
_letters = (chr(number) for number in count(0x4E00))
_codes: dict[str, str] = {}
"""The letter of each kind, value and mark that a pattern names."""

NAMES: Mapping[str, str] = {
    "X": "(day|moment|weekday|month|year)",
    "TOTAL": "(fill.total|fill.until)",
    "GAP": "(prep|the|(?!TOTAL)fill)*",
    "OPENER": "(when|where|which|what|wgroup|who|count|show|compare)",
    "CONDITION": "(conds|nconds|period|hours|weekdays)",
    "NIGHT": "(part.night|parts.night)",
    "ONTO": "(prep.onto|to)",
    "LINK": "(prep|from|since|the|a|(?!TOTAL)fill)*",
    "LIST": "(and|or|comma|ask)+",
    "PROPERTY": "(prop|unit|h_unit)",
    "STATED": "(aux|own|conds|nconds|period|hours|weekdays)",
    "CLAIM": "(?=any*(aux|does|exist|ask|own|(?<!rel)come|con:yesno))(?!any*OPENER)",
    "YESNO": "(?=any*(aux|does|exist|ask|own|con:yesno))(?!any*(OPENER|cols))",
    "ASKED": "(when|where|which|what|wgroup|who|count)",
    "UNCERTAIN": "(count|group|wgroup|most|compare|top)",
    "GENERAL": "(ever|ask.ever|TOTAL|most|aux.do|does|count.often)",
    "LATEST": "(period:latest|period:weekend)",
    "BRIEF": "(period:day|LATEST|period:pair)",
    "NIGHTLY": "(hours:night|hours:nights|hours:one_night)",
    "ADJECTIVE": "(^|the|all|prep|from|show|count|which|what|a|own)",
    "NOUN": "(the|a|top|(?!con:order)con|count|which|what|num|per|each|adj)",
    "STOOD": "(aux.was|aux.been|aux.stood)",
    "PAST": "(aux.past|STOOD|aux.did|aux.have|aux.ownhave|exist|tense|ask.stood|come.past)",
    "SIGNED": "(con.login:verb|con.login:either|con.session:verb|con.session:yesno)",
    "SECRET": "(con.api_key|con.recovery_code|con.password|con.token|con.code|con.totp|con.magic_link)",
    "NEUTRAL": "(con.create|con.enable|con.happen|con.event|con.use)",
    "ACT": "(?!NEUTRAL)con",
    "ACTED": "(?!NEUTRAL)con:verb",
    "ACTABLE": "(?!NEUTRAL)(con:order|con:either)",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """Tokens that match `pattern` become the tokens that `make` returns; None leaves them as they are."""

    pattern: str
    make: Make


def apply(rules: Sequence[Rule], tokens: Tokens) -> Tokens:
    """Return the tokens after all rules, each applied from left to right until it matches nothing more."""
    patterns = [_compiled(rule.pattern) for rule in rules]
    codes = _codes_of(tokens)
    for rule, pattern in zip(rules, patterns, strict=True):
        position = 0
        while (match := pattern.search(codes, position * _WIDTH)) is not None:
            first, end = (place // _WIDTH for place in match.span())
            made = rule.make(tokens[first:end]) if first < end else None
            if made is None:
                position = first + 1
                continue
            tokens = [*tokens[:first], *made, *tokens[end:]]
            codes, position = _codes_of(tokens), first + len(made)
    return tokens


def matches(pattern: str, tokens: Sequence[Token]) -> bool:
    """Return whether the pattern occurs in the tokens."""
    return _compiled(pattern).search(_codes_of(tokens)) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    while (named := re.sub("[A-Z]+", lambda match: NAMES[match[0]], pattern)) != pattern:
        pattern = named
    return re.compile(_WORD.sub(_as_code, pattern).replace(" ", ""))


def _as_code(match: re.Match[str]) -> str:
    """Return the expression for a word of a pattern. A token has one letter for its kind, its value and its mark."""
    kind, value, mark = match.groups()
    if kind == "any":
        return "(?:...)"
    end = "." if mark is None else re.escape(_code("mark", _MARKS.get(mark, mark)))
    return f"(?:{_code('kind', kind)}{_code('value', value) if value else '.'}{end})"


def _codes_of(tokens: Sequence[Token]) -> str:
    return "".join(
        _codes.get(f"{part} {name}", "-")
        for token in tokens
        for part, name in (("kind", token.kind), ("value", token.value), ("mark", token.mark))
    )


def _code(part: str, name: str) -> str:
    return _codes.setdefault(f"{part} {name}", next(_letters))
