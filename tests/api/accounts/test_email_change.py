import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.host import users
from accounts.models import Event
from mail.models import OutgoingMail
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import complete_by_totp, enroll_totp, pause

NEW = "Alice.New@example.com"
SPELLED_OUT = "Alice (dot) New (at) example (dot) com"


def request_change(session: SignedIn, email: object = NEW) -> Answer:
    return session.api.post("/v1/email/request-change", {"new_email": email}, token=session.access)


def confirm(api: Api, token: object) -> Answer:
    return api.post("/v1/email/confirm-change", {"token": token})


def mailed_token(session: SignedIn, email: str = NEW) -> str:
    request_change(session, email)
    (mail,) = delivered(email)
    return token_in(mail)


def address_of(person: Person) -> str:
    return users.email_of(person.account().user)


def test_a_request_changes_nothing_yet_and_mails_both_addresses(alice: Person) -> None:
    answer = request_change(existing_session(alice))

    assert answer.data == {"status": "verification sent"}
    assert address_of(alice) == alice.email
    (to_new,), (to_old,) = delivered(NEW), delivered(alice.email)
    assert token_in(to_new)
    assert "token=" not in text_of(to_old)
    assert SPELLED_OUT in text_of(to_old)
    assert Event.objects.filter(type="email_change_requested", user_id=alice.user_id).count() == 1


def test_the_token_changes_the_address_of_the_account(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    token = mailed_token(session)

    answer = confirm(api, token)

    assert answer.data == {"status": "email changed"}
    assert address_of(alice) == NEW
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "invalid_credentials"
    assert api.post("/v1/login", {"email": NEW.upper(), "password": PASSWORD}).status == 200
    assert session.is_live()
    assert alice.account().email_proven_at is None
    notices = [text_of(mail) for mail in delivered(alice.email)]
    assert any(SPELLED_OUT in notice for notice in notices)
    assert Event.objects.filter(type="email_changed", user_id=alice.user_id).count() == 1


def test_a_token_is_valid_once(api: Api, alice: Person) -> None:
    token = mailed_token(existing_session(alice))
    confirm(api, token)

    answer = confirm(api, token)

    assert (answer.status, answer.code) == (400, "verification_token_invalid")


def test_a_token_expires_after_an_hour(api: Api, alice: Person) -> None:
    token = mailed_token(existing_session(alice))

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=3601)):  # noqa: TID251
        answer = confirm(api, token)

    assert (answer.status, answer.code) == (400, "verification_token_expired")


