"""The report on the health of the OAuth providers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, Literal, TypeAlias

from accounts.core.http.answers import ABSENT, Absent
from accounts.core.outgoing import OutgoingError, fetch

from ..conf import Provider, providers

TIMEOUT_SECONDS = 5.0
SERVER_ERROR = 500

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


def report() -> OAuthHealth:
    """Probe all configured providers in parallel and return their health, within about TIMEOUT_SECONDS."""
    known = providers()
    with ThreadPoolExecutor(len(known)) as pool:
        return OAuthHealth(providers=list(pool.map(_health_of, known)))


def _health_of(provider: Provider) -> ProviderHealth:
    if not provider.is_configured:
        return ProviderHealth(provider=provider.name, configured=False, status="not_configured")
    started = perf_counter()
    http_status = _probe(provider.authorize_url)
    latency_ms = round((perf_counter() - started) * 1000)
    return ProviderHealth(
        provider=provider.name,
        configured=True,
        status=judge(http_status),
        http_status=http_status,
        latency_ms=latency_ms,
    )


def judge(http_status: int) -> ProviderStatus:
    """Return the health of a provider that answered with this status; 0 means that it did not answer.

    A status of 4xx is `ok`, because the probe sends none of the required parameters.
    """
    if http_status == 0:
        return "unreachable"
    return "degraded" if http_status >= SERVER_ERROR else "ok"


def _probe(url: str) -> int:
    """Return the status of the answer; 0 when there is none. The operator sets the address, so it may be private."""
    try:
        answer = fetch(
            method="GET",
            url=url,
            headers={},
            body=None,
            timeout_seconds=TIMEOUT_SECONDS,
            max_bytes=None,
            allow_private=True,
        )
    except OutgoingError:
        return 0
    return answer.status
