"""Settings of the apikeys app."""

from dataclasses import dataclass

from core.conf import SWITCH, section, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeysSettings:
    """Settings of the apikeys app."""

    is_on: bool = setting("API_KEYS_ENABLED", True, SWITCH, "Whether users can create and use API keys.")


settings = section(ApiKeysSettings)
