"""The classes of a host project that extend the service, as on the page of the public API."""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import RequestFactory
from django.urls import include, path

from accounts.lifecycle import account_listeners, claims_providers, failure_listeners
from accounts.models import Account
from core.errors import ServiceError
from core.registry import Registry
from sessions_app.detection.locations import own_geolocators
from sessions_app.logins.second_factors import second_factors
from tests.api.host_site.pages import run_examples
from tests.client import PASSWORD, Api
from tests.keys import events
from tests.mails import delivered, token_in
from tests.people import Person
from tests.second_factors import lock

LOGIN = {"email": "alice@example.com", "password": PASSWORD}
# An error class is defined once in a process. The service's own tests compare the codes with the contract.
FACTORS = run_examples("public-api.md", "Second factors of your own")
del ServiceError.registry["wrong_number"]

urlpatterns = [
    path("card", FACTORS["complete_by_card"]),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
]

REGISTRIES: tuple[Registry[Any], ...] = (
    account_listeners,
    claims_providers,
    failure_listeners,
    own_geolocators,
    second_factors,
)


@pytest.fixture
def install() -> Iterator[Callable[[str], None]]:
    """Run the `ready()` of the app in a section of the page. Its registrations end with the test."""
    before = [list(registry) for registry in REGISTRIES]
    yield lambda heading: _names(heading)["ShopConfig"].ready(None)
    for registry, members in zip(REGISTRIES, before, strict=True):
        for member in [member for member in registry if member not in members]:
            registry.unregister(member)


def _names(heading: str) -> dict[str, Any]:
    return FACTORS if heading == "Second factors of your own" else run_examples("public-api.md", heading)


def claims(token: str) -> Any:
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def test_a_claims_provider_adds_claims_at_login_and_refresh(
    alice: Person, bob: Person, install: Callable[[str], None]
) -> None:
    rows = f"SELECT user_id AS person_id, 'red' AS team FROM {Account._meta.db_table}"  # noqa: S608 - our own table
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE shop_membership AS {rows} WHERE email_key = '{alice.email}'")
    install("Claims of your own")

    session = alice.log_in()
    assert claims(session.access)["team"] == claims(session.refreshed().access)["team"] == "red"
    assert "team" not in claims(bob.log_in().access)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="the example writes keys that SQLite stores in another form")
@pytest.mark.urls(__name__)
def test_a_second_factor_pauses_each_login_until_its_proof(alice: Person, install: Callable[[str], None]) -> None:
    rows = f"SELECT user_id AS person_id FROM {Account._meta.db_table}"  # noqa: S608 - our own table
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE shop_card AS {rows.replace(' FROM', ', created_at AS sent_at FROM')} LIMIT 0")
        cursor.execute(f"CREATE TABLE shop_number AS SELECT person_id, '1234' AS number FROM ({rows}) AS people")  # noqa: S608 - as above
    install("Second factors of your own")
    assert set(alice.api.post("/v1/login", LOGIN).data) == {"access_token", "refresh_token"}
    FACTORS["give_card"](user=alice.account().user, request=RequestFactory().post("/"))

    answers = []
    for number in ("4321", "1234", "1234"):
        # The tests compare other answers with a description from before the registration.
        paused = alice.api.client.post("/v1/login", LOGIN, content_type="application/json").json()["data"]
        assert paused["methods"] == ["card"]
        body = {"pending_token": paused["pending_token"], "number": number}
        answers.append(alice.api.client.post("/card", body, content_type="application/json"))

    assert [answer.status_code for answer in answers] == [401, 200, 401]
    assert set(answers[1].json()["data"]) == {"access_token", "refresh_token"}
    assert answers[2].json()["error"]["code"] == "wrong_number"
    assert len(events(alice, "second_factor_added")) == 1
    assert [event.metadata for event in events(alice, "second_factor_failed")] == [{"reason": "wrong"}] * 2
    assert events(alice, "login_success")[-1].metadata == {"method": "password", "second_factor": "card"}

    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO shop_number SELECT person_id, '5678' FROM ({rows}) AS people")  # noqa: S608 - as above
    taken = [
        FACTORS["take_card"](user=alice.account().user, number=number, request=RequestFactory().post("/"))
        for number in ("1234", "5678")
    ]

    assert taken == [False, True]
    assert len(events(alice, "second_factor_removed")) == 1
    assert set(alice.api.post("/v1/login", LOGIN).data) == {"access_token", "refresh_token"}


def test_a_geolocator_finds_the_places_of_sessions(alice: Person, install: Callable[[str], None]) -> None:
    install("Locations of your own")

    alice.log_in(Api(ip="198.51.100.9"))
    session = alice.log_in(Api(ip="203.0.113.7"))

    here, elsewhere = session.api.get("/v1/sessions", token=session.access).data
    assert here["location"] == {"city": "Bern", "region": "", "country": "CH"}
    assert elsewhere["location"] == {"city": "", "region": "", "country": ""}


def test_listeners_learn_of_changes_and_failures(
    alice: Person, bob: Person, install: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("Reactions to changes and failures")

    lock(bob)
    api = Api(ip="198.51.100.9")
    api.post("/v1/login", {"email": "eve@example.com", "password": PASSWORD})
    token = alice.log_in().access
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}
    alice.api.post("/v1/change-password", body, token=token)
    token = alice.api.post("/v1/login", {"email": alice.email, "password": "another horse battery"}).data[
        "access_token"
    ]
    alice.api.post("/v1/delete-account", {"current_password": "another horse battery"}, token=token)

    bob.api.post("/v1/magic-link/request", {"email": bob.email})
    bob.api.post("/v1/magic-link/complete", {"token": token_in(delivered(bob.email)[-1])})

    said = capsys.readouterr().out.splitlines()
    ended = [line for line in said if "signed out" in line]
    causes = ("password_changed", "account_deleted")
    assert {f"{alice.user_id} is signed out by {cause}" for cause in causes} <= set(ended)
    assert [line for line in said if "failed" not in line and line not in ended] == [
        f"{bob.user_id} is locked",
        f"the password of {alice.user_id} changed",
        f"{alice.user_id} is deleted now",
        f"the owner of the mailbox took {bob.user_id} over",
    ]
    assert said.count(f"a login of {bob.user_id} failed at 203.0.113.7") == 5
    assert "a login of None failed at 198.51.100.9" in said
