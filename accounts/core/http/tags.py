"""Which part of the service something belongs to, in the words that the reference pages use."""

from django.apps import apps

from ... import core


def area_of(cls: type) -> str:
    """Return the app of the class in words; `Service` for the ground floor, `Project` for what is in no app."""
    if cls.__module__.startswith(f"{core.__name__}."):
        return "Service"
    app = apps.get_containing_app_config(cls.__module__)
    return str(app.verbose_name) if app else "Project"
