"""The element `<ask-ai>` on a page of another origin with a strict policy, and on the demo page."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
import psycopg
import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from tests.api.askai.deployment import GRANTS
from tests.client import PASSWORD
from tests.operators import only_on_full
from tests.placement import TAKES_LONG
from tests.processes.running import Running, call
from tests.processes.variables import standalone
from tests.second_factors import app_of

from .conftest import OpenPage
from .looks import faults, fits, texts
from .service import Service, Visitor

pytestmark = only_on_full

GREETING = "What would you like to know about your account?"
PLACEHOLDER = "Where am I signed in?"
ZONE = "UTC"
"""The time zone of the browser, as that of the tests."""
QUESTION = "Show the user agents of my failed logins"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    '=HYPERLINK("https://evil.example","x")',
    "a | b \\| c",
]
"""User agents that a browser, a spreadsheet or the format of answers could misread."""

widths = pytest.mark.parametrize("width", [320, 360, 1280])
schemes = pytest.mark.parametrize("scheme", ["light", "dark"])


def write_setting(service: Service, operator: Visitor, name: str, body: Any) -> None:
    answer = call(service.port, "PUT", f"/v1/admin/settings/{name}", body, token=operator.access)
    assert answer.status == 200, answer.body


@pytest.fixture(scope="module")
def asking(service: Service, site: str) -> Iterator[Service]:
    """The service with ask-AI: the built-in parser answers pages of the site and of the service itself."""
    directory = service.mails.parent
    operator = service.sign_up()
    command = Running(
        *("grant_operator", "--email", operator.email, "--unproven"),
        variables=standalone(database_url=service.database_url, directory=directory),
        directory=directory,
    )
    assert command.exit_code() == 0
    token = service.post("/v1/login", {"email": operator.email, "password": PASSWORD}).data["access_token"]
    operator = Visitor(email=operator.email, access=token)
    app = app_of(service.post("/v1/totp/enroll", token=token).data["otpauth_url"])
    assert service.post("/v1/totp/confirm", {"code": app.code()}, token=token).status == 200
    widget = {"enabled": True, "allowed_origins": [site, service.url], "entities": ["sessions", "audit_events"]}
    write_setting(service, operator, "llm-provider", {"kind": "builtin", "model": "none", "api_key": "none"})
    write_setting(service, operator, "ask-ai-widget", {**widget, "greeting": GREETING, "placeholder": PLACEHOLDER})
    with reading_role(service.database_url) as dsn:
        write_setting(service, operator, "database-provider", {"label": "reader", "dsn": dsn})
        yield service


@contextmanager
def reading_role(database_url: str) -> Iterator[str]:
    """Create the role of the documentation in the service's database. Yield its DSN."""
    name = f"asker_{secrets.token_hex(6)}"
    parts = urlsplit(database_url)
    with psycopg.connect(database_url, autocommit=True) as owner:
        statements = [
            f"CREATE ROLE {name} LOGIN PASSWORD 'pass-7c1f9e'",
            f'REVOKE TEMPORARY ON DATABASE "{parts.path[1:]}" FROM PUBLIC',
            *(grant.format(role=name) for grant in GRANTS),
        ]
        for statement in statements:
            owner.execute(statement.encode())
        yield f"postgresql://{name}:pass-7c1f9e@{parts.hostname}:{parts.port or 5432}{parts.path}"
        owner.execute(f"DROP OWNED BY {name}".encode())
        owner.execute(f"DROP ROLE {name}".encode())


@pytest.fixture
def alice(asking: Service) -> Visitor:
    """A user with an account."""
    return asking.sign_up()


def fail_login(service: Service, visitor: Visitor, user_agent: str) -> None:
    session = HTTPConnection("localhost", service.port, timeout=30)
    headers = {"Content-Type": "application/json", "User-Agent": user_agent}
    session.request("POST", "/v1/login", orjson.dumps({"email": visitor.email, "password": "wrong"}), headers)
    assert session.getresponse().status == 401
    session.close()


def open_site(page: Page, site: str, *, token: str | None) -> Locator:
    """Open the page of the site. Return the element."""
    page.goto(f"{site}/")
    if token is not None:
        use_tokens(page, token)
        expect(page.get_by_label(GREETING)).to_be_visible()
    return page.locator("ask-ai")


