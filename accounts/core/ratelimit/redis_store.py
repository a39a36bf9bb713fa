"""Counters in Redis or Valkey."""

from collections.abc import Collection, Mapping
from typing import ClassVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from .windows import Window

ANSWER_SECONDS = 1


class RedisStore:
    """Shared exactly by every process of every machine. Counts expire by themselves."""

    failures: ClassVar[tuple[type[Exception], ...]] = (redis.RedisError,)

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            # INCR needs nothing newer, and every server speaks it.
            protocol=2,
            # Once more for a connection that was idle for too long, but never after waiting in vain.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        pipeline = self._client.pipeline(transaction=False)
        for window in windows:
            name = f"authsvc:attempts:{window.ends_at}:{window.key.hex()}"
            pipeline.incr(name)
            pipeline.expire(name, window.ends_at - second)
        counts = pipeline.execute()[::2]
        return {window.key: count for window, count in zip(windows, counts, strict=True)}

    def prune(self, *, ended_before: int, at_most: int) -> None:
        """Nothing is left to remove."""

    def close(self) -> None:
        self._client.close()
