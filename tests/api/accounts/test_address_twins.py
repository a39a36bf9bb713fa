"""Addresses that differ only in letters such as ß and ss, which are two mailboxes."""

import pytest

from accounts.host import users
from accounts.models import Account
from core.addresses import email_key, former_email_key
from tests.client import PASSWORD, Api
from tests.mails import delivered, token_in
from tests.people import Person, sign_up
from tests.rows import each

SHARP, SPELLED = "straße@example.com", "strasse@example.com"
OTHER_PASSWORD = "another horse battery"


@pytest.fixture
def twins(api: Api) -> tuple[Person, Person]:
    """The owners of both mailboxes. The second one has another password."""
    return sign_up(SPELLED), sign_up(SHARP, password=OTHER_PASSWORD)


def user_of(api: Api, email: str, password: str) -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    if answer.status >= 400:
        return answer.code
    return str(api.get("/v1/me", token=answer.data["access_token"]).data["user_id"])


@pytest.mark.once
@each(
    "one, other, is_one",
    [
        (SHARP, SPELLED, False),
        ("alice@straße.example", "alice@strasse.example", False),
        ("νίκος@example.com", "νίκοσ@example.com", False),
        ("STRA\N{LATIN CAPITAL LETTER SHARP S}E@EXAMPLE.COM", SHARP, True),
        ("STRASSE@EXAMPLE.COM", SPELLED, True),
        ("ΝΊΚΟΣ@example.com", "νίκος@example.com", True),
        ("\N{FULLWIDTH LATIN SMALL LETTER A}lice@example.com", "alice@example.com", True),
    ],
)
def test_only_spellings_of_one_mailbox_have_the_same_key(one: str, other: str, is_one: bool) -> None:
    assert (email_key(one) == email_key(other)) is is_one
    assert email_key(email_key(one)) == email_key(one)


def test_the_owners_of_twins_have_accounts_of_their_own(api: Api, twins: tuple[Person, Person]) -> None:
    spelled, sharp = twins

    assert user_of(api, SPELLED.upper(), PASSWORD) == spelled.user_id
    assert user_of(api, SHARP, OTHER_PASSWORD) == sharp.user_id
    assert user_of(api, SHARP, PASSWORD) == "invalid_credentials"
    assert user_of(api, SPELLED, OTHER_PASSWORD) == "invalid_credentials"
    for email in (SPELLED, SHARP):
        assert api.post("/v1/signup", {"email": email, "password": PASSWORD}).code == "user_exists"


@pytest.mark.parametrize(
    ("request_path", "complete_path", "body"),
    [
        ("/v1/magic-link/request", "/v1/magic-link/complete", {}),
        ("/v1/password/forgot", "/v1/password/reset", {"new_password": "a third horse battery"}),
    ],
)
def test_a_link_goes_to_the_twin_that_asks(
    api: Api, twins: tuple[Person, Person], request_path: str, complete_path: str, body: dict[str, str]
) -> None:
    spelled, sharp = twins
    delivered(SPELLED)

    api.post(request_path, {"email": SHARP})

    assert not delivered(SPELLED)

    assert api.post(complete_path, {"token": token_in(delivered(SHARP)[-1]), **body}).status == 200
    assert sharp.account().email_proven_at is not None
    assert spelled.account().email_proven_at is None


def test_an_address_can_change_to_its_twin(api: Api, alice: Person) -> None:
    sign_up(SPELLED)
    session = alice.log_in()

    session.api.post("/v1/email/request-change", {"new_email": SHARP}, token=session.access)
    answer = api.post("/v1/email/confirm-change", {"token": token_in(delivered(SHARP)[-1])})

    assert answer.status == 200
    assert user_of(api, SHARP, PASSWORD) == alice.user_id


def test_an_account_of_an_earlier_release_keeps_its_address_and_blocks_no_twin(api: Api) -> None:
    sharp = sign_up(SHARP, password=OTHER_PASSWORD)
    proven_at = sharp.account().created_at
    Account.objects.filter(pk=sharp.account().pk).update(email_key=former_email_key(SHARP), email_proven_at=proven_at)

    assert user_of(api, SHARP, OTHER_PASSWORD) == sharp.user_id
    assert user_of(api, SPELLED, OTHER_PASSWORD) == "invalid_credentials"
    assert api.post("/v1/signup", {"email": SHARP, "password": PASSWORD}).code == "user_exists"
    spelled = sign_up(SPELLED)

    assert user_of(api, SPELLED, PASSWORD) == spelled.user_id
    assert user_of(api, SHARP, OTHER_PASSWORD) == sharp.user_id
    assert users.email_of(sharp.account().user) == SHARP
    assert (sharp.account().email_key, sharp.account().email_proven_at) == (SHARP, proven_at)
