"""The time zone of the pages, which an operator chooses."""

import re
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone, translation

from console.templatetags.authsvc_show import in_zone
from tests.console_browser import Browser, prefix
from tests.people import sign_up

KATHMANDU = "Asia/Kathmandu"


def test_the_chosen_zone_holds_for_rows_filters_charts_and_sentences(
    travel: time_machine.Traveller, browser: Browser, configure: Callable[..., None]
) -> None:
    bob = sign_up("bob")
    configure(DIGEST_INTERVAL_HOURS="24")
    path = f"events?user={bob.user_id}"
    assert ">10 Mar 2026, 12:00:00 UTC</time>" in browser.open(path).text
    assert ">From (UTC)</label>" in browser.text

    browser.open(f"time-zone?next={prefix()}{path}")
    browser.submit("time-zone", {"zone": KATHMANDU, "next": f"{prefix()}{path}"})
    assert browser.location == f"{prefix()}{path}"
    cookie = browser.client.cookies["gatehouse-zone"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")

    browser.follow()
    assert ">10 Mar 2026, 17:45:00 UTC+05:45</time>" in browser.text
    assert f">From ({KATHMANDU})</label>" in browser.text
    assert f"Times in {KATHMANDU}</a>" in browser.text
    assert browser.open(f"{path}&since=2026-03-10T17:45:00&until=2026-03-10T17:45:01").text.count("<tr id=") >= 1
    assert 'step="1" value="2026-03-10T17:45:00"' in browser.text
    assert browser.open(f"{path}&since=2026-03-10T12:00:00Z").text.count("<tr id=") >= 1
    assert 'step="1" value="2026-03-10T17:45:00"' in browser.text
    assert browser.open(f"{path}&until=2026-03-10T17:45").text.count("<tr id=") == 0
    labels = re.search(r'data-labels="([^"]*)"', browser.open("?window_days=1").text)
    assert labels is None or "17:45" in labels[1]
    assert f"Hours in {KATHMANDU}, the newest first" in browser.open("charts/logins?window_days=1").text
    assert '<th scope="row">17:45</th>' in browser.text
    assert "3 Mar 2026, 17:45:00 UTC+05:45 to 10 Mar 2026, 17:45:00 UTC+05:45" in browser.open("digests").text


def test_a_sentence_has_its_times_in_the_zone_of_the_page() -> None:
    sentence = "From 2026-03-10 12:00 to 2026-03-11 12:00:30 UTC, until 31 March 2026, 23:30 UTC. 99 March 2026, 23:30 UTC, 2026-02-31 25:00 UTC, 9999-12-31 23:59 UTC"

    with timezone.override(ZoneInfo("Europe/Berlin")), translation.override("en"):
        assert in_zone(sentence) == (
            "From 10 Mar 2026, 13:00:00 CET to 11 Mar 2026, 13:00:30 CET, until 1 Apr 2026, 01:30:00 CEST. "
            "99 March 2026, 23:30 UTC, 2026-02-31 25:00 UTC, 9999-12-31 23:59 UTC"
        )


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", ""])
def test_an_unknown_zone_is_refused_and_a_changed_cookie_means_utc(browser: Browser, zone: str) -> None:
    browser.submit("time-zone", {"zone": zone})

    assert browser.status == 422
    assert "Choose a zone of the list." in browser.text
    browser.client.cookies["gatehouse-zone"] = zone
    assert "Times in UTC</a>" in browser.open("events").text
