"""Questions that work, as examples for a reader whose question was refused."""

from collections.abc import Sequence

from ..plans.entities import Entity
from ..plans.plan import Language
from .words import WORDS

NUMBER = 5
ON_SESSIONS = 2
"""Examples about sessions among NUMBER examples about everything."""


def examples(*, language: Language, entities: Sequence[Entity]) -> list[str]:
    """Return NUMBER questions in the language that the service answers about these entities; [] without an entity."""
    words = WORDS[language]
    sessions = words.questions_on_sessions if Entity.SESSIONS in entities else ()
    events = words.questions_on_events if Entity.AUDIT_EVENTS in entities else ()
    first = sessions[:ON_SESSIONS] if events else sessions
    return [*first, *events][:NUMBER]
