"""The host project changes addresses and passwords itself, and the service adopts the changes."""

from io import StringIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.host.users import email_of
from accounts.models import Account, Event
from mail.queue import NO_RECIPIENT
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.factories import HostUserFactory
from tests.mails import delivered, token_in
from tests.passkeys import enroll, log_in_alone
from tests.people import Person, sign_up
from tests.second_factors import enroll_totp

People: Any = get_user_model()
OTHER_PASSWORD = "a password that the host set"

pytestmark = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a host project changes users by itself"
)


def attempt(api: Api, email: str, password: str = PASSWORD) -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def set_contact(person: Person, contact: str) -> None:
    People._default_manager.filter(pk=person.user_id).update(contact=contact)


def set_password(person: Person, password: str | None = OTHER_PASSWORD) -> None:
    user = People._default_manager.get(pk=person.user_id)
    user.set_password(password)
    user.save()


def host_login(person: Person) -> Client:
    """Return a browser in which the user is logged in to the host project's own pages."""
    browser = Client()
    browser.force_login(People._default_manager.get(pk=person.user_id))
    return browser


def is_logged_in(browser: Client) -> bool:
    return bool(browser.get("/members/login/").wsgi_request.user.is_authenticated)


def events(person: Person, event: str) -> int:
    return Event.objects.filter(type=event, user_id=person.user_id).count()


def magic_link(person: Person, email: str) -> str:
    assert person.api.post("/v1/magic-link/request", {"email": email}).status == 200
    return str(token_in(delivered(to=email)[-1]))


def test_a_look_alike_address_creates_no_account_for_the_user(api: Api) -> None:
    sign_up("bob")
    password = People._default_manager.get(contact="bob@example.com").password
    user = HostUserFactory.create(handle="mike", password=password)

    assert attempt(api, "mıke@example.com", "wrong") == "invalid_credentials"
    assert api.post("/v1/magic-link/request", {"email": "mıke@example.com"}).status == 200

    assert not Account.objects.filter(pk=user.pk).exists()
    assert attempt(api, "mike@example.com") == "ok"


def test_a_new_account_gets_the_stored_address_and_not_the_callers_spelling(api: Api) -> None:
    HostUserFactory.create(contact="Carol@Example.com")

    attempt(api, "CAROL@example.com", "wrong")

    assert Account.objects.get().email_key == "carol@example.com"


def test_only_the_address_that_the_host_set_logs_in(alice: Person) -> None:
    session = alice.log_in()
    set_contact(alice, "Alice@new.example")

    assert attempt(alice.api, "alice@example.com") == "invalid_credentials"
    assert attempt(alice.api, "alice@new.example") == "ok"

    assert alice.account().email_key == "alice@new.example"
    assert events(alice, "email_changed") == 1
    assert session.is_live()


def test_failures_at_the_old_address_do_not_lock_the_account(alice: Person) -> None:
    set_contact(alice, "alice@new.example")

    outcomes = [attempt(alice.api, "alice@example.com", "wrong") for _ in range(6)]

    # The old address is unknown now, and unknown addresses lock as known ones do.
    assert outcomes == [*["invalid_credentials"] * 5, "account_locked"]
    assert alice.account().failed_attempts == 0
    assert attempt(alice.api, "alice@new.example") == "ok"


def test_a_refresh_adopts_the_new_address(alice: Person) -> None:
    session = alice.log_in()
    set_contact(alice, "alice@new.example")

    assert session.is_live()

    assert alice.account().email_key == "alice@new.example"


def test_mailed_tokens_for_the_old_address_are_void_at_once(alice: Person) -> None:
    link = magic_link(alice, alice.email)
    alice.api.post("/v1/email/request-change", {"new_email": "a@third.example"}, token=alice.log_in().access)
    change = token_in(delivered(to="a@third.example")[-1])
    set_contact(alice, "alice@new.example")

    answers = [
        alice.api.post("/v1/magic-link/complete", {"token": link}),
        alice.api.post("/v1/email/confirm-change", {"token": change}),
    ]

    assert [answer.code for answer in answers] == ["verification_token_invalid"] * 2
    assert People._default_manager.get(pk=alice.user_id).contact == "alice@new.example"


def test_a_magic_link_goes_to_the_new_address_which_needs_a_new_proof(alice: Person) -> None:
    alice.api.post("/v1/magic-link/complete", {"token": magic_link(alice, alice.email)})
    delivered(to=alice.email)  # the mail that follows the first proof
    assert alice.account().email_proven_at is not None
    set_contact(alice, "alice@new.example")

    alice.api.post("/v1/magic-link/request", {"email": "alice@example.com"})
    link = magic_link(alice, "alice@new.example")

    assert not delivered(to="alice@example.com")
    assert alice.account().email_proven_at is None
    assert alice.api.post("/v1/magic-link/complete", {"token": link}).status == 200


