"""A site with a route of the service that raises the error a test sets."""

from typing import ClassVar

from django.http import HttpResponse
from django.urls import path

from core.errors import InternalError
from core.http.call import Call
from core.http.view import Auth, ServiceView, operation

SECRET = "the password is hunter2"


class Fail(ServiceView):
    """Fail."""

    auth = Auth.PUBLIC
    failure: ClassVar[Exception]

    @operation(output=HttpResponse, errors=(InternalError,))
    def get(self, call: Call) -> HttpResponse:
        """Raise the error that the test has set."""
        raise self.failure


urlpatterns = [path("v1/fail", Fail.as_view())]
