import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection
from pytest_django import Settings

from apikeys.models import ApiKey
from tests.client import Api
from tests.keys import events, forged, make_key, revoke
from tests.people import Person, SignedIn

# Real transactions: ATOMIC_REQUESTS opens one for each request, and DRF rolls it back after a refusal.
pytestmark = [pytest.mark.urls("tests.api.host_site.machines_site"), pytest.mark.django_db(transaction=True)]

STANDALONE_USER = "authsvc_accounts.User"
only_in_a_site = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == STANDALONE_USER, reason="only a site's users can be shut out"
)
is_atomic = bool(connection.settings_dict["ATOMIC_REQUESTS"])


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    """Remove the DRF defaults of the host site, because these tests use views of the site."""
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()


def get(path: str, **headers: str) -> Any:
    return Api().client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def key_with(session: SignedIn, *scopes: str) -> str:
    return str(make_key(session, scopes=scopes)["key"])


def test_the_view_in_the_docs_accepts_a_key_with_the_scope(session: SignedIn) -> None:
    key = key_with(session, "other", "reports:read")
    body = {"owner": session.person.user_id, "key": "Backup", "scopes": ["other", "reports:read"]}

    answers = [get("/reports", X_API_Key=key), get("/reports", Authorization=f"bearer {key}")]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json() for answer in answers] == [body] * 2


@pytest.mark.parametrize(
    ("path", "scopes", "status"),
    [
        ("/reports", [], 403),
        ("/reports", ["reports"], 403),
        ("/reports", ["Reports:read"], 403),
        ("/reports", ["reports:*"], 403),
        ("/reports", ["*"], 403),
        ("/reports", ["reports:write"], 403),
        ("/much", ["reports:read"], 403),
        ("/much", ["reports:write", "x", "reports:read"], 200),
        ("/anything", [], 200),
        ("/both", ["reports:read"], 200),
        ("/both", [], 403),
        ("/alone", ["reports:read"], 200),
    ],
)
def test_a_key_needs_every_scope_that_the_view_requires(
    session: SignedIn, path: str, scopes: list[str], status: int
) -> None:
    assert get(path, X_API_Key=key_with(session, *scopes)).status_code == status


@pytest.mark.parametrize("path", ["/reports", "/anything", "/alone"])
def test_a_request_without_a_valid_key_gets_a_challenge(session: SignedIn, path: str) -> None:
    key, revoked = key_with(session, "reports:read"), make_key(session)
    revoke(session, revoked["api_key"]["id"])

    answers = [
        get(path),
        get(path, X_API_Key=forged(key)),
        get(path, X_API_Key=revoked["key"]),
        get(path, X_API_Key=""),
        get(path, X_API_Key="junk"),
        get(path, X_API_Key=key, Authorization=f"Bearer {key}"),
        get(path, Authorization=f"Bearer {session.access}"),
        get(path, Authorization="Bearer ak_junk"),
        get(path, Authorization="Basic YTpi"),
    ]

    assert {(answer.status_code, answer.headers["WWW-Authenticate"]) for answer in answers} == {(401, "Bearer")}


def test_a_view_with_sessions_first_refuses_without_a_challenge(session: SignedIn) -> None:
    assert get("/both").status_code == 403
    assert get("/both", X_API_Key="junk").status_code == 403


@only_in_a_site
def test_a_session_of_the_site_is_not_accepted_as_a_key(session: SignedIn) -> None:
    api = Api()
    api.client.force_login(session.person.account().user)

    assert api.client.get("/both").status_code == 403
    assert api.client.get("/reports").status_code == 401


def test_a_session_of_the_service_is_not_accepted_as_a_key(session: SignedIn) -> None:
    assert get("/both", Authorization=f"Bearer {session.access}").status_code == 403


@only_in_a_site
def test_the_key_of_a_deactivated_user_is_refused(session: SignedIn) -> None:
    key = key_with(session, "reports:read")
    user: Any = session.person.account().user
    user.is_active = False
    user.save()

    assert get("/reports", X_API_Key=key).status_code == 401


def test_every_key_is_refused_while_the_feature_is_off(settings: Settings, session: SignedIn) -> None:
    key = key_with(session, "reports:read")

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "API_KEYS_ENABLED": "off"}

    assert get("/reports", X_API_Key=key).status_code == 401


@pytest.mark.parametrize("path", ["/reports", "/alone"])
def test_a_use_of_a_key_is_stored(session: SignedIn, path: str) -> None:
    key = key_with(session, "reports:read")

    get(path, X_API_Key=key)

    assert ApiKey.objects.get().last_used_at is not None


@pytest.mark.parametrize("path", ["/reports", "/alone"])
def test_a_refusal_is_recorded_unless_the_site_rolls_it_back(session: SignedIn, path: str) -> None:
    key = key_with(session)

    for _ in range(2):
        assert get(path, X_API_Key=forged(key)).status_code == 401

    assert len(events(session.person, "api_key_rejected")) == (0 if is_atomic and path == "/reports" else 1)


def test_a_use_that_a_failing_view_rolled_back_is_stored_at_the_next_call(session: SignedIn) -> None:
    key = key_with(session, "reports:read")

    assert get("/failing", X_API_Key=key).status_code == 500
    assert get("/reports", X_API_Key=key).status_code == 200

    assert ApiKey.objects.get().last_used_at is not None


def test_a_recently_used_key_takes_one_query(session: SignedIn, django_assert_num_queries: Any) -> None:
    key = key_with(session, "reports:read")
    get("/alone", X_API_Key=key)

    with django_assert_num_queries(1):
        assert get("/alone", X_API_Key=key).status_code == 200


def test_the_classes_can_be_the_defaults_of_drf() -> None:
    # A new process is needed, because DRF imports its default classes once.
    program = """
import django
from django.conf import settings

settings.REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apikeys.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["apikeys.authentication.HasScopes"],
}
django.setup()

from rest_framework.views import APIView

print([one.__name__ for one in (*APIView.authentication_classes, *APIView.permission_classes)])
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "['ApiKeyAuthentication', 'HasScopes']", done.stderr
