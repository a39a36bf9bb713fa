"""Who may sign up: SIGNUP and SIGNUP_DOMAINS."""

from collections.abc import Callable

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from accounts.checks import check_sign_up
from accounts.models import Account
from tests.client import PASSWORD, Api
from tests.mails import delivered
from tests.people import Person

Configure = Callable[..., None]


@pytest.fixture
def configure(settings: Settings) -> Configure:
    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


def sign_up(email: str, password: str = PASSWORD) -> str:
    answer = Api().post("/v1/signup", {"email": email, "password": password})
    return "ok" if answer.status == 201 else f"{answer.status} {answer.code}"


@pytest.mark.parametrize("choice", ["invited", "closed"])
def test_the_answer_of_a_closed_sign_up_shows_nothing_about_accounts(
    alice: Person, configure: Configure, choice: str
) -> None:
    configure(SIGNUP=choice)

    refusals = [sign_up("carol@example.com"), sign_up(alice.email), sign_up("carol@example.com", "short")]

    assert refusals == ["403 signup_closed"] * 3
    assert sign_up("not an address") == "400 bad_request"
    assert Account.objects.count() == 1
    assert alice.log_in().is_live()


def test_a_magic_link_for_an_unknown_address_answers_as_ever_and_mails_nothing(
    alice: Person, configure: Configure
) -> None:
    configure(SIGNUP="closed")

    answers = [Api().post("/v1/magic-link/request", {"email": email}) for email in (alice.email, "carol@example.com")]

    assert answers[0].data == answers[1].data
    assert len(delivered(alice.email)) == 1
    assert delivered("carol@example.com") == []


@pytest.mark.parametrize(
    ("email", "expected"),
    [
        ("carol@example.com", "ok"),
        ("carol@EXAMPLE.com", "ok"),
        ("carol@ｅxample.com", "ok"),
        ("carol@bücher.example", "ok"),
        ("carol@xn--bcher-kva.example", "ok"),
        ("carol@mail.example.com", "403 signup_closed"),
        ("carol@example.com.evil.example", "403 signup_closed"),
        ("carol@evilexample.com", "403 signup_closed"),
        ("carol@example.org", "403 signup_closed"),
    ],
)
def test_only_addresses_of_the_domains_sign_up(configure: Configure, email: str, expected: str) -> None:
    configure(SIGNUP_DOMAINS="Example.com,bücher.example")

    assert sign_up(email) == expected


def test_a_domain_is_checked_before_the_account(alice: Person, configure: Configure) -> None:
    configure(SIGNUP_DOMAINS="example.org")

    assert sign_up(alice.email) == "403 signup_closed"
    assert alice.log_in().is_live()


def test_the_check_demands_a_choice_of_a_site_and_proofs_of_domains(configure: Configure) -> None:
    is_site = django_settings.AUTH_USER_MODEL != "authsvc_accounts.User"
    configure(SIGNUP="", SIGNUP_DOMAINS="example.com", EMAIL_VERIFICATION="on")
    assert [found.id for found in check_sign_up()] == [*["authsvc.W028"] * is_site, "authsvc.W029"]

    configure(SIGNUP="invited", EMAIL_VERIFICATION="required")
    assert check_sign_up() == []
