"""Errors of the apikeys app."""

from collections.abc import Mapping

from core.errors import ServiceError


class InvalidApiKey(ServiceError, status=401):
    """The API key is not valid, has expired or was revoked. Use another API key."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": 'Bearer error="invalid_token"'}


class PermissionDenied(ServiceError, status=403):
    """The API key lacks the scope that this route demands. Create an API key with this scope."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": 'Bearer error="insufficient_scope"'}


class ApiKeysNotConfigured(ServiceError, status=404):
    """API keys are not available on this service. Ask the people who run it to turn them on."""


class ApiKeyNotFound(ServiceError, status=404):
    """You have no API key with this id. List your API keys to see their ids."""


class InvalidApiKeyScope(ServiceError, status=400):
    """scopes must be a list of at most 50 texts. Each text must have 1 to 100 printable characters and no white space."""


class InvalidApiKeyTtl(ServiceError, status=400):
    """expires_in_days must be an integer from 0 to 3650. With 0, or without a value, the key never expires."""
