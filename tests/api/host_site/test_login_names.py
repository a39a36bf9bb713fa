"""Logins by user name, for a site whose users have no address or share one."""

from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from accounts.checks import check_login_name
from accounts.models import Account, LoginLock
from accounts.passwords import hashing
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.factories import HostUserFactory
from tests.mails import delivered, text_of, token_in
from tests.pages import HOST
from tests.passkeys import enroll, log_in_alone
from tests.people import Person
from tests.second_factors import complete_by_totp, enroll_totp

SHARED = "family@example.com"

pytestmark = pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project's users have addresses"
)


@pytest.fixture(autouse=True)
def _by_name(settings: Settings) -> None:
    """Let users log in by their user name."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOGIN_NAME": "username"}


@pytest.fixture
def carol(api: Api) -> Person:
    """A user without an address. `email` is the login name."""
    return make("carol", "", api=api)


def make(handle: str, contact: str, *, api: Api) -> Person:
    user = HostUserFactory.create(handle=handle, contact=contact, password=hashing.hash_password(PASSWORD))
    return Person(email=handle, password=PASSWORD, user_id=str(user.pk), api=api)


def attempt(api: Api, name: str, password: str = PASSWORD) -> str:
    answer = api.post("/v1/login", {"email": name, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def test_users_without_an_address_of_their_own_log_in_by_their_names(api: Api, carol: Person) -> None:
    dave, erin = make("dave", SHARED, api=api), make("erin", SHARED.upper(), api=api)
    frank = make("frank", "frank@example.com", api=api)

    for person in (carol, dave, erin, frank):
        session = person.log_in()
        assert api.get("/v1/verify", token=session.access).data == {"user_id": person.user_id}
        assert session.is_live()
    assert attempt(api, SHARED) == attempt(api, "frank@example.com") == attempt(api, "") == "invalid_credentials"
    assert attempt(api, "Carol") == attempt(api, "x" * 254) == attempt(api, "!") == "invalid_credentials"
    keys = {account.user.get_username(): account.email_key for account in Account.objects.select_related("user")}
    assert keys == {
        "carol": f"!{carol.user_id}",
        "dave": f"!{dave.user_id}",
        "erin": f"!{erin.user_id}",
        "frank": "frank@example.com",
    }


def test_a_user_without_an_address_can_do_what_needs_no_mailbox(api: Api, carol: Person) -> None:
    session = carol.log_in()

    me = api.get("/v1/me", token=session.access).data
    assert (me["email"], me["email_verified"]) == ("", False)
    assert api.get("/v1/sessions", token=session.access).status == 200
    assert api.post("/v1/api-keys", {"name": "k", "scopes": ["a"]}, token=session.access).status == 201
    authenticator = Authenticator()
    enroll(carol, authenticator)
    assert log_in_alone(api, authenticator).status == 200
    assert api.get("/v1/sessions", token=session.access).status == 200


def test_a_user_without_an_address_can_have_an_authenticator_app_and_change_the_password(
    api: Api, carol: Person
) -> None:
    session = carol.log_in()
    codes = api.post("/v1/recovery-codes/generate", token=session.access).data["codes"]
    url = api.post("/v1/totp/enroll", token=session.access).data["otpauth_url"]
    assert "carol" in url
    app = enroll_totp(session)

    paused = api.post("/v1/login", {"email": "carol", "password": PASSWORD}).data
    assert complete_by_totp(api, paused["pending_token"], app.code(steps=1)).status == 200
    paused = api.post("/v1/login", {"email": "carol", "password": PASSWORD}).data
    body = {"pending_token": paused["pending_token"], "code": codes[0]}
    assert api.post("/v1/login/recovery-code", body).status == 200
    changed = {"current_password": PASSWORD, "new_password": "another horse battery"}
    assert api.post("/v1/change-password", changed, token=session.access).status == 200
    assert attempt(api, "carol") == "invalid_credentials"


def test_acts_that_need_a_mailbox_answer_how_to_get_one(api: Api, carol: Person, settings: Settings) -> None:
    dave = make("dave", SHARED, api=api)
    make("erin", SHARED, api=api)

    for person in (carol, dave):
        refused = api.post("/v1/email/verify/request", token=person.log_in().access)
        assert (refused.status, refused.code) == (400, "bad_request")
        assert "/v1/email/request-change" in refused.body["error"]["message"]
    for path in ("/v1/magic-link/request", "/v1/password/forgot"):
        assert api.post(path, {"email": SHARED}).status == 200
        assert api.post(path, {"email": "carol"}).status == 200
    assert not [mail for mail in delivered(SHARED) if "token=" in text_of(mail)]

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "required"}
    assert attempt(api, "carol") == "email_not_verified"


def test_a_user_without_an_address_can_get_one(api: Api, carol: Person) -> None:
    session = carol.log_in()

    api.post("/v1/email/request-change", {"new_email": "carol@example.com"}, token=session.access)
    (mail,) = delivered("carol@example.com")
    assert "carol at" in text_of(mail)
    assert api.post("/v1/email/confirm-change", {"token": token_in(mail)}).status == 200

    assert carol.account().email_key == "carol@example.com"
    assert attempt(api, "carol") == "ok"
    api.post("/v1/magic-link/request", {"email": "carol@example.com"})
    link = token_in(delivered("carol@example.com")[-1])
    assert api.post("/v1/magic-link/complete", {"token": link}).status == 200


def test_known_and_unknown_names_lock_alike_and_run_as_many_statements(api: Api, carol: Person) -> None:
    assert attempt(api, "carol") == "ok"
    make("dave", SHARED, api=api).log_in()
    make("erin", SHARED, api=api)

    def fail(name: str) -> tuple[list[str], list[int]]:
        answers, statements = [], []
        for _ in range(6):
            with CaptureQueriesContext(connection) as captured:
                answers.append(attempt(api, name, "wrong"))
            statements.append(len(captured))
        return answers, statements

    known, shared, unknown = fail("carol"), fail("dave"), fail("nobody")

    assert known[0] == shared[0] == unknown[0] == ["invalid_credentials"] * 5 + ["account_locked"]
    # The first failure inserts a row, and the lock of an account has events of its own.
    assert known[1][1:4] == shared[1][1:4] == unknown[1][1:4]
    assert carol.account().locked_until is not None
    assert LoginLock.objects.filter(locked_until__isnull=False).count() == 3


def test_an_unknown_name_never_counts_for_the_account_with_this_address(api: Api) -> None:
    frank = make("frank", "frank@example.com", api=api)
    frank.log_in()

    for _ in range(6):
        attempt(api, "frank@example.com", "wrong")

    assert frank.account().failed_attempts == 0
    assert attempt(api, "frank") == "ok"


def test_link_accounts_makes_an_account_of_every_user(api: Api, carol: Person) -> None:
    make("dave", SHARED, api=api)
    make("erin", SHARED, api=api)
    output = StringIO()

    call_command("link_accounts", stdout=output)
    call_command("link_accounts", stdout=output)

    assert Account.objects.count() == 3
    assert output.getvalue().splitlines() == ["3 linked, 0 left out", "0 linked, 0 left out"]


def test_the_sign_in_asks_for_the_user_name(api: Api) -> None:
    page = api.client.get(reverse("authsvc-sign-in"), headers={"Host": HOST}).content.decode()

    assert "User name" in page
    assert 'type="text"' in page


Change = Callable[[pytest.MonkeyPatch], None]


def _is_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_user_model(), "EMAIL_FIELD", "handle")


def _is_number(monkeypatch: pytest.MonkeyPatch) -> None:
    field: Any = models.IntegerField(unique=True)
    monkeypatch.setattr(get_user_model()._meta, "get_field", lambda _name: field)


def _repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_user_model(), "USERNAME_FIELD", "nickname")


@pytest.mark.parametrize(
    ("change", "obstacle"), [(_is_address, "is its address"), (_is_number, "no text"), (_repeats, "two users")]
)
def test_a_contradictory_user_model_is_an_error(monkeypatch: pytest.MonkeyPatch, change: Change, obstacle: str) -> None:
    assert check_login_name() == []

    change(monkeypatch)

    (found,) = check_login_name()
    assert found.id == "authsvc.E013"
    assert obstacle in found.msg


def test_a_demand_for_verified_addresses_is_a_warning(settings: Settings) -> None:
    service: Mapping[str, object] = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "required"}
    settings.AUTH_SERVICE = service

    (found,) = check_login_name()

    assert found.id == "authsvc.W027"
