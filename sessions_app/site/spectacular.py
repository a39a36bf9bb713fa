"""The security scheme of access tokens, for a host project that describes its own views by drf-spectacular."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from core.http.description import TOKEN_SCHEME


class AccessTokenScheme(OpenApiAuthenticationExtension):
    """The scheme of `AccessTokenAuthentication` and its subclasses. The definition of the class registers it."""

    target_class = "sessions_app.site.authentication.AccessTokenAuthentication"
    match_subclasses = True
    name = TOKEN_SCHEME.name

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return dict(TOKEN_SCHEME.definition)
