"""The settings of OAuth providers, and what `manage.py check` finds in them."""

from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from sessions_app.oauth.checks import CHECKS
from sessions_app.oauth.conf import read_settings
from sessions_app.oauth.conf import settings as oauth_settings
from sessions_app.oauth.providers import providers
from tests.issuers import ec_key

Configure = Callable[..., None]


@pytest.fixture
def configure(settings: Settings) -> Configure:
    def change(**values: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **values}

    return change


def found() -> list[str]:
    return [str(message.id) for check in CHECKS for message in check()]


def pem(key: Any) -> str:
    text: str = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return text.replace("\n", "\\n")


def test_the_checks_are_registered_and_find_nothing_in_the_test_project() -> None:
    assert found() == []
    assert not {"authsvc.E040", "authsvc.E041", "authsvc.W040", "authsvc.W041"} & {each.id for each in run_checks()}


def test_a_variable_with_an_issuer_adds_a_provider(configure: Configure) -> None:
    configure(OAUTH_MY_COMPANY_ISSUER="https://id.example", OAUTH_MY_COMPANY_CLIENT_ID="x")

    last = providers()[-1]

    assert (last.name, last.label, last.issuer) == ("my_company", "My Company", "https://id.example")
    assert not last.is_configured
    assert [provider.name for provider in providers()[:6]] == [
        "google",
        "github",
        "microsoft",
        "gitlab",
        "discord",
        "apple",
    ]


def test_the_check_of_names_knows_the_variables_of_every_issuer(configure: Configure) -> None:
    configure(OAUTH_MY_COMPANY_ISSUER="https://id.example", OAUTH_MY_COMPANY_SECRET="x")

    unknown = [message.msg for message in run_checks() if message.id == "authsvc.W001" and "OAUTH" in message.msg]

    assert unknown == ["AUTH_SERVICE contains OAUTH_MY_COMPANY_SECRET, which is not a setting."]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OAUTH_ACME_ISSUER", "id.example"),
        ("OAUTH_ACME_ISSUER", "https://id.example?tenant=a"),
        ("OAUTH_GITLAB_ISSUER", "ftp://id.example"),
        ("OAUTH_GOOGLE_AUTHORIZE_URL", "javascript:alert(1)"),
        ("OAUTH_REDIRECT_URIS", "https://app.example/#fragment"),
        ("OAUTH_REDIRECT_URIS", "/signed-in"),
        ("OAUTH_REDIRECT_URIS", "https://user@app.example/"),
        ("OAUTH_REDIRECT_URIS", "javascript:alert(1)"),
        ("OAUTH_REDIRECT_URIS", "https:///signed-in"),
    ],
)
def test_a_malformed_value_prevents_the_start(configure: Configure, variable: str, value: str) -> None:
    configure(**{variable: value})

    with pytest.raises(ImproperlyConfigured, match=variable):
        read_settings()


def test_redirect_uris_can_be_web_pages_and_apps(configure: Configure) -> None:
    uris = ("https://app.example/signed-in?a=b", "http://127.0.0.1:8000/", "http://[::1]/", "com.example.app:/return")
    configure(OAUTH_REDIRECT_URIS=", ".join(uris))

    assert oauth_settings().redirect_uris == uris


def test_a_provider_without_a_redirect_uri_and_a_page_causes_a_warning(
    configure: Configure, settings: Settings
) -> None:
    configure(OAUTH_GOOGLE_CLIENT_ID="x", OAUTH_GOOGLE_CLIENT_SECRET="x")
    assert found() == []

    settings.ROOT_URLCONF = "tests.api.pages.joining.bare_site"
    assert found() == ["authsvc.W040"]

    configure(OAUTH_REDIRECT_URIS="https://app.example/")
    assert found() == []


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://app.example/google", []),
        ("https://app.example/google/", []),
        ("com.example.app:/signed-in/github", []),
        ("https://app.example/", ["authsvc.E042"]),
        ("https://app.example/?provider=google", ["authsvc.E042"]),
        ("https://app.example/gitlab", ["authsvc.E042"]),
    ],
)
def test_several_providers_share_no_redirect_uri(configure: Configure, uri: str, expected: list[str]) -> None:
    both = {f"OAUTH_{name}_CLIENT_{part}": "x" for name in ("GOOGLE", "GITHUB") for part in ("ID", "SECRET")}

    configure(**both, OAUTH_REDIRECT_URIS=uri)

    assert found() == expected


def test_a_misspelt_trusted_issuer_causes_a_warning(configure: Configure) -> None:
    configure(OAUTH_TRUSTED_EMAIL="https://accounts.google.com,https://accounts.google.com/")

    assert found() == ["authsvc.W041"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"CLIENT_SECRET": "x"}, ["authsvc.E040", "authsvc.E040", "authsvc.E041"]),
        ({"CLIENT_SECRET": "key", "TEAM_ID": "x"}, ["authsvc.E040"]),
        ({"CLIENT_SECRET": "key", "TEAM_ID": "x", "KEY_ID": "x"}, []),
        ({"CLIENT_SECRET": ""}, []),
    ],
)
def test_apple_needs_a_key_and_its_ids(configure: Configure, values: dict[str, str], expected: list[str]) -> None:
    configure(OAUTH_APPLE_CLIENT_ID="x", OAUTH_REDIRECT_URIS="https://app.example/")
    given = {name: pem(ec_key()) if value == "key" else value for name, value in values.items()}

    configure(**{f"OAUTH_APPLE_{name}": value for name, value in given.items()})

    assert found() == expected
