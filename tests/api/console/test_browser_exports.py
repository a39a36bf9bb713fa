"""The forms that export lists as CSV. `test_exports` tests the files."""

import csv
from collections.abc import Callable

import pytest

from accounts.models import Event
from tests.console_browser import Browser, grant, prefix, signed_in
from tests.factories import DeliveryFactory, EventFactory, ShippedLogFactory
from tests.people import Person, existing

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

PAGES = {
    "events": "events?type=login_failed",
    "users": "users",
    "reviews": "reviews?status=all",
    "deliveries": "deliveries?status=failed",
    "logs": "logs?level=warn",
}


@pytest.fixture
def browser(configure: Configure) -> Browser:
    """A browser in which Olivia, an operator, is signed in, with a row in each list."""
    configure(
        OPERATOR_SECOND_FACTOR="optional",
        WEBHOOK_URL="https://hooks.example.invalid/",
        WEBHOOK_SECRET="whsec_" + "A" * 32,
        LOG_SHIPPING="record",
    )
    olivia = existing("olivia")
    grant(olivia)
    EventFactory.create(type="login_failed", user_agent="=1+1")
    EventFactory.create(type="anomaly_detected")
    DeliveryFactory.create(status="failed", payload="{}")
    DeliveryFactory.create(status="delivered", payload="{}")
    ShippedLogFactory.create(level=30, content={})
    return signed_in(olivia)


def rows(browser: Browser) -> list[dict[str, str]]:
    """Return the rows of the file."""
    return list(csv.DictReader(browser.page.getvalue().decode().splitlines()))


@pytest.mark.parametrize("name", PAGES)
def test_a_list_has_a_form_that_exports_its_rows(browser: Browser, name: str) -> None:
    browser.open(PAGES[name])
    assert f'action="{prefix()}export/{name}"' in browser.text
    query = PAGES[name].partition("?")[2]
    form = dict([query.split("=")]) if query else {}
    for field, value in form.items():
        assert f'<input type="hidden" name="{field}" value="{value}">' in browser.text

    browser.submit(f"export/{name}", form)

    assert browser.status == 200
    assert browser.page.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert browser.page.headers["Content-Disposition"].startswith(f'attachment; filename="{name}-20')
    assert len(rows(browser)) == 1
    assert Event.objects.filter(type="operator_exported").count() == 1


def test_a_formula_in_a_cell_is_neutralised(browser: Browser) -> None:
    browser.submit("export/events", {"type": "login_failed"})

    assert [row["user_agent"] for row in rows(browser)] == ["'=1+1"]


def test_the_filters_may_come_from_the_form_of_the_page(browser: Browser) -> None:
    browser.submit("export/events", {"type": "", "since": "2020-01-01T00:00", "until": "2020-01-02T00:00"})

    assert rows(browser) == []


def test_a_refused_export_gives_no_rows_and_leaves_no_act(browser: Browser) -> None:
    token = browser.open("users").field("csrf_token")

    assert browser.send("export/users").status == 403
    assert browser.open("export/users").status == 405
    assert browser.submit("export/events", {"ip": "nonsense"}).status == 400
    assert "ip: must be an IP address." in browser.text
    assert browser.send("export/users", {"csrf_token": token}, headers={"Origin": "https://evil.example"}).status == 403
    assert "/sign-in" in Browser().send("export/users", {"csrf_token": token}).location
    assert not Event.objects.filter(type="operator_exported").exists()


def test_an_export_of_users_has_the_filters_of_the_page(browser: Browser, alice: Person) -> None:
    page = browser.open("users?q=alice&sort=address").text
    assert '<input type="hidden" name="q" value="alice"><input type="hidden" name="sort" value="address">' in page

    browser.submit("export/users", {"q": "alice", "sort": "address"})

    assert [row["email"] for row in rows(browser)] == [alice.email]
