"""The browsable API: the operators' routes as pages, for an operator who is signed in to the console."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.urls import reverse

from accounts.models import Event
from tests.applications import register
from tests.console_browser import Browser, grant, signed_in
from tests.contract.tables import ADMIN, ROUTES, Route
from tests.operators import operator
from tests.people import Person, sign_up

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment")

HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ALL_FEATURES = {
    "WEBHOOK_URL": "https://hooks.example.com/",
    "WEBHOOK_SECRET": "whsec_" + "A" * 32,
    "LOG_SHIPPING": "record",
    "DIGEST_INTERVAL_HOURS": "24",
}
WIDGET = "/v1/admin/settings/ask-ai-widget"
LLM = "/v1/admin/settings/llm-provider"


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator."""
    person = sign_up("olivia")
    grant(person)
    return person


@pytest.fixture
def browser(olivia: Person, configure: Configure) -> Browser:
    """A browser in which Olivia is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional", **ALL_FEATURES)
    return signed_in(olivia)


def operators_routes() -> list[Route]:
    """Return the operators' routes of the contract."""
    return [route for route in ROUTES if route.auth is ADMIN]


def opened(browser: Browser, path: str) -> Browser:
    """Open the path as a browser does."""
    return browser.open(path, headers=HTML)


def sent(browser: Browser, path: str, method: str, form: dict[str, Any]) -> Browser:
    """Open the page, and send its form for the method."""
    token = opened(browser, path).field("csrf_token")
    return browser.send(path, {"csrf_token": token, "_method": method, **form}, headers=HTML)


def body_of(browser: Browser) -> str:
    """Return the JSON that the page shows, without the links in it."""
    found = re.search(r'aria-label="Body of the answer">(.*?)</pre>', browser.text, re.DOTALL)
    assert found is not None, browser.text
    return unescape(re.sub(r"</?a[^>]*>", "", found[1]))


def test_each_route_is_a_page_for_the_operator_of_the_session(browser: Browser, olivia: Person) -> None:
    ids = {"{userID}": olivia.user_id, "{clientID}": register().client_id}
    for route in operators_routes():
        own = next((name for name in ids if name in route.path), None)
        path = route.path.replace(own, ids[own]) if own else route.url
        page = opened(browser, path).page
        assert page.headers["Content-Type"] == "text/html; charset=utf-8", route
        # The diagnosis needs an address. A route without GET shows its forms.
        assert page.status_code == (400 if "diagnose" in route.path else 200), route
        is_readable = any(other.path == route.path and other.method == "GET" for other in operators_routes())
        assert ('aria-label="Answer"' in browser.text) == is_readable, route
        assert f'aria-label="{route.method}"' in browser.text or route.method == "GET", route
        assert {"Accept", "Cookie"} <= set(page.headers["Vary"].split(", "))
        assert "default-src 'none'; script-src 'nonce-" in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "no-store"
        assert not page.cookies
        assert not re.search(r"<script(?![^>]*nonce)| style=| on\w+=|bootstrap|jquery", browser.text), route


def test_the_cookie_counts_neither_for_json_nor_beside_a_bearer_token(browser: Browser, olivia: Person) -> None:
    tokens = {
        operator(olivia).access: None,
        sign_up("bob").log_in().access: "not_operator",
        "x": "invalid_access_token",
    }
    for route in operators_routes():
        for accept in ("application/json", "*/*", "", "application/json, text/html;q=0.9"):
            refused = browser.client.generic(route.method, route.url, headers={"Accept": accept})
            assert (refused.status_code, refused.json()["error"]["code"]) == (401, "missing_auth_header"), route
        for token, code in tokens.items():
            headers = {**HTML, "Authorization": f"Bearer {token}"}
            answer = browser.client.generic(route.method, route.url, headers=headers)
            assert answer.headers["Content-Type"] == "application/json", route
            assert code is None or answer.json()["error"]["code"] == code, route


def test_a_page_shows_the_answer_with_its_status_headers_texts_and_links(browser: Browser, olivia: Person) -> None:
    opened(browser, "/v1/admin/users?limit=1")

    assert "200 OK" in browser.text
    assert "<dt>X-Spec-Version</dt>" in browser.text
    assert "List or find users" in browser.text
    assert "Return the user with exactly the address <code>q</code>." in browser.text
    assert f'"email": "{olivia.email}"' in body_of(browser)
    assert f'<a href="/v1/admin/users/{olivia.user_id}">' in browser.text
    assert 'id="get-limit" name="limit" inputmode="numeric" placeholder="50" value="1"' in browser.text
    assert "A number from 1 to 500." in browser.text
    opened(browser, f"/v1/admin/users/{olivia.user_id}")
    assert f'<a href="/v1/admin/users/{olivia.user_id}/metadata">users/{{user_id}}/metadata</a>' in browser.text


