"""Errors of the apikeys app."""

from collections.abc import Mapping

from accounts.core.errors import ServiceError


class InvalidApiKey(ServiceError, status=401):
    """The API key is wrong, revoked or expired."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": 'Bearer error="invalid_token"'}


class ApiKeysNotConfigured(ServiceError, status=404):
    """This deployment has no API keys."""


class ApiKeyNotFound(ServiceError, status=404):
    """You have no API key with this id."""


class InvalidApiKeyScope(ServiceError, status=400):
    """Scopes are at most 50 texts of 1 to 100 printable characters without white space."""


class InvalidApiKeyTtl(ServiceError, status=400):
    """expires_in_days is an integer from 0 to 3650; 0 or nothing means never."""
