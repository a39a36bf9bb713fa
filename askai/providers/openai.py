"""OpenAI's chat completions, which many other servers support, local ones too. The answer's text is the plan."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from ..conf import settings
from ..settings.stored import LlmSettings
from .wire import Malformed, Prompt


class OpenAi:
    """POST /chat/completions."""

    def url(self) -> str:
        return f"{settings().llm_base_url_openai.rstrip('/')}/chat/completions"

    def headers(self, provider: LlmSettings) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {provider.api_key}"}

    def bodies(self, provider: LlmSettings, prompt: Prompt) -> Sequence[Mapping[str, Any]]:
        common = {
            "model": provider.model,
            "messages": [
                {"role": "system", "content": _system(prompt)},
                {"role": "user", "content": prompt.question},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "plan", "strict": True, "schema": prompt.schema},
            },
        }
        return (
            {**common, "max_tokens": provider.max_tokens, "temperature": 0},
            {**common, "max_completion_tokens": provider.max_tokens},
        )

    def read(self, answer: Any) -> Any:
        match answer:
            case {"choices": [{"message": {"content": str(text)}}, *_]}:
                try:
                    return orjson.loads(text)
                except orjson.JSONDecodeError:
                    return None
            case {"choices": [{"message": {}}, *_]}:
                return None
        raise Malformed


def _system(prompt: Prompt) -> str:
    """Return the instructions and the form. Many servers use the schema as a grammar only and do not show it to the model."""
    return (
        f"{prompt.instructions}\n\nAnswer with JSON alone, by this JSON Schema:\n{orjson.dumps(prompt.schema).decode()}"
    )
