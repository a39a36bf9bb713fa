"""The OAuth providers: their names, addresses and credentials."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import NotConfigured

from .conf import provider_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The facts of a known provider. `issuer` is also the first part of its identities.

    `authorize_url` is its public authorization page, for the health report and for a provider without discovery.
    """

    label: str
    issuer: str
    authorize_url: str
    scopes: str = "openid email profile"


KNOWN: Mapping[str, _Known] = {
    "google": _Known(
        label="Google",
        issuer="https://accounts.google.com",
        authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
    ),
    "github": _Known(
        label="GitHub",
        issuer="https://github.com",
        authorize_url="https://github.com/login/oauth/authorize",
        scopes="read:user user:email",
    ),
    "microsoft": _Known(
        label="Microsoft",
        issuer="https://login.microsoftonline.com/common/v2.0",
        authorize_url="https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    ),
    "gitlab": _Known(
        label="GitLab",
        issuer="https://gitlab.com",
        authorize_url="https://gitlab.com/oauth/authorize",
    ),
    "discord": _Known(
        label="Discord",
        issuer="https://discord.com",
        authorize_url="https://discord.com/oauth2/authorize",
        scopes="identify email",
    ),
    "apple": _Known(
        label="Apple",
        issuer="https://appleid.apple.com",
        authorize_url="https://appleid.apple.com/auth/authorize",
        scopes="openid email name",
    ),
}

_PATHS_WITHOUT_DISCOVERY = {"github": "/login/oauth/authorize", "discord": "/oauth2/authorize"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider. It is configured when it has a client id and a client secret.

    `issuer` is as configured, or the public one. `authorize_url` is "" when only discovery states it. Only apple has
    `team_id` and `key_id`.
    """

    name: str
    label: str
    issuer: str
    scopes: str
    client_id: str
    client_secret: str
    authorize_url: str
    team_id: str
    key_id: str

    @property
    def is_configured(self) -> bool:
        """Return whether the service can sign users in by this provider."""
        return bool(self.client_id and self.client_secret)

    @property
    def base_url(self) -> str:
        """The issuer without a slash at the end."""
        return self.issuer.rstrip("/")

    @property
    def has_discovery(self) -> bool:
        """Return whether the provider is an OpenID Connect issuer. GitHub and Discord issue no ID tokens."""
        return self.name not in _PATHS_WITHOUT_DISCOVERY


def providers() -> list[Provider]:
    """Return the six known providers, configured or not, and then each other issuer of the settings."""
    return [_provider(name, given) for name, given in provider_settings().items()]


def configured_providers() -> list[Provider]:
    """Return the providers by which users can sign in."""
    return [provider for provider in providers() if provider.is_configured]


def get_provider(*, name: str) -> Provider:
    """Return the configured provider of this name. Raises NotConfigured when there is none."""
    found = next((provider for provider in configured_providers() if provider.name == name), None)
    if found is None:
        raise NotConfigured("This provider is not available. `GET /v1/oauth/providers` lists the available ones.")
    return found


def label_of(name: str) -> str:
    """Return the name of the provider for people, even if the provider is no longer configured."""
    given = provider_settings().get(name)
    return _provider(name, given).label if given is not None else _title(name)


def _provider(name: str, given: Any) -> Provider:
    known = KNOWN.get(name)
    return Provider(
        name=name,
        label=known.label if known else given.label or _title(name),
        issuer=given.issuer or (known.issuer if known else ""),
        scopes=known.scopes if known else "openid email profile",
        client_id=given.client_id,
        client_secret=given.client_secret,
        authorize_url=given.authorize_url or _known_authorize_url(name, given.issuer),
        team_id=given.team_id if name == "apple" else "",
        key_id=given.key_id if name == "apple" else "",
    )


def _known_authorize_url(name: str, issuer: str) -> str:
    """Return the authorization page of a known provider at its own or a configured address."""
    if not issuer:
        return KNOWN[name].authorize_url
    path = _PATHS_WITHOUT_DISCOVERY.get(name)
    return issuer.rstrip("/") + path if path else ""


def _title(name: str) -> str:
    return re.sub("_+", " ", name).strip().title()
