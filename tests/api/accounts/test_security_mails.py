"""Mails that notify an account owner: a sign-in from a new place, locks, a reused token, a new API key."""

from datetime import timedelta
from email.message import EmailMessage

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from mail.conf import settings as mail_settings
from tests.client import CHROME_ON_MAC, PASSWORD, Api
from tests.keys import make_key
from tests.mails import delivered, text_of
from tests.people import Person, sign_up
from tests.places import caller_elsewhere

START = "2026-03-01T12:00:00Z"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
ELSEWHERE = "198.51.100.9"
SIGN_IN = "A new sign-in to your account at localhost"
REUSE = "A device was signed out of your account at localhost"
API_KEY = "A new API key for your account at localhost"
LOCK = "Your account at localhost is locked for a while"
PASSWORD_CHANGED = "Your password for localhost was changed"


def configure(settings: Settings, **variables: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


def mails(person: Person, subject: str) -> list[EmailMessage]:
    """Return the new mails to the person with this subject."""
    return [mail for mail in delivered(person.email) if mail["Subject"] == subject]


def log_in_from(person: Person, *places: int) -> None:
    """Log in once from each of the places."""
    for place in places:
        person.log_in(caller_elsewhere(place))


def reuse_token(person: Person) -> None:
    session = person.log_in()
    session.refreshed()
    assert person.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "token_reused"


def fail(person: Person, *, times: int) -> None:
    for _ in range(times):
        person.api.post("/v1/login", {"email": person.email, "password": "wrong"})


def test_a_sign_in_with_a_new_device_in_a_new_network_mails_the_owner(alice: Person) -> None:
    with time_machine.travel(START, tick=False):
        alice.log_in()
        assert mails(alice, SIGN_IN) == []

        alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))

        (mail,) = mails(alice, SIGN_IN)

    assert "Device: Firefox on Linux\n" in text_of(mail)
    assert f"IP address: {ELSEWHERE}\n" in text_of(mail)


def test_the_first_sign_in_mails_nothing(alice: Person) -> None:
    alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))

    assert mails(alice, SIGN_IN) == []


@pytest.mark.parametrize(
    ("ip", "user_agent"),
    [
        (ELSEWHERE, CHROME_ON_MAC),
        (ELSEWHERE, CHROME_ON_MAC.replace("Chrome/141", "Chrome/142")),
        ("203.0.113.7", FIREFOX),
        ("203.0.113.99", FIREFOX),
    ],
)
def test_a_known_device_or_a_known_network_mails_nothing(alice: Person, ip: str, user_agent: str) -> None:
    alice.log_in()

    alice.log_in(Api(ip=ip, user_agent=user_agent))

    assert mails(alice, SIGN_IN) == []


def test_a_place_is_new_once(alice: Person) -> None:
    alice.log_in()

    for _ in range(2):
        alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))

    assert len(mails(alice, SIGN_IN)) == 1


def test_ipv6_addresses_of_one_network_are_one_network(alice: Person) -> None:
    alice.log_in(Api(ip="2001:db8:0:1::1"))

    alice.log_in(Api(ip="2001:db8:0:1::2", user_agent=FIREFOX))
    assert mails(alice, SIGN_IN) == []

    alice.log_in(Api(ip="2001:db8:0:2::1", user_agent="curl/8.0"))
    assert len(mails(alice, SIGN_IN)) == 1


def test_a_refused_login_mails_nothing(alice: Person) -> None:
    alice.log_in()

    Api(ip=ELSEWHERE, user_agent=FIREFOX).post("/v1/login", {"email": alice.email, "password": "wrong"})

    assert mails(alice, SIGN_IN) == []


def test_a_login_from_a_known_place_runs_no_further_statement(alice: Person, settings: Settings) -> None:
    alice.log_in()
    counts = []

    for kinds in ("off", "new_sign_in"):
        configure(settings, SECURITY_MAILS=kinds)
        with CaptureQueriesContext(connection) as captured:
            alice.log_in()
        counts.append(len(captured))

    assert counts[0] == counts[1]


