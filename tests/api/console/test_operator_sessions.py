"""Each route below /v1/admin checks the operator and the session in the database."""

from collections.abc import Callable
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.client import PASSWORD
from tests.contract.tables import ADMIN, ROUTES, Route
from tests.operators import Console
from tests.people import Person
from tests.second_factors import enroll_totp

WRITES = [route for route in ROUTES if route.auth is ADMIN and route.method != "GET"]

Configure = Callable[..., None]


def revoke(console: Console) -> None:
    call_command("grant_operator", "--email", console.session.person.email, "--revoke", stdout=StringIO())


def test_a_revocation_holds_at_once(console: Console, bob: Person) -> None:
    path = f"/users/{bob.user_id}/metadata"
    assert console.get(path).status == 200

    revoke(console)

    answers = [console.get(path), console.put(f"{path}/plan", {"value": "gold"}), console.get("/nowhere")]
    assert {(answer.status, answer.code) for answer in answers} == {(403, "not_operator")}
    assert bob.account().metadata == {}


def test_a_deleted_operator_is_refused(console: Console) -> None:
    body = {"current_password": PASSWORD}
    assert console.api.post("/v1/delete-account", body, token=console.session.access).status == 200

    assert console.get("/users").code == "invalid_access_token"


def test_the_check_is_one_query(console: Console) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert console.get("/nowhere").status == 404

    assert len(queries) == 1


def test_a_token_without_the_role_needs_no_query(console: Console, bob: Person) -> None:
    access = bob.log_in().access

    with CaptureQueriesContext(connection) as queries:
        assert bob.api.get("/v1/admin/users", token=access).code == "not_operator"

    assert len(queries) == 0


@pytest.mark.parametrize("route", WRITES, ids=str)
def test_a_write_needs_a_login_of_the_last_ten_minutes(
    console: Console, travel: time_machine.Traveller, route: Route
) -> None:
    console = console.renewed()
    path = route.url.removeprefix("/v1/admin")
    body = {"value": 1, "status": "dismissed", "note": ""}
    recent = console.call(route.method, path, body)
    travel.shift(601)

    refused = console.call(route.method, path, body)

    # A body that is not valid is refused before the check.
    expected = recent.code if recent.status == 400 else "reauthentication_required"
    assert refused.code == expected


def test_a_change_of_claims_needs_a_login_of_the_last_ten_minutes(
    console: Console, bob: Person, travel: time_machine.Traveller
) -> None:
    console = console.renewed()
    path = f"/users/{bob.user_id}/metadata"
    travel.shift(601)

    assert console.put(f"{path}/plan", {"value": "gold"}).code == "reauthentication_required"
    assert console.delete(f"{path}/plan").code == "reauthentication_required"
    assert console.get(path).status == 200

    console.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=console.session.access)
    assert console.put(f"{path}/plan", {"value": "gold"}).status == 200


def test_an_operator_needs_a_second_factor_where_the_console_demands_one(
    console: Console, configure: Configure
) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")
    refused = console.get("/users")
    assert (refused.status, refused.code) == (403, "not_operator")
    assert "second factor" in refused.body["error"]["message"]

    enroll_totp(console.session)

    assert console.get("/users").status == 200
