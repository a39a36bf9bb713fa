"""The templates of the console and of the pages: each text stands in a tag of translation."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("console/templates", "pages/templates", "templates", "mfa/templates", "askai/templates")
SHOWN_ATTRIBUTES = {"alt", "aria-label", "data-confirm", "data-label", "placeholder", "title"}
# The content of these elements is a command, a key or code.
DATA_ELEMENTS = {"code", "kbd", "pre", "script", "style"}
# Names and units are the same in every language.
DATA = {"API", "DSN", "GET", "ms", "https://app.example.com", "postgresql://asker:PASSWORD@HOST:5432/"}
_SENTENCE = re.compile(r"\{% blocktranslate .*?\{% endblocktranslate %\}", re.DOTALL)
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_LABEL = re.compile(r'\{% filter_field "\w+" "|(?:blank=|default:)"(?!authsvc_)\w')


class _Texts(HTMLParser):
    """Collects the texts of a page and of the attributes that a person sees or hears."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open_data: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in SHOWN_ATTRIBUTES and value]
        if tag in DATA_ELEMENTS:
            self.open_data.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in DATA_ELEMENTS:
            self.open_data.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self.open_data:
            self.found.append(data)


def unmarked(source: str) -> Iterator[str]:
    """Yield the texts of the template that stand in no tag of translation."""
    texts = _Texts()
    texts.feed(_TAG.sub("", _SENTENCE.sub("", source)))
    texts.close()
    yield from (text.strip() for text in texts.found if re.search("[A-Za-z]", text) and text.strip() not in DATA)
    yield from (found[0] for found in _LABEL.finditer(source))


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_text_of_a_template_is_marked_for_translation(folder: str) -> None:
    templates = sorted((ROOT / folder).rglob("*.html"))
    assert templates

    found = {path.name: texts for path in templates if (texts := list(unmarked(path.read_text())))}

    assert found == {}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h1>Users</h1>", "Users"),
        ("{% translate 'Users' %} of alice", "of alice"),
        ('<td data-label="When {{ at }}">', "When"),
        ('{% filter_field "q" "Part of a name" %}', '{% filter_field "q" "'),
        ('{{ email|default:"deleted" }}', 'default:"d'),
    ],
)
def test_a_text_without_a_tag_is_found(source: str, text: str) -> None:
    assert list(unmarked(source)) == [text]
