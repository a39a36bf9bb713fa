"""The tasks of an operator on duty in Chromium. Each is done to its end, in at most four clicks after a page is open."""

import csv
import getpass
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pyotp
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from core.clock import now
from core.db.ids import first_id
from sessions_app.oauth.known import KNOWN
from tests.api.askai.deployment import in_wire_format, json_response
from tests.loopback import Peer, response
from tests.loopback import serving as loopback
from tests.mails import read
from tests.placement import TAKES_LONG
from tests.processes.running import ROOT, call, until
from tests.processes.variables import empty_database, standalone
from tools.demo.attack import NIGHT_NETWORK
from tools.local_postgres import free_port

from .service import Service, serving

pytestmark = [pytest.mark.usefixtures("full_deployment"), TAKES_LONG]

CLICKS_MAX = 4
BOB = "bob@example.com"
KEY = "sk-of-the-provider"
PLAN = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {}}
FILL = f"""
import json, django
django.setup()
from django.core.management import call_command
from accounts.models import Account, User
from core.addresses import email_key
from core.clock import now
from tools.demo.filling import fill
call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
operator = fill(users=120, now=now(), say=lambda step: None)
bob = User.objects.create(email="{BOB}")
Account.objects.create(user=bob, email_key=email_key("{BOB}"), email_proven_at=now(), created_at=now(), updated_at=now())
call_command("grant_operator", email="{BOB}", role="support")
print(json.dumps([operator.email, operator.password, operator.app_secret]))
"""

# A press counts when it follows a link, presses a button or changes a control. Typing does not count, and neither do the
# keys that only move the focus.
COUNT = """
  addEventListener("pointerdown", (event) => { if (event.isTrusted) clicked("pointer"); }, true);
  addEventListener("keydown", (event) => {
    const moves = ["Tab", "Shift", "Control", "Alt", "Meta", "Home", "End", "PageUp", "PageDown"];
    if (!event.isTrusted || event.repeat || moves.includes(event.key)) return;
    const types = event.target.matches("textarea, input:not([type=radio], [type=checkbox], [type=submit]), select");
    const isCommand = event.ctrlKey || event.metaKey || event.key === "Escape";
    const submits = event.key === "Enter" && !event.target.matches("textarea");
    if (!types || isCommand || submits) clicked(event.key);
  }, true);
"""


@dataclass
class Duty:
    """The operator at the console. `clicks` are those since the last task began."""

    service: Service
    page: Page
    clicks: list[str] = field(default_factory=list)

    def begin(self, path: str = "/console/") -> Page:
        """Open the page on which the next task begins."""
        self.page.goto(path)
        self.clicks.clear()
        return self.page

    def find(self, text: str) -> None:
        """Find the text from the page that is open."""
        self.page.get_by_role("searchbox").fill(text)
        self.page.keyboard.press("Enter")

    def reason(self, text: str) -> None:
        """Type the reason of an act."""
        self.page.get_by_label("Reason", exact=True).fill(text)

    def one(self, statement: str, *values: object) -> str:
        """Return the first column of the first row in the service's database."""
        with psycopg.connect(self.service.database_url) as session:
            row = session.execute(statement, values).fetchone()
        assert row is not None, statement
        return str(row[0])

    def address_of(self, condition: str, *values: object) -> str:
        """Return the address of the first account for which the condition holds."""
        accounts = "SELECT email FROM authsvc_user JOIN authsvc_accounts_account ON user_id = authsvc_user.id"
        return self.one(f"{accounts} WHERE {condition} ORDER BY email", *values)


@pytest.fixture
def duty(browser: Browser, tmp_path: Path) -> Iterator[Duty]:
    """A deployment with the demo, a receiver of webhooks and a language model. The demo's operator is signed in."""

    def answer(peer: Peer, send: Callable[[bytes], object]) -> None:
        line = peer.received[-1].line
        is_model = "/chat/completions " in line
        send(json_response(in_wire_format(PLAN, line=line)) if is_model else response(status="204 No Content"))

    with ExitStack() as stack:
        peer = stack.enter_context(loopback(answer))
        url = stack.enter_context(empty_database(tmp_path))
        variables = standalone(database_url=url, directory=tmp_path)
        filled = subprocess.run(
            [sys.executable, "-c", FILL], cwd=ROOT, env=variables, stdout=subprocess.PIPE, check=True
        )
        email, password, secret = json.loads(filled.stdout.splitlines()[-1])
        service = stack.enter_context(
            serving(
                port=free_port(),
                database_url=url,
                directory=tmp_path,
                TRUSTED_PROXIES="127.0.0.1,::1",
                OPERATOR_SECOND_FACTOR="required",
                WEBHOOK_URL=peer.url("/hooks"),
                WEBHOOK_ALLOW_PRIVATE="on",
                WEBHOOK_SECRET="whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
                LLM_BASE_URL_OPENAI=peer.url("/v1"),
                LOG_SHIPPING="record",
            )
        )
        context = browser.new_context(base_url=service.url, viewport={"width": 1280, "height": 900})
        duty = Duty(service=service, page=context.new_page())
        _count(context, duty)
        page = duty.begin()
        page.get_by_label("E-mail address").fill(email)
        page.keyboard.press("Enter")
        page.get_by_label("Password", exact=True).fill(password)
        page.keyboard.press("Enter")
        page.get_by_label("Code from your authenticator app").fill(pyotp.TOTP(secret).now())
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Not now").click()
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        yield duty
        context.close()


