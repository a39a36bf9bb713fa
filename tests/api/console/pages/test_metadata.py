"""The metadata editor on the page of a user."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from accounts.models import Event
from tests.console_browser import Browser, prefix
from tests.people import Person
from tests.rows import each

HOSTILE = "</textarea><script>alert(1)</script>\"'\u202e=1+1"


def page_of(person: Person) -> str:
    return f"users/{person.user_id}"


def store(browser: Browser, person: Person, key: str, value: str, expected: str | None = None) -> Browser:
    """Send the form of a key. `expected` is the value that the page showed; None adds the key."""
    form = {"key": key, "value": value, **({} if expected is None else {"expected": expected})}
    return browser.submit(f"{page_of(person)}/metadata", form)


def stored(person: Person) -> Any:
    return person.account().metadata


def test_an_operator_adds_changes_and_removes_a_key(browser: Browser, bob: Person) -> None:
    assert "No metadata" in browser.open(page_of(bob)).text

    store(browser, bob, "plan", ' "gold" ').follow()
    assert "You set the metadata key plan." in browser.text
    assert browser.field("expected") == '"gold"'
    assert stored(bob) == {"plan": "gold"}

    store(browser, bob, "plan", '{"seats": 5}', expected='"gold"').follow()
    assert stored(bob) == {"plan": {"seats": 5}}

    browser.submit(f"{page_of(bob)}/metadata/remove", {"key": "plan", "expected": browser.field("expected")})
    assert browser.location == f"{prefix()}{page_of(bob)}"
    assert "You removed the metadata key plan." in browser.follow().text
    assert stored(bob) == {}
    assert Event.objects.filter(type="operator_metadata_changed").count() == 3


def test_a_change_of_claims_asks_for_a_confirmation_after_ten_minutes(
    travel: time_machine.Traveller, browser: Browser, bob: Person
) -> None:
    store(browser, bob, "plan", '"gold"')
    travel.shift(timedelta(minutes=11))

    store(browser, bob, "plan", '"mine"', expected='"gold"')
    assert browser.location.partition("?")[0] == reverse("authsvc-confirm")
    browser.submit(f"{page_of(bob)}/metadata/remove", {"key": "plan", "expected": '"gold"'})
    assert browser.location.partition("?")[0] == reverse("authsvc-confirm")

    assert stored(bob) == {"plan": "gold"}


def test_a_change_of_another_operator_is_not_overwritten(browser: Browser, bob: Person) -> None:
    store(browser, bob, "plan", '"gold"')

    store(browser, bob, "plan", '"mine"', expected='"silver"')
    assert browser.status == 409
    assert "Another operator changed this key" in browser.text
    assert '<code class="user-text">&quot;gold&quot;</code>' in browser.text
    assert ">&quot;mine&quot;</textarea>" in browser.text
    assert stored(bob) == {"plan": "gold"}

    store(browser, bob, "plan", '"mine"', expected=browser.field("expected"))
    assert stored(bob) == {"plan": "mine"}


def test_a_key_that_another_operator_added_or_removed_is_not_overwritten(browser: Browser, bob: Person) -> None:
    store(browser, bob, "seats", "5", expected="4")
    assert (browser.status, "Another operator removed this key" in browser.text) == (409, True)
    assert browser.field("key") == "seats"

    store(browser, bob, "plan", '"gold"')
    assert store(browser, bob, "plan", '"mine"').status == 409
    assert stored(bob) == {"plan": "gold"}

    browser.submit(f"{page_of(bob)}/metadata/remove", {"key": "plan", "expected": '"silver"'})
    assert (browser.status, "so it was not removed" in browser.text) == (409, True)
    browser.submit(f"{page_of(bob)}/metadata/remove", {"key": "seats", "expected": "5"})
    assert "has removed the metadata key seats already" in browser.follow().text
    assert stored(bob) == {"plan": "gold"}


@each(
    "key, value, message",
    [
        ("plan", "gold", 'A text needs quotes: "gold"'),
        ("plan", '{"a": }', "This is not valid JSON. Line 1, column 7"),
        ("plan", '"a\nb"', "This is not valid JSON"),
        ("plan", "", "Type a JSON value."),
        ("plan", "NaN", 'A text needs quotes: "NaN"'),
        ("plan", "18446744073709551616", "must not contain an integer of more than 64 bits"),
        ("plan", "[" * 40 + "]" * 40, "nested levels"),
        ("plan", json.dumps("x" * 1024), "must have at most 1024 bytes"),
        ("plan", '"\\u0000"', "must not contain a NUL character"),
        ("iss", '"me"', "This key is reserved"),
        ("a b", '"me"', "The key must start with a letter"),
    ],
)
def test_a_wrong_key_or_value_returns_with_a_message(
    browser: Browser, bob: Person, key: str, value: str, message: str
) -> None:
    store(browser, bob, key, value)

    assert browser.status in {400, 422}
    assert message in unescape(browser.text)
    assert browser.field("key") == key
    assert unescape(browser.text).count(value) >= 1
    assert stored(bob) == {}


def test_reserved_names_are_listed_and_a_stored_one_cannot_be_changed(browser: Browser, bob: Person) -> None:
    account = bob.account()
    account.metadata = {"role": "admin"}
    account.save()

    browser.open(page_of(bob))

    assert "<s>iss</s>, <s>sub</s>" in browser.text
    assert "The name is reserved" in browser.text
    assert 'name="expected"' not in browser.text
    assert browser.submit(f"{page_of(bob)}/metadata/remove", {"key": "role", "expected": '"admin"'}).status == 400


def test_a_hostile_value_is_escaped_and_kept(browser: Browser, bob: Person) -> None:
    store(browser, bob, "plan", json.dumps(HOSTILE, ensure_ascii=False)).follow()

    assert "<script>alert" not in browser.text
    assert json.loads(browser.field("expected")) == HOSTILE
    store(browser, bob, "plan", "1", expected=browser.field("expected"))
    assert stored(bob) == {"plan": 1}


@pytest.mark.parametrize("path", ["metadata", "metadata/remove"])
def test_only_an_operator_with_the_token_of_the_page_changes_metadata(browser: Browser, bob: Person, path: str) -> None:
    form = {"key": "plan", "value": "1", "expected": "1"}

    assert browser.send(f"{page_of(bob)}/{path}", form).status == 403
    assert "/sign-in" in Browser().send(f"{page_of(bob)}/{path}", form).location
    assert browser.submit(f"users/unknown/{path}", form).status == 404
    assert stored(bob) == {}


def test_a_form_with_two_errors_shows_both(browser: Browser, bob: Person) -> None:
    store(browser, bob, "k" * 3_000, "{")

    assert browser.status == 422
    assert re.search(r"Name: \S.+ Value: \S", browser.text)
    assert stored(bob) == {}
