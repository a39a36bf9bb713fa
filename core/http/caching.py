"""Django's per-site cache, which a host project can have in front of all views."""

from typing import Any


def exclude_from_cache(request: Any) -> None:
    """Keep the answer to this Django request out of the per-site cache.

    That cache does not tell callers apart by their tokens or API keys. Django before 5.2.15 and 6.0.6 stores even an
    answer with `no-store`, and sends it to the next caller.
    """
    request._cache_update_cache = False  # noqa: SLF001 - the cache middleware has no public way
