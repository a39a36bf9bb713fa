"""System checks: what is insecure or impossible is said at the start, not at the first call."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning

from .conf import conf
from .core.conf import core, declared
from .core.keyring import find_exposure

_LANE_KIB = 8


@register("authsvc")
def check_hashing(**_: Any) -> list[CheckMessage]:
    """Refuse Argon2 costs that the library would refuse at the first login."""
    if conf().argon2_memory_kib >= _LANE_KIB * conf().argon2_parallelism:
        return []
    return [Error(f"ARGON2_MEMORY_KIB must be at least {_LANE_KIB} times ARGON2_PARALLELISM.", id="authsvc.E001")]


@register("authsvc")
def check_keys_differ(**_: Any) -> list[CheckMessage]:
    """Refuse one key for two purposes: whoever learns it would open both."""
    if not set(core().encryption_keys) & set(core().settings_encryption_keys):
        return []
    return [Error("ENCRYPTION_KEY and SETTINGS_ENCRYPTION_KEY must not share a key.", id="authsvc.E002")]


@register("authsvc")
def check_names(**_: Any) -> list[CheckMessage]:
    """Warn of members of AUTH_SERVICE that nothing reads; the environment, which holds much else, is passed over."""
    given = getattr(settings, "AUTH_SERVICE", {})
    if not isinstance(given, dict):
        return []
    unknown = sorted(set(given) - {declaration.name for _, declaration in declared()})
    return [CheckWarning(f"AUTH_SERVICE holds {name}, which nothing reads.", id="authsvc.W001") for name in unknown]


@register("authsvc", Tags.security, deploy=True)
def check_deployment(**_: Any) -> list[CheckMessage]:
    """Warn of what is fine on one's own machine and weak in public."""
    weak: list[CheckMessage] = []
    if not core().base_url.startswith("https:"):
        weak.append(CheckWarning("BASE_URL is not https: tokens would travel in clear.", id="authsvc.W002"))
    if conf().email_url.startswith(("off", "console:")):
        weak.append(
            CheckWarning("EMAIL_URL sends no mail: a forgotten password cannot be got around.", id="authsvc.W004")
        )
    if sentence := find_exposure():
        weak.append(CheckWarning(sentence, id="authsvc.W005"))
    return weak
