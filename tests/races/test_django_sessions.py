"""Calls that link a Django session to a session of the service, at the same time and against the logout."""

from functools import partial

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django import Settings

from sessions_app.models import Family
from tests.api.host_site.test_django_sessions import MIDDLEWARE
from tests.client import Api
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = [
    pytest.mark.urls("tests.api.host_site.sessions_site"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a site has Django sessions"
    ),
]

CALLERS = 4


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    """Add the middleware."""
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, MIDDLEWARE]


def call(key: str, path: str) -> int:
    """Call the path in a tab of the browser whose Django session has the key."""
    tab = Client()
    tab.cookies[django_settings.SESSION_COOKIE_NAME] = key
    return tab.post(path).status_code


def test_one_session_is_left_after_concurrent_calls_and_none_after_the_logout() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS_OF_FEW):
            alice, browser = sign_up(f"alice{number}", api=Api()), Client()
            browser.force_login(alice.account().user)
            key = browser.cookies[django_settings.SESSION_COOKIE_NAME].value
            live = Family.objects.filter(account=alice.account(), revoked_at=None)

            statuses = crowd.at_once(*[partial(call, key, "/tokens")] * CALLERS)

            assert set(statuses) == {200}
            assert live.count() == 1

            statuses = crowd.at_once(*[partial(call, key, "/tokens")] * (CALLERS - 1), partial(call, key, "/log-out"))

            assert set(statuses[:-1]) <= {200, 400, 403}
            assert statuses[-1] == 302
            assert live.count() == 0