def _count(context: BrowserContext, duty: Duty) -> None:
    context.expose_binding("clicked", lambda _, what: duty.clicks.append(what))
    context.add_init_script(COUNT)


def test_each_task_is_done_in_at_most_four_clicks(duty: Duty, tmp_path: Path) -> None:
    counts = {}
    for task in TASKS:
        task(duty)
        counts[task.__name__] = len(duty.clicks)

    assert counts == {
        "why_can_she_not_sign_in": 2,
        "what_did_the_attack_of_last_night_reach_and_block_it": 3,
        "sign_out_and_require_a_reset": 3,
        "deactivate": 3,
        "who_granted_bob": 1,
        "send_failed_deliveries_again": 3,
        "which_providers_do_people_use": 1,
        "export_the_failed_logins_of_last_week": 2,
        "add_and_test_the_key_of_a_model": 4,
        "judge_forty_events_by_keyboard": 4,
        "delete_on_request_and_hand_over_the_data": 4,
    }
    assert max(counts.values()) <= CLICKS_MAX


def why_can_she_not_sign_in(duty: Duty) -> None:
    address = duty.address_of("locked_until > now()")
    page = duty.begin()

    duty.find(address)
    page.get_by_role("link", name="Diagnose", exact=True).last.click()

    expect(page.get_by_text("Your account is locked until")).to_be_visible()


def what_did_the_attack_of_last_night_reach_and_block_it(duty: Duty) -> None:
    page = duty.begin()

    page.get_by_role("link", name=NIGHT_NETWORK).click()
    expect(page.get_by_role("table").first).to_contain_text("Signed in")
    page.get_by_role("link", name="Block it for some hours").click()
    duty.reason("The attack of last night.")
    page.get_by_role("button", name="Block").click()

    expect(page.get_by_role("main")).to_contain_text(f"{NIGHT_NETWORK} until")
    address = NIGHT_NETWORK.replace("::/64", "::7")

    def is_refused() -> bool:
        headers = {"X-Forwarded-For": address}
        return call(duty.service.port, "POST", "/v1/login", {}, headers=headers).status == 429

    until(is_refused, what="the block in every process")


def sign_out_and_require_a_reset(duty: Duty) -> None:
    reached = duty.address_of(
        "user_id::text IN (SELECT user_id FROM authsvc_accounts_event WHERE type = 'login_success' AND ip LIKE %s)",
        NIGHT_NETWORK.replace("::/64", "%"),
    )
    page = duty.begin()

    duty.find(reached)
    page.get_by_role("link", name="Require a new password").click()
    duty.reason("Her password is known to an attacker.")
    page.get_by_role("button", name="Do it").click()

    expect(page.get_by_role("status")).to_be_visible()
    expect(page.get_by_text("No live session")).to_be_visible()
    until(lambda: read(duty.service.mails, to=reached), what="the mail with the link")


def deactivate(duty: Duty) -> None:
    address = duty.address_of("deactivated_at IS NULL AND email <> %s", BOB)
    page = duty.begin()

    duty.find(address)
    page.get_by_role("link", name="Deactivate").click()
    duty.reason("The contract has ended.")
    page.get_by_role("button", name="Do it").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Deactivated")


def who_granted_bob(duty: Duty) -> None:
    page = duty.begin()

    page.get_by_role("link", name="Operators").click()

    expect(page.get_by_role("row").filter(has_text=BOB).first).to_contain_text(getpass.getuser())


