"""Language models over HTTP. A call sends the question and the schema of plans, and no data of the user."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from time import monotonic
from typing import Any

import orjson
from django.utils import translation

from core.outgoing import OutgoingError, fetch
from mail.languages import ENGLISH

from ..errors import AskAiUnavailable
from ..settings.stored import LlmKind, LlmSettings
from .anthropic import Anthropic
from .openai import OpenAi
from .statuses import describe
from .wire import Malformed, Prompt, WireFormat

logger = logging.getLogger("authsvc.askai")

SECONDS = 12.0
ANSWER_MAX_BYTES = 256 * 1024

_WIRES: Mapping[LlmKind, WireFormat] = {LlmKind.ANTHROPIC: Anthropic(), LlmKind.OPENAI: OpenAi()}


class ModelFailed(Exception):
    """The model gave no usable answer. The message states the reason and quotes neither the answer nor the key."""


def ask_model(*, prompt: Prompt, provider: LlmSettings) -> Any:
    """Return the result of `call_model`. Raises AskAiUnavailable in place of ModelFailed, and logs the reason."""
    try:
        # The log is in English, whatever the language of the site.
        with translation.override(ENGLISH):
            return call_model(prompt=prompt, provider=provider)
    except ModelFailed as reason:
        logger.warning("the language model does not answer", extra={"reason": str(reason)})
        raise AskAiUnavailable from None


def call_model(*, prompt: Prompt, provider: LlmSettings) -> Any:
    """Return the JSON value that the model gave as a plan, not validated yet; None when it gave none.

    Raises ModelFailed when the model does not answer in its wire format within SECONDS.
    """
    wire = _WIRES[provider.kind]
    try:
        return wire.read(orjson.loads(_call(wire, provider, prompt)))
    except (OutgoingError, Malformed, orjson.JSONDecodeError) as error:
        # The reason omits the decoder's message: it may quote the answer, which may quote the question.
        reason = Malformed() if isinstance(error, orjson.JSONDecodeError) else error
        raise ModelFailed(str(reason)) from None


def _call(wire: WireFormat, provider: LlmSettings, prompt: Prompt) -> bytes:
    """Return the body of a response with status 200. Raises Malformed for another status.

    When the model refuses the first request with 400, the second form is sent. The newest models need that form: they
    accept neither a temperature nor the old name of the token limit.
    """
    deadline = monotonic() + SECONDS
    headers = {**wire.headers(provider), "Content-Type": "application/json"}
    for body in wire.bodies(provider, prompt):
        answer = fetch(
            method="POST",
            url=wire.url(),
            headers=headers,
            body=orjson.dumps(body),
            timeout_seconds=max(deadline - monotonic(), 0.001),
            max_bytes=ANSWER_MAX_BYTES,
            allow_private=True,
        )
        if answer.status != HTTPStatus.BAD_REQUEST:
            break
    if answer.status != HTTPStatus.OK:
        raise Malformed(describe(answer.status))
    return answer.body
