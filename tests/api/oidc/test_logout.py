"""Logouts that an application starts."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client as HttpClient

from events.models import Event
from tests.applications import Application, register
from tests.pages import FORM, HOST, Browser, path_of, signed_in, to_path
from tests.people import Person

LEFT = "https://app.example.com/left?a=1"
CONFIRM = "authsvc-oidc-logout-confirm"


@pytest.fixture
def app(browser: Browser) -> Application:
    """An application with a session that alice opened in the browser."""
    return register(post_logout_uris=[LEFT]).sign_in(browser)


def leave(browser: Browser, **parameters: str) -> Browser:
    """Open the logout endpoint."""
    return browser.open(f"{to_path('authsvc-oidc-logout')}?{urlencode(parameters)}")


def is_live(app: Application) -> bool:
    """Return whether the session of the application is live."""
    return app.refresh().status == 200


def test_an_id_token_of_this_session_signs_out_at_once(browser: Browser, app: Application) -> None:
    other = register().sign_in(browser)
    offline = register().sign_in(browser, scope="openid offline_access")
    hint = app.tokens["id_token"]

    leave(browser, id_token_hint=hint, post_logout_redirect_uri=LEFT, state="a&b c", client_id=app.client_id)

    assert (browser.status, browser.location) == (302, f"{LEFT}&state=a%26b+c")
    assert browser.cookie == ""
    assert not browser.is_signed_in()
    assert [is_live(one) for one in (app, other, offline)] == [False, False, True]
    assert Event.objects.filter(type="logout").count() == 1
    leave(browser, id_token_hint=hint, post_logout_redirect_uri=LEFT)
    assert (browser.status, browser.location) == (302, LEFT)


def test_without_an_address_the_person_sees_that_they_are_signed_out(browser: Browser, app: Application) -> None:
    leave(browser, id_token_hint=app.tokens["id_token"], state="x").follow()

    assert path_of(browser.url) == to_path("authsvc-sign-in")
    assert "You are signed out." in browser.text


@pytest.mark.parametrize(
    "hint", ["none", "of another person", "of another browser", "broken", "of another client", "access"]
)
def test_a_question_comes_without_an_id_token_of_this_session(
    alice: Person, bob: Person, browser: Browser, app: Application, hint: str
) -> None:
    tokens = {
        "none": "",
        "of another person": register().sign_in(signed_in(bob)).tokens["id_token"],
        "of another browser": register(post_logout_uris=[LEFT]).sign_in(signed_in(alice)).tokens["id_token"],
        "broken": app.tokens["id_token"][:-4],
        "of another client": register(name="Other").sign_in(browser).tokens["id_token"],
        "access": app.tokens["access_token"],
    }
    named = {"client_id": app.client_id} if hint == "of another client" else {}

    leave(browser, **({"id_token_hint": tokens[hint]} if tokens[hint] else {}), state="x", **named)

    assert browser.status == 200
    assert browser.shows_form(CONFIRM)
    assert is_live(app)
    browser.submit(CONFIRM).follow()
    assert "You are signed out." in browser.text
    assert not is_live(app)


def test_the_person_who_agrees_returns_to_the_client_that_asked(browser: Browser, app: Application) -> None:
    leave(browser, client_id=app.client_id, post_logout_redirect_uri=LEFT, state="s", ui_locales="de")

    assert "Grafana" in browser.text
    assert 'lang="de"' in browser.text
    browser.submit(CONFIRM)
    # The policy of the page refuses a redirect to another site after a form.
    assert browser.status == 200
    assert f'content="0;url={LEFT}&amp;state=s"' in browser.text
    assert not is_live(app)


@pytest.mark.parametrize(
    "address",
    [
        "https://app.example.com/left",
        "https://app.example.com/left?a=1&b=2",
        "https://app.example.com/left?a=1#x",
        "https://app.example.com.evil.example/left?a=1",
        "https://evil.example/",
        "//evil.example/",
        "javascript:alert(1)",
    ],
)
def test_no_address_that_is_not_registered_gets_the_person(browser: Browser, app: Application, address: str) -> None:
    for own in ({"id_token_hint": app.tokens["id_token"]}, {"client_id": app.client_id}):
        leave(browser, post_logout_redirect_uri=address, **own)
        assert (browser.status, browser.location) == (400, "")
        assert "not registered" in browser.text
    assert is_live(app)


def test_a_request_that_names_no_client_leads_to_no_client(alice: Person, app: Application) -> None:
    unknown = app.client_id[:-1] + ("1" if app.client_id.endswith("0") else "0")
    for given in ({}, {"id_token_hint": "x.y.z", "client_id": app.client_id}, {"client_id": unknown}):
        person = signed_in(alice)
        leave(person, post_logout_redirect_uri=LEFT, **given)
        assert person.status == 200
        assert path_of(person.submit(CONFIRM).location) == to_path("authsvc-sign-in")
        leave(person, post_logout_redirect_uri=LEFT, **given)
        assert path_of(person.location) == to_path("authsvc-sign-in")


def test_another_site_signs_out_nobody(alice: Person, browser: Browser, app: Application) -> None:
    address = to_path("authsvc-oidc-logout")
    elsewhere: dict[str, Any] = {"Origin": "https://evil.example", "Host": HOST, "Sec-Fetch-Site": "cross-site"}

    form = urlencode({"client_id": app.client_id, "post_logout_redirect_uri": LEFT}).encode()
    answer = HttpClient().generic("POST", address, form, content_type=FORM, headers=elsewhere)
    assert (answer.status_code, path_of(answer.headers["Location"])) == (303, address)
    browser.open(answer.headers["Location"])
    assert browser.shows_form(CONFIRM)
    sent = browser.form(CONFIRM).fields
    browser.send(CONFIRM, sent, headers={"Origin": "https://evil.example"})
    assert browser.status == 403
    browser.send(CONFIRM, {**sent, "csrf_token": "x"})
    assert browser.status == 403
    assert is_live(app)
    assert browser.is_signed_in()


@pytest.mark.parametrize("query", ["state=a&state=b", "client_id=1&client_id=2", f"state={'a' * 1001}", "state=%00"])
def test_a_malformed_request_gets_an_error(browser: Browser, app: Application, query: str) -> None:
    browser.open(f"{to_path('authsvc-oidc-logout')}?{query}")

    assert browser.status == 400
    assert is_live(app)
