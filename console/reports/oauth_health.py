"""The report on the health of the OAuth providers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from accounts.core.outgoing import OutgoingError, fetch

from ..conf import Provider, providers

TIMEOUT_SECONDS = 5.0
SERVER_ERROR = 500


def report() -> dict[str, Sequence[dict[str, Any]]]:
    """Probe all configured providers in parallel and return their health, within about TIMEOUT_SECONDS."""
    known = providers()
    with ThreadPoolExecutor(len(known)) as pool:
        return {"providers": list(pool.map(_entry, known))}


def _entry(provider: Provider) -> dict[str, Any]:
    entry = {"provider": provider.name, "configured": provider.is_configured}
    if not provider.is_configured:
        return entry | {"status": "not_configured"}
    started = perf_counter()
    http_status = _probe(provider.authorize_url)
    latency_ms = round((perf_counter() - started) * 1000)
    return entry | {"status": judge(http_status), "http_status": http_status, "latency_ms": latency_ms}


def judge(http_status: int) -> str:
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
