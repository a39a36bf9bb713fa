import base64
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from core.conf import SECONDS, CoreSettings, load
from events.conf import WebhookSettings, check_webhooks
from events.vocabulary import EventType
from tests.rows import each

from .receiving import NEW_KEY, NEW_SECRET, NOWHERE, OLD_SECRET, UseWebhook

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "webhooks.md").read_text()

pytestmark = pytest.mark.django_db


@each(
    "variable, value, expected",
    [
        ("WEBHOOK_URL", "hooks.example.com", "an http or https URL"),
        ("WEBHOOK_URL", "ftp://hooks.example.com/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com:70000/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com:-1/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com:0/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com:https/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com/a b", "an http or https URL"),
        ("WEBHOOK_URL", " https://hooks.example.com/", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com/\n", "an http or https URL"),
        ("WEBHOOK_URL", "https://hooks.example.com/\x7f", "an http or https URL"),
        (
            "WEBHOOK_URL",
            "https://alice:sesame@hooks.example.com/",
            "an http or https URL without blanks or credentials",
        ),
        ("WEBHOOK_URL", "https://alice@hooks.example.com/", "an http or https URL"),
        ("WEBHOOK_SECRET", "c2VjcmV0" * 4, "whsec_ and 24 to 64 bytes in standard base64"),
        ("WEBHOOK_SECRET", "whsec_" + "c2Vj" * 7 + "c2VjY", "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_" + base64.b64encode(b"x" * 23).decode(), "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_" + base64.b64encode(b"x" * 65).decode(), "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_====", "whsec_ and"),
        ("WEBHOOK_SECRET", f"{OLD_SECRET},{NEW_SECRET}", "whsec_ and"),
        ("WEBHOOK_SECRET", f"{OLD_SECRET} short", "whsec_ and"),
        ("WEBHOOK_SECRET", "   ", "whsec_ and"),
        ("WEBHOOK_EVENTS", "signup_success,signup", "a comma-separated list of event types"),
        ("WEBHOOK_RETRY_SECONDS", "0,-5", "a comma-separated list of whole numbers"),
        ("WEBHOOK_RETRY_SECONDS", "0,soon", "a comma-separated list of whole numbers"),
        ("WEBHOOK_RETRY_SECONDS", ",,", "a comma-separated list of whole numbers"),
        (
            "WEBHOOK_RETRY_SECONDS",
            "604801",
            "a comma-separated list of whole numbers of seconds, each at most 604800.",
        ),
        ("WEBHOOK_RETRY_SECONDS", "1_000", "a comma-separated list of whole numbers"),
        ("WEBHOOK_ALLOW_PRIVATE", "maybe", "on or off"),
    ],
)
def test_a_malformed_setting_stops_the_start_and_is_named_without_its_value(
    variable: str, value: str, expected: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        load(WebhookSettings, {variable: value})

    assert str(caught.value).startswith(f"{variable} must be {expected}")
    assert value not in str(caught.value)


def test_an_unknown_event_is_named_with_the_page_that_lists_the_events() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        load(WebhookSettings, {"WEBHOOK_EVENTS": "signup_success,sign\nup,4711"})

    assert str(caught.value) == (
        "WEBHOOK_EVENTS must be a comma-separated list of event types: "
        "'sign\\nup' is not an event type. docs/webhooks.md lists the event types."
    )


def test_the_named_page_lists_every_event() -> None:
    assert [event for event in EventType if f"`{event}`" not in PAGE] == []


def test_the_example_of_the_page_works_unchanged() -> None:
    settings = load(
        WebhookSettings, dict(line.split("=", 1) for line in PAGE.splitlines() if line.startswith("WEBHOOK_"))
    )

    assert (settings.url, len(settings.secrets)) == ("https://app.example.com/hooks/auth", 1)


@each("value", ["1_000", "+5", "٣", "-5", "5.0", " 5", "5\n", "0x5", "", True, 5.0, "9" * 5000])
def test_a_whole_number_consists_of_ascii_digits_only(value: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is empty, because the value may be a secret
        SECONDS.read(value)


@pytest.mark.parametrize(("value", "seconds"), [("5", 5), (5, 5), ("007", 7), ("2147483647", 2147483647)])
def test_a_number_may_be_given_as_text_or_as_a_number(value: object, seconds: int) -> None:
    assert SECONDS.read(value) == seconds


def test_the_error_for_a_number_that_is_too_large_states_the_bound() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        load(CoreSettings, {"ACCESS_TOKEN_SECONDS": "99999999999999"})

    assert str(caught.value) == "ACCESS_TOKEN_SECONDS must be a whole number of at least 1 and at most 2147483647."


def test_secrets_of_every_allowed_length_and_schedules_of_one_attempt_are_accepted() -> None:
    secret = f"whsec_{base64.b64encode(b'x' * 24).decode()} {NEW_SECRET}"

    settings = load(WebhookSettings, {"WEBHOOK_SECRET": secret, "WEBHOOK_RETRY_SECONDS": "604800"})

    assert settings.secrets == (b"x" * 24, NEW_KEY)
    assert settings.retry_seconds == (604_800,)


def test_an_address_without_a_secret_stops_the_start(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_SECRET="")

    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_URL needs WEBHOOK_SECRET"):
        check_webhooks()


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "HTTP://hooks.example.com/", "Http://10.0.0.1/"])
def test_plain_http_stops_the_start_unless_it_is_allowed(use_webhook: UseWebhook, url: str) -> None:
    use_webhook(url)
    check_webhooks()

    use_webhook(url, WEBHOOK_ALLOW_PRIVATE="off")
    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_URL must be https"):
        check_webhooks()


def test_a_secret_without_an_address_is_no_error(use_webhook: UseWebhook) -> None:
    use_webhook("", WEBHOOK_ALLOW_PRIVATE="off")

    check_webhooks()
