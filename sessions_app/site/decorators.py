"""A decorator for the plain Django views of a host project.

    @access_token_required
    def payouts(request):
        return JsonResponse({"user": str(request.user.pk)})

In the view, `request.user` is the owner of the access token.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from core.clock import now
from core.errors import ServiceError
from core.http.access_tokens import caller_of
from core.http.caching import exclude_from_cache
from core.http.responses import envelope

from .callers import get_user


def access_token_required(view: Callable[..., Any] | None = None, *, check_session: bool = False) -> Any:
    """Run the view only for a request with a valid access token. The view can be synchronous or asynchronous.

    In the view, `request.user` and `request.auser()` are the token's user, and `request.auth` is its `Caller`. A Django
    session of the request does not count. Other requests get 401 with the code `missing_auth_header` or
    `invalid_access_token`. A request with a key-bound token and a wrong proof gets 401 with the code
    `invalid_dpop_proof` or `use_dpop_nonce`. `check_session` is as in `AccessTokenAuthentication`.

    The view is exempt from Django's CSRF check. A browser never adds an access token by itself, so another site cannot
    forge the request.
    """
    if view is None:
        return partial(access_token_required, check_session=check_session)
    guarded = _guard_async(view, check_session) if iscoroutinefunction(view) else _guard(view, check_session)
    guarded.csrf_exempt = True  # type: ignore[attr-defined]  # Django's middleware reads the attribute
    return guarded


def _guard(view: Callable[..., Any], check_session: bool) -> Callable[..., Any]:
    @wraps(view)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return _refuse(request, check_session) or view(request, *args, **kwargs)

    return run


def _guard_async(view: Callable[..., Any], check_session: bool) -> Callable[..., Any]:
    @wraps(view)
    async def run(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        refusal = await sync_to_async(_refuse)(request, check_session)
        return refusal or await view(request, *args, **kwargs)

    return run


def _refuse(request: Any, check_session: bool) -> HttpResponseBase | None:
    """Return the response for a request without a valid token, or give the request its caller and return None."""
    exclude_from_cache(request)
    try:
        caller = caller_of(request, now=now())
        user = get_user(caller=caller, check_session=check_session, now=now())
    except ServiceError as error:
        return envelope(error)

    async def auser() -> Any:
        return user

    request.user, request.auser, request.auth = user, auser, caller
    return None
