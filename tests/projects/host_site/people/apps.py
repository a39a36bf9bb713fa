"""The site's app of people."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """The app with the site's user model."""

    name = "tests.projects.host_site.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"