@pytest.mark.parametrize("variable", ["SECURITY_MAILS", "EMAIL_URL"])
def test_a_login_whose_mail_is_turned_off_runs_no_further_statement(
    alice: Person, settings: Settings, variable: str
) -> None:
    configure(settings, **{variable: "off"})
    alice.log_in()
    counts = []

    for api in (alice.api, Api(ip=ELSEWHERE, user_agent=FIREFOX)):
        with CaptureQueriesContext(connection) as captured:
            alice.log_in(api)
        counts.append(len(captured))

    assert counts[0] == counts[1]


def test_without_detection_no_sign_in_is_mailed(alice: Person, settings: Settings) -> None:
    configure(settings, ANOMALY_DETECTION="off")
    alice.log_in()

    alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))

    assert mails(alice, SIGN_IN) == []


def test_a_reused_token_mails_the_owner_once(alice: Person) -> None:
    session = alice.log_in()
    session.refreshed()

    for _ in range(2):
        Api(ip=ELSEWHERE).post("/v1/refresh", {"refresh_token": session.refresh})

    (mail,) = mails(alice, REUSE)
    assert f"IP address: {ELSEWHERE}\n" in text_of(mail)


def test_a_new_api_key_mails_its_name_and_prefix(alice: Person) -> None:
    key = make_key(alice.log_in(), name="Backup, see evil.example")["api_key"]

    (mail,) = mails(alice, API_KEY)

    assert f"Backup, see evil example, {key['prefix']}." in text_of(mail)


def test_a_refused_api_key_mails_nothing(alice: Person) -> None:
    answer = alice.api.post("/v1/api-keys", {"name": ""}, token=alice.log_in().access)

    assert answer.status == 400
    assert mails(alice, API_KEY) == []


def test_an_owner_gets_five_mails_of_a_kind_a_day(alice: Person) -> None:
    with time_machine.travel(START, tick=False) as clock:
        alice.log_in()
        log_in_from(alice, *range(7))
        assert len(mails(alice, SIGN_IN)) == 5

        clock.shift(timedelta(hours=24, seconds=-1))
        log_in_from(alice, 7)
        assert mails(alice, SIGN_IN) == []

        clock.shift(timedelta(seconds=1))
        log_in_from(alice, *range(8, 15))
        assert len(mails(alice, SIGN_IN)) == 5


def test_each_kind_and_each_account_has_a_count_of_its_own(alice: Person) -> None:
    bob = sign_up("bob")
    for person in (alice, bob):
        person.log_in()
    log_in_from(alice, *range(6))

    for _ in range(6):
        reuse_token(alice)
    log_in_from(bob, 0)

    received = [mail["Subject"] for mail in delivered(alice.email)]
    assert (received.count(SIGN_IN), received.count(REUSE)) == (5, 5)
    assert len(mails(bob, SIGN_IN)) == 1


def test_mails_about_the_password_have_no_daily_limit(alice: Person) -> None:
    body = {"current_password": PASSWORD, "new_password": PASSWORD}

    for _ in range(7):
        assert alice.api.post("/v1/change-password", body, token=alice.log_in().access).status == 200

    assert len(mails(alice, PASSWORD_CHANGED)) == 7


def test_security_mails_names_the_kinds_that_are_sent(alice: Person, settings: Settings) -> None:
    configure(settings, SECURITY_MAILS="api_key, lock")
    session = alice.log_in()
    delivered(alice.email)

    log_in_from(alice, 0)
    reuse_token(alice)
    make_key(session)
    fail(alice, times=5)

    assert sorted(mail["Subject"] for mail in delivered(alice.email)) == sorted([API_KEY, LOCK])


def test_with_security_mails_off_only_requested_links_are_mailed(alice: Person, settings: Settings) -> None:
    configure(settings, SECURITY_MAILS="off")
    session = alice.log_in()
    delivered(alice.email)

    alice.api.post("/v1/email/request-change", {"new_email": "alice@example.net"}, token=session.access)
    fail(alice, times=5)

    assert delivered(alice.email) == []
    assert len(delivered("alice@example.net")) == 1
    assert alice.account().lock_mailed_at is None


@pytest.mark.parametrize(("value", "fault"), [("lock,logins", "'logins' is not a kind of mail"), ("none", "'none' is")])
def test_an_unknown_kind_stops_the_start(settings: Settings, value: str, fault: str) -> None:
    configure(settings, SECURITY_MAILS=value)

    with pytest.raises(ImproperlyConfigured, match=f"SECURITY_MAILS must be off, or a comma-separated list.*{fault}"):
        mail_settings()
