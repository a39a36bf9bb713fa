"""The catalogues of translations: one for each language, with the texts of the mails and their pages.

`python -m tools.catalogues` adds new texts to each `django.po`, removes texts that no longer exist, and writes each
`django.mo`. It keeps the translations. A new text has no translation until a developer writes it into the file.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation.template import templatize

from mail.languages import ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "core", "mail", "sessions_app", "mfa", "apikeys", "console")
PATTERNS = ("templates/authsvc_accounts/mails/*", "templates/authsvc_accounts/*page.html", "**/*.py")
FUNCTIONS = {"gettext", "gettext_lazy", "gettext_noop", "pgettext"}

_TEXT = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"\bp?gettext\(({_TEXT}(?:, {_TEXT})?)\)")


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A text to translate. The context tells apart equal texts with different meanings."""

    text: str
    context: str | None = None


def messages() -> dict[Message, list[str]]:
    """Return the texts of the mails and pages, each with the files that use it."""
    found: dict[Message, list[str]] = {}
    for path in sorted(
        {path for package in PACKAGES for pattern in PATTERNS for path in (ROOT / package).glob(pattern)}
    ):
        for message in _messages_in(path):
            files = found.setdefault(message, [])
            if (name := str(path.relative_to(ROOT))) not in files:
                files.append(name)
    return found


def po_path(language: str) -> Path:
    """Return the path of the language's text catalogue. The compiled file lies beside it, with the suffix `.mo`."""
    return ROOT / f"accounts/locale/{language}/LC_MESSAGES/django.po"


def write_catalogue(language: str) -> int:
    """Write the catalogue of the language, and return the number of texts without a translation."""
    path = po_path(language)
    known = polib.pofile(str(path)) if path.exists() else polib.POFile()
    catalogue = polib.POFile(wrapwidth=120)
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": language}
    for message, files in messages().items():
        old = known.find(message.text, msgctxt=message.context or False)
        english = message.text if language == ENGLISH else ""
        translated = old.msgstr if old is not None and not english else english
        catalogue.append(
            polib.POEntry(
                msgid=message.text,
                msgctxt=message.context,
                msgstr=translated,
                occurrences=[(file, "") for file in files],
                flags=["python-format"] if re.search(r"%\(\w+\)s", message.text) else [],
            )
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))
    catalogue.save_as_mofile(str(path.with_suffix(".mo")))
    return len(catalogue.untranslated_entries())


def _messages_in(path: Path) -> Iterator[Message]:
    if path.suffix == ".py":
        calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        for call in calls:
            texts = [str(argument.value) for argument in call.args if isinstance(argument, ast.Constant)]
            # A call with a variable translates a text that another call marks.
            if isinstance(call.func, ast.Name) and call.func.id in FUNCTIONS and texts:
                yield _message(texts)
    else:
        for call_text in _CALL.finditer(templatize(path.read_text())):
            yield _message(ast.literal_eval(f"[{call_text[1]}]"))


def _message(arguments: list[str]) -> Message:
    """Return the message of a call of gettext(text) or pgettext(context, text)."""
    *context, text = arguments
    return Message(text=text, context=context[0] if context else None)


def main() -> int:
    """Write the catalogues of all languages. Return 1 when a text has no translation."""
    settings.configure()
    missing = {language: write_catalogue(language) for language in LANGUAGES}
    for language, number in missing.items():
        print(f"{language}: {number} texts without a translation")  # noqa: T201 - it talks to people
    return 1 if any(missing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
