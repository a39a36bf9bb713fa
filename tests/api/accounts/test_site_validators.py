"""Django's AUTH_PASSWORD_VALIDATORS of a site apply to every new password."""

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from tests.client import PASSWORD, Api
from tests.password_resets import mailed_token, reset
from tests.people import Person

DJANGO = "django.contrib.auth.password_validation"
VALIDATORS = [
    {"NAME": f"{DJANGO}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ["email", "contact"]}},
    {"NAME": f"{DJANGO}.NumericPasswordValidator"},
    {"NAME": f"{DJANGO}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{__name__}.NoBossValidator"},
]


class NoBossValidator:
    """A validator of a site, whose error has no code."""

    def validate(self, password: str, user: object = None) -> None:
        if "boss" in password:
            raise ValidationError("Not that word.")

    def get_help_text(self) -> str:
        return ""


@pytest.fixture(autouse=True)
def validators(settings: Settings) -> None:
    settings.AUTH_PASSWORD_VALIDATORS = VALIDATORS


@pytest.mark.parametrize(
    ("password", "details"),
    [
        ("90417263", ["password_entirely_numeric", "password_too_short"]),
        ("bossboss", ["password_too_short", "invalid"]),
        ("carol@example.com", ["password_too_similar"]),
        ("boss", ["min_length", "password_too_short", "invalid"]),
        ("boss" * 65, ["max_length"]),
    ],
)
def test_a_sign_up_reports_each_validator_that_refuses_the_password(
    api: Api, password: str, details: list[str]
) -> None:
    answer = api.post("/v1/signup", {"email": "carol@example.com", "password": password})

    assert (answer.status, answer.code) == (400, "password_policy_violation")
    assert answer.body["error"]["details"] == details


def test_a_change_and_a_reset_of_a_password_ask_the_validators(alice: Person) -> None:
    session = alice.log_in()
    change = {"current_password": PASSWORD, "new_password": "904172639041"}

    changed = session.api.post("/v1/change-password", change, token=session.access)
    refused = reset(session.api, mailed_token(alice), alice.email)

    assert changed.body["error"]["details"] == ["password_entirely_numeric"]
    assert refused.body["error"]["details"] == ["password_too_similar"]
    assert alice.log_in().is_live()
