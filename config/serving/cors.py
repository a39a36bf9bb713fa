"""CORS in the standalone project: responses of the CORS middleware get the headers of all other responses."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.http.view import request_id_of, set_headers


def complete_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that adds the service's headers to responses that have none.

    It wraps the CORS middleware, which answers a preflight itself, before any view.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Request-ID" not in response.headers:
            set_headers(response, request_id=request_id_of(request))
        return response

    return respond
