"""The base classes of the console's routes."""

from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation

from accounts.errors import ReauthenticationRequired
from accounts.proofs.recent_login import is_recent
from core.errors import NotFound
from core.http.call import Call
from core.http.schema import COMMON, ServiceSchema
from core.http.view import Auth, Operation, ServiceView
from core.keys import jwt
from mail.languages import ENGLISH

from ..errors import NotImplementedOnEmbeddedDb, NotOperator
from ..operators.grants import get_operator_session
from ..roles import Right, refusal_of

_READS = ("GET", "HEAD", "OPTIONS")


class NotOnEmbedded(ServiceView):
    """Refuses every request to the console on an embedded deployment, before any other check of the request."""

    auth = Auth.PUBLIC
    any_host = True
    unlimited = "The answer is always the same and needs no database."
    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotImplementedOnEmbeddedDb for every method."""
        raise NotImplementedOnEmbeddedDb


class AdminView(ServiceView):
    """A route that only operators may call."""

    auth = Auth.ADMIN
    schema: Any = ServiceSchema(common=(*COMMON, NotOperator))

    writes_need: ClassVar[Right]
    """The right that each method that writes needs."""

    authenticated_at: datetime | None = None
    """The time of the latest login or reauthentication of the operator's session."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Declare ReauthenticationRequired for each method that writes. Raises TypeError for a write without a right."""
        super().__init_subclass__(**kwargs)
        if not hasattr(cls, "writes_need") and any(method not in _READS for method in cls.operations):
            raise TypeError(f"{cls.__name__} writes, but declares no right.")
        cls.operations = {
            method: declared
            if method in _READS
            else replace(declared, errors=(*declared.errors, ReauthenticationRequired))
            for method, declared in cls.operations.items()
        }

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator. The token's role is needed and not enough: `get_operator_session` checks it in one query.

        Raises NotOperator for a caller without the role, and for a write that the operator's role does not permit. Raises
        as `get_operator_session` does.
        """
        caller = super().authenticate(request, now=now)
        if caller is None or not caller.is_operator:
            raise NotOperator
        session = get_operator_session(caller=caller, now=now)
        needed = getattr(self, "writes_need", None)
        if request.method not in _READS and needed is not None and needed not in session.rights:
            raise NotOperator(refusal_of(needed))
        self.authenticated_at = session.authenticated_at
        return caller

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer in English. The texts of the reports also have the other languages of the console's pages."""
        with translation.override(ENGLISH):
            return super().dispatch(request, *args, **kwargs)

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the handler. A method that writes needs a recent login."""
        if self.request.method not in _READS:
            self.require_recent_proof(call)
        return super().call_handler(declared, call)

    def require_recent_proof(self, call: Call) -> None:
        """Raise ReauthenticationRequired unless the session was authenticated within RECENT_LOGIN_SECONDS."""
        if self.authenticated_at is None or not is_recent(self.authenticated_at, now=call.now):
            raise ReauthenticationRequired


class UnknownAdminRoute(AdminView):
    """No such route.

    It answers every other path of the console with 404. Other callers get 401 or 403, so they learn no paths.
    """

    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound for every method."""
        raise NotFound
