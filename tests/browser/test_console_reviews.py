"""The review queue of the console in Chromium, by keyboard alone."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect

from core.clock import now
from core.db.ids import first_id

from .conftest import OpenPage
from .looks import fits, texts
from .operators import enter_console
from .service import Service, Visitor

pytestmark = pytest.mark.usefixtures("full_deployment")

METADATA = '{"signals": ["new_ip", "new_device"], "event": "login_success"}'


@pytest.fixture
def queue(page: Page, service: Service, olivia: Visitor) -> Page:
    """The list of flagged events in the browser of a signed-in operator. Only three events wait for a review."""
    flag(service, number=3)
    enter_console(page, service, olivia, "/console/reviews")
    return page


def sql(service: Service, statement: str, *rows: Sequence[object]) -> None:
    """Run the statement in the service's database, once for each row of values."""
    with psycopg.connect(service.database_url) as session:
        session.cursor().executemany(statement, rows or [()])


def flag(service: Service, *, number: int) -> None:
    """Let exactly that many flagged events wait for a review."""
    sql(
        service, "DELETE FROM authsvc_accounts_event WHERE type IN ('anomaly_detected', 'credential_stuffing_detected')"
    )
    start = now() - timedelta(minutes=5)
    moments = [start - timedelta(milliseconds=count) for count in range(number)]
    sql(
        service,
        "INSERT INTO authsvc_accounts_event (id, type, user_id, ip, user_agent, metadata, created_at)"
        " VALUES (%s, 'anomaly_detected', %s, '203.0.113.7', '', %s, %s)",
        *((first_id(moment), str(uuid4()), METADATA, moment) for moment in moments),
    )


def rows(page: Page) -> Locator:
    return page.locator("#queue > tr")


def expect_selected(page: Page, number: int) -> None:
    """Expect that this row, and no other row, is selected, and that its link has the focus."""
    expect(page.locator('#queue > tr[aria-selected="true"]')).to_have_count(1)
    expect(rows(page).nth(number)).to_have_attribute("aria-selected", "true")
    expect(rows(page).nth(number).locator("th a").first).to_be_focused()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_several_events_and_the_next_page_are_reached_by_keys(queue: Page, service: Service) -> None:
    flag(service, number=27)
    queue.reload()
    press(queue, "s")
    expect(queue.get_by_role("status")).to_contain_text("No event is selected")

    press(queue, "x", "j", "j", "x", "k", "x", "x", "s")
    expect(queue.get_by_role("heading", name="Judge 2 events")).to_be_visible()
    expect(queue.get_by_label("Note")).to_be_focused()
    queue.keyboard.type("Known.")
    press(queue, "Tab", "Enter")
    expect(queue.get_by_text("Confirmed: 2 events.")).to_be_visible()
    expect(rows(queue)).to_have_count(25)

    sql(service, "DELETE FROM authsvc_console_review")
    queue.reload()
    press(queue, "n")
    expect(rows(queue)).to_have_count(2)


def test_the_queue_is_worked_by_keyboard_alone(queue: Page) -> None:
    note = queue.get_by_label("Note")
    press(queue, "j", "j", "j")
    expect_selected(queue, 2)
    press(queue, "k", "k", "k")
    expect_selected(queue, 0)

    press(queue, "?")
    expect(queue.get_by_role("dialog")).to_contain_text("Next event")
    press(queue, "j", "Escape")
    expect_selected(queue, 0)

    press(queue, "c")
    expect(note).to_be_focused()
    queue.keyboard.type("cdjku? An attack.")
    press(queue, "Control+Enter")
    expect_selected(queue, 1)
    expect(rows(queue).nth(0)).to_contain_text("Confirmed by you")
    expect(rows(queue).nth(0)).to_contain_text("cdjku? An attack.")
    expect(queue.get_by_role("status")).to_have_text("Confirmed.")

    press(queue, "d", "Control+Enter")
    expect_selected(queue, 2)
    expect(rows(queue).nth(1)).to_contain_text("Dismissed by you")
    press(queue, "u")
    expect_selected(queue, 1)
    expect(rows(queue).nth(1)).to_contain_text("Unreviewed")

    queue.goto("/console/reviews?status=confirmed")
    press(queue, "c")
    expect(note).to_have_value("cdjku? An attack.")
    press(queue, "Escape")
    queue.goto("/console/reviews")
    expect(rows(queue)).to_have_count(2)
    press(queue, "d", "Control+Enter")
    expect_selected(queue, 1)
    queue.reload()
    expect(rows(queue)).to_have_count(1)
    press(queue, "u")
    expect(rows(queue)).to_have_count(2)
    expect_selected(queue, 0)


