"""How long hypothesis looks: `pytest tests/model --hypothesis-profile=thorough` looks on, each time somewhere else."""

from hypothesis import settings

settings.register_profile("suite", derandomize=True, max_examples=60, stateful_step_count=30, deadline=None)
settings.register_profile("thorough", max_examples=1_000, stateful_step_count=60, deadline=None)
