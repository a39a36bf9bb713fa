"""The access tokens that a service must refuse, although they have not expired."""

import logging
import threading
from datetime import UTC, datetime
from typing import Self

from .client import Gatehouse
from .errors import GatehouseError

logger = logging.getLogger("gatehouse_client")


class RevocationList:
    """The ids of the access tokens whose sessions have ended. It is for a service that verifies tokens by itself.

    `claims["jti"] in revocations` is true for a token to refuse. A thread fetches the list again every `seconds`. While
    the service does not answer, the list stays as it was, and the thread logs a warning. Threads can share the list.
    """

    def __init__(self, base_url: str, *, api_key: str, seconds: float = 5) -> None:
        """Fetch the list. `api_key` is a service key with the scope `revocations:read`. Raises GatehouseError when the fetch fails."""
        self._gatehouse = Gatehouse(base_url)
        self._api_key = api_key
        self._seconds = seconds
        self._since: str | None = None
        self._expiries: dict[str, datetime] = {}
        self._is_closed = threading.Event()
        try:
            self._fetch()
        except GatehouseError:
            self._gatehouse.close()
            raise
        threading.Thread(target=self._poll, name="gatehouse revocations", daemon=True).start()

    def __contains__(self, token_id: str) -> bool:
        return token_id in self._expiries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the thread. The list stays as it is."""
        self._is_closed.set()

    def _fetch(self) -> None:
        now = datetime.now(UTC)  # noqa: TID251 - the client has no other clock
        expiries = {token_id: expires_at for token_id, expires_at in self._expiries.items() if expires_at > now}
        since, has_more = self._since, True
        while has_more:
            query = {"since": since} if since else None
            page = self._gatehouse._call("GET", "/v1/revocations", query=query, token=self._api_key)  # noqa: SLF001 - the same package
            for entry in page["revocations"]:
                expiries |= dict.fromkeys(entry["session_ids"], datetime.fromisoformat(entry["expires_at"]))
            since, has_more = page["next_since"], page["has_more"]
        # A reader sees the old list or the new one. After a failed page, the next fetch starts where this one did.
        self._expiries, self._since = expiries, since

    def _poll(self) -> None:
        while not self._is_closed.wait(self._seconds):
            try:
                self._fetch()
            except Exception as error:  # noqa: BLE001 - without this thread, the list would stay as it is for ever
                logger.warning("The list of revocations could not be fetched: %s", error)
        self._gatehouse.close()
