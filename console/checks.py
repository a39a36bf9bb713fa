"""The system check of the settings of operators' sign-in."""

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from core.conf import core_settings

from .conf import browser_settings


def check_second_factor(**_: Any) -> list[CheckMessage]:
    """Warn of a demand for second factors that no operator can meet."""
    if browser_settings().second_factor != "required" or core_settings().encryption_keys:
        return []
    sentence = (
        "OPERATOR_SECOND_FACTOR=required shuts every operator out of the console, because ENCRYPTION_KEY is unset."
    )
    return [CheckWarning(sentence, hint="Set ENCRYPTION_KEY to 32 random bytes in base64.", id="authsvc.W020")]
