"""A login with the right password from an unknown client that ends without the second factor is reported."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from core.clock import now
from sessions_app.logins.stopped import EndPendingLogins
from sessions_app.models import PendingLogin
from tests.client import CHROME_ON_MAC, Api
from tests.mails import delivered, text_of
from tests.people import Person
from tests.second_factors import App, complete_by_totp, enroll_totp, lock, pause, pause_by_link

START = "2026-03-01T12:00:00Z"
WAIT = timedelta(seconds=300)
EVE_IP = "198.51.100.9"
EVE = {"ip": EVE_IP, "user_agent": "curl/8.0"}
STOPPED = "A sign-in to your account at localhost was stopped"


@pytest.fixture(autouse=True)
def travel() -> Any:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def app(alice: Person) -> App:
    """Alice's confirmed authenticator app. She has logged in from her own client."""
    return enroll_totp(alice.log_in())


def run_job() -> None:
    EndPendingLogins().run(now(), lambda: False)


def stops() -> list[Event]:
    return list(Event.objects.filter(type="login_stopped_at_factor").order_by("id"))


def flagged() -> list[dict[str, Any]]:
    return [
        event.metadata
        for event in Event.objects.filter(type="anomaly_detected")
        if "stopped_at_factor" in str(event.metadata)
    ]


def mails(person: Person) -> list[Any]:
    return [mail for mail in delivered(person.email) if mail["Subject"] == STOPPED]


def test_a_login_that_waits_in_vain_is_reported_at_its_expiry(
    alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    pause(alice, Api(**EVE))
    run_job()
    assert stops() == []

    travel.shift(WAIT)
    assert EndPendingLogins().next_due(now()) == now()
    run_job()

    (event,) = stops()
    assert (event.user_id, event.ip, event.user_agent) == (alice.user_id, EVE_IP, "curl/8.0")
    assert event.metadata == {
        "method": "password",
        "factors": ["totp"],
        "wrong_codes": 0,
        "began_at": "2026-03-01T12:00:00.000000Z",
    }
    assert flagged() == [
        {
            "signals": ["stopped_at_factor"],
            "event": "login_stopped_at_factor",
            "wrong_codes": 0,
            "window_minutes": 15,
        }
    ]
    (mail,) = mails(alice)
    assert "When: 1 March 2026, 12:00 UTC\n" in text_of(mail)
    assert f"IP address: {EVE_IP}\n" in text_of(mail)
    assert not PendingLogin.objects.exists()
    assert EndPendingLogins().next_due(now()) is None


@pytest.mark.parametrize("lockout_threshold", [5, 10_000])
def test_wrong_codes_that_use_the_login_up_are_reported_at_once_and_only_once(
    alice: Person, app: App, settings: Settings, travel: time_machine.Traveller, lockout_threshold: int
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": lockout_threshold}
    eve = Api(**EVE)
    pending = pause(alice, eve)

    for expected in (0, 0, 0, 0, 1):
        complete_by_totp(eve, pending, app.wrong_code())
        assert len(stops()) == expected
    travel.shift(WAIT)
    run_job()

    (event,) = stops()
    assert event.metadata["wrong_codes"] == 5
    assert len(mails(alice)) == len(flagged()) == 1


def test_a_stop_from_a_known_device_in_a_new_network_is_reported(
    alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    pause(alice, Api(ip=EVE_IP, user_agent=CHROME_ON_MAC))
    travel.shift(WAIT)

    run_job()

    assert len(stops()) == 1


def test_an_ordinary_login_is_no_report(alice: Person, app: App, travel: time_machine.Traveller) -> None:
    # The owner's client; the owner who mistypes once; the owner in a new place who begins again and succeeds.
    pause(alice)
    journey = Api(**EVE)
    pending = pause(alice, journey)
    complete_by_totp(journey, pending, app.wrong_code())
    travel.shift(timedelta(seconds=30))
    assert complete_by_totp(journey, pause(alice, journey), app.code()).status == 200
    # A mailed link proves the mailbox, not the password.
    pause_by_link(alice)
    travel.shift(WAIT)

    run_job()

    assert (stops(), flagged()) == ([], [])
    assert mails(alice) == []
    assert not PendingLogin.objects.exists()


def test_a_lock_ends_the_login_and_does_not_hide_it(alice: Person, app: App) -> None:
    pause(alice, Api(**EVE))
    lock(alice)

    run_job()

    assert len(stops()) == 1


def test_an_owner_gets_five_mails_a_day_and_the_trail_every_stop(
    alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    for _ in range(7):
        pause(alice, Api(**EVE))
        travel.shift(WAIT)
        run_job()

    assert len(stops()) == 7
    assert len(mails(alice)) == 5
    # Detection reports a signal of an account once in 15 minutes.
    assert len(flagged()) == 3


def test_without_detection_nothing_is_reported(
    alice: Person, app: App, settings: Settings, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ANOMALY_DETECTION": "off"}
    pause(alice, Api(**EVE))
    travel.shift(WAIT)

    run_job()

    assert stops() == []
    assert not PendingLogin.objects.exists()
