"""The connected accounts: the list, a new one, and the removal of one."""

from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from core.clock import now
from sessions_app.models import Identity
from sessions_app.oauth import discovery
from tests import issuers
from tests.issuers import Issuer, user
from tests.pages import path_of, signed_in
from tests.people import Person

from .sessions import confirm, notice, old_session
from .test_password import drop_password

ROOM, REMOVE, CONNECT = (f"authsvc-account-{name}" for name in ("connected", "disconnect", "connect"))


@pytest.fixture
def issuer(configure: Callable[..., None]) -> Iterator[Issuer]:
    """A configured issuer under the name acme."""
    discovery.forget()
    with issuers.running() as made:
        configure(**{**made.variables(), "OAUTH_REDIRECT_URIS": ""})
        yield made


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


def test_a_provider_is_connected_after_a_fresh_login(alice: Person, issuer: Issuer) -> None:
    browser = old_session(alice).open(ROOM).submit(CONNECT, "acme")
    assert path_of(browser.location) == reverse("authsvc-confirm")
    confirm(browser, alice)
    browser.submit(CONNECT, "acme")

    url = unescape(browser.text.partition('content="0; url=')[2].partition('"')[0])
    browser.open(f"{reverse('authsvc-sign-in-provider', args=['acme'])}?{urlencode(issuer.approve(url, user()))}")

    assert path_of(browser.location) == reverse(ROOM)
    assert "is connected to your account." in notice(browser)
    assert browser.shows_form(REMOVE, str(Identity.objects.get(account=alice.account()).pk))


def test_an_unknown_provider_is_not_found(alice: Person) -> None:
    browser = signed_in(alice).open("authsvc-account")
    form = {"csrf_token": browser.field("csrf_token")}

    assert browser.send(reverse(CONNECT, args=["nowhere"]), form).status == 404
