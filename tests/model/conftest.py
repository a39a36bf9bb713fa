"""How long hypothesis looks: `pytest tests/model --hypothesis-profile=thorough` looks longer, each time elsewhere."""

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
