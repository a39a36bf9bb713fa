"""The list of second factors, and the removal of a factor without a page of its own."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.urls import reverse

from mfa.models import Totp
from pages.account.factor_rooms import FactorRoom, factor_rooms
from pages.models import BrowserSession
from tests.mails import delivered, text_of
from tests.pages import path_of, signed_in
from tests.people import Person, existing_session
from tests.second_factors import App, enroll_totp, generate_codes
from tests.third_factor import Card, give, registered

from .sessions import notice, old_session
from .test_password import drop_password

LIST = "authsvc-account-two-step"


@pytest.fixture
def card() -> Iterator[Card]:
    """A second factor that a site has added."""
    card = Card()
    with registered(card):
        yield card


def secret_in(text: str) -> str:
    """Return the secret that the page shows as text."""
    return text.partition('<pre id="app-secret" tabindex="0">')[2].partition("</pre>")[0].replace(" ", "")


def test_each_registered_factor_is_listed(alice: Person, card: Card) -> None:
    session = existing_session(alice)
    browser = signed_in(alice).open(LIST)
    assert [browser.text.count(f"Set up: {name}") for name in ("Passkeys", "Authenticator app", "Recovery codes")] == [
        1
    ] * 3
    assert "Printed card" in browser.text

    enroll_totp(session)
    generate_codes(session)
    give(card, alice)
    browser.open(LIST)

    assert "Authenticator app, since" in browser.text
    assert "Recovery codes: 10" in browser.text
    assert f'href="{reverse("authsvc-account-factor", args=["card"])}"' in browser.text


def test_a_site_gives_its_factor_a_page_of_its_own(alice: Person, card: Card) -> None:
    room = FactorRoom(
        factor=card.name,
        name="authsvc-account-activity",
        title="Printed card",
        about="A card with numbers.",
        is_on=lambda: True,
    )
    factor_rooms.register(room)

    browser = signed_in(alice).open(LIST, next=reverse("authsvc-account-devices"))
    factor_rooms.unregister(room)

    assert "A card with numbers." in browser.text
    assert f'href="{reverse("authsvc-account-activity")}?next=%2Faccount%2Fdevices"' in browser.text


def test_the_factor_of_a_site_is_removed_by_the_password(alice: Person, card: Card) -> None:
    give(card, alice)
    browser = signed_in(alice).open("authsvc-account-factor", "card")
    assert "It is your last way of two-step verification." in browser.text

    browser.submit("authsvc-account-factor", "card", password="wrong")
    assert (browser.status, "This is not your password." in browser.text, alice.user_id in card.holders) == (
        401,
        True,
        True,
    )
    browser.submit("authsvc-account-factor", "card", password=alice.password)

    assert notice(browser) == "Removed: printed card. We mail you a notice."
    assert card.holders == {}
    assert "printed card" in text_of(delivered(alice.email)[-1])
    assert browser.open("authsvc-account-factor", "card").status == 404
    assert browser.open("authsvc-account-factor", "recovery_code").status == 404


def test_an_app_is_set_up_and_the_way_leads_to_codes_and_back(alice: Person) -> None:
    following = reverse("authsvc-account-activity")
    browser = signed_in(alice).open(LIST, next=following)
    browser.open("authsvc-account-app", next=following)

    browser.submit("authsvc-account-app").follow()
    app = App(secret_in(browser.text))
    assert "data:image/svg+xml;base64," in browser.text
    browser.submit("authsvc-account-app-scan", code=app.wrong_code())
    assert (browser.status, Totp.objects.filter(confirmed_at=None).exists()) == (401, True)
    browser.submit("authsvc-account-app-scan", code=app.code())

    assert path_of(browser.location) == reverse("authsvc-account-recovery-codes")
    assert notice(browser) == "Your authenticator app is set up. We mail you a notice."
    assert BrowserSession.objects.get().has_factor
    assert browser.field("next") == following
    browser.submit("authsvc-account-recovery-codes")
    assert f'class="button primary" href="{following}"' in browser.text
    assert browser.text.count("<li>") >= 10


def test_a_factor_beside_another_one_does_not_prove_the_session(alice: Person, card: Card) -> None:
    browser = signed_in(alice)
    BrowserSession.objects.update(has_factor=False)
    give(card, alice)
    browser.open("authsvc-account-app").submit("authsvc-account-app").follow()

    browser.submit("authsvc-account-app-scan", code=App(secret_in(browser.text)).code())

    assert not BrowserSession.objects.get().has_factor


def test_the_confirmed_secret_is_never_shown_again(alice: Person) -> None:
    enroll_totp(existing_session(alice))
    browser = signed_in(alice)

    browser.open("authsvc-account-app-scan")

    assert path_of(browser.location) == reverse("authsvc-account-app")
    assert "Remove the authenticator app" in browser.follow().text
    form = {"csrf_token": browser.field("csrf_token"), "code": "000000"}
    assert browser.send("authsvc-account-app-scan", form).status == 303
    assert browser.send("authsvc-account-app", form).status == 303


def test_the_app_is_removed_by_the_password(alice: Person) -> None:
    enroll_totp(existing_session(alice))
    browser = signed_in(alice).open("authsvc-account-app")

    browser.submit("authsvc-account-app-remove", password="wrong")
    assert (browser.status, Totp.objects.count()) == (401, 1)
    browser.submit("authsvc-account-app-remove", password=alice.password)

    assert notice(browser) == "The authenticator app is removed. We mail you a notice."
    assert Totp.objects.count() == 0


def test_without_a_password_a_recent_login_removes_the_app(alice: Person) -> None:
    enroll_totp(existing_session(alice))
    drop_password(alice)
    stale = old_session(alice, age=timedelta(minutes=6)).open("authsvc-account-app")
    stale.submit("authsvc-account-app-remove")
    assert path_of(stale.location) == reverse("authsvc-confirm")
    stale.open("authsvc-account-app-remove")
    assert path_of(stale.location) == reverse("authsvc-account-app")

    signed_in(alice).open("authsvc-account-app").submit("authsvc-account-app-remove")

    assert Totp.objects.count() == 0


def test_new_codes_replace_the_old_ones_and_are_shown_once(alice: Person) -> None:
    old = generate_codes(existing_session(alice))
    browser = signed_in(alice).open("authsvc-account-recovery-codes")
    assert "<strong>10</strong> codes are left." in browser.text
    assert not any(code in browser.text for code in old)

    browser.submit("authsvc-account-recovery-codes")

    codes = browser.text.partition('id="codes">')[2].partition("</ol>")[0]
    shown = [part.partition("</li>")[0] for part in codes.split("<li>")[1:]]
    assert len({*shown}) == 10
    assert not {*shown} & {*old}
    assert "data:text/plain;charset=utf-8,Recovery%20codes%20of%20alice%40example.com" in browser.text
    assert all(code in browser.text.partition("data:text/plain")[2].partition('"')[0] for code in shown)
    assert shown[0] not in browser.open("authsvc-account-recovery-codes").text


def test_new_codes_need_a_recent_login_and_count_as_those_of_the_api(
    alice: Person, configure: Callable[..., None]
) -> None:
    stale = old_session(alice).open("authsvc-account-recovery-codes").submit("authsvc-account-recovery-codes")
    assert path_of(stale.location) == reverse("authsvc-confirm")
    configure(RATE_LIMITS="mail_account=1/h")
    generate_codes(existing_session(alice))

    browser = signed_in(alice).open("authsvc-account-recovery-codes").submit("authsvc-account-recovery-codes")

    assert browser.status == 429
