"""The recovery of an account whose owner lost all second factors."""

from collections.abc import Callable

from django.urls import reverse

from mfa.models import AccountRecovery
from tests.mails import delivered
from tests.pages import Browser
from tests.people import Person, existing_session
from tests.recoveries import continued
from tests.second_factors import enroll_totp

from .links import follow_link, link_in

Configure = Callable[..., None]


def start(browser: Browser, person: Person) -> Browser:
    enroll_totp(existing_session(person))
    delivered(person.email)
    browser.sign_in(person)
    browser.submit("authsvc-recover")
    return browser


def end_wait() -> None:
    for recovery in AccountRecovery.objects.all():
        recovery.ready_at = recovery.due_at = recovery.requested_at
        recovery.save()


def test_a_person_waits_and_then_signs_in_without_the_lost_factor(browser: Browser, alice: Person) -> None:
    start(browser, alice)
    assert "72 hours" in browser.text
    assert not AccountRecovery.objects.exists()
    browser.submit("authsvc-start-recovery")
    assert "It waits until" in browser.text
    (first,) = delivered(alice.email)

    end_wait()
    (last,) = continued(alice)
    follow_link(browser, link_in(last))
    assert alice.email in browser.text
    browser.submit("authsvc-complete-recovery")

    assert "Your second steps are removed" in browser.text
    assert browser.sign_in(alice).cookie
    assert link_in(first) != link_in(last)


def test_the_link_of_the_first_mail_stops_the_recovery(browser: Browser, alice: Person) -> None:
    start(browser, alice).submit("authsvc-start-recovery")
    link = link_in(delivered(alice.email)[-1])

    follow_link(browser, link)
    assert AccountRecovery.objects.exists()
    browser.submit("authsvc-cancel-recovery")

    assert "The recovery is stopped" in browser.text
    assert f'href="{reverse("authsvc-forgot")}"' in browser.text
    assert not AccountRecovery.objects.exists()


def test_a_sign_in_that_no_longer_waits_leads_to_the_sign_in(browser: Browser, alice: Person) -> None:
    start(browser, alice)

    browser.submit("authsvc-start-recovery", pending_token="spt_" + "A" * 43)

    assert (browser.status, "Your sign-in took too long" in browser.text) == (401, True)
    assert f'href="{reverse("authsvc-sign-in")}"' in browser.text


def test_without_recoveries_the_page_says_whom_to_ask(browser: Browser, alice: Person, configure: Configure) -> None:
    configure(RECOVERY_WAIT_HOURS="off")

    start(browser, alice)

    assert "ask the people who run this service" in browser.text
    assert not browser.shows_form("authsvc-start-recovery")
    assert browser.open("authsvc-page-recovery-cancel").status == 404