def use_tokens(page: Page, *tokens: str) -> None:
    """Let `getToken` return the tokens in turn, and then the last one."""
    page.evaluate(
        """(tokens) => {
          document.querySelector("ask-ai").getToken = async () => (tokens.length > 1 ? tokens.shift() : tokens[0]);
        }""",
        list(tokens),
    )


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox").fill(question)
    page.get_by_role("button", name="Ask").click()


def test_a_page_of_another_origin_shows_the_greeting_and_an_answer(
    page: Page, asking: Service, site: str, alice: Visitor
) -> None:
    open_site(page, site, token=alice.access)
    expect(page.get_by_placeholder(PLACEHOLDER)).to_be_visible()

    ask(page, "Where am I signed in?")

    expect(page.get_by_role("status")).to_contain_text("Live sessions: ")
    expect(page.get_by_role("columnheader")).to_have_text([f"Time ({ZONE})", "Device", "IP address"])
    expect(page.get_by_role("region", name="Where am I signed in?").get_by_role("cell")).to_have_count(3)


def test_a_count_is_a_sentence_without_a_table(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)

    ask(page, "How many sessions do I have?")

    expect(page.get_by_role("status")).to_have_text("Live sessions: 1.")
    expect(page.get_by_role("table")).to_have_count(0)


def test_an_empty_answer_says_what_was_understood(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)

    ask(page, "Show my failed logins")

    expect(page.get_by_role("status")).to_have_text("Failed logins: none.")


def test_hostile_values_never_execute_and_appear_as_text(
    page: Page, asking: Service, site: str, alice: Visitor
) -> None:
    dialogs: list[str] = []

    def refuse(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    for user_agent in HOSTILE:
        fail_login(asking, alice, user_agent)
    element = open_site(page, site, token=alice.access)

    ask(page, QUESTION)

    expect(page.get_by_role("status")).to_have_text(f"Failed logins: {len(HOSTILE)}.")
    cells = page.locator("td[data-label='User agent']")
    shown = cells.all_inner_texts()
    assert set(shown) == set(HOSTILE)
    assert element.locator("img, script, a").count() == 0
    assert dialogs == []


def test_the_direction_of_a_cell_does_not_affect_other_cells(
    page: Page, asking: Service, site: str, alice: Visitor
) -> None:
    # The service itself replaces the control characters by blanks. The element does not depend on this.
    values = ["\u0645\u0631\u062d\u0628\u0627 (1)", "\u202egpj.exe"]
    rows = [[values[0], "192.0.2.1"], [values[1], "192.0.2.2"]]
    part = {"understood": "Sessions", "columns": ["Device", "IP address"], "rows": rows}
    answer = {"answer": "", "row_count": 2, "language": "en", "sentence": "Sessions: 2.", "parts": [part]}
    headers = {"Access-Control-Allow-Origin": site}
    open_site(page, site, token=alice.access)
    page.route("**/v1/ask-ai", lambda route: route.fulfill(json={"data": answer}, headers=headers))

    ask(page, "Where am I signed in?")

    cells = page.locator("td bdi")
    expect(cells).to_have_text([values[0], "192.0.2.1", values[1], "192.0.2.2"])
    assert set(cells.evaluate_all("all => all.map((cell) => getComputedStyle(cell).unicodeBidi)")) == {"isolate"}


def test_the_keyboard_alone_is_enough(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)

    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Where am I signed in?")
    page.keyboard.press("Enter")

    expect(page.get_by_role("status")).to_contain_text("Live sessions: ")
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Ask")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Where am I signed in?")).to_be_focused()
    assert outline_of(page.get_by_role("region")) == "solid"


def outline_of(element: Locator) -> str:
    return str(element.evaluate("element => getComputedStyle(element).outlineStyle"))


