"""The profiles of Hypothesis.

`pytest tests/model --hypothesis-profile=thorough` tries more examples, and other examples in each run.
"""

from hypothesis import Phase, settings

settings.register_profile(
    "suite",
    derandomize=True,
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
)
settings.register_profile("thorough", max_examples=500, stateful_step_count=60, deadline=None)
