"""The pages that show users, events, histories and reports."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote

import pytest

from accounts.proofs.hash_kinds import count_kinds
from core import clock
from core.db.ids import new_id
from events.logs.models import ShippedLog
from events.webhooks.models import Delivery
from tests.console_browser import Browser, browser_of, grant, prefix, signed_in
from tests.people import Person, existing, sign_up
from tests.rows import each

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment")

PAGES = (
    "",
    "reviews",
    "reviews/all",
    "events",
    "users",
    "deliveries",
    "logs",
    "digests",
    "diagnose",
    "hashes",
    "tuning",
)
HOSTILE = "<script>alert(1)</script>\"'\u202e=1+1"


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator."""
    person = existing("olivia")
    grant(person)
    return person


@pytest.fixture
def browser(olivia: Person, configure: Configure) -> Browser:
    """A browser in which Olivia is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    return signed_in(olivia)


@each("path", [*PAGES, "charts/logins", "providers"])
def test_a_page_opens_for_an_operator_and_for_no_other_caller(browser: Browser, path: str) -> None:
    assert browser.open(path).status == 200
    assert "<h1" in browser.text
    assert len(browser.page.content) < 60_000

    assert "/sign-in" in Browser().open(path).location


@each("path", PAGES)
def test_a_page_needs_no_parameter_and_drops_blank_ones(browser: Browser, path: str) -> None:
    assert browser.open(f"{path}?type=&user=&ip=&since=&until=&q=&email=&status=&level=&window_days=").status == 200


def test_the_page_of_password_hashes_shows_the_kinds_with_their_users(browser: Browser) -> None:
    assert "Not counted yet" in browser.open("hashes").text
    user = sign_up("bob").account().user
    user.password = "foreign$phpass$13$saltsalt$" + "." * 22
    user.save(update_fields=["password"])

    count_kinds(now=clock.now(), pause=0, stop=lambda: False)
    browser.open("hashes")

    row = browser.text.partition('<th scope="row">phpass</th>')[2].partition("</tr>")[0]
    assert '<td class="number" data-label="Users">1</td>' in row
    assert "Rewritten at the next login" in row


def test_the_overview_shows_what_needs_an_operator_and_the_charts(browser: Browser, olivia: Person) -> None:
    for _ in range(3):
        olivia.api.post("/v1/login", {"email": olivia.email, "password": "wrong"})

    browser.open("?window_days=1")

    assert "Nothing waits for you" in browser.text
    assert "Failed logins: 3, none in the time before" in browser.text
    assert "Users add second factors to their accounts." in browser.text
    assert browser.text.count("<svg viewBox") >= 1


@pytest.mark.parametrize(
    ("statuses", "sentence"),
    [
        ("failed", "1 delivery failed finally."),
        ("pending", "1 delivery waits after a failed attempt."),
        ("failed pending pending", "1 delivery failed finally, and 2 deliveries wait after a failed attempt."),
    ],
)
def test_the_overview_names_the_deliveries_that_need_an_operator(
    browser: Browser, configure: Configure, statuses: str, sentence: str
) -> None:
    configure(WEBHOOK_URL="https://hooks.example.com/", WEBHOOK_SECRET="whsec_" + "a" * 32)
    now = clock.now()
    for status in statuses.split():
        Delivery.objects.create(
            event_id=new_id(),
            event_type="login_failed",
            payload="{}",
            status=status,
            error="The receiver answered 503.",
            created_at=now,
            next_attempt_at=now,
        )

    assert sentence in browser.open().text


def test_the_table_behind_a_chart_has_its_values(browser: Browser) -> None:
    browser.open("charts/logins?window_days=7")

    assert len(re.findall(r"<th scope=\"row\">", browser.text)) == 7
    assert browser.open("charts/unknown").status == 404


def test_events_can_be_filtered_by_the_values_of_the_form(browser: Browser, olivia: Person) -> None:
    bob = sign_up("bob")

    browser.open(f"events?type=signup_success&user={bob.user_id}&since=2020-01-01T00:00&until=2990-01-01T00:00")

    assert browser.text.count('<tr id="event-') == 1
    assert bob.user_id in browser.text
    assert 'value="2020-01-01T00:00"' in browser.text
    assert browser.open("events?cursor=nonsense").status == 400
    assert f'href="{prefix()}events">Open the page without filters' in browser.text


def test_events_continue_on_the_next_page(browser: Browser) -> None:
    for name in ("alice", "bob", "eve"):
        sign_up(name)

    browser.open("events?type=signup_success&limit=2")
    older = re.search(r'href="([^"]*cursor=[^"]*)"', browser.text)

    assert older is not None
    browser.open(older[1].replace("&amp;", "&"))
    assert browser.text.count('<tr id="event-') == 2


def test_a_user_is_found_by_a_part_of_the_address_and_shown_in_detail(browser: Browser) -> None:
    bob = sign_up("bob")
    bob.log_in()

    browser.open("users?q=BOB%40")
    assert browser.text.count("<tr>") == 2
    assert f"users/{bob.user_id}" in browser.text

    browser.open(f"users/{bob.user_id}")
    for text in (bob.email, bob.user_id, "Sign-up succeeded", "No API key", "grant_operator -email"):
        assert text in browser.text
    assert browser.open("users/unknown").status == 404


def test_a_command_quotes_an_address_that_a_shell_would_run(browser: Browser) -> None:
    eve = sign_up("`id`$x@example.com")

    command = "manage.py grant_operator -email '`id`$x@example.com'"

    assert command in unescape(browser.open(f"users/{eve.user_id}").text)
    assert command in unescape(browser_of(eve).open().text)


def test_the_list_of_users_has_pages(browser: Browser) -> None:
    for name in ("alice", "bob"):
        sign_up(name)

    assert "3 accounts</p>" in browser.open("users?limit=2").text
    following = re.search(r'href="([^"]*cursor=[^"]*)">Next page', browser.text)
    assert following is not None
    browser.open(following[1].replace("&amp;", "&"))
    assert "1 account on this page" in browser.text
    assert ">First page</a>" in browser.text
    assert "Next page" not in browser.text


def test_the_diagnosis_takes_an_address_in_any_spelling(browser: Browser, olivia: Person) -> None:
    assert "It is not locked" in browser.open(f"diagnose?email={olivia.email.upper()}").text
    assert "No account has the address eve@example.com" in browser.open("diagnose?email=eve@example.com").text


def test_a_feature_that_is_off_names_its_variable(browser: Browser) -> None:
    assert "WEBHOOK_URL" in browser.open("deliveries").text
    assert "LOG_SHIPPING" in browser.open("logs").text
    assert "DIGEST_INTERVAL_HOURS" in browser.open("digests").text


def test_hostile_text_is_escaped_on_every_page(browser: Browser) -> None:
    browser.open(f"diagnose?email={quote(HOSTILE)}")
    assert "<script>alert" not in browser.text
    assert "&lt;script&gt;" in browser.text

    eve = sign_up("eve")
    eve.api.post("/v1/login", {"email": eve.email, "password": "wrong"}, headers={"User-Agent": HOSTILE})
    assert "<script>alert" not in browser.open(f"users/{eve.user_id}").text
    assert "<script>alert" not in browser.open("events").text


def test_the_log_shows_the_fields_of_its_lines(browser: Browser, configure: Configure) -> None:
    configure(LOG_SHIPPING="record")
    now = clock.now()
    ShippedLog.objects.create(
        id=new_id(),
        level=40,
        message="an error",
        fields='{"reason":"<b>","count":3}',
        created_at=now,
        next_attempt_at=now,
    )

    assert "reason: &lt;b&gt;, count: 3" in browser.open("logs").text
    assert "<html" not in browser.open("logs?level=error", headers={"HX-Request": "true"}).text
    assert "an error" in browser.text


def test_a_delivery_shows_its_exact_body(browser: Browser, configure: Configure) -> None:
    configure(WEBHOOK_URL="https://hooks.example.com/", WEBHOOK_SECRET="whsec_" + "a" * 32)
    eve = sign_up("eve")

    browser.open("deliveries?status=pending")
    found = re.search(r'href="[^"]*/(deliveries/[^"]+)"', browser.text)

    assert found is not None
    browser.open(found[1])
    assert f"&quot;user_id&quot;:&quot;{eve.user_id}&quot;" in browser.text
    assert browser.open("deliveries/unknown").status == 404
