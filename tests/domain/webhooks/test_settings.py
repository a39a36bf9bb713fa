import base64

import pytest
from django.core.exceptions import ImproperlyConfigured

from accounts.core.conf import load
from accounts.events.conf import WebhookSettings, check_webhooks

from .receiving import NEW_KEY, NEW_SECRET, NOWHERE, OLD_SECRET, UseWebhook

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("WEBHOOK_URL", "hooks.example.com", "an http or https URL"),
        ("WEBHOOK_URL", "ftp://hooks.example.com/", "an http or https URL"),
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
        ("WEBHOOK_RETRY_SECONDS", "604801", "a comma-separated list of whole numbers"),
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


def test_secrets_of_every_length_and_schedules_of_one_attempt_are_fine() -> None:
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