def test_the_operator_turns_the_keys_off(queue: Page) -> None:
    keys = queue.get_by_label("Use the keys")
    keys.focus()
    press(queue, "c", "Space")
    expect(keys).not_to_be_checked()
    queue.reload()
    expect(keys).not_to_be_checked()

    press(queue, "j", "c", "?")
    expect(queue.get_by_role("dialog")).to_have_count(0)
    expect(rows(queue).nth(0)).to_have_attribute("aria-selected", "true")

    keys.focus()
    press(queue, "Space")
    rows(queue).nth(0).locator("th a").first.focus()
    press(queue, "Control+d", "Alt+c", "Shift+C")
    expect(queue.get_by_role("dialog")).to_have_count(0)
    press(queue, "d")
    expect(queue.get_by_role("dialog")).to_have_count(1)


def test_a_review_of_another_operator_is_shown_and_not_overwritten(queue: Page, service: Service) -> None:
    def review_elsewhere(number: int) -> None:
        key = str(rows(queue).nth(number).get_attribute("id")).removeprefix("event-")
        sql(
            service,
            "INSERT INTO authsvc_console_review (event_id, status, note, reviewer_id, updated_at)"
            " VALUES (%s, 'dismissed', 'of <b>Oscar</b>', 'oscar', now())",
            [key],
        )

    expect(rows(queue)).to_have_count(3)
    review_elsewhere(0)
    press(queue, "c")
    queue.keyboard.type("mine")
    press(queue, "Control+Enter")
    expect(queue.get_by_role("dialog")).to_contain_text("of <b>Oscar</b>")
    expect(queue.get_by_role("button", name="Keep the saved one")).to_be_focused()
    press(queue, "Enter")
    expect_selected(queue, 0)
    expect(rows(queue).nth(0)).to_contain_text("Dismissed by oscar")

    press(queue, "j")
    review_elsewhere(1)
    press(queue, "c")
    queue.keyboard.type("mine")
    press(queue, "Control+Enter")
    expect(queue.get_by_role("button", name="Keep the saved one")).to_be_focused()
    press(queue, "Shift+Tab", "Enter")
    expect_selected(queue, 2)
    expect(rows(queue).nth(1)).to_contain_text("Confirmed by you")


def test_the_note_survives_the_end_of_the_session(queue: Page, service: Service, olivia: Visitor) -> None:
    press(queue, "j", "d")
    queue.keyboard.type("A journey.")
    sql(service, "DELETE FROM authsvc_pages_browsersession")
    press(queue, "Control+Enter")
    queue.wait_for_url("**/sign-in?*")

    enter_console(queue, service, olivia, "/console/reviews")

    expect(queue.get_by_label("Note")).to_have_value("A journey.")
    press(queue, "Control+Enter")
    expect(rows(queue).nth(1)).to_contain_text("Dismissed by you")


def test_one_review_for_the_whole_list_shows_its_progress(queue: Page, service: Service) -> None:
    flag(service, number=601)
    queue.goto("/console/reviews")
    queue.get_by_role("link", name="Review all of these").press("Enter")
    expect(queue.get_by_text("601 events will get this review")).to_be_visible()
    shown: list[str] = []
    queue.on("response", lambda response: shown.append(response.url) if "reviews/all" in response.url else None)

    queue.get_by_label("Dismiss").press("Space")
    queue.get_by_label("Note").press("Tab")
    press(queue, "Enter")

    heading = queue.get_by_role("heading", name="Finished: 601 events now are dismissed")
    expect(heading).to_be_focused()
    assert len(shown) == 2, "The page sends a second request after the first 500 events."
    # While htmx settles the new part, it sets the focus again.
    expect(queue.locator(":is(#run, #run *):is(.htmx-settling, .htmx-added)")).to_have_count(0)
    queue.get_by_role("link", name="Return to the list").press("Enter")
    expect(queue.get_by_text("No event waits for a review")).to_be_visible()


def test_the_pages_fit_and_have_contrast_and_the_list_is_exported(
    queue: Page, open_page: OpenPage, tmp_path: Path
) -> None:
    event = str(rows(queue).nth(0).get_attribute("id")).removeprefix("event-")
    for width, scheme in [(360, "light"), (1280, "dark")]:
        page = open_page(storage_state=queue.context.storage_state(), color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        for path in ("reviews/all", f"reviews/{event}", "reviews"):
            page.goto(f"/console/{path}")
            assert fits(page), path
            assert [text for text in texts(page) if text.contrast < 4.5] == [], path
        press(page, "d")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert [text for text in texts(page) if text.contrast < 4.5] == []

    with queue.expect_download() as download:
        queue.get_by_role("button", name="Export CSV").press("Enter")
    download.value.save_as(tmp_path / "file.csv")
    lines = (tmp_path / "file.csv").read_text().splitlines()
    assert download.value.suggested_filename.startswith("reviews-20")
    assert (lines[0].split(",")[:2], len(lines)) == (["id", "type"], 4)
