"""The examples that Hypothesis tries.

A plain run tries the same 20 examples each time. `./dev test --all` tries more examples, and other ones in each run.
`pytest tests/model --hypothesis-profile=thorough` tries the most sequences of steps of a model.
"""

import os

from django.db import connection
from hypothesis import Phase, settings

ARE_RANDOM = "RANDOM_EXAMPLES" in os.environ


CHOSEN = settings(
    derandomize=not ARE_RANDOM,
    database=None,
    max_examples=60 if ARE_RANDOM else 20,
    stateful_step_count=20,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    print_blob=True,
)


def settings_of_model() -> settings:
    """Return the settings of a model: those of the profile `thorough` if the run has it."""
    if settings.get_current_profile_name() == "thorough":
        return settings.get_profile("thorough")
    # PostgreSQL tries all sequences of steps. SQLite proves only that its own statements do the same.
    few = connection.vendor == "sqlite" and "ONLY_PLACED_TESTS" in os.environ
    return settings(CHOSEN, max_examples=8) if few else CHOSEN
