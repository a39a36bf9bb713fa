"""Every page of the console in another language. No text of it stays English."""

import base64
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account, Event
from console.models import Review
from core import clock
from core.db.ids import new_id
from events.logs.models import ShippedLog
from events.webhooks.models import Delivery
from tests.api.console.flagged import guess_at, spray
from tests.applications import register
from tests.console_browser import Browser
from tests.pages import signed_in as signed_in_person
from tests.people import sign_up
from tests.pseudo_language import PSEUDO, english_in, pseudo

__all__ = ["pseudo"]

WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|SELECT\b.*\bFOR (NO KEY )?UPDATE)", re.DOTALL)
NAMES = frozenset(
    [
        "Google",
        "GitHub",
        "Microsoft",
        "GitLab",
        "Discord",
        "Apple",
        "disable",
        "allow",
        "prefer",
        "require",
        "verify",
        "full",
        "zzz",
        "example",
        "plan",
        "fail",
        "ban",
        "google",
        "github",
        "gitlab",
        "discord",
        "microsoft",
        "apple",
        "sub",
        "exp",
        "iss",
        "aud",
        "iat",
        "nbf",
        "jti",
        "role",
        "pwd",
        "nginx",
        "HAProxy",
        "DSN",
        "UTC",
        "IP",
        "API",
        "CSV",
        "ID",
        "Gatehouse",
        "English",
        "Deutsch",
        "Français",
        "Español",
        "Chrome",
        "macOS",
        "Mac",
        "OS",
        "Intel",
        "Safari",
        "AppleWebKit",
        "KHTML",
        "like",
        "Gecko",
        "Mozilla",
        "Macintosh",
        "console",
        "localhost",
        "olivia",
        "bob",
        "Gold",
        "Mär",
        "Jan",
        "Feb",
        "Apr",
        "Mai",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Okt",
        "Nov",
        "Dez",
    ]
)

VALUES = re.compile(
    r'<td data-label="[^"]*">(?:<span class="faint">[^<]*(?:<code>[^<]*</code>[^<]*)*(?=<span)|<span class="badge (?:warn|info|bad)">warn<)'
)
"""The values of settings, and the levels of lines of the log."""


@pytest.fixture
def paths(browser: Browser, configure: Callable[..., None], pseudo: None) -> list[str]:
    """All pages, with something to show on each."""
    key = base64.b64encode(b"k" * 32).decode()
    configure(
        OPERATOR_SECOND_FACTOR="optional",
        OPERATOR_ACTS="on",
        WEBHOOK_URL="https://hooks.example.com/",
        WEBHOOK_SECRET="whsec_" + "a" * 32,
        LOG_SHIPPING="record",
        DIGEST_INTERVAL_HOURS="24",
        SETTINGS_ENCRYPTION_KEY=key,
        ENCRYPTION_KEY=base64.b64encode(b"e" * 32).decode(),
        RATE_LIMITS="off",
    )
    bob = sign_up("bob")
    bob.log_in()
    flag, report = guess_at(bob), spray()
    now = clock.now()
    Account.objects.filter(pk=bob.account().pk).update(metadata={"plan": "Gold"})
    Review.objects.create(event_id=report, status="confirmed", note="bob", reviewer_id=bob.user_id, updated_at=now)
    delivery = Delivery.objects.create(
        event_id=new_id(),
        event_type="login_failed",
        payload="{}",
        status="failed",
        attempts=7,
        created_at=now,
        next_attempt_at=now,
        user_id=bob.user_id,
    )
    ShippedLog.objects.create(id=new_id(), level=30, message="bob", fields="{}", created_at=now, next_attempt_at=now)
    application = register(name="Gold").sign_in(signed_in_person(bob), scope="openid offline_access")
    event = Event.objects.filter(user_id=bob.user_id).first()
    assert event is not None
    return [
        "",
        "?window_days=1",
        "reviews",
        "reviews?status=all",
        f"reviews/{flag}",
        f"reviews/{report}",
        "reviews/all",
        f"reviews/several?event={flag}",
        "events",
        "events?since=x&ip=y&network=z",
        f"events/{event.pk}",
        "users",
        "users?state=locked",
        f"users/{bob.user_id}",
        f"users/{bob.user_id}/acts",
        "attacks/198.51.100.0/24",
        "blocks",
        "deliveries",
        "deliveries?event=x",
        f"deliveries/{delivery.pk}",
        f"deliveries/{delivery.pk}/resend",
        "resend",
        "logs",
        "logs?since=x",
        "digests",
        "diagnose",
        f"diagnose?email={bob.email}",
        "diagnose?email=a@b.example",
        "hashes",
        "tuning",
        "settings",
        "settings/llm",
        "settings/database",
        "settings/widget",
        "operators",
        "applications",
        f"applications/{application.client_id}",
        "login-methods",
        "time-zone",
        "find?q=zzz",
        "find?q=example",
        "charts/logins",
        "charts/locks",
        "charts/flagged",
        "charts/factors",
        "charts/hashes",
        "charts/deliveries",
        "providers",
        "nowhere",
        "users/x",
        "attacks/x",
    ]


