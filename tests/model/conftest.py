"""The profile of Hypothesis for thorough runs."""

from hypothesis import settings

settings.register_profile("thorough", max_examples=500, stateful_step_count=60, deadline=None)
