"""The WSGI handler of the standalone project: Django's handler without steps that this project does not need."""

from collections.abc import Callable, Iterable
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, get_resolver


class Handler(WSGIHandler):
    """Answers requests like Django's handler. No request changes the URL conf, because no middleware of ours does.

    docs/decisions/096-a-handler-leaves-steps-of-django-out.md states the instructions that each step saves.
    """

    def __init__(self) -> None:
        super().__init__()
        self._fixed: dict[str, ResolverMatch] = {}

    def __call__(  # type: ignore[override]  # WSGI allows any iterable, and the stubs name Django's class
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Return the body of the answer. A body that is whole is returned as a list, which granian sends at once."""
        response = super().__call__(environ, start_response)
        if not isinstance(response, HttpResponse):
            return response
        # The server closes only a body that is no list.
        try:
            return [response.content]
        finally:
            response.close()

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to the request.

        Django's method also sets the URL conf of the thread, and logs errors. Without a set one, ROOT_URLCONF counts.
        The project's log has a line for each request, so the logger of Django's lines is off.
        """
        response: Any = self._middleware_chain(request)  # type: ignore[attr-defined]  # the stubs lack it
        response._resource_closers.append(request.close)  # noqa: SLF001 - as Django's own method does
        return response  # type: ignore[no-any-return]  # see above

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """Return the view of the path, and the arguments that the path contains.

        The handler keeps the match of a fixed path. There are no more of them than routes.
        """
        match = self._fixed.get(request.path_info)
        if match is None:
            match = get_resolver().resolve(request.path_info)
            # The route of a path with arguments, and that of an unknown path, differ from the path.
            if f"/{match.route}" == request.path_info:
                self._fixed[request.path_info] = match
        request.resolver_match = match
        return match


def close_failed_connection(**_: object) -> None:
    """Close the thread's connection to the database if a statement failed and the connection no longer works.

    Also close the connection if a transaction is left open. It is a receiver of `request_finished`. Django's own receiver
    asks the database's driver at each request.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.errors_occurred or not connection.autocommit:
        connection.close_if_unusable_or_obsolete()
