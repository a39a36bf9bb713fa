"""The time spans that pages offer."""

from django.utils.translation import gettext_lazy

SPANS = (
    (1, gettext_lazy("24 hours")),
    (7, gettext_lazy("7 days")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
)
"""Lengths in days, with their labels."""