@TAKES_LONG
@widths
@schemes
def test_the_element_is_readable_at_each_width_in_light_and_dark_mode(
    open_page: OpenPage, asking: Service, site: str, alice: Visitor, width: int, scheme: str, tmp_path: Path
) -> None:
    page = open_page(viewport={"width": width, "height": 720}, color_scheme=scheme, reduced_motion="reduce")
    fail_login(asking, alice, HOSTILE[0])
    open_site(page, site, token=alice.access)

    def expect_readable() -> None:
        seen = texts(page)
        assert seen
        assert [text for text in seen if text.contrast < 4.5] == []
        assert fits(page)

    expect_readable()
    ask(page, "What happened in my account?")
    expect(page.get_by_role("status")).to_have_text("Events: 3.")
    expect_readable()
    page.screenshot(path=tmp_path / "table.png")
    ask(page, "Sing me a song")
    expect(page.get_by_role("alert")).to_contain_text("This question cannot be answered.")
    expect(page.get_by_role("listitem")).to_have_count(5)
    expect_readable()
    page.screenshot(path=tmp_path / "trouble.png")


def test_a_refused_question_stays_in_the_field(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)

    ask(page, "Sing me a song")

    expect(page.get_by_role("alert")).to_have_text("This question cannot be answered.")
    expect(page.get_by_role("textbox")).to_have_value("Sing me a song")
    expect(page.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")


def test_a_refused_question_gets_examples_that_work(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)
    ask(page, "Sing me a song")
    examples = page.get_by_role("list", name="You can ask, for example:").get_by_role("button")
    expect(examples).to_have_count(5)

    examples.first.press("Enter")

    expect(page.get_by_role("status")).to_contain_text("Live sessions: ")
    expect(examples).to_have_count(0)
    expect(page.get_by_role("textbox")).to_be_focused()


@pytest.mark.parametrize(
    ("locale", "button", "refusal", "zone"),
    [
        ("de-CH", "Fragen", "Diese Frage lässt sich nicht beantworten.", "Europe/Zurich"),
        ("fr-FR", "Demander", "Impossible de répondre à cette question.", "Europe/Paris"),
        ("es-MX", "Preguntar", "No se puede responder a esta pregunta.", "America/Mexico_City"),
        ("ja-JP", "質問する", "この質問には答えられません。", "Asia/Tokyo"),
    ],
)
def test_the_element_speaks_the_language_of_the_browser(
    open_page: OpenPage, asking: Service, site: str, alice: Visitor, locale: str, button: str, refusal: str, zone: str
) -> None:
    page = open_page(locale=locale, timezone_id=zone)
    open_site(page, site, token=alice.access)

    with page.expect_request("**/v1/ask-ai") as sent:
        page.get_by_role("textbox").fill("Sing me a song")
        page.get_by_role("button", name=button).click()

    expect(page.get_by_role("alert")).to_have_text(refusal)
    expect(page.get_by_role("listitem")).to_have_count(5)
    assert sent.value.post_data_json == {"question": "Sing me a song", "language": locale[:2], "time_zone": zone}


def test_an_empty_question_is_not_sent(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)

    ask(page, "   ")

    expect(page.get_by_role("alert")).to_have_text("Type a question.")
    expect(page.get_by_role("textbox")).to_be_focused()
    assert posts == []


def test_an_expired_token_is_replaced_once(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=None)

    use_tokens(page, "expired", alice.access)

    expect(page.get_by_label(GREETING)).to_be_visible()


@pytest.mark.parametrize("tokens", [["garbage"], [""]], ids=["refused", "none"])
def test_a_user_without_a_valid_token_is_asked_to_sign_in(
    page: Page, asking: Service, site: str, tokens: list[str]
) -> None:
    open_site(page, site, token=None)
    use_tokens(page, *tokens)

    ask(page, "Where am I signed in?")

    expect(page.get_by_role("alert")).to_have_text("Sign in, then ask again.")


@pytest.mark.parametrize(
    ("seconds", "wait"), [("1", "1 second"), ("42", "42 seconds"), ("600", "10 minutes"), ("", "1 minute")]
)
def test_too_many_questions_name_the_time_to_wait(
    page: Page, asking: Service, site: str, alice: Visitor, seconds: str, wait: str
) -> None:
    open_site(page, site, token=alice.access)
    headers = {
        "Access-Control-Allow-Origin": site,
        "Access-Control-Expose-Headers": "Retry-After",
        "Retry-After": seconds,
    }
    error = {"error": {"code": "rate_limited", "message": "Too many requests."}}
    page.route("**/v1/ask-ai", lambda route: route.fulfill(status=429, json=error, headers=headers))

    ask(page, "Where am I signed in?")

    expect(page.get_by_role("alert")).to_have_text(f"Too many questions. Ask again in {wait}.")


def test_after_a_network_failure_the_user_can_ask_again(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)
    page.route("**/v1/ask-ai", lambda route: route.abort(), times=1)
    ask(page, "Where am I signed in?")
    expect(page.get_by_role("alert")).to_have_text("The service does not answer. Check the connection.")

    page.get_by_role("button", name="Ask").click()

    expect(page.get_by_role("status")).to_contain_text("Live sessions: ")
    expect(page.get_by_role("alert")).to_be_empty()


def test_another_users_token_removes_the_answer(page: Page, asking: Service, site: str, alice: Visitor) -> None:
    open_site(page, site, token=alice.access)
    ask(page, "Where am I signed in?")
    expect(page.get_by_role("table")).to_be_visible()

    use_tokens(page, asking.sign_up().access)

    expect(page.get_by_role("table")).to_have_count(0)


@pytest.mark.parametrize(
    "answer",
    [
        {"data": {"enabled": False, "greeting": "", "placeholder": "", "examples": []}},
        {"error": {"code": "not_configured", "message": "This feature is not available."}},
    ],
    ids=["disabled", "not configured"],
)
def test_where_questions_are_off_the_element_shows_no_field(
    page: Page, asking: Service, site: str, alice: Visitor, answer: dict[str, Any]
) -> None:
    status = 200 if "data" in answer else 404
    headers = {"Access-Control-Allow-Origin": site}
    page.route("**/v1/ask-ai/widget?*", lambda route: route.fulfill(status=status, json=answer, headers=headers))
    open_site(page, site, token=None)

    use_tokens(page, alice.access)

    expect(page.get_by_role("status")).to_have_text("Questions are turned off.")
    expect(page.get_by_role("textbox")).to_have_count(0)


def test_a_user_signs_in_and_asks_on_the_demo_page(page: Page, asking: Service, alice: Visitor) -> None:
    page.goto("/v1/ask-ai/demo")
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("main > #trouble")).not_to_be_empty()

    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label(GREETING)).to_be_focused()
    page.keyboard.type("How many sessions do I have?")
    page.keyboard.press("Enter")

    expect(page.get_by_role("status")).to_have_text("Live sessions: 2.")
    assert f'src="{asking.url}/v1/ask-ai/ask-ai.js"' in page.locator("#snippet").inner_text()


