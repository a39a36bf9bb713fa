"""The store of the counters in Redis or Valkey."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from redis import Redis, RedisCluster, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError, RedisClusterException
from redis.retry import Retry

from .windows import Window

ANSWER_SECONDS = 1


class RedisStore:
    """The store of a deployment with CACHE_URL. All processes of all machines share exact counts.

    The server deletes expired counts itself. The server may be a node of a Redis Cluster. The store learns this from
    the node's first redirection. It then asks each node for the counts that the node holds.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (RedisError, RedisClusterException)

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Redis | RedisCluster = Redis.from_url(url, **_options())

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        try:
            return self._add(windows, second=second)
        except MovedError:
            self._client.close()
            self._client = RedisCluster.from_url(self._url, **_options())
        # The node has counted those of the windows that it holds, so this attempt may count twice there.
        return self._add(windows, second=second)

    def prune(self, *, ended_before: int, at_most: int) -> None:
        """Do nothing, because counts expire by themselves."""

    def close(self) -> None:
        if isinstance(self._client, RedisCluster):
            # `close()` would forget the nodes, and the node of the URL may be down.
            self._client.disconnect_connection_pools()  # type: ignore[no-untyped-call]  # redis leaves it untyped
        else:
            self._client.close()

    def _add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        pipeline = self._client.pipeline(transaction=False)
        for window in windows:
            name = f"authsvc:attempts:{window.ends_at}:{window.key.hex()}"
            pipeline.incr(name)
            pipeline.expire(name, window.ends_at - second)
        counts = pipeline.execute()[::2]
        return {window.key: count for window, count in zip(windows, counts, strict=True)}


def _options() -> dict[str, Any]:
    return {
        "socket_connect_timeout": ANSWER_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        # INCR needs no newer version of the protocol, and every server supports version 2.
        "protocol": 2,
        # The client tries once more when the server closed an idle connection, but not after a timeout.
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
    }
