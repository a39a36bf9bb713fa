"""Calls to OAuth providers. Every call has a time limit, a size limit and an address that the service may call."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

import orjson

from core.outgoing import Answer, AnswerTooLarge, NoAnswer, TargetRefused, fetch
from core.threads import PROVIDER_THREADS, Slots

from ..errors import OauthFailed, OauthUnavailable
from .providers import Provider

logger = logging.getLogger("authsvc.oauth")

TIMEOUT_SECONDS = 5.0
"""The time limit of each call. One login makes four calls at most."""
ANSWER_MAX_BYTES = 512 * 1024

_OK = 200
_TOO_MANY = 429
_SERVER_ERROR = 500
_slots = Slots()
_step: ContextVar[str] = ContextVar("authsvc_oauth_step", default="return")


@contextmanager
def slot() -> Iterator[None]:
    """Take one of the PROVIDER_THREADS slots for the calls of a login. Raises Overloaded when all are taken."""
    with _slots.taken(at_once=PROVIDER_THREADS, threads=PROVIDER_THREADS, seconds=0):
        yield


@contextmanager
def step(name: Literal["discovery", "keys", "return", "token", "ID token", "user"]) -> Iterator[None]:
    """Let the log lines of failures in the block name this step of a sign-in. An inner step takes precedence."""
    outer = _step.set(name)
    try:
        yield
    finally:
        _step.reset(outer)


def get_json(
    provider: Provider, url: str, *, token: str | None = None, headers: Mapping[str, str] | None = None
) -> Any:
    """Return the JSON value at the URL. `token` is an access token of the provider.

    Raises OauthFailed and OauthUnavailable as `_call` does.
    """
    authorization = {"Authorization": f"Bearer {token}"} if token else {}
    return _call(provider, "GET", url, headers={**authorization, **(headers or {})}, body=None)


def post_form(provider: Provider, url: str, form: Mapping[str, str], *, headers: Mapping[str, str]) -> Any:
    """Return the JSON value that answers the form. Raises OauthFailed and OauthUnavailable as `_call` does."""
    content_type = {"Content-Type": "application/x-www-form-urlencoded"}
    return _call(provider, "POST", url, headers={**content_type, **headers}, body=urlencode(form).encode())


def check_url(provider: Provider, url: object) -> str:
    """Return the URL that the provider's metadata states.

    Raises OauthFailed when it is no https URL. Plain http is accepted only when the issuer uses it too.
    """
    schemes = ("https", "http") if urlsplit(provider.issuer).scheme == "http" else ("https",)
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        parts = None
    if parts is None or parts.scheme not in schemes or not parts.hostname or "@" in parts.netloc:
        raise refusal(provider, "the metadata state an address that is not valid")
    return str(url)


def refusal(provider: Provider, reason: str) -> OauthFailed:
    """Return the error for an answer that failed a check, and log the reason for operators. It contains no answer."""
    logger.warning("a sign-in with a provider failed", extra=_log_fields(provider, reason))
    return OauthFailed()


def _call(provider: Provider, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None) -> Any:
    """Return the JSON value of the answer. A redirect is not followed.

    Raises OauthUnavailable when the provider does not answer in time, or answers 429 or 5xx. Raises OauthFailed for any
    other answer that is not JSON with status 200. Raises it also when the address must not be called.
    """
    parts = urlsplit(check_url(provider, url))
    try:
        answer = fetch(
            method=method,
            url=url,
            headers={"Accept": "application/json", **headers},
            body=body,
            timeout_seconds=TIMEOUT_SECONDS,
            max_bytes=ANSWER_MAX_BYTES,
            # The operator chose the issuer, but the issuer chose the other addresses.
            allow_private=parts.hostname == urlsplit(provider.issuer).hostname,
        )
    except NoAnswer as error:
        raise _unavailable(provider, str(error)) from None
    except (AnswerTooLarge, TargetRefused) as error:
        raise refusal(provider, str(error)) from None
    return _read(provider, answer)


def _read(provider: Provider, answer: Answer) -> Any:
    if answer.status >= _SERVER_ERROR or answer.status == _TOO_MANY:
        raise _unavailable(provider, f"status {answer.status}")
    if answer.status != _OK:
        raise refusal(provider, f"status {answer.status}")
    try:
        return orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        raise refusal(provider, "the answer is not JSON") from None


def _unavailable(provider: Provider, reason: str) -> OauthUnavailable:
    logger.warning("a provider does not answer", extra=_log_fields(provider, reason))
    return OauthUnavailable()


def _log_fields(provider: Provider, reason: str) -> Mapping[str, str]:
    return {"provider": provider.name, "step": _step.get(), "reason": reason}
