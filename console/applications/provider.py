"""Whether the site has the OpenID provider. A site can install the console without it."""

from django.apps import apps


def is_provider_installed() -> bool:
    """Return whether the app of the provider is installed. Its models can be imported only then."""
    return "authsvc_oidc" in apps.app_configs
