import pytest

from accounts.models import Account, Event
from tests.client import PASSWORD, Api
from tests.people import Person, sign_up
from tests.rows import each


def test_signup_creates_an_account_and_issues_no_tokens(api: Api) -> None:
    answer = api.post("/v1/signup", {"email": "Alice@Example.com", "password": PASSWORD})

    assert answer.status == 201
    assert answer.data == {"user_id": answer.data["user_id"], "email": "Alice@Example.com"}
    event = Event.objects.get()
    assert (event.type, event.user_id, event.ip) == ("signup_success", answer.data["user_id"], api.ip)


@pytest.mark.parametrize(
    "spelling",
    ["alice@example.com", "ALICE@EXAMPLE.COM", "  alice@example.com ", "ａlice@example.com", "aliCe@exampLe.com"],
)
def test_an_address_is_taken_in_every_spelling(api: Api, alice: Person, spelling: str) -> None:
    answer = api.post("/v1/signup", {"email": spelling, "password": PASSWORD})

    assert (answer.status, answer.code) == (409, "user_exists")
    assert Account.objects.count() == 1


@each(
    "address",
    [
        "",
        "a@",
        "@b",
        "ab",
        "a@b@c",
        "a b@example.com",
        "a\u200bb@example.com",
        "<a@example.com>",
        'a"b@example.com',
        "a@example.com,b@example.com",
        "a\r\nBcc: b@example.com",
        "a" * 243 + "@example.com",
        "ﷺ" * 30 + "@example.com",
    ],
)
def test_an_invalid_address_is_refused(api: Api, address: str) -> None:
    answer = api.post("/v1/signup", {"email": address, "password": PASSWORD})

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith("email:")
    assert not Account.objects.exists()


def test_the_longest_address_is_accepted(api: Api) -> None:
    address = "a" * 242 + "@example.com"

    assert api.post("/v1/signup", {"email": address, "password": PASSWORD}).data["email"] == address


def test_the_error_for_a_short_password_names_the_rule(api: Api) -> None:
    answer = api.post("/v1/signup", {"email": "alice@example.com", "password": "Short1!"})

    assert (answer.status, answer.code) == (400, "password_policy_violation")
    assert answer.body["error"]["details"] == ["min_length"]


def test_a_breached_password_is_refused_and_recorded(api: Api) -> None:
    answer = api.post("/v1/signup", {"email": "alice@example.com", "password": "password123"})

    assert (answer.status, answer.code) == (400, "password_breached")
    assert Event.objects.get().type == "password_breach_rejected"


def test_the_rules_are_checked_before_breaches_and_breaches_before_the_address(api: Api, alice: Person) -> None:
    short = api.post("/v1/signup", {"email": alice.email, "password": "abc123"})
    breached = api.post("/v1/signup", {"email": alice.email, "password": "password123"})

    assert (short.code, breached.code) == ("password_policy_violation", "password_breached")


@pytest.mark.parametrize("body", [{}, {"email": "a@b.c"}, {"password": PASSWORD}, {"email": 5, "password": PASSWORD}])
def test_a_missing_or_mistyped_member_is_named(api: Api, body: dict[str, object]) -> None:
    answer = api.post("/v1/signup", body)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].split(":")[0] in {"email", "password"}


def test_the_password_is_stored_as_an_argon2id_hash(api: Api) -> None:
    person = sign_up("alice", api=api)

    stored = person.account().user.password
    assert stored.startswith("argon2$argon2id$v=19$m=8,t=1,p=")
