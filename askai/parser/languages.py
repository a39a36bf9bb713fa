"""The lexicon of each language: its own table, the names that all languages share, and the places."""

from collections.abc import Mapping
from functools import cache

from ..plans.plan import Language
from .lexicon import Lexicon, make_lexicon
from .tables import de, en, es, fr, ja, places, shared

_TABLES = {Language.EN: en, Language.DE: de, Language.FR: fr, Language.ES: es, Language.JA: ja}


@cache
def lexicons() -> Mapping[Language, Lexicon]:
    """Return the lexicons. They are made once in each process."""
    return {
        language: make_lexicon(shared.TABLE, places.table(language), table.TABLE, slash=table.SLASH)
        for language, table in _TABLES.items()
    }