def test_no_page_has_an_english_text(browser: Browser, paths: list[str]) -> None:
    found = {}

    for path in paths:
        browser.open(path, headers={"Accept-Language": PSEUDO})
        found[path] = english(browser)

    assert {path: texts for path, texts in found.items() if texts} == {}


def test_no_page_writes_to_the_database_when_it_is_opened(browser: Browser, paths: list[str]) -> None:
    """A link of another site opens each page in the session of the operator."""
    browser.open()
    written = {}

    for path in paths:
        with CaptureQueriesContext(connection) as captured:
            browser.open(path)
        written[path] = [query["sql"] for query in captured if WRITES.match(query["sql"])]

    assert {path: queries for path, queries in written.items() if queries} == {}


def test_no_answer_to_a_form_has_an_english_text(browser: Browser, paths: list[str]) -> None:
    user = next(path for path in paths if path.startswith("users/") and path.endswith("/acts"))
    flag = next(path for path in paths if path.startswith("reviews/0"))
    delivery = next(path for path in paths if path.endswith("/resend"))
    metadata = user.replace("/acts", "/metadata")
    llm = {"kind": "openai", "model": "", "max_tokens": "x", "api_key": ""}
    forms: list[tuple[str, dict[str, str]]] = [
        (flag, {"status": "confirmed", "note": "bob"}),
        (flag, {"status": "dismissed", "note": "bob", "seen_at": ""}),
        (f"{flag}/undo", {"reviewed_at": "2026-03-10T12:00:00Z"}),
        ("reviews/several", {"status": "dismissed", "note": "", "seen": flag.removeprefix("reviews/")}),
        ("reviews/all", {"new_status": "dismissed", "note": ""}),
        (user, {"act": "unlock", "reason": "bob"}),
        (user, {"act": "", "reason": ""}),
        (delivery, {"reason": " "}),
        ("blocks", {"network": "x", "hours": "0", "reason": ""}),
        ("blocks", {"network": "10.0.0.0/8", "hours": "1", "reason": "bob"}),
        (metadata, {"key": "plan", "value": "x"}),
        (metadata, {"key": "9", "value": "1"}),
        (metadata, {"key": "sub", "value": "1"}),
        (metadata, {"key": "plan", "value": "1"}),
        (metadata, {"key": "plan", "value": "1", "expected": '"Gold"'}),
        (f"{metadata}/remove", {"key": "plan", "expected": "1"}),
        ("time-zone", {"zone": "x"}),
        ("settings/llm", {"act": "test", **llm}),
        ("settings/llm", {"act": "store", "kind": "builtin", "max_tokens": "300"}),
        ("settings/llm/remove", {}),
        ("settings/database", {"act": "test", "label": "bob", "max_rows": "5", "dsn": "x"}),
        (
            "settings/database",
            {"act": "test", "label": "bob", "max_rows": "5", "dsn": "postgresql://a:b@localhost:1/c"},
        ),
        ("settings/widget", {"act": "test", "enabled": "on", "greeting": "", "placeholder": ""}),
        ("settings/widget", {"act": "test", "greeting": "bob", "placeholder": "", "allowed_origins": "bob"}),
        ("events", {}),
    ]
    found = {}

    browser.client.cookies["gatehouse-language"] = PSEUDO
    for number, (path, form) in enumerate(forms):
        browser.submit(path, form).follow()
        found[number, path] = english(browser)

    assert {form: texts for form, texts in found.items() if texts} == {}


def english(browser: Browser) -> list[str]:
    """Return the English texts of the page."""
    assert browser.status < 500
    return list(english_in(VALUES.sub("", browser.text), names=NAMES))
