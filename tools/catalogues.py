"""The catalogues of translations: those of the mails, of the pages, and of the console.

`python -m tools.catalogues` adds new texts to each `django.po`, removes texts that no longer exist, and writes each
`django.mo`. It keeps the translations. A new text has no translation until a developer writes it into the file.
`--check` writes nothing, and prints what is wrong with the catalogues.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation.template import templatize

from mail.languages import ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "accounts",
    "apikeys",
    "askai",
    "config",
    "console",
    "core",
    "events",
    "mail",
    "mfa",
    "pages",
    "sessions_app",
)

PLURAL_FORMS: Mapping[str, str] = {
    "en": "nplurals=2; plural=(n != 1);",
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "ja": "nplurals=1; plural=0;",
}
"""The header `Plural-Forms` of each language."""

FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "_": ("text",),
    "gettext": ("text",),
    "pgettext": ("context", "text"),
    "ngettext": ("text", "plural"),
    "npgettext": ("context", "text", "plural"),
}
"""The functions that translate, with the meanings of their first arguments. Those of Python can end in _lazy or _noop."""

_TEXT = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"(?<![\w.])(_|n?p?gettext)\(({_TEXT}(?:, {_TEXT})*)")
_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}|%%|%")
_TAG = re.compile(r"</?[a-z]+[^<>]*>")
_MARKUP = re.compile(r"""["<>]|&(?!\w+;)""")


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A text to translate. The context tells apart equal texts with different meanings."""

    text: str
    context: str | None = None
    plural: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The catalogue of one folder `locale`, with the patterns of the files whose texts it translates."""

    name: str
    folder: str
    sources: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    has_errors: bool = False
    """Whether the messages of error classes and the meanings of settings are texts of the catalogue."""
    sharing: tuple["Catalogue", ...] = ()
    """The catalogues from which a new text of this one gets its translation."""

    def path(self, language: str) -> Path:
        """Return the path of the text catalogue. The compiled file lies beside it, with the suffix `.mo`."""
        return ROOT / self.folder / f"locale/{language}/LC_MESSAGES/django.po"

    def read(self, language: str) -> polib.POFile:
        """Return the text catalogue of the language. It is empty when there is no file."""
        path = self.path(language)
        return polib.pofile(str(path), wrapwidth=120) if path.exists() else polib.POFile(wrapwidth=120)

    @cache  # noqa: B019 - the catalogues are constants
    def messages(self) -> Mapping[Message, Sequence[str]]:
        """Return the texts, each with the files that use it. The sources are read once for all languages."""
        found: dict[Message, list[str]] = {}
        left_out = {path for pattern in self.left_out for path in ROOT.glob(pattern)}
        for path in sorted({path for pattern in self.sources for path in ROOT.glob(pattern)} - left_out):
            for message in self._messages_in(path):
                files = found.setdefault(message, [])
                if (name := str(path.relative_to(ROOT))) not in files:
                    files.append(name)
        return found

    def _messages_in(self, path: Path) -> Iterator[Message]:
        if path.suffix == ".py":
            tree = ast.parse(path.read_text())
            yield from _calls_in(tree)
            if self.has_errors:
                yield from _declared_in(tree)
        else:
            for name, texts in _CALL.findall(templatize(path.read_text())):
                yield _message(name, list(ast.literal_eval(f"[{texts}]")))


MAILS = Catalogue(
    name="mails",
    folder="accounts",
    sources=(
        "accounts/templates/authsvc_accounts/mails/*",
        "accounts/templates/authsvc_accounts/*page.html",
        *(f"{package}/**/*.py" for package in ("accounts", "mail", "sessions_app", "mfa", "apikeys")),
        "console/account_acts/notices.py",
    ),
    left_out=("accounts/passwords/foreign/site_hasher.py", "accounts/state/metadata.py", "accounts/state/lookup.py"),
)
PAGES = Catalogue(
    name="pages",
    folder="pages",
    sources=(
        "pages/templates/**/*.html",
        "pages/**/*.py",
        "templates/*.html",
        "core/**/*.py",
        "mfa/templates/**/*.html",
        *(f"{package}/**/errors.py" for package in PACKAGES if package not in ("config", "console")),
    ),
    left_out=("core/conf.py", "core/**/conf.py"),
    has_errors=True,
    sharing=(MAILS,),
)
CONSOLE = Catalogue(
    name="console",
    folder="console",
    sources=(
        "console/templates/**/*.html",
        "console/**/*.py",
        "askai/**/*.py",
        "askai/templates/**/*.html",
        "events/**/*.py",
        "accounts/state/metadata.py",
        "accounts/state/lookup.py",
        "config/environment.py",
        *(f"{package}/**/conf.py" for package in PACKAGES),
        "oidc/conf.py",
    ),
    left_out=("console/account_acts/notices.py", "askai/**/errors.py", "events/**/errors.py"),
    has_errors=True,
    sharing=(MAILS, PAGES),
)
OIDC = Catalogue(
    name="oidc",
    folder="oidc",
    sources=("oidc/templates/**/*.html", "oidc/**/*.py"),
    sharing=(MAILS, PAGES),
)
CATALOGUES = (MAILS, PAGES, CONSOLE, OIDC)


