"""The catalogues of translations are complete, and the compiled files match the text files."""

import polib
import pytest

from mail.languages import ENGLISH, LANGUAGES
from tests.rows import each
from tools.catalogues import CATALOGUES, MAILS, Catalogue, _faults_of, faults

pytestmark = pytest.mark.once

FORMATS = {":", "j F Y", "j F Y, H:i T"}
"""The texts that can be the same in several languages."""


@each("language", LANGUAGES)
@each("catalogue", CATALOGUES)
def test_a_catalogue_has_no_fault(catalogue: Catalogue, language: str) -> None:
    assert list(faults(catalogue, language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_of_a_mail_contains_no_markup(language: str) -> None:
    assert [entry.msgid for entry in MAILS.read(language) if set('"<>&') & set(entry.msgstr)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_english_repeats_the_text_and_other_languages_do_not(language: str) -> None:
    same = {entry.msgid for entry in MAILS.read(language) if entry.msgstr == entry.msgid}

    assert same == ({entry.msgid for entry in MAILS.read(language)} if language == ENGLISH else same & FORMATS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_several_catalogues_has_one_translation(language: str) -> None:
    translations: dict[tuple[str, str | None], set[str]] = {}
    for entry in (one for catalogue in CATALOGUES for one in catalogue.read(language) if one.msgstr):
        translations.setdefault((entry.msgid, entry.msgctxt), set()).add(entry.msgstr)

    assert {text: found for text, found in translations.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (polib.POEntry(msgid="%(number)s events", msgstr="%(zahl)s Ereignisse"), "other placeholders"),
        (polib.POEntry(msgid="100 %", msgstr="100 %%"), "other placeholders"),
        (polib.POEntry(msgid="Type <code>x</code>", msgstr="<kbd>x</kbd> eingeben"), "other tags"),
        (polib.POEntry(msgid="Open the page", msgstr='Die Seite "öffnen"'), "a quotation mark or other markup"),
        (
            polib.POEntry(msgid="One event", msgid_plural="%(number)s events", msgstr_plural={0: "Ereignis"}),
            "not 2 plural forms",
        ),
    ],
)
def test_a_translation_that_breaks_a_page_is_a_fault(entry: polib.POEntry, fault: str) -> None:
    assert fault in list(_faults_of(entry, "de"))
