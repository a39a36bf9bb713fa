"""A fixed world of one user, on which unseen questions are judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

WORLD = Path(__file__).parent / "world.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that the user has at the moment `now`. Rows have their own ids, such as `e1` and `s1`.

    `facts` has a truth value or the number of things that the account has.
    """

    now: datetime
    agents: Mapping[str, str]
    locations: Mapping[str, Mapping[str, str]]
    facts: Mapping[str, int]
    sessions: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]


def load_world() -> World:
    """Return the world of the file WORLD."""
    members = orjson.loads(WORLD.read_bytes())
    return World(**{**members, "now": datetime.fromisoformat(members["now"])})
