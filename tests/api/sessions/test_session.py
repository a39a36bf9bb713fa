"""The caller's own session."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import now
from core.db.ids import new_id
from core.keys.jwt import issue_access_token
from tests.client import PASSWORD, Answer, Api
from tests.people import Person, SignedIn

is_host = django_settings.AUTH_USER_MODEL != "authsvc_accounts.User"


def own(session: SignedIn) -> Answer:
    return session.api.get("/v1/session", token=session.access)


def test_a_caller_sees_only_the_session_of_the_access_token(alice: Person) -> None:
    first, second = alice.log_in(), alice.log_in(Api(user_agent="curl/8"))

    listed = alice.api.get("/v1/sessions", token=first.access).data

    assert own(first).data == listed[1]
    assert own(second).data == {**listed[0], "current": True}


def test_an_earlier_token_of_the_session_shows_its_newest_state(alice: Person) -> None:
    first = alice.log_in()
    second = first.refreshed()

    assert own(first).data == own(second).data


def test_an_ended_session_is_refused(alice: Person) -> None:
    by_logout, by_all = alice.log_in(), alice.log_in()
    session_id = own(by_logout).data["id"]
    alice.api.post("/v1/logout", {"session_id": session_id}, token=by_logout.access)

    assert own(by_logout).code == "invalid_access_token"
    assert own(by_all).status == 200
    alice.api.post("/v1/logout-all", token=by_all.access)
    assert own(by_all).code == "invalid_access_token"


def test_an_expired_session_is_refused(alice: Person, settings: Any) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "REFRESH_IDLE_SECONDS": "60"}
    session = alice.log_in()

    with time_machine.travel(now() + timedelta(seconds=61)):
        assert own(session).code == "invalid_access_token"


def test_a_token_without_a_session_of_its_account_is_refused(api: Api, alice: Person, bob: Person) -> None:
    session_id = own(alice.log_in()).data["id"]

    for user_id, token_id in ((bob.user_id, session_id), (alice.user_id, str(new_id())), (alice.user_id, "x")):
        token = issue_access_token(user_id=user_id, token_id=token_id, claims={}, now=now())
        assert api.get("/v1/session", token=token).code == "invalid_access_token"
    assert api.get("/v1/session").code == "missing_auth_header"


def test_a_deleted_account_is_refused(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert own(session).code == "invalid_access_token"


def test_the_call_is_one_read(alice: Person) -> None:
    session = alice.log_in()

    with CaptureQueriesContext(connection) as captured:
        own(session)

    # A host project reads its user too.
    assert len(captured) == 1 + is_host


@pytest.mark.skipif(not is_host, reason="only a host project changes users by itself")
def test_a_user_that_the_host_project_deactivated_is_refused(alice: Person) -> None:
    session = alice.log_in()
    users: Any = get_user_model()._default_manager
    users.filter(pk=alice.user_id).update(is_active=False)

    assert own(session).code == "invalid_access_token"
