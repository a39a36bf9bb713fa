"""The outcomes of an evaluation."""

from enum import Enum


class Outcome(Enum):
    """The result for one question. A wrong plan is worse than a refusal, because its answer looks correct."""

    EXACT = "exact"
    REFUSED = "refused"
    WRONG = "wrong"
