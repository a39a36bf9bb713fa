"""The service's settings, read from the dict `AUTH_SERVICE` of the Django settings.

Frozen dataclasses declare the settings. The keys of the dict are the names of the environment variables. The standalone
project passes its environment. A host project writes the same names in a dict. A value is either text, as in the
environment, or a value of the setting's own type.
"""

import base64
import binascii
import ipaddress
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

import idna
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

T = TypeVar("T")


class Malformed(ValueError):
    """The value of a setting is not valid. The message states the fault and quotes no value that may be secret."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """The type of a setting's values.

    `expects` describes the values in error messages and on the reference page. `read` converts a value of the source.
    `read` raises ValueError or TypeError when the value is not valid.
    """

    expects: str
    read: Callable[[Any], T]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The declaration of one setting.

    `name` is the name of the environment variable. `doc` states the meaning and the unit. `default_text` describes a
    default whose value is not readable, because the value depends on the machine or is a structure. `earlier` is a name
    that the setting had once, or "". It still counts when the source does not have `name`.
    """

    name: str
    kind: Kind[Any]
    doc: str
    default: Any
    default_text: str | None
    earlier: str = ""

    def name_in(self, source: Mapping[str, Any]) -> str:
        """Return the name by which the source sets the setting: `name`, or `earlier` when only that one is set."""
        return self.earlier if _is_unset(source, self.name) and not _is_unset(source, self.earlier) else self.name


def _is_unset(source: Mapping[str, Any], name: str) -> bool:
    return source.get(name) in (None, "")


def setting(
    name: str, default: Any, kind: Kind[Any], doc: str, *, default_text: str | None = None, earlier: str = ""
) -> Any:
    """Return a dataclass field that declares a setting. The default is a value of the field's type, not text."""
    declaration = Setting(name=name, kind=kind, doc=doc, default=default, default_text=default_text, earlier=earlier)
    return field(default=default, metadata={"setting": declaration})


_sections: list[type[Any]] = []


def declare(cls: type[T]) -> type[T]:
    """Add a settings dataclass to the reference page and return the dataclass."""
    _sections.append(cls)
    return cls


def section(cls: type[T]) -> Callable[[], T]:
    """Declare a settings dataclass and return the function that reads it.

    The function builds the dataclass once. It builds the dataclass again after Django reports a change of
    `AUTH_SERVICE`. The function raises ImproperlyConfigured when a value is not valid.
    """
    declare(cls)

    @cache
    def current() -> T:
        return load(cls, getattr(settings, "AUTH_SERVICE", {}))

    def forget(*, setting: str, **_: object) -> None:
        if setting == "AUTH_SERVICE":
            current.cache_clear()

    setting_changed.connect(forget, weak=False)
    return current


def declared() -> Iterator[tuple[type[Any], Setting]]:
    """Yield each setting of each imported app, with its dataclass, in the order of declaration."""
    for cls in _sections:
        for item in fields(cls):
            yield cls, item.metadata["setting"]


def is_declared(name: str) -> bool:
    """Return whether a setting has this name. `<NAME>` in a declaration stands for a name of the operator's choice."""
    names = {known for _, declaration in declared() for known in (declaration.name, declaration.earlier) if known}
    patterns = (re.escape(known).replace("<NAME>", "[A-Z0-9_]+") for known in names if "<NAME>" in known)
    return name in names or any(re.fullmatch(pattern, name) for pattern in patterns)


def load(cls: type[T], source: Mapping[str, Any]) -> T:
    """Return the settings that the source contains. A setting that is missing, None or "" has its default.

    Raises ImproperlyConfigured when a value is not valid. The message is one line that names the setting.
    """
    values = {}
    for item in fields(cls):  # type: ignore[arg-type]  # only dataclasses are registered
        declaration: Setting = item.metadata["setting"]
        name = declaration.name_in(source)
        if _is_unset(source, name):
            continue
        try:
            values[item.name] = declaration.kind.read(source[name])
        except Malformed as error:
            raise ImproperlyConfigured(f"{name} must be {declaration.kind.expects}: {error}.") from None
        except (ValueError, TypeError):
            # The message does not quote the value, because the value may be a secret.
            raise ImproperlyConfigured(f"{name} must be {declaration.kind.expects}.") from None
    return cls(**values)


