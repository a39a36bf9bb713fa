"""The names of the parts of the service on the reference pages."""

from django.apps import apps

_PACKAGES = {"core": "Service", "events": "Events", "mail": "Mail"}
"""The packages that are no apps of Django."""


def area_of(cls: type) -> str:
    """Return the verbose name of the class's app, or the name of its package.

    Returns `Project` for a class outside of both.
    """
    package = cls.__module__.partition(".")[0]
    if package in _PACKAGES:
        return _PACKAGES[package]
    app = apps.get_containing_app_config(cls.__module__)
    return str(app.verbose_name) if app else "Project"
