import pytest

from accounts.models import Event
from tests.people import Person, SignedIn

UNKNOWN = "0199f3a2-7c11-7abc-8def-0123456789ab"


def session_id(session: SignedIn) -> str:
    return str(session.api.get("/v1/sessions", token=session.access).data[0]["id"])


def end(session: SignedIn, target: str, how: str) -> tuple[int, object]:
    if how == "logout":
        answer = session.api.post("/v1/logout", {"session_id": target}, token=session.access)
    else:
        answer = session.api.delete(f"/v1/sessions/{target}", token=session.access)
    return answer.status, answer.body["data"] if answer.status == 200 else answer.code


BOTH = pytest.mark.parametrize(
    ("how", "done", "event"),
    [("logout", "logged out", "logout"), ("delete", "session revoked", "session_revoked")],
)


@BOTH
def test_an_ended_session_cannot_refresh(alice: Person, how: str, done: str, event: str) -> None:
    session = alice.log_in()

    assert end(session, session_id(session), how) == (200, {"status": done})

    assert session.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert Event.objects.filter(type=event, user_id=alice.user_id).count() == 1


@BOTH
def test_the_id_of_any_row_of_the_family_identifies_the_session(alice: Person, how: str, done: str, event: str) -> None:
    session = alice.log_in()
    old_id = session_id(session)
    newest = session.refreshed()

    assert end(newest, old_id, how)[0] == 200

    assert not newest.is_live()


@BOTH
def test_ending_a_session_twice_succeeds_and_records_one_event(alice: Person, how: str, done: str, event: str) -> None:
    other, session = alice.log_in(), alice.log_in()
    target = session_id(session)
    end(session, target, how)

    assert end(other, target, how) == (200, {"status": done})
    assert Event.objects.filter(type=event).count() == 1


@BOTH
def test_a_user_cannot_end_a_session_of_another_user(
    alice: Person, bob: Person, how: str, done: str, event: str
) -> None:
    theirs = bob.log_in()

    assert end(alice.log_in(), session_id(theirs), how) == (403, "session_not_owned")

    assert theirs.is_live()


@BOTH
@pytest.mark.parametrize("target", [UNKNOWN, "nonsense", UNKNOWN.upper()])
def test_an_unknown_session_is_not_found(alice: Person, target: str, how: str, done: str, event: str) -> None:
    assert end(alice.log_in(), target, how) == (404, "not_found")


def test_logout_all_ends_only_the_sessions_of_this_account(alice: Person, bob: Person) -> None:
    first, second, theirs = alice.log_in(), alice.log_in(), bob.log_in()

    answer = alice.api.post("/v1/logout-all", token=first.access)

    assert answer.data == {"status": "logged out everywhere"}
    assert not first.is_live()
    assert not second.is_live()
    assert theirs.is_live()
    assert Event.objects.filter(type="logout_all", user_id=alice.user_id).count() == 1
