"""The data about one person, which an operator hands over."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse

from accounts.models import Event
from accounts.state import personal_tables
from core import clock
from tests.console_browser import Browser, prefix
from tests.factories import EventFactory
from tests.pages import path_of
from tests.people import Person
from tests.second_factors import enroll_totp

Configure = Callable[..., None]


def test_the_file_has_the_rows_of_the_owners_own_export(
    browser: Browser, olivia: Person, alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = alice.log_in()
    enroll_totp(session)
    EventFactory.create_batch(5, type="logout", user_id=alice.user_id)
    bob.log_in()
    own = alice.api.get("/v1/account/export", token=session.access).data
    monkeypatch.setattr(personal_tables, "BATCH", 2)
    browser.open(f"users/{alice.user_id}")
    assert f'action="{prefix()}users/{alice.user_id}/data"' in browser.text

    browser.submit(f"users/{alice.user_id}/data")

    assert browser.status == 200
    assert browser.page.headers["Content-Type"] == "application/json"
    assert browser.page.headers["Content-Disposition"].startswith(f'attachment; filename="{alice.user_id}-20')
    text = browser.page.getvalue().decode()
    data = json.loads(text)
    assert (data["user_id"], data["email"], data["tables"]) == (alice.user_id, alice.email, own["tables"])
    assert bob.email not in text
    assert olivia.email not in text
    (event,) = Event.objects.filter(type="operator_exported")
    assert event.user_id == olivia.user_id
    assert event.metadata == {"list": "personal data", "filters": [], "subject_id": alice.user_id}
    browser.open("operators")
    assert "Exported all data about a user" in browser.text
    assert f'<a class="user-text" href="{prefix()}users/{alice.user_id}">{alice.email}</a>' in browser.text


def test_the_export_needs_a_fresh_proof_and_an_account(browser: Browser, alice: Person) -> None:
    assert browser.submit("users/018f0000-0000-7000-8000-000000000000/data").status == 404

    with time_machine.travel(clock.now() + timedelta(minutes=20), tick=False):
        browser.submit(f"users/{alice.user_id}/data")

    assert path_of(browser.location) == reverse("authsvc-confirm")
    assert not Event.objects.filter(type="operator_exported").exists()
