"""The lexicon of each language: its own table, the names that all languages share, and the places."""

from functools import cache

from ..plans.plan import Language
from .lexicon import Lexicon, make_lexicon
from .tables import de, en, es, fr, ja, places, shared

_TABLES = {Language.EN: en, Language.DE: de, Language.FR: fr, Language.ES: es, Language.JA: ja}


@cache
def lexicon(language: Language) -> Lexicon:
    """Return the lexicon of the language. It is made once in each process."""
    table = _TABLES[language]
    return make_lexicon(shared.TABLE, places.table(language), table.TABLE, slash=table.SLASH)
