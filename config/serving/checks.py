"""The system check of the environment. A host project has its settings in a dict, which `accounts` checks."""

import os
from difflib import get_close_matches
from itertools import accumulate
from typing import Any

from django.conf import global_settings
from django.core.checks import CheckMessage, register
from django.core.checks import Warning as CheckWarning

from core.conf import declared

from ..environment import ProjectSettings

_ALIKE = 0.85
"""The least similarity, from 0 to 1, at which a name counts as misspelt.

DATABASE_HOST has 0.72 with DATABASE_URL, and ARGON2_MEMORY_KB has 0.97 with ARGON2_MEMORY_KIB.
"""
_GROUP = 3
"""The number of settings that must share a prefix before the prefix counts as the service's own."""


@register("authsvc")
def check_environment(**_: Any) -> list[CheckMessage]:
    """Warn of each environment variable that is probably a misspelt setting."""
    settings = {declaration.name for _, declaration in declared()}
    prefixes = _own_prefixes()
    found: list[CheckMessage] = []
    for name in sorted(set(os.environ) - settings):
        least = 0.0 if name.startswith(prefixes) else _ALIKE
        for nearest in get_close_matches(name, settings, n=1, cutoff=least):
            # Another program's variable often has a word before a common name, such as S3_SECRET_KEY.
            if not name.endswith(f"_{nearest}"):
                hint = f"The setting with the most similar name is {nearest}."
                found.append(CheckWarning(f"{name} is not a setting of the service.", hint=hint, id="authsvc.W019"))
    return found


def _own_prefixes() -> tuple[str, ...]:
    """Return the prefixes of the service's own settings, such as `ARGON2_` and `LOG_SHIPPING_`.

    The result leaves out a prefix that a setting of Django or of the project has. Other programs use it too. Examples
    are `EMAIL_` and `LOG_`.
    """
    common = {prefix for name in dir(global_settings) for prefix in _prefixes(name)}
    own: list[str] = []
    for section, declaration in declared():
        if section is ProjectSettings:
            common.update(_prefixes(declaration.name))
        else:
            own += _prefixes(declaration.name)
    return tuple(prefix for prefix in set(own) - common if own.count(prefix) >= _GROUP)


def _prefixes(name: str) -> list[str]:
    """Return each prefix of a name that ends with an underscore: `A_` and `A_B_` of `A_B_C`."""
    *words, _last = name.split("_")
    return list(accumulate(f"{word}_" for word in words))
