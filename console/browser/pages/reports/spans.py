"""The time spans that pages offer."""

SPANS = ((1, "24 hours"), (7, "7 days"), (30, "30 days"), (90, "90 days"))
"""Lengths in days, with their labels."""
