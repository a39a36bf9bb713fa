"""The settings for passkeys: the domain, its name, and the allowed origins."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from mfa.conf import settings as mfa_settings
from tests.authenticator import Authenticator
from tests.passkeys import begin, begin_login, complete, enroll, register
from tests.people import Person
from tests.rows import each
from tests.second_factors import pause

ANDROID = "android:apk-key-hash:" + "Ab-_" * 10 + "xyz"


def configure(settings: Settings, **values: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **values}


@pytest.mark.parametrize(
    ("base_url", "domain", "origin"),
    [
        ("http://localhost:8000", "localhost", "http://localhost:8000"),
        ("https://auth.example.com", "auth.example.com", "https://auth.example.com"),
        ("https://auth.example.com:8443/", "auth.example.com", "https://auth.example.com:8443"),
    ],
)
def test_domain_name_and_origin_default_to_the_base_url(
    settings: Settings, base_url: str, domain: str, origin: str
) -> None:
    configure(settings, BASE_URL=base_url)

    assert (mfa_settings().rp_id, mfa_settings().rp_name, mfa_settings().origins) == (domain, domain, (origin,))


def test_domain_name_and_origins_can_be_set(settings: Settings) -> None:
    configure(
        settings,
        BASE_URL="https://auth.example.com",
        WEBAUTHN_RP_ID="example.com",
        WEBAUTHN_RP_NAME="Example, Inc.",
        WEBAUTHN_ORIGINS=f"https://example.com, https://auth.example.com/ ,{ANDROID}",
    )

    assert (mfa_settings().rp_id, mfa_settings().rp_name) == ("example.com", "Example, Inc.")
    assert mfa_settings().origins == ("https://example.com", "https://auth.example.com", ANDROID)


@each(
    "origin",
    [
        "example.com",
        "https://example.com/app",
        "https://user@example.com",
        "ftp://example.com",
        "*",
        "null",
        "android:apk-key-hash:",
        ANDROID + "x",
        ANDROID[:-1],
        "ios:bundle-id:com.example",
    ],
)
def test_an_invalid_origin_stops_the_start(settings: Settings, origin: str) -> None:
    configure(settings, WEBAUTHN_ORIGINS=origin)

    with pytest.raises(ImproperlyConfigured, match="WEBAUTHN_ORIGINS must be"):
        mfa_settings()


@each(
    "domain",
    [
        "https://example.com",
        "example.com:8443",
        "example.com/",
        "Example.com",
        "example.com.",
        ".example.com",
        "a..example.com",
        "bücher.example",
        " example.com",
        "example.com,example.org",
        "2001:db8::1",
        "a" * 254,
    ],
)
def test_an_invalid_domain_stops_the_start(settings: Settings, domain: str) -> None:
    configure(settings, WEBAUTHN_RP_ID=domain)

    with pytest.raises(ImproperlyConfigured, match=r"^WEBAUTHN_RP_ID must be a domain such as "):
        mfa_settings()


@pytest.mark.parametrize("domain", ["localhost", "example.com", "a-b.xn--bcher-kva.example"])
def test_a_valid_domain_is_used_unchanged(settings: Settings, domain: str) -> None:
    configure(settings, WEBAUTHN_RP_ID=domain)

    assert mfa_settings().rp_id == domain


def test_the_options_contain_the_domain_and_the_name(settings: Settings, alice: Person) -> None:
    configure(settings, BASE_URL="https://auth.example.com", WEBAUTHN_RP_ID="example.com", WEBAUTHN_RP_NAME="Example")

    assert begin(alice.log_in())["public_key"]["rp"] == {"id": "example.com", "name": "Example"}


@pytest.mark.parametrize("origin", ["https://example.com", "https://auth.example.com", ANDROID])
def test_a_passkey_works_at_the_listed_origins_only(settings: Settings, alice: Person, origin: str) -> None:
    configure(
        settings,
        WEBAUTHN_RP_ID="example.com",
        WEBAUTHN_ORIGINS=f"https://example.com,https://auth.example.com,{ANDROID}",
    )
    authenticator = Authenticator()
    session = alice.log_in()

    for foreign in ("https://sub.example.com", "http://example.com", ANDROID.lower(), "http://localhost:8000"):
        assert register(session, authenticator, origin=foreign).code == "invalid_passkey_response"
    assert register(session, authenticator, origin=origin).status == 200
    pending = pause(alice)
    assert complete(alice.api, pending, authenticator, origin="http://example.com").code == "invalid_passkey_response"
    assert complete(alice.api, pending, authenticator, origin=origin).status == 200


def test_a_passkey_of_the_old_domain_is_invalid_at_a_new_domain(settings: Settings, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    configure(settings, WEBAUTHN_RP_ID="example.com", WEBAUTHN_ORIGINS="https://example.com")

    answer = complete(alice.api, pause(alice), authenticator, origin="https://example.com", rp_id="localhost")
    assert (answer.status, answer.code) == (401, "invalid_passkey_response")


@pytest.mark.parametrize("demand", ["preferred", "required"])
def test_the_options_demand_the_user_verification_of_the_setting(
    settings: Settings, alice: Person, demand: str
) -> None:
    configure(settings, PASSKEY_USER_VERIFICATION=demand)
    session = enroll(alice, Authenticator())

    registration, login = begin(session), begin_login(alice.api, pause(alice))

    assert registration["public_key"]["authenticatorSelection"]["userVerification"] == demand
    assert login["public_key"]["userVerification"] == demand


def test_a_required_user_verification_is_demanded_of_every_response(settings: Settings, alice: Person) -> None:
    authenticator, touched = Authenticator(), Authenticator(is_verifying=False)
    session = enroll(alice, authenticator)
    configure(settings, PASSKEY_USER_VERIFICATION="required")

    assert register(session, touched).code == "invalid_passkey_response"
    authenticator.is_verifying = False
    assert complete(alice.api, pause(alice), authenticator).code == "invalid_passkey_response"
    authenticator.is_verifying = True
    assert complete(alice.api, pause(alice), authenticator).status == 200


@pytest.mark.parametrize("value", ["discouraged", "REQUIRED", "on"])
def test_an_unknown_user_verification_stops_the_start(settings: Settings, value: str) -> None:
    configure(settings, PASSKEY_USER_VERIFICATION=value)

    with pytest.raises(ImproperlyConfigured, match="PASSKEY_USER_VERIFICATION must be one of preferred, required"):
        mfa_settings()
