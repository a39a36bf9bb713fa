"""The catalogues of translations are complete, and the compiled files match the text files."""

import re
from collections import Counter

import polib
import pytest

from mail.languages import ENGLISH, LANGUAGES
from tools.catalogues import Message, messages, po_path

pytestmark = [pytest.mark.once, pytest.mark.parametrize("language", LANGUAGES)]

PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|%%|%")

FORMATS = {":", "j F Y", "j F Y, H:i T"}
"""The texts that can be the same in several languages."""


def read(language: str) -> polib.POFile:
    return polib.pofile(str(po_path(language)))


def test_the_compiled_catalogue_matches_the_text(language: str) -> None:
    assert po_path(language).with_suffix(".mo").read_bytes() == read(language).to_binary()


def test_each_text_has_a_translation_and_no_translation_is_left_over(language: str) -> None:
    catalogue = read(language)

    assert {Message(text=entry.msgid, context=entry.msgctxt) for entry in catalogue} == set(messages())
    assert catalogue.untranslated_entries() == catalogue.fuzzy_entries() == []


def test_a_translation_keeps_each_placeholder(language: str) -> None:
    for entry in read(language):
        assert Counter(PLACEHOLDER.findall(entry.msgstr)) == Counter(PLACEHOLDER.findall(entry.msgid)), entry.msgid


def test_a_translation_contains_no_markup(language: str) -> None:
    # The pages put these texts into attributes.
    assert [entry.msgid for entry in read(language) if re.search(r"""["<>&]""", entry.msgstr)] == []


def test_english_repeats_the_text_and_other_languages_do_not(language: str) -> None:
    same = {entry.msgid for entry in read(language) if entry.msgstr == entry.msgid}

    assert same == ({entry.msgid for entry in read(language)} if language == ENGLISH else same & FORMATS)
