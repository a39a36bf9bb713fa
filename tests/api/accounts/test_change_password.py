import pytest

from accounts.models import Event
from tests.client import PASSWORD, Answer, Api
from tests.people import Person, SignedIn

NEW = "another good password"


def change(session: SignedIn, current: object = PASSWORD, new: object = NEW) -> Answer:
    body = {"current_password": current, "new_password": new}
    return session.api.post("/v1/change-password", body, token=session.access)


def test_the_new_password_logs_in_and_the_old_one_does_not(api: Api, alice: Person) -> None:
    answer = change(alice.log_in())

    assert answer.data == {"status": "password changed"}
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "invalid_credentials"
    assert api.post("/v1/login", {"email": alice.email, "password": NEW}).status == 200
    assert Event.objects.filter(type="password_changed", user_id=alice.user_id).count() == 1


def test_every_session_ends_including_the_callers(alice: Person) -> None:
    first, second = alice.log_in(), alice.log_in()

    change(first)

    assert not first.is_live()
    assert not second.is_live()


def test_a_wrong_current_password_changes_nothing_and_counts_as_a_failure(alice: Person) -> None:
    session = alice.log_in()

    answer = change(session, current="wrong")

    assert (answer.status, answer.code) == (401, "invalid_credentials")
    assert session.is_live()
    assert alice.account().failed_attempts == 1


def test_a_locked_account_refuses_the_right_password_like_a_wrong_one(alice: Person) -> None:
    session = alice.log_in()
    for _ in range(5):
        change(session, current="wrong")

    assert change(session).code == "invalid_credentials"
    assert alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


@pytest.mark.parametrize(
    ("current", "new", "code"),
    [
        ("wrong", "short", "invalid_credentials"),
        (PASSWORD, "short", "password_policy_violation"),
        (PASSWORD, "password123", "password_breached"),
        (PASSWORD, 5, "bad_request"),
    ],
)
def test_the_body_is_checked_before_the_current_and_the_new_password(
    alice: Person, current: str, new: object, code: str
) -> None:
    assert change(alice.log_in(), current=current, new=new).code == code


def test_the_current_password_is_allowed_as_the_new_password(alice: Person) -> None:
    assert change(alice.log_in(), new=PASSWORD).status == 200
