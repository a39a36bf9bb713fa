"""The page of the operators and of their acts."""

from io import StringIO

import pytest
from django.core.management import call_command

from console.exports.lists import export_events
from console.trail.search import EventFilters
from core.clock import now
from core.http.client import Client
from tests.api.console.flagged import guess_at
from tests.console_browser import Browser, prefix
from tests.operators import Console
from tests.people import Person


def test_the_page_lists_the_operators_and_what_each_may_change(browser: Browser, olivia: Person, bob: Person) -> None:
    call_command(
        "grant_operator", "--email", bob.email, "--unproven", "--role", "<b>x", stdout=StringIO(), stderr=StringIO()
    )

    browser.open("operators")

    assert f'href="{prefix()}users/{olivia.user_id}">{olivia.email}</a> <span class="badge info">You' in browser.text
    assert f'href="{prefix()}users/{bob.user_id}">{bob.email}</a></th>' in browser.text
    assert "&lt;b&gt;x" in browser.text
    assert "a label of yours" in browser.text
    assert "manage.py grant_operator -email alice@example.com -revoke" in browser.text


def test_each_act_has_its_author_and_leads_to_its_subject(browser: Browser, olivia: Person, bob: Person) -> None:
    console = Console(olivia.log_in())
    flagged = guess_at(bob)
    console.put(f"/users/{bob.user_id}/metadata/plan", {"value": "gold"})
    console.put(f"/anomalies/{flagged}", {"status": "confirmed", "note": ""})
    console.put("/settings/llm-provider", {"kind": "builtin", "model": "builtin", "api_key": "x"})
    filters = EventFilters(ip="203.0.113.7")
    export_events(filters=filters, operator_id=olivia.user_id, client=Client(ip="", user_agent=""), now=now())

    browser.open("operators")

    for text, link in (
        ("Set the metadata key plan of a user", f"users/{bob.user_id}"),
        ("Marked a flagged event as confirmed", f"reviews/{flagged}"),
        ("Stored the language model setting", "settings/llm"),
        ("Exported the list of events, filtered by ip", "events"),
        ("Made an account an operator, as admin", f"users/{olivia.user_id}"),
    ):
        row = browser.text.partition(text)[2].partition("</tr>")[0]
        assert f'href="{prefix()}{link}"' in row, text
    assert browser.text.count("Command line</span>") == 1


def test_acts_have_pages_and_deleted_authors(
    browser: Browser, olivia: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("grant_operator", "--email", bob.email, "--unproven", stdout=StringIO(), stderr=StringIO())
    for value in range(3):
        Console(bob.log_in()).put(f"/users/{olivia.user_id}/metadata/plan", {"value": value})
    monkeypatch.setattr("console.browser.pages.people.operators.PAGE_SIZE", 2)
    session = bob.log_in()
    assert (
        session.api.post("/v1/delete-account", {"current_password": bob.password}, token=session.access).status == 200
    )

    browser.open("operators")

    assert browser.text.count("Deleted account") == 2
    assert browser.text.count('<tr id="act-') == 2
    older = browser.text.partition('">Older acts')[0].rpartition('href="')[2]
    assert browser.open(older).text.count('<tr id="act-') == 2
    assert "Newest</a>" in browser.text
    assert browser.open("operators?cursor=nonsense").status == 400
    assert "/sign-in" in Browser().open("operators").location
