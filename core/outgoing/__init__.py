"""The guarded HTTP client. The service makes all its outgoing HTTP requests through `fetch`."""

from collections.abc import Mapping

from .answers import Answer, AnswerTooLarge, NoAnswer, OutgoingError, TargetRefused

__all__ = ["Answer", "AnswerTooLarge", "NoAnswer", "OutgoingError", "TargetRefused", "fetch"]


def fetch(
    *,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout_seconds: float,
    max_bytes: int | None,
    allow_private: bool,
    beginning_bytes: int = 0,
) -> Answer:
    """Return the answer to one HTTP request. The client does not follow a redirect, but returns it as the answer.

    `timeout_seconds` limits the whole exchange, including name resolution. `max_bytes` limits the length of the body.
    If `max_bytes` is None, the body has only its first `beginning_bytes` bytes, as far as they arrive within
    BEGINNING_SECONDS. A body that fails is no error then. `allow_private` permits addresses that are not public.
    The client ignores proxies, netrc files and certificates that the environment configures. The request has the header
    `traceparent` when the caller's thread has a trace.

    Raises TargetRefused when the URL is not http or https, or contains credentials, and when a header is malformed.
    Raises TargetRefused also when an address of the host is not public and `allow_private` is false. Raises NoAnswer
    when the connection fails or the time is over. Raises AnswerTooLarge when the body is longer than `max_bytes`.
    """
    # The library takes a tenth of the time of a start, and most commands of manage.py call no other server.
    from .exchange import exchange  # noqa: PLC0415 - see above

    return exchange(
        method=method,
        url=url,
        headers=headers,
        body=body,
        timeout_seconds=timeout_seconds,
        max_bytes=max_bytes,
        allow_private=allow_private,
        beginning_bytes=beginning_bytes,
    )
