"""Settings of the askai app: where the language models are."""

from dataclasses import dataclass

from core.conf import URL, section, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAiSettings:
    """Settings that the deployment fixes. `askai.settings` contains the settings that an operator can change."""

    llm_base_url_anthropic: str = setting(
        "LLM_BASE_URL_ANTHROPIC",
        "https://api.anthropic.com",
        URL,
        "Base URL of the language model kind `anthropic`; the service appends `/v1/messages`. It may be a private address.",
    )
    llm_base_url_openai: str = setting(
        "LLM_BASE_URL_OPENAI",
        "https://api.openai.com/v1",
        URL,
        "Base URL of the language model kind `openai` or of a compatible server; the service appends `/chat/completions`. "
        "It may be a private address.",
    )


settings = section(AskAiSettings)
