"""Rules that join neighbouring tokens to a chunk. A rule is a regular expression over the kinds of tokens."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .lexicon import Token

Tokens: TypeAlias = list[Token]
Make: TypeAlias = Callable[[Tokens], Sequence[Token] | None]

_KIND = re.compile(r"[a-z_]+")
_codes: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Rule:
    """Tokens whose kinds match `pattern` become the tokens that `make` returns; None leaves them as they are."""

    pattern: re.Pattern[str]
    make: Make


def rule(pattern: str, make: Make) -> Rule:
    """Return the rule. The pattern consists of kinds, blanks and the signs of regular expressions."""
    return Rule(re.compile(as_codes(pattern)), make)


def as_codes(pattern: str) -> str:
    """Return the pattern with one character for each kind."""
    return _KIND.sub(lambda match: _code(match[0]), pattern).replace(" ", "")


def codes_of(tokens: Sequence[Token]) -> str:
    """Return the kinds of the tokens, one character for each."""
    return "".join(_code(token.kind) for token in tokens)


def apply(rules: Sequence[Rule], tokens: Tokens) -> Tokens:
    """Return the tokens after all rules, each applied from left to right until it matches nothing more."""
    for each in rules:
        codes, position = codes_of(tokens), 0
        while (match := each.pattern.search(codes, position)) is not None:
            made = each.make(tokens[match.start() : match.end()])
            if made is None or match.start() == match.end():
                position = match.start() + 1
                continue
            tokens = [*tokens[: match.start()], *made, *tokens[match.end() :]]
            codes, position = codes_of(tokens), match.start() + len(made)
    return tokens


def _code(kind: str) -> str:
    return _codes.setdefault(kind, chr(0x4E00 + len(_codes)))
