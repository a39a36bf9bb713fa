import re
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from core.conf import load
from mfa.conf import MfaSettings
from mfa.models import Totp
from tests.client import PASSWORD, Answer, Api
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import app_of, begin_totp, complete_by_totp, enroll_totp, pause

pytestmark = pytest.mark.usefixtures("travel")


def enroll(session: SignedIn) -> Answer:
    return session.api.post("/v1/totp/enroll", token=session.access)


def confirm(session: SignedIn, code: str) -> Answer:
    return session.api.post("/v1/totp/confirm", {"code": code}, token=session.access)


def test_an_enrolment_returns_the_url_for_an_app(alice: Person) -> None:
    answer = enroll(existing_session(alice))

    secret = app_of(answer.data["otpauth_url"]).secret
    assert answer.status == 200
    assert answer.data == {
        "otpauth_url": f"otpauth://totp/localhost:alice%40example.com?secret={secret}&issuer=localhost"
    }
    assert re.fullmatch("[A-Z2-7]{32}", secret)


def test_a_login_does_not_pause_for_an_unconfirmed_enrolment(api: Api, alice: Person) -> None:
    begin_totp(alice.log_in())

    answer = api.post("/v1/login", {"email": alice.email, "password": PASSWORD})

    assert set(answer.data) == {"access_token", "refresh_token"}


def test_a_new_enrolment_replaces_an_unconfirmed_secret(alice: Person) -> None:
    session = alice.log_in()
    first = begin_totp(session)

    second = begin_totp(session)

    assert first.secret != second.secret
    assert Totp.objects.count() == 1
    assert confirm(session, first.code()).code == "invalid_totp_code"
    assert confirm(session, second.code()).status == 200


def test_an_enrolment_does_not_replace_a_confirmed_app(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)

    answer = enroll(session)

    assert (answer.status, answer.code) == (409, "totp_already_enabled")
    assert complete_by_totp(api, pause(alice), app.code()).status == 200


def test_each_user_gets_a_different_secret(alice: Person, bob: Person) -> None:
    of_alice, of_bob = begin_totp(existing_session(alice)), begin_totp(existing_session(bob))

    assert of_alice != of_bob


def test_no_row_contains_the_secret_in_plaintext(alice: Person) -> None:
    app = begin_totp(existing_session(alice))

    assert app.secret.encode() not in bytes(Totp.objects.get().secret)


def test_only_the_token_decides_whose_app_is_enrolled(alice: Person, bob: Person) -> None:
    session = existing_session(alice)

    session.api.post("/v1/totp/enroll", {"user_id": bob.user_id, "email": bob.email}, token=session.access)

    assert [str(totp.pk) for totp in Totp.objects.all()] == [alice.user_id]


@pytest.mark.parametrize(
    "email",
    [
        "alice+shop@example.com",
        "100%25@example.com",
        "jürgen@müller.example",
        "a&issuer=evil@example.com",
        "a?secret=MFRGGZDF@example.com",
        "a#b/c@example.com",
        "'a'=b@example.com",
    ],
)
def test_an_address_with_special_characters_is_encoded_correctly(email: str) -> None:
    url = enroll(sign_up(email).log_in()).data["otpauth_url"]

    parts = urlsplit(url)
    assert url.isascii()
    assert (parts.scheme, parts.netloc, parts.fragment) == ("otpauth", "totp", "")
    assert unquote(parts.path) == f"/localhost:{email}"
    assert [name for name, _ in parse_qsl(parts.query)] == ["secret", "issuer"]


def test_the_url_contains_the_first_hundred_characters_of_a_long_address() -> None:
    url = enroll(sign_up(f"{'a' * 242}@example.com").log_in()).data["otpauth_url"]

    assert urlsplit(url).path == f"/localhost:{'a' * 100}"


@pytest.mark.parametrize("issuer", ["Bücher & Töne", "100% off", "a+b", "x?y#z/w", "secret=MFRGGZDF", "日本"])
def test_an_issuer_with_special_characters_is_encoded_correctly(settings: Settings, alice: Person, issuer: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOTP_ISSUER": issuer}

    url = enroll(existing_session(alice)).data["otpauth_url"]

    parts = urlsplit(url)
    assert "+" not in url
    assert unquote(parts.path) == f"/{issuer}:{alice.email}"
    assert [name for name, _ in parse_qsl(parts.query)] == ["secret", "issuer"]
    assert dict(parse_qsl(parts.query))["issuer"] == issuer


@pytest.mark.parametrize("issuer", ["", " ", None])
def test_the_host_is_the_default_issuer(settings: Settings, alice: Person, issuer: str | None) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "BASE_URL": "https://auth.example.com:8443",
        "ALLOWED_HOSTS": "*",
        "TOTP_ISSUER": issuer,
    }

    url = enroll(existing_session(alice)).data["otpauth_url"]

    assert url.startswith("otpauth://totp/auth.example.com:alice%40example.com?")
    assert url.endswith("&issuer=auth.example.com")


@pytest.mark.parametrize("issuer", ["Gate:house", ":", "a\nb", 5])
def test_an_invalid_issuer_prevents_the_start(issuer: object) -> None:
    with pytest.raises(
        ImproperlyConfigured, match=r"^TOTP_ISSUER must be text of at most 60 characters without a colon"
    ):
        load(MfaSettings, {"TOTP_ISSUER": issuer})
