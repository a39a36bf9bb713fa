"""The base classes of the console's routes."""

from datetime import datetime
from typing import Any, ClassVar

from django.http import HttpRequest

from core.errors import NotFound
from core.http.schema import COMMON, ServiceSchema
from core.http.view import Auth, Operation, ServiceView
from core.keys import jwt

from ..errors import NotImplementedOnEmbeddedDb, NotOperator


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

    guarded_methods: ClassVar[tuple[str, ...]] = ()
    """The methods for which an operator in a browser needs a recent second factor."""

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator. Raises NotOperator for any other signed-in caller."""
        caller = self.find_caller(request, now=now)
        if caller is None or not caller.is_operator:
            raise NotOperator
        return caller

    def find_caller(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the caller of the access token. The browsable API returns the caller of the session instead."""
        return super().authenticate(request, now=now)


class UnknownAdminRoute(AdminView):
    """No such route.

    It answers every other path of the console with 404. Other callers get 401 or 403, so they learn no paths.
    """

    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound for every method."""
        raise NotFound