def test_two_users_may_swap_their_addresses(alice: Person, bob: Person) -> None:
    set_contact(alice, bob.email)
    set_contact(bob, alice.email)

    tokens = alice.api.post("/v1/login", {"email": bob.email, "password": PASSWORD}).data
    others = bob.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data

    assert alice.api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}
    assert bob.api.get("/v1/verify", token=others["access_token"]).data == {"user_id": bob.user_id}


def test_a_second_user_cannot_take_over_the_address_of_an_account(alice: Person, bob: Person) -> None:
    set_contact(bob, "ALICE@example.com")

    tokens = alice.api.post("/v1/login", {"email": "alice@example.com", "password": PASSWORD}).data
    output = StringIO()
    call_command("link_accounts", stdout=output)

    assert alice.api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}
    assert attempt(bob.api, bob.email) == "invalid_credentials"
    assert output.getvalue().splitlines() == [
        f"left out: user {bob.user_id}: another user has the same e-mail address",
        "0 linked, 1 left out",
    ]


def test_an_address_that_the_host_removed_is_free(alice: Person, bob: Person) -> None:
    set_contact(alice, "alice@new.example")
    bob.api.post("/v1/email/request-change", {"new_email": "alice@example.com"}, token=bob.log_in().access)
    change = token_in(delivered(to="alice@example.com")[-1])

    assert bob.api.post("/v1/email/confirm-change", {"token": change}).status == 200

    set_contact(bob, "bob@new.example")
    assert sign_up("alice").user_id != alice.user_id
    assert attempt(alice.api, "alice@new.example") == "ok"


def test_a_user_can_change_an_address_that_the_host_set(alice: Person) -> None:
    session = alice.log_in()
    set_contact(alice, "alice@new.example")

    body = {"new_email": "alice@third.example"}
    assert alice.api.post("/v1/email/request-change", body, token=session.access).status == 200
    change = token_in(delivered(to="alice@third.example")[-1])
    session = session.refreshed()

    assert alice.api.post("/v1/email/confirm-change", {"token": change}).status == 200
    assert attempt(alice.api, "alice@third.example") == "ok"


def test_a_user_with_the_address_of_another_user_can_change_it(alice: Person, bob: Person) -> None:
    session = bob.log_in()
    set_contact(bob, alice.email)
    session = session.refreshed()

    body = {"new_email": "bob@new.example"}
    assert bob.api.post("/v1/email/request-change", body, token=session.access).status == 200
    change = token_in(delivered(to="bob@new.example")[-1])

    assert bob.api.post("/v1/email/confirm-change", {"token": change}).status == 200
    assert attempt(bob.api, "bob@new.example") == "ok"
    assert attempt(alice.api, alice.email) == "ok"


def test_an_address_with_an_exclamation_mark_at_the_start_is_valid() -> None:
    sign_up("!carol@example.com")

    output = StringIO()
    call_command("link_accounts", stdout=output)

    assert output.getvalue() == "0 linked, 0 left out\n"


def test_the_address_of_a_user_whom_the_site_hides_is_not_free(alice: Person) -> None:
    HostUserFactory.create(handle="erased-carol", contact="carol@example.com")
    body = {"new_email": "carol@example.com"}

    refused = alice.api.post("/v1/signup", {"email": "carol@example.com", "password": PASSWORD})
    alice.api.post("/v1/email/request-change", body, token=alice.log_in().access)

    assert refused.code == "user_exists"
    assert not delivered(to="carol@example.com")
    assert attempt(alice.api, "carol@example.com") == "invalid_credentials"


def test_a_user_without_an_address_gets_no_mail() -> None:
    # Some hosts have an address column that allows NULL.
    assert email_of(People(contact=None)) == NO_RECIPIENT


def test_a_password_that_the_host_set_ends_sessions_and_voids_links(alice: Person) -> None:
    session, link = alice.log_in(), magic_link(alice, alice.email)
    set_password(alice)

    answers = [
        alice.api.post("/v1/magic-link/complete", {"token": link}),
        alice.api.post("/v1/email/request-change", {"new_email": "e@eve.example"}, token=session.access),
        alice.api.post("/v1/refresh", {"refresh_token": session.refresh}),
    ]

    assert [answer.code for answer in answers] == [
        "verification_token_invalid",
        "invalid_access_token",
        "invalid_token",
    ]
    assert attempt(alice.api, alice.email) == "invalid_credentials"
    assert events(alice, "password_changed") == 1