def test_lists_lead_to_their_next_page_and_drop_blank_parameters(browser: Browser) -> None:
    for name in ("alice", "bob"):
        sign_up(name)

    assert "offset=2" in opened(browser, "/v1/admin/users?limit=2&q=").text
    assert "Next page" not in opened(browser, "/v1/admin/users?limit=2&offset=2").text
    assert "cursor=" in opened(browser, "/v1/admin/events?limit=1&ip=&type=").text


def test_an_error_is_a_page_with_the_envelope(browser: Browser) -> None:
    opened(browser, "/v1/admin/users?limit=no")
    assert (browser.status, '"message": "limit: must be an integer."' in body_of(browser)) == (400, True)
    assert '<p class="error">must be an integer.</p>' in browser.text

    opened(browser, "/v1/admin/nonsense")
    assert (browser.status, '"code": "not_found"' in body_of(browser)) == (404, True)

    for path in ("/v1/admin", "/v1/admin/"):
        assert '<a href="/v1/admin/settings/llm-provider">' in opened(browser, path).text
        assert browser.status == 200
        assert "<title>Routes of operators · " in browser.text
        assert 'aria-label="Answer"' not in browser.text


def test_an_address_without_get_shows_its_forms(browser: Browser, olivia: Person) -> None:
    opened(browser, f"/v1/admin/users/{olivia.user_id}/metadata/tier")

    assert browser.status == 200
    assert 'aria-label="Answer"' not in browser.text
    assert re.findall(r'name="_method" value="(\w+)"', browser.text) == ["PUT", "PUT", "DELETE"]
    sent(browser, f"/v1/admin/users/{olivia.user_id}/metadata/tier", "PUT", {"value": "7"})
    assert (browser.status, '"tier": 7' in body_of(browser)) == (200, True)


def test_a_form_writes_what_its_fields_mean(browser: Browser, olivia: Person) -> None:
    form = {
        "enabled": "on",
        "greeting": 'Hello "you"',
        "placeholder": "",
        "allowed_origins": "https://a.example\r\n\r\nhttps://b.example\r\n",
        "entities": ["sessions", "audit_events"],
    }

    sent(browser, WIDGET, "PUT", form)

    assert browser.status == 200, browser.text
    stored = operator(olivia)
    answer = stored.api.get(WIDGET, token=stored.access).data
    assert answer["allowed_origins"] == ["https://a.example", "https://b.example"]
    assert (answer["enabled"], answer["greeting"], sorted(answer["entities"])) == (
        True,
        'Hello "you"',
        ["audit_events", "sessions"],
    )
    assert Event.objects.get(type="operator_setting_changed").user_id == olivia.user_id
    # The form shows the stored setting.
    assert 'name="enabled" checked' in browser.text
    assert "https://a.example\nhttps://b.example</textarea>" in browser.text

    assert sent(browser, WIDGET, "DELETE", {}).status == 200
    assert '"enabled": false' in body_of(browser)


def test_a_refused_form_keeps_what_was_typed_except_secrets(browser: Browser) -> None:
    form = {"kind": "openai", "model": "m", "api_key": "sk-secret", "max_tokens": "1"}

    sent(browser, LLM, "PUT", form)

    assert (browser.status, '"code": "invalid_llm_provider"' in body_of(browser)) == (400, True)
    assert '<p class="error">must be at least 256.</p>' in browser.text
    assert "<option selected>openai</option>" in browser.text
    assert 'value="1"' in browser.text
    assert "sk-secret" not in browser.text
    sent(browser, LLM, "PUT", {"_content": '{"kind": "openai", "api_key": "sk-secret"}'})
    assert (browser.status, "sk-secret" in browser.text) == (400, False)


