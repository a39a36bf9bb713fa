"""The connected accounts: the list, and the removal of one."""

import pytest
from django.urls import reverse

from core.clock import now
from sessions_app.models import Identity
from tests.pages import path_of, signed_in
from tests.people import Person

from .sessions import confirm, notice, old_session
from .test_password import drop_password

ROOM, REMOVE = "authsvc-account-connected", "authsvc-account-disconnect"


def connected(person: Person, *, provider: str = "google") -> str:
    """Store an identity of the person, and return its id."""
    made = Identity.objects.create(
        account=person.account(),
        provider=provider,
        issuer="https://accounts.google.com",
        subject=f"{provider} {person.user_id}",
        name="Alice <b>",
        created_at=now(),
        last_used_at=now(),
    )
    return str(made.pk)


def test_an_identity_is_listed_and_removed_after_a_recent_login(alice: Person) -> None:
    identity = connected(alice)
    browser = old_session(alice).open(ROOM)
    assert "Google" in browser.text
    assert "Alice &lt;b&gt;" in browser.text

    browser.submit(REMOVE, identity)
    assert path_of(browser.location) == reverse("authsvc-confirm")
    confirm(browser, alice)
    browser.submit(REMOVE, identity)

    assert notice(browser) == "The account is disconnected. We mail you a notice."
    assert "You have no connected accounts." in browser.text


def test_the_last_way_to_sign_in_stays(alice: Person) -> None:
    identity = connected(alice)
    drop_password(alice)
    browser = signed_in(alice).open(ROOM).submit(REMOVE, identity)

    assert browser.status == 409
    assert "no other way to sign in" in browser.text
    assert Identity.objects.exists()


@pytest.mark.parametrize("whose", ["bob", "no one"])
def test_the_identity_of_another_person_is_not_found(alice: Person, bob: Person, whose: str) -> None:
    foreign = connected(bob) if whose == "bob" else "x"
    browser = signed_in(alice).open("authsvc-account")

    browser.send(reverse(REMOVE, args=[foreign]), {"csrf_token": browser.field("csrf_token")})

    assert browser.status == 404
    assert Identity.objects.count() == (1 if whose == "bob" else 0)
