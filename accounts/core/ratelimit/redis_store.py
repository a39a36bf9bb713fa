"""The store of the counters in Redis or Valkey."""

from collections.abc import Collection, Mapping
from typing import ClassVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from .windows import Window

ANSWER_SECONDS = 1


class RedisStore:
    """The store of a deployment with CACHE_URL. All processes of all machines share exact counts.

    The server deletes expired counts itself.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (redis.RedisError,)

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            # INCR needs no newer version of the protocol, and every server supports version 2.
            protocol=2,
            # The client tries once more when the server closed an idle connection, but not after a timeout.
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
        """Do nothing, because counts expire by themselves."""

    def close(self) -> None:
        self._client.close()
