import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from pytest_django import Settings

from tests.client import PASSWORD, Api
from tests.keys import make_key
from tests.people import Person, SignedIn

# Real transactions: ATOMIC_REQUESTS opens one for each request, and DRF rolls it back after a refusal.
pytestmark = [pytest.mark.urls("tests.api.host_site.tokens_site"), pytest.mark.django_db(transaction=True)]

LIMIT = 120
PATHS = ["/payouts", "/anything", "/live", "/recent"]
only_in_a_site = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a site's users can be shut out"
)


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    """Remove the DRF defaults of the host site, because these tests use views of the site."""
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()


@pytest.fixture
def _limited(settings: Settings) -> None:
    """Require a recent login."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECENT_LOGIN_SECONDS": str(LIMIT)}


limited = pytest.mark.usefixtures("_limited")


def get(path: str, authorization: str = "") -> Any:
    return Api().client.get(path, headers={"Authorization": authorization} if authorization else {})


def by_token(path: str, session: SignedIn) -> tuple[int, str]:
    """Return the status and the error code, or "ok"."""
    return outcome(get(path, f"Bearer {session.access}"))


def outcome(response: Any) -> tuple[int, str]:
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else "ok"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_view_in_the_docs_accepts_an_access_token(session: SignedIn, scheme: str) -> None:
    response = get("/payouts", f"{scheme} {session.access}")

    assert (response.status_code, response.json()) == (200, {"user": session.person.user_id, "operator": False})


@pytest.mark.parametrize("path", PATHS)
def test_a_request_without_a_valid_token_gets_a_challenge(
    session: SignedIn, path: str, travel: time_machine.Traveller
) -> None:
    header, payload, _ = session.access.split(".")
    refused = {
        "nothing": "",
        "another scheme": "Basic YTpi",
        "garbage": "Bearer garbage",
        "a refresh token": f"Bearer {session.refresh}",
        "an unknown API key": "Bearer ak_junk",
        "a forged signature": f"Bearer {header}.{payload}.AAAA",
        "two tokens": f"Bearer {session.access} {session.access}",
    }

    answers = {kind: get(path, value) for kind, value in refused.items()}
    travel.shift(901)
    answers["an expired token"] = get(path, f"Bearer {session.access}")

    assert {kind: answer.status_code for kind, answer in answers.items()} == dict.fromkeys(answers, 401)
    assert {answer.headers["WWW-Authenticate"] for answer in answers.values()} == {"Bearer"}
    assert outcome(answers["a forged signature"]) == (401, "invalid_access_token")
    assert outcome(answers["an expired token"]) == (401, "invalid_access_token")
    assert outcome(answers["nothing"]) == (401, "not_authenticated")


@pytest.mark.parametrize("path", PATHS)
def test_the_token_of_a_deleted_account_is_refused(session: SignedIn, path: str) -> None:
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert by_token(path, session) == (401, "invalid_access_token")


@only_in_a_site
@pytest.mark.parametrize("path", PATHS)
def test_the_token_of_a_deactivated_user_is_refused(session: SignedIn, path: str) -> None:
    user: Any = session.person.account().user
    user.is_active = False
    user.save()

    assert by_token(path, session) == (401, "invalid_access_token")


def test_an_api_key_goes_on_to_the_next_class(session: SignedIn) -> None:
    key = make_key(session)["key"]

    assert outcome(get("/anything", f"Bearer {key}")) == (200, "ok")


@limited
@pytest.mark.parametrize("path", ["/payouts", "/recent"])
def test_a_view_can_demand_a_recent_login(session: SignedIn, path: str, travel: time_machine.Traveller) -> None:
    travel.shift(LIMIT)
    assert by_token(path, session) == (200, "ok")
    travel.shift(1)

    assert by_token(path, session) == (403, "reauthentication_required")
    assert by_token("/anything", session) == (200, "ok")

    session.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=session.access)
    assert by_token(path, session) == (200, "ok")


def test_a_view_that_checks_the_session_refuses_the_tokens_of_an_ended_one(alice: Person, session: SignedIn) -> None:
    newest, other = session.refreshed(), alice.log_in()
    assert [by_token("/live", one)[0] for one in (session, newest, other)] == [200, 200, 200]

    listed = other.api.get("/v1/sessions", token=other.access).data
    (ended,) = [row["id"] for row in listed if not row["current"]]
    other.api.delete(f"/v1/sessions/{ended}", token=other.access)

    refused = (401, "invalid_access_token")
    assert [by_token("/live", one) for one in (session, newest, other)] == [refused, refused, (200, "ok")]
    assert by_token("/anything", session) == (200, "ok")


@limited
def test_a_view_that_demands_a_recent_login_refuses_a_session_that_has_ended(session: SignedIn) -> None:
    session.api.post("/v1/logout-all", token=session.access)

    assert by_token("/recent", session) == (401, "invalid_access_token")
    assert by_token("/anything", session) == (200, "ok")


@limited
def test_an_api_key_is_no_recent_login(session: SignedIn) -> None:
    key = make_key(session)["key"]

    assert outcome(get("/recent", f"Bearer {key}")) == (403, "reauthentication_required")


def test_without_the_setting_every_access_token_is_recent(session: SignedIn, travel: time_machine.Traveller) -> None:
    travel.shift(LIMIT + 1)

    assert by_token("/recent", session) == (200, "ok")


def test_the_classes_can_be_the_defaults_of_drf() -> None:
    # A new process is needed, because DRF imports its default classes once.
    program = """
import django
from django.conf import settings

settings.REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["sessions_app.site.authentication.AccessTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["sessions_app.site.authentication.RecentLogin"],
}
django.setup()

from rest_framework.views import APIView

print([one.__name__ for one in (*APIView.authentication_classes, *APIView.permission_classes)])
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "['AccessTokenAuthentication', 'RecentLogin']", done.stderr