def send_failed_deliveries_again(duty: Duty) -> None:
    page = duty.begin()

    page.locator(".needs").get_by_role("link").filter(has_text="Deliveries").click()
    page.get_by_role("link", name="Send failed ones again").click()
    duty.reason("The receiver is back.")
    page.get_by_role("button", name="Send again").click()

    expect(page.get_by_role("status")).to_be_visible()
    failed = "SELECT count(*) FROM authsvc_accounts_delivery WHERE status IN ('failed', 'in_flight')"
    until(lambda: duty.one(failed) == "0", what="the end of the deliveries that had failed")


def which_providers_do_people_use(duty: Duty) -> None:
    page = duty.begin()

    page.get_by_role("link", name="Sign-in methods").click()

    # The day decides which of the demo's providers had logins in the last week.
    used = """
        SELECT string_agg(DISTINCT metadata ->> 'provider', ' ') FROM authsvc_accounts_event
        WHERE type = 'login_success' AND created_at >= date_trunc('day', now(), 'UTC') - interval '6 days'
    """
    labels = {KNOWN[name].label for name in duty.one(used).split()}
    rows = page.get_by_role("table").first.get_by_role("row")
    assert labels
    for label in labels:
        expect(rows.filter(has_text=label)).to_have_count(1)


def export_the_failed_logins_of_last_week(duty: Duty) -> None:
    page = duty.begin()

    page.locator(".stats").get_by_role("link", name="Failed logins").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()

    with Path(download.value.path()).open(newline="") as file:
        rows = list(csv.DictReader(file))
    week_ago = datetime.now(UTC) - timedelta(days=7)  # noqa: TID251 - the service runs by the clock of the machine
    count = "SELECT count(*) FROM authsvc_accounts_event WHERE type = 'login_failed' AND created_at > %s"
    assert {row["type"] for row in rows} == {"login_failed"}
    assert abs(len(rows) - int(duty.one(count, week_ago))) <= 5, "Some seconds lie between the two counts."


def add_and_test_the_key_of_a_model(duty: Duty) -> None:
    page = duty.begin()

    page.get_by_role("link", name="Language model").click()
    page.get_by_role("radio", name="OpenAI").check()
    page.get_by_label("Model", exact=True).fill("some-model")
    page.get_by_label("API key").fill(KEY)
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#result")).to_have_text("The language model answers with a valid plan.")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("status").first).to_have_text("You stored the language model setting.")


def judge_forty_events_by_keyboard(duty: Duty) -> None:
    _flag(duty, number=40)
    page = duty.begin()

    page.get_by_role("link", name="Reviews", exact=True).press("Enter")
    _tab_to(page, page.get_by_role("link", name="Judge all 40"))
    page.keyboard.press("Enter")
    _tab_to(page, page.get_by_role("radio", name="Dismiss"))
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("A trip.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Finished: 40 events now are dismissed")).to_be_visible()


def delete_on_request_and_hand_over_the_data(duty: Duty) -> None:
    address = duty.address_of("deactivated_at IS NULL AND email <> %s", BOB)
    page = duty.begin()

    duty.find(address)
    page.get_by_role("link", name="Delete the account").click()
    duty.reason("She asks for it by letter.")
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status")).to_contain_text("planned for")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the data").click()

    data = json.loads(Path(download.value.path()).read_text())
    tables = {table["name"]: table["rows"] for table in data["tables"]}
    assert data["email"] == address
    assert tables["account"][0]["email_key"] == address
    assert tables["events"]
    assert "password" not in tables["account"][0]


TASKS: tuple[Callable[[Duty], None], ...] = (
    why_can_she_not_sign_in,
    what_did_the_attack_of_last_night_reach_and_block_it,
    sign_out_and_require_a_reset,
    deactivate,
    who_granted_bob,
    send_failed_deliveries_again,
    which_providers_do_people_use,
    export_the_failed_logins_of_last_week,
    add_and_test_the_key_of_a_model,
    judge_forty_events_by_keyboard,
    delete_on_request_and_hand_over_the_data,
)


def _flag(duty: Duty, *, number: int) -> None:
    """Let events of one account wait for a review."""
    user_id = duty.one("SELECT id FROM authsvc_user WHERE email = %s", BOB)
    moments = [now() - timedelta(minutes=5, milliseconds=count) for count in range(number)]
    with psycopg.connect(duty.service.database_url) as session:
        session.cursor().executemany(
            "INSERT INTO authsvc_accounts_event (id, type, user_id, ip, user_agent, metadata, created_at) VALUES "
            """(%s, 'anomaly_detected', %s, '198.51.100.7', '', '{"signals": ["new_ip"], "event": "login_success"}', %s)""",
            [(first_id(moment), user_id, moment) for moment in moments],
        )


def _tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the element has the focus."""
    expect(target).to_be_visible()
    for _ in range(200):
        if target.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not reach the element.")