def test_a_new_request_voids_the_earlier_one(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    first = mailed_token(session, "first@example.com")
    second = mailed_token(session, "second@example.com")

    assert confirm(api, first).code == "verification_token_invalid"
    assert confirm(api, second).status == 200


def test_a_taken_address_gets_no_mail_and_the_same_answer(alice: Person, bob: Person) -> None:
    answer = request_change(existing_session(alice), bob.email)

    assert answer.data == {"status": "verification sent"}
    assert not delivered(bob.email)
    assert len(delivered(alice.email)) == 1


def test_a_taken_address_needs_the_same_statements_and_mails(alice: Person, bob: Person) -> None:
    session = existing_session(alice)
    free = "eve" + bob.email.removeprefix("bob")
    run: list[list[str]] = []
    # The mails contain the address, so two addresses of one length need mails of one length.
    for email in (bob.email, free):
        with CaptureQueriesContext(connection) as captured:
            request_change(session, email)
        # Each statement is compared up to its first value, because the values differ.
        run.append([re.split(r"['\d]", query["sql"])[0] for query in captured])

    assert run[0] == run[1]
    assert len({(row.template, len(row.sealed) // 100) for row in OutgoingMail.objects.all()}) == 2


def test_an_address_that_another_account_took_meanwhile_is_refused(api: Api, alice: Person) -> None:
    token = mailed_token(existing_session(alice))
    sign_up(NEW.lower(), api=Api(ip="198.51.100.3"))

    answer = confirm(api, token)

    assert (answer.status, answer.code) == (409, "user_exists")
    assert address_of(alice) == alice.email


@pytest.mark.parametrize("email", ["alice@example.com", "ALICE@example.com", "no address", "", 5])
def test_the_current_address_and_invalid_addresses_are_refused(alice: Person, email: object) -> None:
    answer = request_change(existing_session(alice), email)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith("new_email:")


def test_a_password_change_voids_the_token(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    token = mailed_token(session)
    body = {"current_password": PASSWORD, "new_password": "another good password"}
    api.post("/v1/change-password", body, token=session.access)

    assert confirm(api, token).code == "verification_token_invalid"


def test_a_change_voids_magic_links_to_the_old_address(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    api.post("/v1/magic-link/request", {"email": alice.email})
    (mail,) = delivered(alice.email)

    confirm(api, mailed_token(session))

    assert api.post("/v1/magic-link/complete", {"token": token_in(mail)}).code == "verification_token_invalid"


def test_a_change_voids_a_login_that_waits_for_its_second_factor(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    app, token = enroll_totp(session), mailed_token(session)
    pending = pause(alice)

    confirm(api, token)

    assert complete_by_totp(api, pending, app.code()).code == "invalid_pending_login"


def test_a_change_token_completes_no_magic_link_login(api: Api, alice: Person) -> None:
    token = mailed_token(existing_session(alice))

    assert api.post("/v1/magic-link/complete", {"token": token}).code == "verification_token_invalid"
    assert confirm(api, token).status == 200


def test_without_mail_the_change_is_not_configured(settings: Settings, alice: Person) -> None:
    session = existing_session(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    assert request_change(session).code == "not_configured"
    assert session.api.post("/v1/email/request-change", {"new_email": NEW}).code == "missing_auth_header"


def confirm_with(token: str, *, access: str | None = None, **members: object) -> Answer:
    return Api().post("/v1/email/confirm-change", {"token": token, **members}, token=access)


def is_proven(person: Person) -> bool:
    return person.account().email_proven_at is not None


def test_the_token_and_the_password_prove_the_new_address(alice: Person) -> None:
    token = mailed_token(existing_session(alice))

    assert confirm_with(token, password=PASSWORD).data == {"status": "email changed"}
    assert is_proven(alice)


def test_the_token_and_an_access_token_prove_the_new_address(alice: Person) -> None:
    session = existing_session(alice)

    assert confirm_with(mailed_token(session), access=session.access).status == 200
    assert is_proven(alice)


def test_a_change_by_the_token_alone_makes_a_proven_address_unproven(alice: Person) -> None:
    session = existing_session(alice)
    confirm_with(mailed_token(session, "first@example.com"), password=PASSWORD)

    assert confirm_with(mailed_token(session)).status == 200

    assert not is_proven(alice)


def test_an_access_token_of_an_ended_session_proves_nothing(alice: Person) -> None:
    session, other = existing_session(alice), existing_session(alice)
    token = mailed_token(session)
    (listed,) = [row for row in session.api.get("/v1/sessions", token=session.access).data if row["id"] != ""][:1]
    other.api.post("/v1/logout", {"session_id": listed["id"]}, token=other.access)

    assert confirm_with(token, access=other.access).status == 200
    assert not is_proven(alice)


def test_a_wrong_password_is_counted_and_keeps_the_token(alice: Person) -> None:
    token = mailed_token(existing_session(alice))

    refused = confirm_with(token, password="wrong")

    assert (refused.status, refused.code) == (401, "invalid_credentials")
    assert alice.account().failed_attempts == 1
    assert address_of(alice) == alice.email
    assert confirm_with(token, password=PASSWORD).status == 200


def test_the_access_token_of_another_account_changes_nothing(alice: Person, bob: Person) -> None:
    token = mailed_token(existing_session(alice))

    refused = confirm_with(token, access=existing_session(bob).access)

    assert (refused.status, refused.code) == (400, "verification_token_invalid")
    assert address_of(alice) == alice.email