def write_catalogue(catalogue: Catalogue, language: str) -> int:
    """Write the catalogue in the language, and return the number of texts without a translation.

    A new text gets the translation that another catalogue has of it.
    """
    known = [one.read(language) for one in (catalogue, *catalogue.sharing)]
    written = polib.POFile(wrapwidth=120)
    written.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Language": language,
        "Plural-Forms": PLURAL_FORMS[language],
    }
    for message, files in catalogue.messages().items():
        entry = polib.POEntry(
            msgid=message.text,
            msgctxt=message.context,
            occurrences=[(file, "") for file in files],
            flags=["python-format"] if "%(" in message.text + (message.plural or "") else [],
        )
        olds = [old for one in known if (old := one.find(message.text, msgctxt=message.context))]
        if message.plural is None:
            texts = [old.msgstr for old in olds if old.msgstr]
            entry.msgstr = message.text if language == ENGLISH else next(iter(texts), "")
        else:
            entry.msgid_plural = message.plural
            forms = [old.msgstr_plural for old in olds if any(old.msgstr_plural.values())]
            english = {0: message.text, 1: message.plural}
            entry.msgstr_plural = (
                english if language == ENGLISH else next(iter(forms), dict.fromkeys(range(_forms(language)), ""))
            )
        written.append(entry)
    path = catalogue.path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    written.save(str(path))
    written.save_as_mofile(str(path.with_suffix(".mo")))
    return len(written.untranslated_entries())


def faults(catalogue: Catalogue, language: str) -> Iterator[str]:
    """Yield what is wrong with the catalogue in the language, such as a text without a translation."""
    read = catalogue.read(language)
    compiled = catalogue.path(language).with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != read.to_binary():
        yield "the compiled file differs from the text file"
    listed = {Message(text=one.msgid, context=one.msgctxt, plural=one.msgid_plural or None) for one in read}
    needed = set(catalogue.messages())
    yield from (f"missing: {message.text!r}" for message in sorted(needed - listed, key=str))
    yield from (f"stale: {message.text!r}" for message in sorted(listed - needed, key=str))
    counted = Counter((message.text, message.context) for message in needed)
    yield from (f"with and without a plural: {text!r}" for (text, _), number in counted.items() if number > 1)
    for entry in read:
        if entry.fuzzy:
            yield f"fuzzy: {entry.msgid!r}"
        elif not entry.translated():
            yield f"without a translation: {entry.msgid!r}"
        else:
            yield from (f"{fault}: {entry.msgid!r}" for fault in _faults_of(entry, language))


def _faults_of(entry: polib.POEntry, language: str) -> Iterator[str]:
    """Yield what is wrong with a translated entry."""
    pairs = [(entry.msgid, entry.msgstr)]
    if entry.msgid_plural:
        forms = entry.msgstr_plural
        if sorted(forms) != list(range(_forms(language))):
            yield f"not {_forms(language)} plural forms"
        pairs = [(entry.msgid if len(forms) > 1 and not form else entry.msgid_plural, forms[form]) for form in forms]
    for english, text in pairs:
        wanted, found = (Counter(_PLACEHOLDER.findall(one)) for one in (english, text))
        # A language can write "one event" in place of the number.
        if wanted != found and not (entry.msgid_plural and set(found) <= set(_PLACEHOLDER.findall(entry.msgid_plural))):
            yield "other placeholders"
        if Counter(_TAG.findall(english)) != Counter(_TAG.findall(text)):
            yield "other tags"
        if _MARKUP.search(_TAG.sub("", text)) and not _MARKUP.search(_TAG.sub("", english)):
            # The pages put these texts into attributes.
            yield "a quotation mark or other markup"
        if language == ENGLISH and english != text:
            yield "English differs from the text of the code"


def _forms(language: str) -> int:
    return int(PLURAL_FORMS[language].removeprefix("nplurals=")[0])


def _calls_in(tree: ast.Module) -> Iterator[Message]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        base = name.removesuffix("_lazy").removesuffix("_noop")
        if base not in FUNCTIONS:
            continue
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        # A call with a variable translates a text that another call marks.
        if len(texts) >= len(FUNCTIONS[base]):
            yield _message(base, [str(text) for text in texts])


def _declared_in(tree: ast.Module) -> Iterator[Message]:
    """Yield the messages of the module's error classes, and the meanings of its settings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(keyword.arg == "status" for keyword in node.keywords):
            yield Message(text=(ast.get_docstring(node) or "").split("\n", 1)[0])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setting":
            texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            documented = [keyword.value for keyword in node.keywords if keyword.arg == "doc"]
            texts += [value.value for value in documented if isinstance(value, ast.Constant)]
            if texts and isinstance(texts[-1], str) and " " in texts[-1]:
                yield Message(text=texts[-1])
            defaults = [keyword.value for keyword in node.keywords if keyword.arg == "default_text"]
            words = [str(value.value) for value in defaults if isinstance(value, ast.Constant) and value.value]
            yield from (Message(text=text) for text in words if re.search("[a-z]{2}", re.sub("`[^`]*`", "", text)))


def _message(name: str, arguments: list[str]) -> Message:
    return Message(**dict(zip(FUNCTIONS[name], arguments, strict=False)))


def main(arguments: list[str]) -> int:
    """Write or check the catalogues of all languages. Return 1 when something is wrong."""
    settings.configure()
    found = 0
    for catalogue in CATALOGUES:
        for language in LANGUAGES:
            if "--check" not in arguments:
                missing = write_catalogue(catalogue, language)
                print(f"{catalogue.name} {language}: {missing} texts without a translation")  # noqa: T201 - it talks to people
            for fault in faults(catalogue, language):
                found += 1
                print(f"{catalogue.name} {language}: {fault}")  # noqa: T201 - it talks to people
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
