"""The origins on other domains that may use the passkeys."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from mfa.checks import check_relying_party
from mfa.conf import settings as mfa_settings
from tests.authenticator import Authenticator
from tests.client import Api
from tests.passkeys import complete, log_in_alone, register
from tests.people import Person
from tests.second_factors import pause

URL = "/.well-known/webauthn"
RELATED = "https://example.org"


def configure(settings: Settings, origins: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "WEBAUTHN_RELATED_ORIGINS": origins}


def test_the_document_lists_the_origins(api: Api, settings: Settings) -> None:
    configure(settings, "https://example.org, https://EXAMPLE.net:443/")

    answer = api.get(URL)

    assert (answer.status, answer.body) == (200, {"origins": ["https://example.org", "https://example.net"]})


def test_without_the_setting_the_document_is_not_found(api: Api) -> None:
    answer = api.get(URL)

    assert (answer.status, answer.code) == (404, "not_found")


def test_a_passkey_works_at_a_related_origin(api: Api, alice: Person, settings: Settings) -> None:
    authenticator = Authenticator()
    session = alice.log_in()
    assert register(session, authenticator, origin=RELATED).code == "invalid_passkey_response"

    configure(settings, RELATED)

    assert register(session, authenticator, origin=RELATED).status == 200
    assert complete(api, pause(alice), authenticator, origin=RELATED).status == 200
    assert log_in_alone(api, authenticator, origin=RELATED).status == 200
    assert log_in_alone(api, authenticator).status == 200, "The own origin still works."
    assert log_in_alone(api, authenticator, origin="https://sub.example.org").code == "invalid_passkey_response"


def test_a_related_origin_need_not_be_on_the_domain(settings: Settings) -> None:
    configure(settings, RELATED)

    assert not check_relying_party()


@pytest.mark.parametrize("origin", ["*", "example.org", "https://example.org/app", "android:apk-key-hash:" + "A" * 43])
def test_an_invalid_origin_stops_the_start(settings: Settings, origin: str) -> None:
    configure(settings, origin)

    with pytest.raises(ImproperlyConfigured, match="WEBAUTHN_RELATED_ORIGINS must be"):
        mfa_settings()
