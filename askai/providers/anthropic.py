"""Anthropic's Messages API. The request forces the model to call a tool, and the tool's input is the plan."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..conf import settings
from ..settings.stored import LlmSettings
from .wire import Malformed, Prompt

VERSION = "2023-06-01"
TOOL = "run_plan"


class Anthropic:
    """POST /v1/messages."""

    def url(self) -> str:
        return f"{settings().llm_base_url_anthropic.rstrip('/')}/v1/messages"

    def headers(self, provider: LlmSettings) -> Mapping[str, str]:
        return {"x-api-key": provider.api_key, "anthropic-version": VERSION}

    def bodies(self, provider: LlmSettings, prompt: Prompt) -> Sequence[Mapping[str, Any]]:
        newest = {
            "model": provider.model,
            "max_tokens": provider.max_tokens,
            "system": prompt.instructions,
            "messages": [{"role": "user", "content": prompt.question}],
            "tools": [{"name": TOOL, "description": "Run the plan.", "input_schema": prompt.schema}],
            "tool_choice": {"type": "tool", "name": TOOL},
        }
        return {**newest, "temperature": 0}, newest

    def read(self, answer: Any) -> Any:
        match answer:
            case {"type": "message", "content": [*blocks]}:
                return next((block["input"] for block in blocks if _is_plan(block)), None)
        raise Malformed


def _is_plan(block: Any) -> bool:
    match block:
        case {"type": "tool_use", "name": name, "input": _}:
            return bool(name == TOOL)
    return False