_DIGITS = re.compile(r"[0-9]+")


def whole(minimum: int, maximum: int = 2**31 - 1) -> Kind[int]:
    """Return the kind of whole numbers from `minimum` to `maximum`. Text with a sign is not valid."""

    def read(value: Any) -> int:
        # `int()` also accepts text such as `1_000` and `+5`, which other tools read differently or reject.
        if type(value) is not int and not _DIGITS.fullmatch(str(value)):
            raise ValueError
        number = int(value)
        if not minimum <= number <= maximum:
            raise ValueError
        return number

    return Kind(f"a whole number of at least {minimum} and at most {maximum}", read)


def one_of(*words: str) -> Kind[str]:
    """Return the kind that accepts exactly the given words."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return Kind("one of " + ", ".join(words), read)


def _read_switch(value: Any) -> bool:
    words = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
    try:
        return words[str(value).lower()]
    except KeyError:
        raise ValueError from None


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or not all(character.isprintable() for character in value):
        raise ValueError
    return value


def _read_ca_file(value: Any) -> str:
    path = _read_text(value)
    try:
        if path:
            ssl.create_default_context(cafile=path)
    except OSError as error:
        raise ValueError from error
    return path


def _read_words(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(word for word in (str(part).strip() for part in parts) if word)


_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def read_origin(value: Any) -> str:
    """Return the origin `scheme://host[:port]` as browsers write it.

    The result is in lower case and has no default port and no trailing slash. Raises ValueError when the value is not
    an origin of http or https.
    """
    text = _read_text(value).rstrip("/")
    parts = urlsplit(text)
    if (
        text.endswith((":", "?", "#"))
        or parts.scheme not in _DEFAULT_PORTS
        or not parts.hostname
        or parts.path
        or parts.query
        or parts.fragment
    ):
        raise ValueError
    if "@" in parts.netloc or parts.port == 0:
        raise ValueError
    host = parts.hostname if parts.hostname.isascii() else idna.encode(parts.hostname, uts46=True).decode()
    if not _HOST.fullmatch(host):
        raise ValueError
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _read_url(value: Any) -> str:
    text = _read_text(value)
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise ValueError
    # `parts.port` raises ValueError when the port is not a number up to 65535.
    if " " in text or "@" in parts.netloc or parts.port == 0:
        raise ValueError
    return text


def _read_networks(value: Any) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    return tuple(ipaddress.ip_network(word) for word in _read_words(value))


_HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,63}")


def _read_header_name(value: Any) -> str:
    # WSGI replaces each hyphen by an underscore, so a name with an underscore would match two headers.
    if not _HEADER_NAME.fullmatch(value):
        raise ValueError
    return str(value)


def _read_origins(value: Any) -> tuple[str, ...]:
    return tuple(read_origin(word) for word in _read_words(value))


_LOOPBACK = ("://localhost", "://127.0.0.1", "://[::1]")


def _read_page_origins(value: Any) -> tuple[str, ...]:
    return tuple(_read_page_origin(word) for word in _read_words(value))


def _read_page_origin(word: str) -> str:
    if not word.endswith(":*"):
        return read_origin(word)
    # Only the user's own machine serves pages on a loopback host.
    if not word.removesuffix(":*").endswith(_LOOPBACK):
        raise ValueError
    return f"{read_origin(word.removesuffix(':*'))}:*"


_KEY_BYTES = 32
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{43}=?")


def _read_keys(value: Any) -> tuple[bytes, ...]:
    keys = []
    for word in _read_words(value):
        if not _BASE64.fullmatch(word):
            raise ValueError
        try:
            key = base64.b64decode(word.rstrip("=").replace("-", "+").replace("_", "/") + "=", validate=True)
        except binascii.Error:
            raise ValueError from None
        if len(key) != _KEY_BYTES:
            raise ValueError
        keys.append(key)
    if not keys:
        raise ValueError
    return tuple(keys)


SWITCH = Kind("on or off", _read_switch)
TEXT = Kind("text without control characters", _read_text)
CA_FILE = Kind("the path of a readable PEM file with certificates", _read_ca_file)
WORDS = Kind("a comma-separated list", _read_words)
URL = Kind("an http or https URL without blanks or credentials", _read_url)
ORIGIN = Kind("scheme://host[:port] without a path", read_origin)
ORIGINS = Kind("a comma-separated list of origins, each scheme://host[:port] and never *", _read_origins)
PAGE_ORIGINS = Kind(
    "a comma-separated list of origins, each scheme://host[:port] and never *. The port of localhost, 127.0.0.1 and [::1] "
    "may be *, for any port",
    _read_page_origins,
)
HEADER_NAME = Kind("the name of a header: at most 64 letters, digits and hyphens", _read_header_name)
NETWORKS = Kind("a comma-separated list of networks such as 10.0.0.0/8", _read_networks)
KEYS = Kind("a key of 32 bytes in base64, or a comma-separated list of such keys, the newest first", _read_keys)
SECONDS = whole(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreSettings:
    """The settings of the deployment that every app uses."""

    base_url: str = setting(
        "BASE_URL",
        "http://localhost:8000",
        ORIGIN,
        "The address at which users reach the service. Links in mails start with it.",
    )
    encryption_keys: tuple[bytes, ...] = setting(
        "ENCRYPTION_KEY",
        (),
        KEYS,
        "Keys for the secrets of second factors. The first key encrypts, and each key decrypts. Unset: no "
        "second factors.",
    )
    settings_encryption_keys: tuple[bytes, ...] = setting(
        "SETTINGS_ENCRYPTION_KEY",
        (),
        KEYS,
        "Keys for the credentials in the console's settings. They must differ from the keys in ENCRYPTION_KEY. Unset: the "
        "console has no settings.",
    )
    signing_keys_file: str = setting(
        "SIGNING_KEYS_FILE",
        "var/signing-keys.json",
        TEXT,
        "Path of the JWK set with the private keys that sign tokens. The file must have mode 600.",
    )
    token_issuer: str = setting("TOKEN_ISSUER", "", TEXT, "Claim `iss` of access tokens. Unset: BASE_URL.")
    token_audience: str = setting("TOKEN_AUDIENCE", "authsvc", TEXT, "Claim `aud` of access tokens.")
    token_algorithm: str = setting(
        "TOKEN_ALGORITHM",
        "ES256",
        one_of("ES256", "Ed25519", "RS256"),
        "Algorithm of new signing keys. Existing keys keep their algorithm. The ID tokens of an application that demands "
        "RS256 have a key of their own.",
    )
    access_token_seconds: int = setting(
        "ACCESS_TOKEN_SECONDS", 900, SECONDS, "Lifetime of an access token, in seconds."
    )
    outgoing_ca_file: str = setting(
        "OUTGOING_CA_FILE",
        "",
        CA_FILE,
        "Path of a PEM file with the certificates of your own authorities. Webhooks, logout tokens and all other requests of "
        "the service to other servers trust them beside the public authorities. Unset: only the public ones.",
    )
    trusted_proxies: tuple[Any, ...] = setting(
        "TRUSTED_PROXIES",
        (),
        NETWORKS,
        "Networks of your proxies. The service reads PROXY_IP_HEADER only from these proxies, from right to left.",
    )
    proxy_ip_header: str = setting(
        "PROXY_IP_HEADER",
        "X-Forwarded-For",
        HEADER_NAME,
        "Header in which the trusted proxies state the client's IP address: a comma-separated list of addresses, or RFC "
        "7239 in `Forwarded`. Prefer a name without a hyphen, because a client cannot imitate it.",
    )
    cors_allowed_origins: tuple[str, ...] = setting(
        "CORS_ALLOWED_ORIGINS", (), PAGE_ORIGINS, "Origins of the web pages that may call the API from a browser."
    )
    traces: bool = setting(
        "TRACES",
        False,
        SWITCH,
        "Whether requests and outgoing calls are spans of OpenTelemetry. Needs the extra `otel`. `manage.py serve` sends them "
        "to the collector that the variables OTEL_EXPORTER_OTLP_* name.",
    )

    @property
    def issuer(self) -> str:
        """The claim `iss` of access tokens: TOKEN_ISSUER, or BASE_URL when TOKEN_ISSUER is empty."""
        return self.token_issuer or self.base_url

    @property
    def is_https(self) -> bool:
        """Whether users reach the service by https."""
        return self.base_url.startswith("https:")


core_settings = section(CoreSettings)