@pytest.mark.parametrize("change", [{"password": "!"}, {"is_active": False}])
def test_no_session_of_a_deactivated_user_is_listed(alice: Person, change: dict[str, Any]) -> None:
    session = alice.log_in()

    People._default_manager.filter(pk=alice.user_id).update(**change)

    assert alice.api.get("/v1/sessions", token=session.access).code == "invalid_access_token"


def test_a_login_with_the_new_password_ends_only_the_old_sessions(alice: Person) -> None:
    old, other = alice.log_in(), alice.log_in()
    stored = PBKDF2PasswordHasher().encode(OTHER_PASSWORD, "salt", 10)
    People._default_manager.filter(pk=alice.user_id).update(password=stored)

    tokens = alice.api.post("/v1/login", {"email": alice.email, "password": OTHER_PASSWORD}).data

    assert not old.is_live()
    assert not other.is_live()
    answer = alice.api.post("/v1/refresh", {"refresh_token": tokens["refresh_token"]})
    assert answer.status == 200
    assert events(alice, "password_changed") == 1


def test_a_passkey_login_adopts_the_new_password_and_address(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    set_contact(alice, "alice@new.example")
    set_password(alice)

    tokens = log_in_alone(alice.api, authenticator).data

    assert not session.is_live()
    assert alice.account().email_key == "alice@new.example"
    assert events(alice, "password_changed") == 1
    assert alice.api.post("/v1/refresh", {"refresh_token": tokens["refresh_token"]}).status == 200


def test_a_user_with_an_unusable_password_is_logged_out_and_cannot_log_in_by_password(alice: Person) -> None:
    session = alice.log_in()
    set_password(alice, None)

    assert not session.is_live()
    assert attempt(alice.api, alice.email) == "invalid_credentials"
    assert alice.api.post("/v1/magic-link/complete", {"token": magic_link(alice, alice.email)}).status == 200


def test_a_new_password_voids_a_pending_login(alice: Person) -> None:
    factor = enroll_totp(alice.log_in())
    pending = alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data["pending_token"]
    set_password(alice)

    answer = alice.api.post("/v1/login/totp", {"pending_token": pending, "code": factor.code()})

    assert answer.code == "invalid_pending_login"


def test_a_session_without_a_stored_password_mark_continues_until_a_change(alice: Person) -> None:
    session = alice.log_in()
    Account.objects.filter(pk=alice.account().pk).update(password_seen=None)

    session = session.refreshed()
    set_password(alice)

    assert not session.is_live()


def test_a_password_change_by_the_service_does_not_count_as_one_by_the_host(alice: Person) -> None:
    body = {"current_password": PASSWORD, "new_password": "the second one of alice"}
    assert alice.api.post("/v1/change-password", body, token=alice.log_in().access).status == 200

    tokens = alice.api.post("/v1/login", {"email": alice.email, "password": "the second one of alice"}).data

    assert alice.api.post("/v1/refresh", {"refresh_token": tokens["refresh_token"]}).status == 200
    assert events(alice, "password_changed") == 1


@pytest.mark.parametrize("upgrade", ["off", "on"])
def test_a_login_keeps_the_users_session_on_the_host_unless_hashes_are_rewritten(
    alice: Person, settings: Settings, upgrade: str
) -> None:
    if upgrade == "on":
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSWORD_HASH_UPGRADE": upgrade}
    stored = PBKDF2PasswordHasher().encode(PASSWORD, "salt", 10)
    People._default_manager.filter(pk=alice.user_id).update(password=stored)
    browser = host_login(alice)

    session = alice.log_in()

    assert is_logged_in(browser) == (upgrade == "off")
    assert (alice.account().user.password == stored) == (upgrade == "off")
    assert session.is_live()


def test_a_refresh_reads_the_account_with_its_user_in_one_query(alice: Person) -> None:
    session = alice.log_in().refreshed()

    with CaptureQueriesContext(connection) as captured:
        session.refreshed()

    assert len([query for query in captured if People._meta.db_table in query["sql"]]) == 1


def test_a_refresh_reads_an_is_active_property_of_the_user(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    session = alice.log_in()
    # Some host models compute is_active from other columns.
    monkeypatch.setattr(People, "is_active", property(lambda person: person.nickname != "suspended", lambda *_: None))
    session = session.refreshed()

    People._default_manager.filter(pk=alice.user_id).update(nickname="suspended")

    assert alice.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert attempt(alice.api, alice.email) == "account_deactivated"
