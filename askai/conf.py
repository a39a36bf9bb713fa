"""Settings of the askai app: where the language models are."""

from dataclasses import dataclass

from accounts.core.conf import URL, section, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAiSettings:
    """What the askai app reads of its deployment. What an operator may change stands in `settings_store`."""

    llm_base_url_anthropic: str = setting(
        "LLM_BASE_URL_ANTHROPIC",
        "https://api.anthropic.com",
        URL,
        "What `/v1/messages` follows, for the language model kind `anthropic`. May be a private address.",
    )
    llm_base_url_openai: str = setting(
        "LLM_BASE_URL_OPENAI",
        "https://api.openai.com/v1",
        URL,
        "What `/chat/completions` follows, for the language model kind `openai`: any compatible server, a private"
        " address too.",
    )


conf = section(AskAiSettings)
