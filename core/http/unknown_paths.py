"""The answer for every address that matches no route."""

from django.http import HttpRequest

from ..errors import NotFound
from .view import Auth, Operation, ServiceView


class UnknownPath(ServiceView):
    """Answers 404 in the envelope to every method."""

    auth = Auth.PUBLIC
    schema = None
    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound for every method."""
        raise NotFound