@pytest.mark.parametrize(
    ("form", "status", "text"),
    [
        ({"value": '{"a": [1, true, null]}'}, 200, '"tier": {'),
        ({"value": "12345678901234567890"}, 200, '"tier": 12345678901234567890'),
        ({"value": "gold"}, 400, 'must be JSON, such as 5, true or \\"gold\\"'),
        ({"value": "NaN"}, 400, "must be valid JSON"),
        ({"value": "[" * 40 + "]" * 40}, 400, "at most 32 nested levels"),
        ({"value": "[" * 9999}, 400, "must be JSON"),
        ({"value": ""}, 400, "bad_request"),
        ({"_content": '{"value": "gold"}'}, 200, '"tier": "gold"'),
        ({"_content": "nonsense"}, 400, "must be valid JSON"),
    ],
)
def test_json_in_a_form_is_read_as_in_a_body(
    browser: Browser, olivia: Person, form: dict[str, str], status: int, text: str
) -> None:
    sent(browser, f"/v1/admin/users/{olivia.user_id}/metadata/tier", "PUT", form)

    assert (browser.status, text in body_of(browser)) == (status, True), body_of(browser)


def test_a_review_is_written_by_its_form(browser: Browser, olivia: Person) -> None:
    flagged = Event.objects.create(
        type="anomaly_detected", user_id=olivia.user_id, created_at="2026-03-10T12:00:00Z", metadata={}
    )
    path = f"/v1/admin/anomalies/{flagged.pk}"
    assert f'<a href="{path}">' in opened(browser, "/v1/admin/anomalies").text

    sent(browser, path, "PUT", {"status": "dismissed", "note": "a\r\nb"})

    assert (browser.status, '"note": "a\\nb"' in body_of(browser)) == (200, True)


def test_a_form_needs_the_token_of_its_session_and_its_own_origin(browser: Browser) -> None:
    token = opened(browser, WIDGET).field("csrf_token")
    form = {"_method": "DELETE"}

    for given in ({}, {"csrf_token": "wrong"}):
        assert browser.send(WIDGET, {**form, **given}, headers=HTML).status == 403
    for origin in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        assert browser.send(WIDGET, {**form, "csrf_token": token}, headers={**HTML, **origin}).status == 403
    as_json = browser.client.post(WIDGET, {}, content_type="application/json", headers=HTML)
    assert as_json.status_code in {403, 415}
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert browser.client.generic(method, WIDGET, headers=HTML).status_code == 401

    assert not Event.objects.filter(type="operator_setting_changed").exists()


def test_a_form_cannot_choose_another_method(browser: Browser) -> None:
    for method in ("GET", "PATCH", "nonsense", ""):
        assert sent(browser, WIDGET, method, {}).status == 405
    assert opened(browser, f"{WIDGET}?_method=DELETE").status == 200


def test_a_setting_and_a_test_of_values_need_a_recent_second_factor(
    travel: time_machine.Traveller, browser: Browser
) -> None:
    travel.shift(timedelta(minutes=11))

    for path, method, form in ((WIDGET, "DELETE", {}), (f"{WIDGET}/test", "POST", {"greeting": "Hello"})):
        sent(browser, path, method, form)
        assert (browser.status, browser.location.partition("?")[0]) == (303, reverse("authsvc-confirm"))

    token = opened(browser, WIDGET).field("csrf_token")
    referred = {**HTML, "Referer": f"http://localhost:8000{WIDGET}"}
    browser.send(WIDGET, {"csrf_token": token, "_method": "DELETE"}, headers=referred)
    assert browser.location == f"{reverse('authsvc-confirm')}?next=%2Fv1%2Fadmin%2Fsettings%2Fask-ai-widget"


def test_a_session_that_ended_gets_json(browser: Browser, olivia: Person) -> None:
    call_command("grant_operator", "--email", olivia.email, "--revoke", stdout=StringIO())

    refused = opened(browser, "/v1/admin/users").page

    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "missing_auth_header")
    assert (
        browser.send(WIDGET, {"_method": "DELETE"}, headers=HTML).page.json()["error"]["code"] == "missing_auth_header"
    )


def test_an_operator_without_a_factor_enrols_one_first(browser: Browser, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")

    assert (
        opened(browser, "/v1/admin/users").location
        == f"{reverse('authsvc-account-two-step')}?next=%2Fv1%2Fadmin%2Fusers"
    )


def test_hostile_values_are_escaped(browser: Browser, olivia: Person) -> None:
    hostile = "<script>alert(1)</script>\"'\u202e=1&quot;id&quot;: &quot;x&quot;"
    path = f"/v1/admin/users/{olivia.user_id}/metadata/tier"

    sent(browser, path, "PUT", {"_content": '{"value": ' + json.dumps(hostile) + "}"})

    assert browser.status == 200
    assert "<script>alert" not in browser.text
    assert "\u202e" not in body_of(browser)
    assert "\\u202e" in body_of(browser)
    opened(browser, "/v1/admin/users?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&limit=%3Cb%3E")
    assert "<script>alert" not in browser.text
