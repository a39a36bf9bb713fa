"""CORS in the standalone project: whatever the middleware answers by itself has the headers of every other answer."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.core.http.view import request_id_of, set_headers


def complete_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Be the middleware around that of CORS: no view sees a preflight."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Request-ID" not in response.headers:
            set_headers(response, request_id=request_id_of(request))
        return response

    return respond
