"""The arguments that a request gives to a handler."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..errors import InvalidAccessToken, MissingAuthHeader
from ..keys import jwt
from .client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An authenticated and parsed request, which a handler gets. The request uses `now` as its only time."""

    now: datetime
    client: Client
    caller: jwt.Caller | None
    path: Mapping[str, str]
    header: str | None
    body: Mapping[str, Any]
    query: Mapping[str, Any]
    lacks_token: bool = False
    checked: dict[str, Any] = field(default_factory=dict)
    """The results of checks that a later step of the request uses again."""

    @property
    def signed_in(self) -> jwt.Caller:
        """The caller.

        Raises MissingAuthHeader when the request contains no bearer token, InvalidAccessToken when its token is not valid.
        """
        if self.caller is None:
            raise MissingAuthHeader if self.lacks_token else InvalidAccessToken
        return self.caller

    @property
    def user_id(self) -> str:
        """The id of the caller's account. Raises as `signed_in` does."""
        return self.signed_in.user_id
