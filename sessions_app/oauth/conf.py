"""Settings of the OAuth providers.

Six providers are known by name. An operator adds any other OpenID Connect issuer by a variable `OAUTH_<NAME>_ISSUER`. The
names of its other variables contain the same NAME.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as django_settings
from django.core.signals import setting_changed

from core.conf import TEXT, URL, WORDS, Kind, Malformed, declare, load, section, setting

from .known import KNOWN

NAME = "[a-z][a-z0-9_]{0,31}"
"""The pattern of a provider's name, which paths and answers contain."""

_ISSUER_VARIABLE = re.compile(r"OAUTH_([A-Z][A-Z0-9_]{0,31})_ISSUER")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")


def _read_redirect_uris(value: Any) -> tuple[str, ...]:
    uris: tuple[str, ...] = WORDS.read(value)
    for uri in uris:
        parts = urlsplit(uri)
        if not uri.isascii() or not uri.isprintable() or " " in uri or "#" in uri or "@" in parts.netloc:
            raise Malformed("a URI must be plain text without blanks, credentials and a fragment")
        is_web = parts.scheme in ("http", "https")
        # RFC 8252, section 7.1: the scheme of an app is a reversed domain name, so it contains a dot.
        if not _SCHEME.fullmatch(parts.scheme) or not (parts.hostname if is_web else "." in parts.scheme):
            raise Malformed("the scheme must be http, https, or the scheme of an app, which contains a dot")
    return uris


REDIRECT_URIS = Kind("a comma-separated list of URIs without a fragment", _read_redirect_uris)


def _read_issuer(value: Any) -> str:
    text: str = URL.read(value)
    if "?" in text:
        raise ValueError
    return text


ISSUER = Kind("an http or https URL without blanks, credentials or a query", _read_issuer)


@dataclass(frozen=True, slots=True, kw_only=True)
class OauthSettings:
    """Settings of all logins by a provider."""

    redirect_uris: tuple[str, ...] = setting(
        "OAUTH_REDIRECT_URIS",
        (),
        REDIRECT_URIS,
        "Addresses of your application to which providers may return users, exactly as the application sends them. A "
        "listed `http://127.0.0.1` or `http://[::1]` address matches any port. With several providers, each path ends "
        "with the name of its provider, such as `/signed-in/google`.",
    )
    trusted_email: tuple[str, ...] = setting(
        "OAUTH_TRUSTED_EMAIL",
        (),
        WORDS,
        "Issuers whose verified addresses prove that the user reads the mailbox, such as `https://accounts.google.com`. "
        "They sign a user in to an existing account with the same address. Never counts for microsoft. Counts for google "
        "only at gmail.com and in a Workspace.",
    )


def _fields_of(name: str) -> list[tuple[str, type, Any]]:
    """Return the settings of one provider. With `<name>`, return those of the reference page for all other issuers."""
    known = KNOWN.get(name)
    at = name if known else "the issuer"
    texts = {
        "client_id": f"Client id of your application at {at}.",
        "client_secret": f"Client secret of your application at {at}.",
    }
    if known and known.signs_secret:
        texts |= {
            "client_secret": f"Private key of your application at {at} in PEM. Write `\\n` for each line break.",
            "team_id": f"Team id of your developer account at {at}.",
            "key_id": f"Id of the private key at {at}.",
        }
    elif not known:
        texts["label"] = "Name of the provider for people, such as on a button. Unset: NAME."
    of_known = "Issuer or base address of {}, if it is not the public one, such as your own server or your tenant."
    issuer = of_known.format(name) if known else "OpenID Connect issuer, exactly as its tokens state it."
    authorize = f"Address of the authorization page of {at}. Unset: " + (
        f"the public address of {name}." if known else "the address that the issuer states."
    )
    variable = f"OAUTH_{name.upper()}"
    return [
        *((member, str, setting(f"{variable}_{member.upper()}", "", TEXT, text)) for member, text in texts.items()),
        ("issuer", str, setting(f"{variable}_ISSUER", "", ISSUER, issuer)),
        ("authorize_url", str, setting(f"{variable}_AUTHORIZE_URL", "", URL, authorize)),
    ]


def _class_of(name: str) -> type[Any]:
    return make_dataclass(
        "ProviderSettings",
        _fields_of(name),
        namespace={"__module__": __name__, "__doc__": f"Your application at {name}."},
        frozen=True,
        slots=True,
        kw_only=True,
    )


_known = {name: declare(_class_of(name)) for name in KNOWN}
# The reference page and the check of names read this class. No variable has these names.
declare(_class_of("<name>"))

settings = section(OauthSettings)


@cache
def provider_settings() -> Mapping[str, Any]:
    """Return the settings of each provider by the provider's name. The known providers come first.

    A known provider is in the mapping even if no variable of it is set. Raises ImproperlyConfigured when a value is not
    valid.
    """
    source = getattr(django_settings, "AUTH_SERVICE", {})
    matches = (_ISSUER_VARIABLE.fullmatch(variable) for variable in source if source[variable])
    others = sorted({match[1].lower() for match in matches if match} - _known.keys())
    classes = _known | {name: _class_of(name) for name in others}
    return {name: load(cls, source) for name, cls in classes.items()}


def _forget(*, setting: str, **_: object) -> None:
    if setting == "AUTH_SERVICE":
        provider_settings.cache_clear()


setting_changed.connect(_forget, weak=False)


def read_settings() -> None:
    """Read the settings. Raises ImproperlyConfigured when one of them is malformed."""
    settings()
    provider_settings()
