"""The host project's own users, with integer ids and with addresses that may occur twice."""

from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from accounts.models import Account
from accounts.passwords import hashing
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.factories import HostUserFactory
from tests.mails import delivered, token_in
from tests.passkeys import enroll, log_in_alone
from tests.people import Person

People: Any = get_user_model()

pytestmark = pytest.mark.skipif(
    settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project's users are its own"
)


def make(handle: str, contact: str, **fields: object) -> int:
    password = hashing.hash_password(PASSWORD)
    return int(HostUserFactory.create(handle=handle, contact=contact, password=password, **fields).pk)


def log_in(api: Api, email: str, password: str = PASSWORD) -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def test_a_user_of_the_site_gets_an_account_at_the_first_login(api: Api) -> None:
    key = make("carol", "carol@example.com")

    tokens = api.post("/v1/login", {"email": "carol@example.com", "password": PASSWORD}).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": str(key)}
    assert Account.objects.get().email_key == "carol@example.com"


def test_the_first_wrong_password_counts_as_a_failure(api: Api) -> None:
    make("carol", "carol@example.com")

    log_in(api, "carol@example.com", "wrong")

    assert Account.objects.get().failed_attempts == 1


@pytest.mark.parametrize("second", ["shared@example.com", "SHARED@example.com", "Shared@Example.com"])
def test_users_who_share_an_address_cannot_log_in_with_it(api: Api, second: str) -> None:
    make("carol", "shared@example.com")
    make("dave", second)

    assert {log_in(api, "shared@example.com"), log_in(api, second)} == {"invalid_credentials"}
    assert not Account.objects.exists()


def test_a_user_of_the_site_is_found_by_every_spelling_of_the_address(api: Api) -> None:
    key = make("carol", "Carol@Example.com")

    assert log_in(api, "carol@example.com") == "ok"
    assert log_in(api, "CAROL@example.com") == "ok"
    assert Account.objects.get().pk == key


@pytest.mark.parametrize("spelling", ["carol@example.com", "CAROL@Example.com"])
def test_signup_refuses_the_address_of_a_user_without_an_account(api: Api, spelling: str) -> None:
    make("carol", "carol@example.com")

    answer = api.post("/v1/signup", {"email": spelling, "password": "an attacker's own password"})

    assert (answer.status, answer.code) == (409, "user_exists")
    assert log_in(api, "carol@example.com") == "ok"


def test_no_mail_goes_to_the_address_of_a_user_without_an_account(alice: Person) -> None:
    make("carol", "carol@example.com")
    body = {"new_email": "Carol@example.com"}

    answer = alice.api.post("/v1/email/request-change", body, token=alice.log_in().access)

    assert answer.status == 200
    assert not delivered(to="Carol@example.com")
    assert delivered(to=alice.email)


def test_an_address_that_the_site_assigned_meanwhile_is_refused(alice: Person) -> None:
    session = alice.log_in()
    alice.api.post("/v1/email/request-change", {"new_email": "carol@example.com"}, token=session.access)
    (mail,) = delivered(to="carol@example.com")
    make("carol", "Carol@example.com")

    answer = alice.api.post("/v1/email/confirm-change", {"token": token_in(mail)})

    assert (answer.status, answer.code) == (409, "user_exists")
    assert log_in(alice.api, alice.email, alice.password) == "ok"


def test_a_deactivated_user_can_neither_log_in_nor_use_a_session(api: Api, alice: Person) -> None:
    session = alice.log_in()
    People._default_manager.filter(pk=alice.user_id).update(is_active=False)

    assert log_in(api, alice.email) == "account_deactivated"
    assert api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert api.post("/v1/logout-all", token=session.access).code == "invalid_access_token"


def test_a_deactivated_user_cannot_log_in_with_a_passkey_alone(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    People._default_manager.filter(pk=alice.user_id).update(is_active=False)

    assert log_in_alone(api, authenticator).code == "invalid_passkey_response"

    People._default_manager.filter(pk=alice.user_id).update(is_active=True)
    assert log_in_alone(api, authenticator).status == 200


def test_signup_creates_a_user_of_the_site_with_a_unique_name(alice: Person) -> None:
    person = People._default_manager.get(pk=alice.user_id)

    assert (person.contact, person.nickname) == ("alice@example.com", "nobody")
    assert len(person.handle) == 36


def test_link_accounts_creates_all_possible_accounts_and_lists_the_other_users(alice: Person) -> None:
    carol = make("carol", "Carol@example.com")
    dave, erin, frank = make("dave", "two@example.com"), make("erin", "TWO@example.com"), make("frank", "")
    output = StringIO()

    call_command("link_accounts", stdout=output)
    call_command("link_accounts", stdout=StringIO())

    assert set(Account.objects.values_list("pk", flat=True)) == {int(alice.user_id), carol}
    lines = output.getvalue().splitlines()
    assert {int(line.split()[3].rstrip(":")) for line in lines[:-1]} == {dave, erin, frank}
    assert "1 linked, 3 left out" in lines[-1]


def test_the_service_does_not_change_the_pages_of_the_site(api: Api) -> None:
    assert api.client.get("/").content == b"the site's own page"


def test_a_command_follows_the_address_of_the_site_before_it_acts(alice: Person) -> None:
    People._default_manager.filter(pk=alice.user_id).update(contact="alice.new@example.com")

    users("verify", alice.user_id)

    account = alice.account()
    assert (account.email_key, account.email_proven_at is not None) == ("alice.new@example.com", True)
    assert log_in(alice.api, "alice.new@example.com", alice.password) == "ok"
