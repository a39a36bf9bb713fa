"""The site's people in its admin."""

from django.contrib import admin

from .models import Person

admin.site.register(Person)
