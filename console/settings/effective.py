"""The settings that are in effect, without secrets."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext, gettext_noop

from core.conf import Setting, declared
from core.http.tags import area_of

HIDDEN = gettext_noop("set, and hidden")

_SECRET = re.compile(r"(?:^|_)(?:SECRET|KEYS?|PASSWORD|PASSPHRASE|TOKEN|HEADERS|CREDENTIALS?|DSN)$")
"""The ends of the names of settings whose values no page shows."""
_LINKS = re.compile(
    r"(?:EMAIL_CHANGE|EMAIL_UNDO|EMAIL_VERIFY|INVITATION|MAGIC_LINK|PASSWORD_RESET|RECOVERY_CANCEL|RECOVERY_COMPLETE|STOP_ACT"
    r"|MAIL_LOGO|OAUTH_\w+_AUTHORIZE)_URL|OAUTH_\w+_ISSUER|LLM_BASE_URL_\w+|OAUTH_REDIRECT_URIS"
)
"""The settings with URLs that mails and browsers get anyway. The path of any other URL can be a secret."""
_OF_PROVIDERS = (
    gettext_noop("Client id of your application at %(provider)s."),
    gettext_noop("Client secret of your application at %(provider)s."),
    gettext_noop("Private key of your application at %(provider)s in PEM. Write `\\n` for each line break."),
    gettext_noop("Team id of your developer account at %(provider)s."),
    gettext_noop("Id of the private key at %(provider)s."),
    gettext_noop(
        "Issuer or base address of %(provider)s, if it is not the public one, such as your own server or your tenant."
    ),
    gettext_noop("Address of the authorization page of %(provider)s. Unset: the public address of %(provider)s."),
)
"""The meanings of the settings of one known provider."""
_TRANSLATED = (
    gettext_noop("Client id of your application at the issuer."),
    gettext_noop("Client secret of your application at the issuer."),
    gettext_noop("Name of the provider for people, such as on a button. Unset: NAME."),
    gettext_noop("OpenID Connect issuer, exactly as its tokens state it."),
    gettext_noop("Address of the authorization page of the issuer. Unset: the address that the issuer states."),
    gettext_noop("Accounts"),
    gettext_noop("API keys"),
    gettext_noop("Ask AI"),
    gettext_noop("Console"),
    gettext_noop("Events"),
    gettext_noop("Mail"),
    gettext_noop("OpenID provider"),
    gettext_noop("Pages"),
    gettext_noop("Project"),
    gettext_noop("Second factors"),
    gettext_noop("Service"),
    gettext_noop("Serving"),
    gettext_noop("Sessions"),
)
"""The meanings of the settings of another provider, and the areas. Their texts come from other modules."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s,]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSetting:
    """A setting with its value in effect. `value` is the default of an unset setting, "" without one."""

    name: str
    area: str
    value: str
    is_set: bool
    is_hidden: bool
    meaning: str


def effective_settings() -> list[EffectiveSetting]:
    """Return every setting of this process once, sorted by area and name. Reads only the names that are declared."""
    source: Mapping[str, Any] = getattr(settings, "AUTH_SERVICE", {})
    found: dict[str, EffectiveSetting] = {}
    for cls, declaration in declared():
        for name in _names(declaration, source):
            given = source.get(declaration.name_in(source) if name == declaration.name else name)
            found.setdefault(name, _show(name, declaration, given, area=gettext(area_of(cls))))
    return sorted(found.values(), key=lambda one: (one.area, one.name))


def _meaning(doc: str) -> str:
    """Return the meaning of the setting in the language of the reader."""
    for text in _OF_PROVIDERS:
        pattern = re.escape(text).replace(re.escape("%(provider)s"), "(?P<provider>[a-z]+)", 1)
        found = re.fullmatch(pattern.replace(re.escape("%(provider)s"), "(?P=provider)"), doc)
        if found:
            return gettext(text) % found.groupdict()
    return gettext(doc)


def _names(declaration: Setting, source: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of the setting. A declaration with `<NAME>` yields the names that the source has of it."""
    if "<NAME>" not in declaration.name:
        yield declaration.name
        return
    pattern = re.compile(re.escape(declaration.name).replace("<NAME>", "[A-Z0-9_]+"))
    yield from (name for name in source if pattern.fullmatch(name))


def _show(name: str, declaration: Setting, given: Any, *, area: str) -> EffectiveSetting:
    is_set = given not in (None, "")
    is_hidden = is_set and _SECRET.search(name) is not None
    if is_hidden:
        value = gettext(HIDDEN)
    elif is_set:
        value = _without_secrets(name, _text(given))
    else:
        value = gettext(declaration.default_text) if declaration.default_text else _text(declaration.default)
    return EffectiveSetting(
        name=name, area=area, value=value, is_set=is_set, is_hidden=is_hidden, meaning=_meaning(declaration.doc)
    )


def _text(value: Any) -> str:
    """Return the value as an operator writes it in the environment."""
    match value:
        case None:
            return ""
        case bool():
            return "on" if value else "off"
        case Mapping():
            return ",".join(f"{name}={_text(member)}" for name, member in value.items())
        case list() | tuple() | set() | frozenset():
            return ",".join(_text(member) for member in value)
    return str(value)


def _without_secrets(name: str, text: str) -> str:
    """Return the text with its URLs cut: the user name and the password, the query, and usually the path."""
    has_public_path = _LINKS.fullmatch(name) is not None

    def cut(found: re.Match[str]) -> str:
        parts = urlsplit(found[0])
        host = parts.netloc.rpartition("@")[2]
        path = parts.path if has_public_path else "/…" if parts.path.strip("/") else ""
        return f"{parts.scheme}://{'…@' if '@' in parts.netloc else ''}{host}{path}{'?…' if parts.query else ''}"

    return _URL.sub(cut, text)
