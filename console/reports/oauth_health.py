"""The report on the health of the OAuth providers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import ClassVar, Literal, TypeAlias
from urllib.parse import urljoin, urlsplit

from core.http.answers import ABSENT, Absent
from core.outgoing import OutgoingError, fetch
from sessions_app.errors import OauthFailed, OauthUnavailable
from sessions_app.oauth.discovery import get_metadata
from sessions_app.oauth.providers import Provider, providers

TIMEOUT_SECONDS = 5.0
SHORTEST_SECONDS = 0.1
REDIRECT, CLIENT_ERROR, SERVER_ERROR = 300, 400, 500

ProviderStatus: TypeAlias = Literal["ok", "degraded", "unreachable", "not_configured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderHealth:
    """The health of an OAuth provider. `http_status` is 0 when the provider did not answer.

    `http_status` and `latency_ms` are missing when the provider is not configured, because the service did not ask it.
    """

    provider: str
    configured: bool
    status: ProviderStatus
    http_status: int | Absent = ABSENT
    latency_ms: int | Absent = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthHealth:
    """The health of every OAuth provider."""

    example: ClassVar = {
        "providers": [
            {"provider": "google", "configured": True, "status": "ok", "http_status": 400, "latency_ms": 112},
            {"provider": "github", "configured": False, "status": "not_configured"},
        ]
    }

    providers: Sequence[ProviderHealth]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The answer to a probe of the URL. `location` is the header of a redirect, or ""."""

    url: str
    status: int
    location: str

    @property
    def is_redirect(self) -> bool:
        """Return whether the answer sends browsers to another page."""
        return bool(self.location) and REDIRECT <= self.status < CLIENT_ERROR


def report(*, now: datetime) -> OAuthHealth:
    """Probe all configured providers in parallel and return their health, within about TIMEOUT_SECONDS.

    For an issuer whose authorization page the service does not know yet, the probe first fetches the metadata.
    """
    known = providers()
    with ThreadPoolExecutor(len(known)) as pool:
        return OAuthHealth(providers=list(pool.map(partial(_health_of, now=now), known)))


def _health_of(provider: Provider, *, now: datetime) -> ProviderHealth:
    if not provider.is_configured:
        return ProviderHealth(provider=provider.name, configured=False, status="not_configured")
    started = perf_counter()
    answer = _probe(provider, now=now)
    latency_ms = round((perf_counter() - started) * 1000)
    return ProviderHealth(
        provider=provider.name,
        configured=True,
        status=status_of(answer),
        http_status=answer.status if answer else 0,
        latency_ms=latency_ms,
    )


def status_of(answer: Probed | None) -> ProviderStatus:
    """Return the health of a provider whose authorization page gave this answer. None means that it gave none.

    A status of 4xx is `ok`, because the probe sends none of the required parameters. A redirect to another host is
    `degraded`, because the page has moved. An answer below 400 over plain http is `degraded` too, because others on
    the network can read and change it.
    """
    if answer is None:
        return "unreachable"
    if answer.status >= SERVER_ERROR:
        return "degraded"
    parts = urlsplit(answer.url)
    is_plain = parts.scheme == "http" and answer.status < CLIENT_ERROR
    target = urlsplit(urljoin(answer.url, answer.location)) if answer.is_redirect else parts
    has_moved = target.hostname != parts.hostname
    return "degraded" if is_plain or has_moved else "ok"


def _probe(provider: Provider, *, now: datetime) -> Probed | None:
    """Return the answer of the authorization page, or None. The operator sets the address, so it may be private."""
    started = perf_counter()
    try:
        url = provider.authorize_url or get_metadata(provider, now=now).authorize_url
        answer = fetch(
            method="GET",
            url=url,
            headers={},
            body=None,
            timeout_seconds=max(TIMEOUT_SECONDS - (perf_counter() - started), SHORTEST_SECONDS),
            max_bytes=None,
            allow_private=True,
        )
        return Probed(url=url, status=answer.status, location=answer.headers.get("Location", ""))
    except (OutgoingError, OauthFailed, OauthUnavailable, ValueError):
        return None
