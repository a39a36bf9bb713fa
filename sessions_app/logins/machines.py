"""Credentials of machines that act for an account, such as API keys. `GET /v1/verify` accepts them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from django.http import HttpRequest

from core.errors import ServiceError
from core.http.examples import USER_ID
from core.http.schema import AcceptedCredential
from core.keys.jwt import Caller
from core.registry import Registry


# Without slots, orjson dumps a dataclass as fast as a dict. This is the answer of the most frequent route.
@dataclass(frozen=True, kw_only=True)
class Verified:
    """The account of a valid credential. For a machine credential, the answer also describes the credential."""

    component: ClassVar = "Verify"
    example: ClassVar[Mapping[str, object]] = {"user_id": USER_ID}

    user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCaller(Caller):
    """A machine as the caller, with the answer of `GET /v1/verify` to the machine's credential."""

    answer: Verified


class MachineCredential(AcceptedCredential, Protocol):
    """A kind of credential for machines. Its `output` is a subclass of Verified."""

    errors: tuple[type[ServiceError], ...]
    """The errors of `get_permitted` beside `error`."""

    def find_caller(self, *, request: HttpRequest, now: datetime) -> MachineCaller | None:
        """Return the caller whose credential the request contains.

        Returns None when the request contains no credential of this kind. Raises `error` when the credential is not
        valid.
        """

    def get_permitted(self, *, request: HttpRequest, scope: str, now: datetime) -> Caller:
        """Return the caller whose credential the request contains and has the scope.

        Raises `error` without a valid credential. Raises one of `errors` when the credential lacks the scope, or when the
        deployment has no such credentials.
        """


machine_credentials: Registry[MachineCredential] = Registry()
