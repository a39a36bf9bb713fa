"""Plain Django views of a host project with the decorator `access_token_required`."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from django.test import Client

from tests.client import PASSWORD
from tests.key_bound import ProvingApi, bound_session
from tests.keys import make_key
from tests.people import Person, SignedIn

pytestmark = [pytest.mark.urls("tests.api.host_site.public_site"), pytest.mark.django_db(transaction=True)]

PATHS = ["/invoices", "/transfers"]
only_in_a_site = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project has no Django sessions"
)


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()


def get(path: str, authorization: str = "", *, client: Client | None = None) -> Any:
    return (client or Client()).get(path, headers={"Authorization": authorization} if authorization else {})


def outcome(response: Any) -> tuple[int, str]:
    """Return the status and the error code, or "ok"."""
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else "ok"


def test_a_synchronous_view_gets_the_user_and_the_identity_of_the_token(session: SignedIn) -> None:
    response = get("/invoices", f"Bearer {session.access}")

    assert (response.status_code, response.json()) == (200, {"user": session.person.user_id, "operator": False})


def test_an_asynchronous_view_gets_the_user_of_the_token(session: SignedIn) -> None:
    response = get("/transfers", f"bearer {session.access}")

    assert (response.status_code, response.json()) == (200, {"user": session.person.user_id})


@pytest.mark.parametrize("path", PATHS)
def test_a_request_without_a_valid_token_gets_the_answer_of_the_services_own_routes(
    session: SignedIn, path: str, travel: time_machine.Traveller
) -> None:
    key = make_key(session)["key"]
    refused = {
        "nothing": ("", "missing_auth_header"),
        "another scheme": ("Basic YTpi", "missing_auth_header"),
        "two tokens": (f"Bearer {session.access} {session.access}", "missing_auth_header"),
        "garbage": ("Bearer garbage", "invalid_access_token"),
        "an API key": (f"Bearer {key}", "invalid_access_token"),
        "a refresh token": (f"Bearer {session.refresh}", "invalid_access_token"),
    }

    answers = {kind: get(path, value) for kind, (value, _) in refused.items()}
    travel.shift(901)
    answers["an expired token"] = get(path, f"Bearer {session.access}")

    expected = {kind: (401, code) for kind, (_, code) in refused.items()}
    assert {kind: outcome(answer) for kind, answer in answers.items()} == {
        **expected,
        "an expired token": (401, "invalid_access_token"),
    }
    assert all(answer.headers["WWW-Authenticate"].startswith("Bearer") for answer in answers.values())


@pytest.mark.parametrize("path", PATHS)
def test_the_token_of_a_deleted_account_is_refused(session: SignedIn, path: str) -> None:
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert outcome(get(path, f"Bearer {session.access}")) == (401, "invalid_access_token")


def test_only_a_view_that_checks_the_session_refuses_the_token_of_an_ended_session(session: SignedIn) -> None:
    session.api.post("/v1/logout-all", token=session.access)

    assert outcome(get("/invoices", f"Bearer {session.access}")) == (200, "ok")
    assert outcome(get("/transfers", f"Bearer {session.access}")) == (401, "invalid_access_token")


@pytest.mark.parametrize("path", PATHS)
def test_a_post_needs_no_csrf_token(session: SignedIn, path: str) -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.post(path, headers={"Authorization": f"Bearer {session.access}"}).status_code == 200
    assert client.post(path).status_code == 401


@only_in_a_site
@pytest.mark.parametrize("path", PATHS)
def test_a_django_session_neither_opens_the_view_nor_decides_who_the_user_is(
    session: SignedIn, bob: Person, path: str
) -> None:
    client = Client()
    client.force_login(bob.account().user)

    assert outcome(get(path, client=client)) == (401, "missing_auth_header")
    assert get(path, f"Bearer {session.access}", client=client).json()["user"] == session.person.user_id


def test_a_view_demands_the_key_of_a_bound_token(alice: Person) -> None:
    api = ProvingApi()
    access, prover = bound_session(alice, api=api).access, api.prover

    for path in PATHS:
        right = prover.headers("GET", path, access=access)
        assert outcome(Client().get(path, headers=right)) == (200, "ok")
        assert outcome(Client().get(path, headers=right)) == (401, "invalid_dpop_proof")
        assert outcome(get(path, f"Bearer {access}")) == (401, "invalid_access_token")
        old = Client().get(path, headers=prover.headers("GET", path, access=access, nonce="old"))
        assert outcome(old) == (401, "use_dpop_nonce")
        assert old.headers["DPoP-Nonce"]
