"""Rate limits: fixed windows, counted exactly by all processes together.

The name of a limit is its name in the setting RATE_LIMITS. An attempt over a limit is also counted, and raises
`RateLimited`. The error states the seconds until the window ends. Counting is never part of a transaction, so a
rollback does not remove the attempt from the count.
"""

from .conf import Limit, Rate, settings
from .limiting import close, close_before_drop, hit, hit_all, hit_edge, is_answering, network_key

__all__ = [
    "Limit",
    "Rate",
    "close",
    "close_before_drop",
    "hit",
    "hit_all",
    "hit_edge",
    "is_answering",
    "network_key",
    "settings",
]
