"""The names of the parts of the service on the reference pages."""

from django.apps import apps

from ... import core


def area_of(cls: type) -> str:
    """Return the verbose name of the class's app.

    Returns `Service` for a class of `accounts.core` and `Project` for a class outside all apps.
    """
    if cls.__module__.startswith(f"{core.__name__}."):
        return "Service"
    app = apps.get_containing_app_config(cls.__module__)
    return str(app.verbose_name) if app else "Project"
