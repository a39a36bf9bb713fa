"""The security scheme of API keys, for a host project that describes its own views by drf-spectacular."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from .requests import ApiKeyCredential

_SCHEME = ApiKeyCredential.scheme


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """The scheme of `ApiKeyAuthentication` and its subclasses. The definition of the class registers it."""

    target_class = "apikeys.authentication.ApiKeyAuthentication"
    match_subclasses = True
    name = _SCHEME.name

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return dict(_SCHEME.definition)
