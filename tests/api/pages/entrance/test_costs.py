"""The work of a sign-in by page, beside that of the login of the API."""

from collections.abc import Callable
from urllib.parse import unquote

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pages.models import PasskeyOffer
from tests.client import PASSWORD
from tests.pages import Browser, see_offer
from tests.people import Person

Configure = Callable[..., None]


def statements(act: Callable[[], object]) -> list[str]:
    """Return the statements of the act, without those that begin and end a transaction."""
    with CaptureQueriesContext(connection) as queries:
        act()
    found = [query["sql"].split() for query in queries.captured_queries]
    return [" ".join(words[:3]) for words in found if words[0] in {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}]


def test_a_sign_in_by_page_runs_one_statement_more_than_a_login_of_the_api(browser: Browser, alice: Person) -> None:
    form = {"email": alice.email, "password": PASSWORD}
    alice.api.post("/v1/login", form)
    PasskeyOffer.objects.all().delete()

    by_api = statements(lambda: alice.api.post("/v1/login", form))
    with_offer = statements(lambda: browser.send(reverse("authsvc-sign-in"), form))
    first_location = unquote(browser.location)
    see_offer(alice)
    without_offer = statements(lambda: Browser().send(reverse("authsvc-sign-in"), form))

    assert reverse("authsvc-passkey-offer") in first_location
    assert with_offer == without_offer
    assert with_offer[: len(by_api)] == by_api
    assert [" ".join(one.split()[:2]) for one in with_offer[len(by_api) :]] == ["INSERT INTO"]


def test_the_two_steps_of_a_sign_in_count_once(alice: Person, configure: Configure) -> None:
    configure(RATE_LIMITS="login=1/h,login_ip=1/h,edge=off")
    # The limits keep their counts over the end of a test, so the network belongs to this test alone.
    browser = Browser(ip="203.0.113.72")

    browser.sign_in(alice)

    assert browser.is_signed_in()
    assert Browser(ip=browser.ip).sign_in(alice).status == 429
