"""The findings of `manage.py check` about second factors and their encryption keys."""

import base64
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import connection, models
from django.test.utils import CaptureQueriesContext, isolate_apps
from pytest_django import Settings

from accounts.checks import check_sealed
from askai.settings.stored import Name, store
from core.clock import now
from core.db.transactions import write
from core.keys.columns import SealedColumn, sealed_columns
from mfa.checks import CHECKS, check_key, check_relying_party
from mfa.conf import keys as keys_for_factors
from mfa.models import Totp
from tests.people import Person, sign_up
from tests.projects.environment import KEY_FOR_FACTORS
from tests.second_factors import begin_totp, enroll_totp, generate_codes

OTHER_KEY = base64.b64encode(b"x" * 32).decode()


def deploy(settings: Settings, **values: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **values}


def ids(messages: list[Any]) -> list[str]:
    return [message.id for message in messages]


def test_the_checks_are_registered_and_find_nothing_in_the_test_project() -> None:
    own = {"authsvc.W003", "authsvc.W006", "authsvc.W007", "authsvc.E004"}

    assert len(CHECKS) == 2
    assert not own & set(ids(run_checks()))


def test_a_deployment_without_a_key_causes_a_warning(settings: Settings) -> None:
    deploy(settings, ENCRYPTION_KEY="")

    (message,) = check_key()

    assert (message.id, message.is_serious()) == ("authsvc.W003", False)
    assert "ENCRYPTION_KEY is unset" in message.msg
    assert "authsvc.W003" in ids(run_checks())


def test_a_deployment_with_a_key_causes_no_warning(settings: Settings) -> None:
    deploy(settings, ENCRYPTION_KEY=f"{OTHER_KEY},{KEY_FOR_FACTORS}")

    assert not check_key()


def test_a_check_without_a_database_runs_no_query(settings: Settings) -> None:
    deploy(settings, ENCRYPTION_KEY=OTHER_KEY)

    assert not check_sealed()
    assert not check_sealed(databases=[])
    assert not check_sealed(databases=["other"])


def test_an_empty_database_matches_every_key(db: None, settings: Settings) -> None:
    deploy(settings, ENCRYPTION_KEY=OTHER_KEY)

    assert not check_sealed(databases=["default"])


@pytest.mark.parametrize("keys", [KEY_FOR_FACTORS, f"{OTHER_KEY},{KEY_FOR_FACTORS}"])
def test_a_key_that_opens_the_stored_secrets_causes_no_warning(settings: Settings, alice: Person, keys: str) -> None:
    enroll_totp(alice.log_in())
    deploy(settings, ENCRYPTION_KEY=keys)

    assert not check_sealed(databases=["default"])


@pytest.mark.parametrize("keys", ["", OTHER_KEY])
def test_a_key_that_opens_no_stored_secret_causes_an_error(settings: Settings, alice: Person, keys: str) -> None:
    enroll_totp(alice.log_in())
    deploy(settings, ENCRYPTION_KEY=keys)

    (message,) = check_sealed(databases=["default"])

    assert (message.id, message.is_serious()) == ("authsvc.W007", False)
    assert message.msg == "ENCRYPTION_KEY does not decrypt all authenticator secrets in the database."
    assert "authsvc.W007" in ids(run_checks(databases=["default"]))


def test_recovery_codes_are_checked_too(settings: Settings, alice: Person) -> None:
    generate_codes(alice.log_in())
    deploy(settings, ENCRYPTION_KEY=OTHER_KEY)

    assert ids(check_sealed(databases=["default"])) == ["authsvc.W007"]


@pytest.mark.parametrize("keys", [KEY_FOR_FACTORS, OTHER_KEY])
def test_one_secret_that_opens_does_not_hide_secrets_that_do_not(
    settings: Settings, alice: Person, bob: Person, keys: str
) -> None:
    enroll_totp(alice.log_in())
    deploy(settings, ENCRYPTION_KEY=OTHER_KEY)
    begin_totp(bob.log_in())
    deploy(settings, ENCRYPTION_KEY=keys)

    assert ids(check_sealed(databases=["default"])) == ["authsvc.W007"]
    assert Totp.objects.count() == 2


def test_secrets_between_the_oldest_and_the_newest_are_checked_too(db: None, settings: Settings) -> None:
    for number, key in enumerate([KEY_FOR_FACTORS, OTHER_KEY, KEY_FOR_FACTORS]):
        deploy(settings, ENCRYPTION_KEY=key)
        begin_totp(sign_up(f"person{number}").log_in())

    assert ids(check_sealed(databases=["default"])) == ["authsvc.W007"]
    deploy(settings, ENCRYPTION_KEY=f"{KEY_FOR_FACTORS},{OTHER_KEY}")
    assert not check_sealed(databases=["default"])


