"""The OAuth providers: their names, addresses and credentials."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.errors import NotConfigured

from .conf import provider_settings
from .known import Api, Facts, facts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider. It is configured when it has a client id and a client secret.

    `issuer` is as configured, or the public one. `authorize_url` is "" when only discovery states it. `team_id` and
    `key_id` are "" unless the facts have `signs_secret`.
    """

    name: str
    label: str
    issuer: str
    client_id: str
    client_secret: str
    authorize_url: str
    team_id: str
    key_id: str
    facts: Facts

    @property
    def is_configured(self) -> bool:
        """Return whether the service can sign users in by this provider."""
        return bool(self.client_id and self.client_secret)

    @property
    def is_public(self) -> bool:
        """Return whether the provider is the public one, and not a server of its own kind elsewhere."""
        return self.issuer == self.facts.issuer

    @property
    def base_url(self) -> str:
        """The issuer without a slash at the end."""
        return self.issuer.rstrip("/")

    @property
    def has_discovery(self) -> bool:
        """Return whether the provider is an OpenID Connect issuer. GitHub and Discord issue no ID tokens."""
        return self.facts.api is Api.OPENID_CONNECT


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


def find_provider_of(redirect_uri: str) -> str | None:
    """Return the name of the configured provider whose answers arrive at the redirect URI; None if the URI is shared.

    With several providers, the last part of the URI's path must be the provider's name. Otherwise a hostile provider
    could pass a code of another provider to the application as its own (RFC 9700, section 4.4). With one provider,
    every URI is the provider's.
    """
    names = [provider.name for provider in configured_providers()]
    if len(names) == 1:
        return names[0]
    last = urlsplit(redirect_uri).path.rstrip("/").rpartition("/")[2]
    return last if last in names else None


def label_of(name: str) -> str:
    """Return the name of the provider for people, even if the provider is no longer configured."""
    given = provider_settings().get(name)
    return _provider(name, given).label if given is not None else _title(name)


def _provider(name: str, given: Any) -> Provider:
    facts = facts_of(name, issuer=given.issuer)
    return Provider(
        name=name,
        label=facts.label or given.label or _title(name),
        issuer=given.issuer or facts.issuer,
        client_id=given.client_id,
        client_secret=given.client_secret,
        authorize_url=given.authorize_url or _known_authorize_url(facts, given.issuer),
        team_id=given.team_id if facts.signs_secret else "",
        key_id=given.key_id if facts.signs_secret else "",
        facts=facts,
    )


def _known_authorize_url(facts: Facts, issuer: str) -> str:
    """Return the authorization page of a known provider at its own or a configured address."""
    if not issuer:
        return facts.authorize_url
    if facts.api is Api.OPENID_CONNECT:
        return ""
    return issuer.rstrip("/") + urlsplit(facts.authorize_url).path


def _title(name: str) -> str:
    return re.sub("_+", " ", name).strip().title()
