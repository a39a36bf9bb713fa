"""The answer for every address that matches no route."""

from django.http import HttpRequest

from ..errors import NotFound
from .view import Caller, Operation, ServiceView


class Missing(ServiceView):
    """404 in the envelope, whatever the method."""

    caller = Caller.PUBLIC
    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound, whatever the method."""
        raise NotFound
