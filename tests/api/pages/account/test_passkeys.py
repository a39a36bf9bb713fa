"""The passkeys: adding, renaming, removing."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
from django.urls import reverse
from webauthn.helpers import bytes_to_base64url

from mfa.models import Passkey
from pages.models import BrowserSession
from sessions_app.models import Family
from tests import passkeys
from tests.authenticator import Authenticator
from tests.mails import delivered, text_of
from tests.pages import Browser, path_of, signed_in
from tests.people import Person

from .sessions import confirm, notice, old_session
from .test_password import drop_password

WINDOWS_HELLO = UUID("08987058-cadc-4b81-b6e1-30de50dcbe96")
NEW, ONE = "authsvc-account-passkey-new", "authsvc-account-passkey"


def begin(browser: Browser) -> Any:
    """Begin a registration as the script does, from the form that the page shows."""
    fields = browser.form(NEW).fields
    return browser.send("authsvc-account-passkey-begin", fields).page.json()["data"]


def add(browser: Browser, authenticator: Authenticator, **typed: str) -> Browser:
    """Add a passkey as the script does."""
    fields = browser.open(NEW).form(NEW).fields
    ceremony = begin(browser)
    answer = orjson.dumps(authenticator.create(ceremony["public_key"])).decode()
    form = {**fields, **typed, "ceremony_token": ceremony["ceremony_token"], "credential": answer}
    return browser.send(NEW, form)


def own_id() -> str:
    """Return the id of the only passkey, as the pages spell it."""
    return bytes_to_base64url(bytes(Passkey.objects.get().credential_id))


def test_a_passkey_is_added_and_listed(alice: Person) -> None:
    browser = signed_in(alice)

    add(browser, Authenticator(aaguid=WINDOWS_HELLO), nickname="Laptop <b>")

    assert path_of(browser.location) == reverse("authsvc-account-recovery-codes")
    assert notice(browser) == "The passkey is added. We mail you a notice."
    assert Passkey.objects.get().signs_in_alone
    assert BrowserSession.objects.get().has_factor
    browser.open("authsvc-account-passkeys")
    assert "Laptop &lt;b&gt;" in browser.text
    assert "Windows Hello" in browser.text
    assert "Not used yet." in browser.text
    assert own_id() in browser.text
    assert "Laptop" in text_of(delivered(alice.email)[-1])


def test_a_refused_response_says_so_and_adds_nothing(alice: Person) -> None:
    browser = signed_in(alice).open(NEW)
    fields = browser.form(NEW).fields
    form = {**fields, "nickname": "Key", "ceremony_token": begin(browser)["ceremony_token"], "credential": "{}"}

    statuses = [browser.send(NEW, form).status, browser.send(NEW, form).status]

    assert statuses == [401, 400]
    assert browser.field("nickname") == "Key"
    assert 'role="alert"' in browser.text
    assert not Passkey.objects.exists()


def test_the_typed_name_waits_for_the_confirmation(alice: Person) -> None:
    browser = signed_in(alice).open(NEW)
    fields = browser.form(NEW).fields

    Family.objects.update(authenticated_at=Family.objects.get().authenticated_at - timedelta(minutes=6))

    browser.send("authsvc-account-passkey-begin", {**fields, "nickname": "Blue key"})
    confirm(browser, alice)

    assert path_of(browser.url) == reverse(NEW)
    assert browser.field("nickname") == "Blue key"


def test_a_passkey_is_renamed(alice: Person) -> None:
    browser = signed_in(alice)
    add(browser, Authenticator(), nickname="Old")
    browser.open(ONE, own_id())
    assert browser.field("nickname") == "Old"

    browser.submit(ONE, own_id(), nickname="x" * 101)
    assert (browser.status, browser.field("nickname")) == (422, "x" * 101)
    browser.submit(ONE, own_id(), nickname="Work")

    assert notice(browser) == "The name of the passkey is changed."
    assert Passkey.objects.get().nickname == "Work"


def test_a_passkey_is_removed_by_the_password(alice: Person) -> None:
    browser = signed_in(alice)
    add(browser, Authenticator())
    browser.open(ONE, own_id())
    assert "It is your last way of two-step verification." in browser.text

    browser.submit("authsvc-account-passkey-remove", own_id(), password="wrong")
    assert (browser.status, Passkey.objects.count()) == (401, 1)
    browser.submit("authsvc-account-passkey-remove", own_id(), password=alice.password)

    assert notice(browser) == "The passkey is removed. We mail you a notice."
    assert not Passkey.objects.exists()


def test_the_last_way_in_is_warned_about(alice: Person) -> None:
    browser = signed_in(alice)
    add(browser, Authenticator())
    drop_password(alice)

    browser.open(ONE, own_id())

    assert "only passkey that signs you in" in browser.text
    stale = old_session(alice, age=timedelta(minutes=6)).open(ONE, own_id())
    assert path_of(stale.submit("authsvc-account-passkey-remove", own_id()).location) == reverse("authsvc-confirm")


def test_the_passkey_of_another_person_is_not_found(alice: Person, bob: Person) -> None:
    passkeys.enroll(bob, Authenticator())
    browser = signed_in(alice).open("authsvc-account")
    form = {"csrf_token": browser.field("csrf_token"), "nickname": "Mine", "password": alice.password}
    path, removal = reverse(ONE, args=[own_id()]), reverse("authsvc-account-passkey-remove", args=[own_id()])

    statuses = [browser.open(path).status, browser.send(path, form).status, browser.send(removal, form).status]

    assert statuses == [404, 404, 404]
    assert Passkey.objects.get().nickname == "Passkey"