@TAKES_LONG
@widths
@schemes
def test_the_demo_page_is_readable_at_each_width_in_light_and_dark_mode(
    open_page: OpenPage, asking: Service, alice: Visitor, width: int, scheme: str, tmp_path: Path
) -> None:
    page = open_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto("/v1/ask-ai/demo")
    page.get_by_text("Use an access token instead").click()
    page.screenshot(path=tmp_path / "login.png", full_page=True)
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)

    page.get_by_label("Access token").fill(alice.access)
    page.get_by_role("button", name="Use the token").click()
    expect(page.get_by_label(GREETING)).to_be_focused()
    ask(page, "Where am I signed in?")
    expect(page.get_by_role("table")).to_be_visible()

    page.screenshot(path=tmp_path / "answer.png", full_page=True)
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)
    assert faults(page) == []


@TAKES_LONG
@pytest.mark.parametrize(("locale", "scheme"), [("en", "light"), ("de", "dark"), ("fr", "light"), ("ja", "dark")])
def test_the_room_of_the_account_is_readable_on_a_phone(
    open_page: OpenPage, asking: Service, alice: Visitor, locale: str, scheme: str, tmp_path: Path
) -> None:
    fail_login(asking, alice, HOSTILE[0])
    page = open_page(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, locale=locale, reduced_motion="reduce"
    )
    page.goto("/sign-in")
    for name, value in (("email", alice.email), ("password", PASSWORD)):
        page.locator(f"main [name={name}]").fill(value)
        page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/sign-in" not in url)
    page.goto("/account/ask")

    expect(page.get_by_text(GREETING)).to_be_visible()
    page.locator("main form[action$='/account/ask'] button.as-link").last.click()

    expect(page.locator("main [role=status]")).to_be_visible()
    page.screenshot(path=tmp_path / "answer.png", full_page=True)
    assert page.locator("html").get_attribute("lang") == locale
    assert [text for text in texts(page) if text.contrast < 4.5] == []
    assert fits(page)
    assert faults(page) == []
