"""The base classes of the console's routes."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest

from accounts.core.errors import NotFound
from accounts.core.http.schema import COMMON, ServiceSchema
from accounts.core.http.view import Caller, Operation, ServiceView
from accounts.core.keys import jwt

from ..errors import NotImplementedOnEmbeddedDb, NotOperator


class NotOnEmbedded(ServiceView):
    """What every console route answers on an embedded deployment, before anything of the request is looked at."""

    caller = Caller.PUBLIC
    any_host = True
    edge_limited = False
    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotImplementedOnEmbeddedDb, whatever the method."""
        raise NotImplementedOnEmbeddedDb


class AdminView(ServiceView):
    """A route for operators alone."""

    caller = Caller.ADMIN
    schema: Any = ServiceSchema(common=(*COMMON, NotOperator))

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Identity | None:
        """Return the operator. Raises NotOperator for any other signed-in caller."""
        identity = super().authenticate(request, now=now)
        if identity is None or not identity.is_operator:
            raise NotOperator
        return identity


class UnknownAdminRoute(AdminView):
    """401, 403, then 404: only an operator learns that there is nothing here."""

    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound, whatever the method."""
        raise NotFound