def test_the_check_reads_each_column_with_one_query_and_decrypts_nothing(
    settings: Settings, alice: Person, bob: Person
) -> None:
    for person in (alice, bob):
        enroll_totp(person.log_in())
    tampered = bytes(Totp.objects.get(pk=alice.account().pk).secret)[:-1] + b"?"
    Totp.objects.filter(pk=alice.account().pk).update(secret=tampered)

    with CaptureQueriesContext(connection) as queries:
        assert not check_sealed(databases=["default"])

    assert sum("DISTINCT" in query["sql"] for query in queries) == len(sealed_columns)


def test_the_finding_names_the_key_of_the_settings_and_not_that_of_the_factors(
    db: None, settings: Settings, alice: Person
) -> None:
    enroll_totp(alice.log_in())
    deploy(settings, SETTINGS_ENCRYPTION_KEY=OTHER_KEY)
    write(store)(name=Name.LLM_PROVIDER, value={}, credential="secret", now=now())
    assert not check_sealed(databases=["default"])
    deploy(settings, SETTINGS_ENCRYPTION_KEY="")

    (message,) = check_sealed(databases=["default"])

    assert message.msg == "SETTINGS_ENCRYPTION_KEY does not decrypt all setting credentials in the database."


@isolate_apps()
def test_a_missing_table_causes_no_finding(db: None) -> None:
    class Absent(models.Model):
        secret = models.BinaryField()

        class Meta:
            app_label = "absent"

        def __str__(self) -> str:
            return ""

    column = SealedColumn(name="", model=Absent, column="secret", keys=keys_for_factors, variable="")
    sealed_columns.register(column)

    try:
        assert not check_sealed(databases=["default"])
    finally:
        sealed_columns.unregister(column)


@pytest.mark.parametrize(
    ("base_url", "domain", "origins"),
    [
        ("https://auth.example.com", "", ""),
        ("https://auth.example.com", "example.com", ""),
        ("https://auth.example.com:8443", "", "https://auth.example.com:8443"),
        ("https://auth.example.com", "example.com", "https://example.com,https://a.b.example.com"),
        ("https://example.com", "", "https://example.com,android:apk-key-hash:" + "A" * 43),
        ("http://localhost:8000", "", ""),
    ],
)
def test_origins_on_the_domain_or_below_it_cause_no_finding(
    settings: Settings, base_url: str, domain: str, origins: str
) -> None:
    deploy(settings, BASE_URL=base_url, WEBAUTHN_RP_ID=domain, WEBAUTHN_ORIGINS=origins)

    assert not check_relying_party()


@pytest.mark.parametrize(
    ("domain", "origin"),
    [
        ("example.com", "https://example.org"),
        ("example.com", "https://badexample.com"),
        ("auth.example.com", "https://example.com"),
        ("example.com", "https://example.com.evil.example"),
    ],
)
def test_an_origin_outside_the_domain_is_an_error(settings: Settings, domain: str, origin: str) -> None:
    deploy(settings, WEBAUTHN_RP_ID=domain, WEBAUTHN_ORIGINS=f"https://{domain},{origin}")

    (message,) = check_relying_party()

    assert (message.id, message.is_serious()) == ("authsvc.E004", True)
    assert (
        message.msg
        == f"WEBAUTHN_ORIGINS contains {origin}, but passkeys need an origin on {domain} or one of its subdomains."
    )


def test_the_finding_says_that_an_origin_comes_from_the_base_url(settings: Settings) -> None:
    deploy(settings, BASE_URL="https://auth.example.org", WEBAUTHN_RP_ID="example.com", WEBAUTHN_ORIGINS="")

    (message,) = check_relying_party()

    assert message.msg == (
        "BASE_URL is https://auth.example.org, but passkeys need an origin on example.com or one of its subdomains."
    )


@pytest.mark.parametrize(
    ("base_url", "address"), [("http://192.0.2.1:8000", "192.0.2.1"), ("http://[2001:db8::1]", "2001:db8::1")]
)
def test_an_ip_address_in_place_of_a_domain_causes_a_warning(settings: Settings, base_url: str, address: str) -> None:
    deploy(settings, BASE_URL=base_url)

    (message,) = check_relying_party()

    assert (message.id, message.is_serious()) == ("authsvc.W006", False)
    assert message.msg == f"Browsers create no passkeys for an IP address such as {address}."
