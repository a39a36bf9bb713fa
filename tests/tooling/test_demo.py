"""The demo data of `./dev run --full --demo`, on a full deployment of the standalone project."""

import re
from datetime import timedelta

import pyotp
import pytest
from django.conf import settings
from pytest_django import Settings

from accounts.models import Account
from core.clock import now
from events.models import Event
from tests.client import Api
from tests.operators import Console, only_on_full
from tests.people import Person, SignedIn
from tools.demo.attack import NETWORK, NIGHT_NETWORK
from tools.demo.filling import Credentials, HasUsers, fill

pytestmark = [
    only_on_full,
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="the demo fills the standalone project"),
]
USERS = 60
WEBHOOK = {"WEBHOOK_URL": "https://hooks.example.com/", "WEBHOOK_SECRET": "whsec_" + "x" * 32}
SHOWN = {**WEBHOOK, "LOG_SHIPPING": "record", "DIGEST_INTERVAL_HOURS": "168"}


@pytest.fixture
def demo(db: None, settings: Settings) -> Credentials:
    """A small demo, with the settings that `./dev` gives to a demo."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **SHOWN}
    steps: list[str] = []
    return fill(users=USERS, now=now(), say=steps.append)


@pytest.fixture
def console(demo: Credentials, api: Api) -> Console:
    """The console of the demo's operator, who logs in with password and authenticator app."""
    pending = api.post("/v1/login", {"email": demo.email, "password": demo.password}).data["pending_token"]
    code = pyotp.TOTP(demo.app_secret).now()
    tokens = api.post("/v1/login/totp", {"pending_token": pending, "code": code}).data
    person = Person(email=demo.email, password=demo.password, user_id="", api=api)
    return Console(SignedIn(person=person, api=api, access=tokens["access_token"], refresh=tokens["refresh_token"]))


def test_the_console_shows_the_attack(console: Console) -> None:
    overview = console.get("/overview").data

    night, day = overview["attacks"]
    assert (night["network"], night["signed_in_accounts"], night["stopped_accounts"]) == (NIGHT_NETWORK, 1, 0)
    assert (day["network"], day["signed_in_accounts"], day["stopped_accounts"]) == (NETWORK, 0, 1)
    assert overview["total_users"] == USERS + 1
    assert overview["locked_accounts"] == 3
    assert overview["counts"]["login_failed"] > 10 * overview["counts_before"]["login_failed"]
    assert overview["counts"]["credential_stuffing_detected"] == 27
    assert overview["deliveries"] == {
        "failed": console.get("/webhooks/deliveries?status=failed").data["count"],
        "waiting": 3,
        "retrying": 3,
    }
    assert overview["late_jobs"] == []
    assert {one["type"] for one in console.get("/anomalies?status=unreviewed&limit=100").data["anomalies"]} == {
        "anomaly_detected",
        "credential_stuffing_detected",
    }
    delivered = console.get("/webhooks/deliveries?limit=100").data["deliveries"]
    assert "credential_stuffing_detected" in {one["event_type"] for one in delivered}
    assert console.get("/digest/history").data["count"] == 6
    assert console.get("/logging/recent?level=warn").data["events"]


def test_the_stored_counts_of_each_day_equal_its_events(console: Console) -> None:
    counts = console.get("/overview?window_days=90").data["counts"]

    since = now() - timedelta(days=90)
    assert {event: count for event, count in counts.items() if count} == {
        event: Event.objects.filter(type=event, created_at__gte=since).count()
        for event in Event.objects.values_list("type", flat=True).distinct()
    }


def test_all_addresses_are_reserved_for_documentation_or_private_use(demo: Credentials) -> None:
    domains = {address.partition("@")[2] for address in Account.objects.values_list("email_key", flat=True)}
    ips = set(Event.objects.values_list("ip", flat=True))

    assert domains <= {"example.com", "example.org", "example.net"}
    reserved = r"10\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:"
    assert [ip for ip in ips if not re.match(reserved, ip)] == []


def test_a_database_with_users_gets_no_demo_data(demo: Credentials) -> None:
    steps: list[str] = []

    with pytest.raises(HasUsers):
        fill(users=USERS, now=now(), say=steps.append)

    assert steps == []
    assert Account.objects.count() == USERS + 1
