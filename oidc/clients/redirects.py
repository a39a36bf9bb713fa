"""The addresses of clients: redirect URIs and those of logouts (RFC 6749, section 3.1.2; RFC 8252; RFC 9700, section 2.1)."""

import re
from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from events.conf import webhook_settings

from ..errors import RegistrationRefused

URI_MAX = 500
LOOPBACK = ("127.0.0.1", "[::1]")
"""The addresses at which the port of a request is free. A name such as `localhost` can resolve to another machine."""

_CHARACTERS = re.compile(r"[!-~]+")
_FORBIDDEN = re.compile(r"[\\\"<>^`{|}#*]")
_PRIVATE_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
_LOOPBACK_PORT = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\])):[0-9]{1,5}(?=[/?]|\Z)")


def check_redirect_uri(uri: str, *, is_public: bool) -> None:
    """Raise RegistrationRefused when a client cannot have the redirect URI."""
    if len(uri) > URI_MAX or not _CHARACTERS.fullmatch(uri) or _FORBIDDEN.search(uri):
        raise RegistrationRefused(
            f"{uri}: a redirect URI has at most {URI_MAX} ASCII characters, no wildcard, no backslash and no fragment."
        )
    parts = _split(uri)
    if parts is None or parts.username is not None or ".." in parts.path:
        raise RegistrationRefused(f"{uri} is no absolute URI without a user name and without `..`.")
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme == "http" and (_host_of(parts) in (*LOOPBACK, "localhost")):
        return
    if is_public and _PRIVATE_SCHEME.fullmatch(parts.scheme):
        return
    raise RegistrationRefused(
        f"{uri} must begin with https://, or with http:// and 127.0.0.1, [::1] or localhost. A public client can also "
        "have a scheme that is a reversed domain name, such as com.example.app:/back."
    )


def check_backchannel_uri(uri: str) -> None:
    """Raise RegistrationRefused when the service cannot send logout tokens to the address.

    WEBHOOK_ALLOW_PRIVATE permits `http`, because it is for receivers in the own network.
    """
    parts = _split(uri) if len(uri) <= URI_MAX and _CHARACTERS.fullmatch(uri) else None
    schemes = ("https", "http") if webhook_settings().allow_private else ("https",)
    if (
        parts is None
        or not parts.hostname
        or parts.username is not None
        or parts.fragment
        or parts.scheme not in schemes
    ):
        raise RegistrationRefused(
            f"{uri}: logout tokens go to an address that begins with https://, without a user name and a fragment. For an "
            "application in your own network, set WEBHOOK_ALLOW_PRIVATE=on, which permits http:// too."
        )


def is_registered(uri: str, *, registered: Collection[str]) -> bool:
    """Return whether the redirect URI of a request is one of the client's, character by character.

    Only the port of a loopback address may differ, because an installed application takes any free port (RFC 8252,
    section 7.3).
    """
    return uri in registered or (
        _LOOPBACK_PORT.match(uri) is not None and _without_port(uri) in {_without_port(one) for one in registered}
    )


def host_of(uri: str) -> str:
    """Return the host that a person sees for the redirect URI, or its scheme when it has no host."""
    parts = urlsplit(uri)
    return parts.hostname or f"{parts.scheme}:"


def source_of(uri: str) -> str:
    """Return the redirect URI's origin, or its scheme, as a source of a Content-Security-Policy."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def leads_to_installed_app(uri: str) -> bool:
    """Return whether another program on the person's device could receive the answer at this redirect URI."""
    parts = urlsplit(uri)
    return parts.scheme not in ("http", "https") or _host_of(parts) in (*LOOPBACK, "localhost")


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme and uri.startswith(f"{parts.scheme}:") else None


def _host_of(parts: SplitResult) -> str:
    return re.sub(r":[0-9]*\Z", "", parts.netloc.rpartition("@")[2])


def _without_port(uri: str) -> str:
    return _LOOPBACK_PORT.sub(r"\1", uri)
