"""The words of answers: one table for each language. A further language adds a table."""

from collections.abc import Mapping

from ...plans.plan import Language
from . import de, en, es, fr, ja
from .table import Words

WORDS: Mapping[Language, Words] = {
    Language.EN: en.WORDS,
    Language.DE: de.WORDS,
    Language.FR: fr.WORDS,
    Language.ES: es.WORDS,
    Language.JA: ja.WORDS,
}
"""The words of each language."""
