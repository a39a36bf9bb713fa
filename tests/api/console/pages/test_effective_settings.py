"""The page of the settings in effect, and the label of the environment."""

import re
from html import unescape
from typing import Any

import pytest
from django.utils.translation import gettext
from pytest_django import Settings

from console.settings.effective import HIDDEN, effective_settings
from core.conf import declared
from tests.console_browser import Browser, browser_of
from tests.people import existing

SECRETS = {
    "ENCRYPTION_KEY",
    "LOGIN_FALLBACK_SECRET",
    "LOG_SHIPPING_HASH_KEY",
    "LOG_SHIPPING_HEADERS",
    "SECRET_KEY",
    "SETTINGS_ENCRYPTION_KEY",
    "WEBHOOK_SECRET",
}
"""The settings whose whole value is secret. A new one belongs here, and a test fails until its value is hidden."""


def test_no_setting_shows_a_secret(settings: Settings) -> None:
    names = [one.name.replace("<NAME>", "ACME") for _, one in declared()]
    url = "https://user:s3cret@example.com/s3cret/path?key=s3cret"
    settings.AUTH_SERVICE = dict.fromkeys(names, f"{url},postgresql://u:s3cret@db/x")

    found = {one.name: one for one in effective_settings()}

    assert set(found) == set(names)
    hidden = {name for name, one in found.items() if one.is_hidden}
    assert {name for name in hidden if not name.startswith("OAUTH_")} == SECRETS & set(names)
    assert {name for name in names if name.endswith("_CLIENT_SECRET")} <= hidden
    assert all(found[name].value == gettext(HIDDEN) for name in hidden)
    assert [name for name, one in found.items() if "u:s3cret" in one.value or "key=s3cret" in one.value] == []
    assert found["WEBHOOK_URL"].value == "https://…@example.com/…?…,postgresql://…@db/…"
    assert found["PASSWORD_RESET_URL"].value.startswith("https://…@example.com/s3cret/path?…")


def test_the_page_shows_values_and_defaults_and_finds_them(browser: Browser, settings: Settings) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "LOCKOUT_THRESHOLD": "7",
        "WEBHOOK_EVENTS": ["signup_success", "account_deleted"],
        "WEBHOOK_SECRET": "whsec_" + "a" * 32,
        "NOT_OURS": "hunter2",
    }

    def row(name: str) -> str:
        found = re.search(rf"<th scope=\"row\"><code>{name}</code></th><td[^>]*>(.*?)</td>", browser.text)
        assert found is not None
        return unescape(re.sub(r"<[^>]*>", "", found[1])).strip()

    browser.open("settings")
    assert (row("LOCKOUT_THRESHOLD"), row("LOCKOUT_SECONDS")) == ("7", "900 Default")
    assert (row("WEBHOOK_EVENTS"), row("WEBHOOK_SECRET")) == ("signup_success,account_deleted", HIDDEN)
    assert "hunter2" not in browser.text
    assert "a" * 32 not in browser.text

    browser.open("settings?q=lockout_&only=set")
    assert re.findall(r"<th scope=\"row\"><code>(\w+)", browser.text) == ["LOCKOUT_THRESHOLD"]
    assert "No setting matches" in browser.open("settings?q=nonsense").text


def test_the_label_of_the_environment_is_in_the_header_and_in_the_title(browser: Browser, configure: Any) -> None:
    assert "staging" not in browser.open("events").text
    configure(ENVIRONMENT_LABEL="<staging>")

    for text in (browser.open("events").text, browser_of(existing("bob")).open().text):
        assert '<span class="badge warn">&lt;staging&gt;</span>' in text
        assert re.search(r"<title>[^<]* · &lt;staging&gt; · ", text)


@pytest.mark.parametrize("path", ["events", "users/unknown", "time-zone"])
def test_each_page_states_what_it_may_use_and_has_an_icon(browser: Browser, path: str) -> None:
    browser.open(path)

    policy = browser.page.headers["Permissions-Policy"]
    assert "camera=()" in policy
    assert "publickey-credentials-get=(self)" in policy
    icon = re.search(r'<link rel="icon" href="([^"]*)" type="image/svg\+xml">', browser.text)
    assert icon is not None
    assert browser.open(icon[1]).page.headers["Content-Type"] == "image/svg+xml"
