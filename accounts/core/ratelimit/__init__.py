"""How often something may be tried: fixed windows, counted exactly and by all processes together.

A limit bears the name it has in the setting RATE_LIMITS. An attempt over one is counted as well, and refused with
`RateLimited`, which says when the window opens again. Counting is never part of a transaction: what rolls back an
attempt does not un-count it.
"""

from .conf import Limits, Rate, RateLimitSettings, conf
from .limiting import close, hit, hit_all, hit_edge, network_key

__all__ = ["Limits", "Rate", "RateLimitSettings", "close", "conf", "hit", "hit_all", "hit_edge", "network_key"]
