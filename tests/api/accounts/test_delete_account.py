from accounts.models import Account, Event
from sessions_app.models import Family, Token
from tests.client import PASSWORD, Api
from tests.people import Person, SignedIn


def delete(session: SignedIn, password: str = PASSWORD) -> tuple[int, object]:
    answer = session.api.post("/v1/delete-account", {"current_password": password}, token=session.access)
    return answer.status, answer.body["data"] if answer.status == 200 else answer.code


def test_everything_of_the_account_goes(alice: Person) -> None:
    session = alice.log_in().refreshed()

    assert delete(session) == (200, {"status": "account deleted"})

    assert not Account.objects.exists()
    assert not Family.objects.exists()
    assert not Token.objects.exists()
    assert not session.is_live()


def test_its_events_stay_without_address_and_user_agent(alice: Person) -> None:
    session = alice.log_in()

    delete(session)

    events = Event.objects.filter(user_id=alice.user_id)
    assert {event.type for event in events} == {"signup_success", "login_success", "account_deleted"}
    assert {(event.ip, event.user_agent) for event in events} == {("", "")}
    assert alice.email not in str([event.metadata for event in events])


def test_a_wrong_password_deletes_nothing(alice: Person) -> None:
    session = alice.log_in()

    assert delete(session, "wrong") == (401, "invalid_credentials")

    assert session.is_live()


def test_an_access_token_that_outlives_the_account_opens_nothing_but_verify(alice: Person) -> None:
    session = alice.log_in()
    delete(session)

    calls = [
        session.api.get("/v1/sessions", token=session.access),
        session.api.delete("/v1/sessions/nonsense", token=session.access),
        session.api.post("/v1/logout", {"session_id": "nonsense"}, token=session.access),
        session.api.post("/v1/logout-all", token=session.access),
        session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access),
    ]

    assert {(answer.status, answer.code) for answer in calls} == {(401, "invalid_access_token")}
    assert session.api.get("/v1/verify", token=session.access).data == {"user_id": alice.user_id}


def test_the_address_is_free_again(api: Api, alice: Person) -> None:
    delete(alice.log_in())

    assert api.post("/v1/signup", {"email": alice.email, "password": PASSWORD}).status == 201
