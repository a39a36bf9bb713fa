"""The scopes of the deployment's own services, beside those of OpenID."""

from collections.abc import Collection, Sequence

from mail.languages import ENGLISH

from .conf import settings
from .scopes import SCOPES


def known_scopes() -> tuple[str, ...]:
    """Return the scopes of OpenID and those of the setting OPENID_SCOPES."""
    return (*SCOPES, *(scope.name for scope in settings().own_scopes))


def own_texts(scopes: Collection[str], *, language: str) -> Sequence[str]:
    """Return the texts of those of the scopes that belong to the deployment, in this language or else in English."""
    known = [scope for scope in settings().own_scopes if scope.name in scopes]
    return [scope.texts.get(language, scope.texts[ENGLISH]) for scope in known]
