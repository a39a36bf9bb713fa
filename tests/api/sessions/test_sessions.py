from typing import Any

from accounts.host import users
from tests.client import Api
from tests.description import TIMESTAMP
from tests.people import Person, SignedIn

NOWHERE = {"city": "", "region": "", "country": ""}


def test_sessions_are_a_bare_list_with_the_newest_login_first(alice: Person) -> None:
    alice.log_in(Api(user_agent=""))
    session = alice.log_in()

    newest, oldest = alice.api.get("/v1/sessions", token=session.access).data

    assert newest == {
        "id": newest["id"],
        "ip": alice.api.ip,
        "user_agent": alice.api.user_agent,
        "created_at": newest["created_at"],
        "label": "Chrome on macOS",
        "application": "",
        "device": {"browser": "Chrome", "os": "macOS", "form": "desktop"},
        "location": NOWHERE,
        "current": True,
    }
    assert TIMESTAMP.fullmatch(newest["created_at"])
    assert (oldest["label"], oldest["device"]) == ("Unknown device", {"browser": "", "os": "", "form": ""})


def test_the_id_changes_with_each_refresh_while_the_session_stays_one(alice: Person) -> None:
    session = alice.log_in()
    (before,) = alice.api.get("/v1/sessions", token=session.access).data

    (after,) = alice.api.get("/v1/sessions", token=session.refreshed().access).data

    assert before["id"] != after["id"]
    assert before["created_at"] == after["created_at"]


def test_the_list_takes_one_query_and_that_of_a_host_reads_its_user_too(
    alice: Person, django_assert_num_queries: Any
) -> None:
    session = alice.log_in()

    with django_assert_num_queries(1 + users.belong_to_host()):
        assert session.api.get("/v1/sessions", token=session.access).status == 200


def currents(session: SignedIn) -> list[bool]:
    return [row["current"] for row in session.api.get("/v1/sessions", token=session.access).data]


def test_only_the_session_of_the_access_token_is_current(alice: Person) -> None:
    sessions = [alice.log_in() for _ in range(3)]

    assert [currents(session) for session in reversed(sessions)] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


def test_every_access_token_of_a_session_marks_it_as_current_after_a_refresh(alice: Person) -> None:
    first, _other = alice.log_in(), alice.log_in()
    second = first.refreshed()

    assert [currents(session) for session in (first, second)] == [[False, True]] * 2


def test_the_token_of_an_ended_session_marks_no_session_as_current(alice: Person) -> None:
    ended, _live = alice.log_in(), alice.log_in()
    _, own = ended.api.get("/v1/sessions", token=ended.access).data
    ended.api.delete(f"/v1/sessions/{own['id']}", token=ended.access)

    assert currents(ended) == [False]


def test_a_user_does_not_see_the_sessions_of_another_user(alice: Person, bob: Person) -> None:
    alice.log_in()

    assert len(bob.api.get("/v1/sessions", token=bob.log_in().access).data) == 1


def test_ended_sessions_are_not_listed(alice: Person) -> None:
    first, second = alice.log_in(), alice.log_in()
    newest, oldest = alice.api.get("/v1/sessions", token=first.access).data

    alice.api.delete(f"/v1/sessions/{newest['id']}", token=first.access)

    (left,) = alice.api.get("/v1/sessions", token=second.access).data
    assert left["id"] == oldest["id"]


def test_an_account_without_sessions_gets_an_empty_list(alice: Person) -> None:
    session = alice.log_in()
    alice.api.post("/v1/logout-all", token=session.access)

    assert alice.api.get("/v1/sessions", token=session.access).data == []
