"""The page of the consent."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import time_machine
from django.urls import reverse

from core.clock import now
from oidc.authorize.waiting import WAIT_MAX
from oidc.models import Code, Consent
from tests.applications import answer_in, register
from tests.pages import Browser, path_of, signed_in
from tests.people import Person


def test_the_page_says_who_asks_and_what_they_will_know(browser: Browser, alice: Person) -> None:
    app = register(is_first_party=False, name="Ledger & Co")

    app.authorize(browser, scope="openid email profile offline_access")

    assert (browser.status, path_of(browser.url)) == (200, "/oauth2/consent")
    shown = browser.text
    assert all(text in shown for text in ("Ledger &amp; Co", "app.example.com", alice.email, "your e-mail address"))
    assert "your name and your profile" in shown
    assert "keeps this access after you sign out" in shown
    assert browser.page.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in browser.page.headers["Content-Security-Policy"]
    assert not Code.objects.exists()
    app.authorize(browser, scope="openid")
    assert "your e-mail address" not in browser.text
    assert "The access ends when you sign out here." in browser.text


def test_a_person_is_asked_once_and_again_for_more(browser: Browser) -> None:
    app = register(is_first_party=False)

    app.authorize(browser, scope="openid email").submit("authsvc-oidc-consent", decision="allow")
    code = answer_in(browser)["code"]

    assert app.redeem(code).status == 200
    assert "code" in answer_in(app.authorize(browser, scope="openid"))
    assert browser.status == 302
    assert app.authorize(browser, scope="openid email profile").shows_form("authsvc-oidc-consent")
    assert app.authorize(browser, claims='{"userinfo": {"nickname": null}}').shows_form("authsvc-oidc-consent")
    assert app.authorize(browser, prompt="consent").shows_form("authsvc-oidc-consent")
    browser.submit("authsvc-oidc-consent", decision="allow")
    assert Consent.objects.get().scopes == "openid email"


def test_a_refusal_is_answered_and_nothing_is_stored(browser: Browser) -> None:
    app = register(is_first_party=False)

    app.authorize(browser).submit("authsvc-oidc-consent", decision="deny")

    answer = answer_in(browser)
    assert (answer["error"], answer["state"]) == ("access_denied", "st&te")
    assert not Consent.objects.exists()
    assert not Code.objects.exists()


def test_an_installed_application_is_never_trusted_by_its_id(browser: Browser) -> None:
    app = register(is_first_party=False, is_public=True, redirect_uri="com.example.app:/back")

    for _ in range(2):
        assert app.authorize(browser).shows_form("authsvc-oidc-consent")
        browser.submit("authsvc-oidc-consent", decision="allow")
        assert "com.example.app:/back?code=" in browser.text


def test_a_person_can_choose_another_account(browser: Browser, bob: Person) -> None:
    app = register()

    app.authorize(browser, prompt="select_account")

    assert browser.shows_form("authsvc-oidc-consent")
    sign_in = reverse("authsvc-sign-in")
    [link] = [word for word in browser.text.split('"') if word.startswith(f"{sign_in}?") and "again=1" in word]
    assert path_of(dict(parse_qsl(urlsplit(link.replace("&amp;", "&")).query))["next"]) == "/oauth2/consent"
    browser.submit("authsvc-oidc-consent", decision="allow")
    assert "code" in answer_in(browser)


@pytest.mark.parametrize("change", [{"csrf_token": "x" * 64}, {"request": "nonsense"}, {"request": ""}])
def test_another_site_cannot_agree(browser: Browser, change: dict[str, str]) -> None:
    app = register(is_first_party=False)
    form = app.authorize(browser).form("authsvc-oidc-consent")

    browser.send(form.action, {**form.fields, "decision": "allow", **change})

    assert browser.status in (400, 403)
    assert not Consent.objects.exists()
    browser.send(form.action, {**form.fields, "decision": "allow"}, headers={"Origin": "https://eve.example"})
    assert browser.status == 403
    assert not Consent.objects.exists()


def test_a_form_of_one_person_agrees_for_no_other(browser: Browser, bob: Person) -> None:
    app = register(is_first_party=False)
    form = app.authorize(browser).form("authsvc-oidc-consent")
    of_bob = signed_in(bob)

    of_bob.send(form.action, {**form.fields, "decision": "allow"})

    assert of_bob.status == 403
    assert not Consent.objects.exists()


def test_a_page_expires(browser: Browser) -> None:
    app = register(is_first_party=False)
    app.authorize(browser)

    with time_machine.travel(now() + WAIT_MAX * 2):
        browser.submit("authsvc-oidc-consent", decision="allow")

    assert browser.status == 400
    assert "expired" in browser.text
    assert not Code.objects.exists()


def test_the_language_is_that_of_the_application(browser: Browser) -> None:
    app = register(is_first_party=False)

    app.authorize(browser, ui_locales="xx de-AT fr")

    assert '<html lang="de"' in browser.text


def test_a_consent_covers_the_services_that_its_page_named(browser: Browser) -> None:
    invoices, files = "https://invoices.example.com/v1", "urn:example:files"
    app = register(is_first_party=False, resources=[invoices, files])
    app.sign_in(browser)

    app.authorize(browser, resource=invoices)

    assert "The application can act in your name at:" in browser.text
    assert '<li class="user-text">invoices.example.com</li>' in browser.text
    browser.submit("authsvc-oidc-consent", decision="allow")
    assert answer_in(browser)["code"]
    assert "code" in answer_in(app.authorize(browser, resource=invoices))
    assert "code" in answer_in(app.authorize(browser, resource="http://localhost:8000/oauth2/userinfo"))
    app.authorize(browser, resource=files)
    assert '<li class="user-text">urn:example:files</li>' in browser.text
    assert answer_in(app.authorize(browser, resource=files, prompt="none"))["error"] == "consent_required"
