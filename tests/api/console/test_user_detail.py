from datetime import timedelta

import pytest
import time_machine
from django.conf import settings

from accounts.models import Event
from core.clock import rfc3339
from tests.client import Api
from tests.operators import Console
from tests.people import Person
from tests.rows import each
from tests.second_factors import lock

from .test_users import shown

UNKNOWN = ["0199f3a2-7c11-7abc-8def-0123456789ab", "4711", "999999999999999999999999999999", "-1", "nobody", "%00"]


def test_a_user_is_shown_with_sessions_and_activity(console: Console, alice: Person) -> None:
    alice.log_in()
    alice.log_in(Api(ip="198.51.100.9"))

    data = console.get(f"/users/{alice.user_id}").data

    events = Event.objects.filter(user_id=alice.user_id).order_by("-id")
    assert data == {
        "user": shown(alice),
        "active_sessions": 2,
        "recent_activity": [{"type": event.type, "created_at": rfc3339(event.created_at)} for event in events],
    }
    assert [entry["type"] for entry in data["recent_activity"]] == ["login_success", "login_success", "signup_success"]


def test_the_list_and_the_detail_show_the_same_data_of_a_user(console: Console, alice: Person) -> None:
    lock(alice)

    (listed,) = console.get("/users", {"q": alice.email}).data["users"]

    assert console.get(f"/users/{alice.user_id}").data["user"] == listed
    assert listed["locked"] is True


def test_only_the_twenty_latest_events_are_shown_the_newest_first(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    session = alice.log_in()
    for _ in range(25):
        travel.shift(timedelta(seconds=1))
        session = session.refreshed()

    activity = console.get(f"/users/{alice.user_id}").data["recent_activity"]

    assert [entry["type"] for entry in activity] == ["token_rotated"] * 20
    assert [entry["created_at"] for entry in activity] == sorted(
        (entry["created_at"] for entry in activity), reverse=True
    )
    assert activity[0]["created_at"] == "2026-03-10T12:00:25.000000Z"


def test_ended_sessions_do_not_count(console: Console, alice: Person) -> None:
    first, second = alice.log_in(), alice.log_in()
    second.api.post("/v1/logout-all", token=second.access)
    assert not first.is_live()

    assert console.get(f"/users/{alice.user_id}").data["active_sessions"] == 0


def test_the_activity_of_others_is_not_shown(console: Console, alice: Person, bob: Person) -> None:
    bob.log_in()

    activity = console.get(f"/users/{alice.user_id}").data["recent_activity"]

    assert [entry["type"] for entry in activity] == ["signup_success"]


@each("user_id", UNKNOWN)
@each("rest", ["", "/sessions", "/factors", "/api-keys", "/metadata"])
def test_an_unknown_user_is_not_found(console: Console, user_id: str, rest: str) -> None:
    assert console.get(f"/users/{user_id}{rest}").code == "not_found"


@pytest.mark.parametrize(
    "respell",
    [
        "{}%20",
        "%20{}",
        "{}%0A",
        "+{}",
        "0{}",
        "{{{}}}",
        "urn:uuid:{}",
    ],
)
def test_an_id_in_another_spelling_is_not_found(console: Console, alice: Person, respell: str) -> None:
    path = f"/users/{respell.format(alice.user_id)}"

    assert console.get(path).code == "not_found"
    assert console.get(f"{path}/sessions").code == "not_found"
    assert console.get(f"{path}/factors").code == "not_found"
    assert console.get(f"{path}/api-keys").code == "not_found"
    assert console.get(f"{path}/metadata").code == "not_found"
    assert console.put(f"{path}/metadata/plan", {"value": 1}).code == "not_found"
    assert console.delete(f"{path}/metadata/plan").code == "not_found"


@pytest.mark.skipif(settings.AUTH_USER_MODEL != "authsvc_accounts.User", reason="the site's ids are no UUIDs")
def test_an_id_in_capitals_or_without_dashes_is_not_found(console: Console, alice: Person) -> None:
    answers = [console.get(f"/users/{alice.user_id.upper()}"), console.get(f"/users/{alice.user_id.replace('-', '')}")]

    assert [answer.code for answer in answers] == ["not_found", "not_found"]


@pytest.mark.skipif(settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone ids are UUIDs")
def test_the_integer_id_of_a_host_project_is_a_string(console: Console, alice: Person) -> None:
    user = console.get(f"/users/{alice.user_id}").data["user"]

    assert user["id"] == alice.user_id == str(int(alice.user_id))


def test_a_deleted_user_is_not_found(console: Console, alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)

    assert console.get(f"/users/{alice.user_id}").code == "not_found"
    assert console.get("/users", {"q": alice.email}).data["total"] == 0
