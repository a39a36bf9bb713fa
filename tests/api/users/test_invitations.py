"""Invitations: `manage.py users invite`, `invitations` and `uninvite`, and `POST /v1/invitations/accept`."""

from typing import Any

import jwt
import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Account, Event, Invitation
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.passkeys import log_in_alone, register
from tests.people import Person, SignedIn

from .commands import outcome, users, users_fail

CAROL = "carol@example.com"


@pytest.fixture(autouse=True)
def _by_invitation(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNUP": "invited"}


def invite(email: str = CAROL, *arguments: str) -> str:
    """Invite the person and return the mailed token."""
    users("invite", email, *arguments)
    return token_in(delivered(email)[-1])


def accept(token: object, **members: object) -> Answer:
    return Api().post("/v1/invitations/accept", {"token": token, **members})


def log_in(email: str = CAROL, password: str = PASSWORD) -> str:
    return outcome(Api().post("/v1/login", {"email": email, "password": password}))


def test_an_invited_person_sets_a_password_and_is_signed_in_with_a_proven_address() -> None:
    token = invite("Carol@example.com")

    answer = accept(token, password=PASSWORD)

    assert answer.status == 201
    assert answer.data.keys() == {"access_token", "refresh_token"}
    profile = Api().get("/v1/me", token=answer.data["access_token"]).data
    assert (profile["email"], profile["email_verified"]) == ("Carol@example.com", True)
    assert log_in() == "ok"
    signed_up = Event.objects.get(type="signup_success")
    command = Event.objects.get(type="operator_command")
    assert signed_up.metadata == {"method": "invitation", "invitation_id": command.metadata["invitation_id"]}
    assert (command.user_id, command.metadata["command"]) == (None, "invite")
    assert Event.objects.filter(type="login_success", metadata__method="invitation").exists()


def test_the_first_session_names_the_mailbox_as_its_method(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ACCESS_TOKEN_CLAIMS": "amr"}

    token = accept(invite(), password=PASSWORD).data["access_token"]

    assert jwt.decode(token, options={"verify_signature": False})["amr"] == ["email"]


def test_a_person_without_a_password_registers_a_passkey_at_once() -> None:
    data: Any = accept(invite()).data
    person = Person(email=CAROL, password="", user_id="", api=Api())
    session = SignedIn(person=person, api=person.api, access=data["access_token"], refresh=data["refresh_token"])
    authenticator = Authenticator()

    assert register(session, authenticator).status == 200
    assert log_in_alone(Api(), authenticator).status == 200
    assert log_in(password="") == "invalid_credentials"


def test_an_invitation_is_accepted_once() -> None:
    token = invite()
    accept(token, password=PASSWORD)

    again = accept(token, password="another horse battery")

    assert (again.status, again.code) == (400, "verification_token_invalid")
    assert log_in() == "ok"
    assert not Invitation.objects.exists()


def test_a_refused_password_keeps_the_invitation() -> None:
    token = invite()

    assert accept(token, password="short").code == "password_policy_violation"
    assert accept(token, password="password123").code == "password_breached"
    assert accept(token, password=PASSWORD).status == 201


def test_a_second_invitation_replaces_the_first() -> None:
    first = invite()
    second = invite("CAROL@example.com")

    assert accept(first, password=PASSWORD).code == "verification_token_invalid"
    assert accept(second, password=PASSWORD).status == 201
    assert Account.objects.count() == 1


def test_a_revoked_and_an_expired_invitation_are_refused() -> None:
    revoked = invite()
    assert users("uninvite", "Carol@Example.com")[0] == "Carol@Example.com: the invitation is revoked\n"
    _, problems, _ = users_fail("uninvite", CAROL)
    assert problems == f"{CAROL}: has no invitation\n"
    assert accept(revoked, password=PASSWORD).code == "verification_token_invalid"

    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        expired = invite()
    with time_machine.travel("2026-03-08T12:00:00Z", tick=False):
        assert accept(expired, password=PASSWORD).code == "verification_token_expired"
    assert not Account.objects.exists()


@pytest.mark.parametrize("token", ["", "A" * 43, "not a token"])
def test_an_unknown_token_is_refused(token: str) -> None:
    assert accept(token, password=PASSWORD).code == "verification_token_invalid"


def test_an_invitation_of_an_address_with_an_account_sends_nothing_and_changes_nothing(settings: Settings) -> None:
    token = invite()
    users("create", CAROL)

    _, problems, _ = users_fail("invite", CAROL)

    assert problems == f"{CAROL}: an account or a user has this address, so no mail is sent\n"
    assert delivered(CAROL) == []
    assert accept(token, password=PASSWORD).code == "verification_token_invalid"
    assert accept(token).code == "verification_token_invalid"
    assert log_in() == "invalid_credentials"
    assert Account.objects.get().email_proven_at is None
    assert users("invitations")[0] == "There are no open invitations.\n"


def test_a_closed_sign_up_refuses_invitations(settings: Settings) -> None:
    token = invite()
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNUP": "closed"}

    answers = [accept(token, password=PASSWORD), accept("A" * 43, password=PASSWORD)]

    assert [(answer.status, answer.code) for answer in answers] == [(403, "signup_closed")] * 2
    assert "SIGNUP is closed" in users_fail("invite", "dave@example.com")[1]


def test_an_invitation_goes_to_any_domain(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNUP": "open", "SIGNUP_DOMAINS": "example.org"}

    assert accept(invite(), password=PASSWORD).status == 201


def test_the_mail_is_in_the_chosen_language_and_leads_to_the_page() -> None:
    users("invite", CAROL, "--language", "de")

    (mail,) = delivered(CAROL)
    assert "Einladung annehmen" in text_of(mail)
    assert "http://localhost:8000/mail/invitation#token=" in text_of(mail)


def test_a_dry_run_mails_nothing() -> None:
    out, _ = users("invite", CAROL, "--dry-run")

    assert out.splitlines() == [f"{CAROL}: invited", "Nothing was changed (--dry-run)."]
    assert delivered(CAROL) == []
    assert not Invitation.objects.exists()


def test_the_open_invitations_are_listed() -> None:
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        users("invite", CAROL, "dave@example.com")
        out, _ = users("invitations")

    assert out.splitlines() == [
        f"{email}  since 2026-03-01, until 2026-03-08 12:00 UTC, by {invitation.invited_by}"
        for email, invitation in ((one.email, one) for one in Invitation.objects.order_by("-created_at", "-pk"))
    ]
    assert users("invitations")[0] == "There are no open invitations.\n"
