"""The frame of the pages: filters that are not valid, error pages, and the end of a session."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine

from tests.console_browser import Browser, grant, prefix
from tests.people import Person, sign_up

NAVIGATION = '<nav aria-label="Console">'


def test_each_filter_that_is_not_valid_has_its_message_beside_its_field(browser: Browser) -> None:
    browser.open("events?ip=nonsense&since=yesterday&type=signup_success&limit=0")

    assert browser.status == 400
    assert "The page ignores 3 values." in browser.text
    for name, message in (("ip", "must be an IP address."), ("since", "must be a date with a time, such as")):
        assert f'<p class="error" id="{name}-error">{message}' in browser.text
        assert f'aria-invalid="true" aria-describedby="{name}-error"' in browser.text
    assert (browser.field("ip"), browser.field("since")) == ("nonsense", "yesterday")
    # The valid filter still counts.
    assert "Sign-up succeeded</span>" in browser.text
    assert "Sign-in to the console</span>" not in browser.text
    # The page of an export has no form.
    browser.submit("export/events", {"ip": "nonsense", "since": "yesterday"})
    assert browser.status == 400
    assert "ip: must be an IP address. since: must be a date" in browser.text
    assert NAVIGATION in browser.text


def test_an_empty_time_span_is_a_message_beside_its_end(browser: Browser) -> None:
    browser.open("events?since=2026-03-10T10:00&until=2026-03-10T09:00")

    assert browser.status == 400
    assert '<p class="error" id="until-error">must be after the start of the time span.' in browser.text


def test_an_error_page_keeps_the_navigation_of_a_session(browser: Browser) -> None:
    assert browser.open("users/unknown").status == 404
    assert NAVIGATION in browser.text
    browser.send("reviews/all", {"csrf_token": "of an earlier session"})
    assert (browser.status, NAVIGATION in browser.text) == (403, True)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (timedelta(minutes=31), "because you did not use it for 30 minutes."),
        (timedelta(hours=13), "because it reached its maximum age."),
    ],
)
def test_the_sign_in_states_why_the_session_ended_and_that_the_form_was_not_saved(
    full_deployment: None,
    db: None,
    configure: Callable[..., None],
    end: timedelta,
    reason: str,
    travel: time_machine.Traveller,
) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional")
    olivia: Person = sign_up("olivia")
    grant(olivia)
    browser = Browser()
    browser.sign_in(olivia)
    token = browser.token()
    travel.shift(end)

    browser.open("reviews").follow()
    assert f"Your session ended, {reason}" in browser.text
    assert "was not saved" not in browser.text

    browser.send("reviews/all", {"csrf_token": token, "note": "It is an attack."}).follow()
    assert f"Your session ended, {reason}" in browser.text
    assert "The form that you sent was not saved." in browser.text
    assert browser.field("next") == prefix()

    Browser().open("reviews").follow()
    fresh = Browser().open("reviews").follow()
    assert "Your session" not in fresh.text
