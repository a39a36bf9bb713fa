"""The list of revocations in the memory of a host project's process, and the authentication that uses it.

class Prices(APIView):
    authentication_classes = [RevocationListAuthentication]

All views of a process share one list.
"""

import threading
from datetime import datetime, timedelta
from typing import Any, ClassVar

from rest_framework.request import Request

from core.clock import now as read_clock
from core.errors import InvalidAccessToken
from core.keys.jwt import Caller

from ..families.ended_sessions import list_revocations
from .authentication import AccessTokenAuthentication
from .callers import authentication_failed


class RevocationList:
    """The revocations in the memory of this process. The list is at most `seconds` old when it answers.

    One query refreshes the list, however many requests ask. Share one instance between all requests of the process.
    """

    def __init__(self, *, seconds: int) -> None:
        self._age = timedelta(seconds=seconds)
        self._lock = threading.Lock()
        self._expiries: dict[str, datetime] = {}
        self._since: datetime | None = None
        self._read_at: datetime | None = None

    def has(self, *, token_id: str, now: datetime) -> bool:
        """Return whether the access token with this `jti` belongs to a session that has ended."""
        if self._read_at is None or now - self._read_at >= self._age:
            self._refresh(now)
        return token_id in self._expiries

    def _refresh(self, now: datetime) -> None:
        with self._lock:
            # Another thread may have refreshed the list while this one waited.
            if self._read_at is not None and now - self._read_at < self._age:
                return
            expiries = {token_id: at for token_id, at in self._expiries.items() if at > now}
            since, has_more = self._since, True
            while has_more:
                page = list_revocations(since=since, now=now)
                for one in page.revocations:
                    expiries |= dict.fromkeys(one.session_ids, one.expires_at)
                since, has_more = page.next_since, page.has_more
            # The list changes only after the last page. After a failed page, the next refresh must start where this one
            # did.
            self._expiries, self._since, self._read_at = expiries, since, now


class RevocationListAuthentication(AccessTokenAuthentication):
    """Authenticates requests as AccessTokenAuthentication does, and refuses the tokens of ended sessions.

    The list refuses a token at most five seconds after the end of its session. A subclass can have a list of another
    age in `revocations`.
    """

    revocations: ClassVar[RevocationList] = RevocationList(seconds=5)

    def authenticate(self, request: Request) -> tuple[Any, Caller] | None:
        """Return what AccessTokenAuthentication returns.

        Raises AuthenticationFailed with the code `invalid_access_token` also for a token that the list revokes.
        """
        found = super().authenticate(request)
        if found is not None and self.revocations.has(token_id=found[1].token_id, now=read_clock()):
            raise authentication_failed(InvalidAccessToken())
        return found
