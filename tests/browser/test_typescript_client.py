"""The client in clients/typescript in Chromium, in several tabs and with a virtual authenticator."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.client import PASSWORD
from tests.clients.building import built_client
from tests.clients.proxy import proxying
from tests.second_factors import app_of

from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator

pytestmark = pytest.mark.once

PAGE = "/an-application"
SCRIPT = """
import { Gatehouse } from "/client.js";
window.ends = 0;
const options = { baseUrl: location.origin, storage: localStorage };
const onReauthenticationRequired = (proof) => ask(proof);
window.client = new Gatehouse({ ...options, onSignedOut: () => (window.ends += 1), onReauthenticationRequired });
window.other = new Gatehouse(options);
window.refresh = async () => client.accessToken(await client.accessToken());
window.codeOf = (call) => call.then(() => "", (error) => error.code);
"""
REFRESH = "**/v1/refresh"

OpenTab = Callable[[], Page]


@pytest.fixture
def open_tab(page: Page, service: Service) -> OpenTab:
    """Open a tab of an application that uses the client. All tabs are in one browser context."""
    client = (built_client() / "dist" / "index.js").read_text()
    html = f'<!doctype html><script type="module">{SCRIPT}</script>'
    context = page.context
    context.route(f"{service.url}{PAGE}", lambda route: route.fulfill(content_type="text/html", body=html))
    context.route(f"{service.url}/client.js", lambda route: route.fulfill(content_type="text/javascript", body=client))

    def start() -> Page:
        tab = context.new_page()
        tab.goto(f"{service.url}{PAGE}")
        tab.wait_for_function("window.client")
        return tab

    return start


@pytest.fixture
def alice(service: Service) -> Visitor:
    """A user with an account."""
    return service.sign_up()


@pytest.fixture
def tab(open_tab: OpenTab, alice: Visitor) -> Page:
    """A tab in which alice is signed in."""
    tab = open_tab()
    log_in(tab, alice)
    return tab


def log_in(tab: Page, visitor: Visitor) -> None:
    """Log in with the password."""
    assert tab.evaluate("([email, password]) => client.login(email, password)", [visitor.email, PASSWORD]) is None


def keys_of(context: BrowserContext) -> list[str | None]:
    """Return the list to which the key of each refresh will be added."""
    keys: list[str | None] = []

    def note(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        route.fallback()

    context.route(REFRESH, note)
    return keys


def lose_answers(context: BrowserContext, number: int) -> None:
    """Lose the next answers to a refresh. The service gets these requests."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    context.route(REFRESH, lose, times=number)


def test_tabs_share_one_refresh(tab: Page, open_tab: OpenTab) -> None:
    tabs = [tab, open_tab(), open_tab()]
    keys = keys_of(tab.context)
    token = tab.evaluate("client.accessToken()")

    for one in tabs:
        one.evaluate("(token) => { window.fresh = client.accessToken(token); }", token)

    assert token not in [one.evaluate("fresh") for one in tabs]
    # Chromium may show a tab the tokens of another tab a moment after the lock. That tab repeats the refresh.
    assert len(keys) < len(tabs)
    assert len(set(keys)) == 1
    assert all(one.evaluate("refresh().then(() => true)") for one in tabs)


def test_a_refresh_whose_answer_was_lost_is_repeated_with_its_key(tab: Page) -> None:
    lose_answers(tab.context, 1)
    keys = keys_of(tab.context)

    tab.evaluate("refresh()")

    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert tab.evaluate("client.request('GET', '/v1/sessions').then((sessions) => sessions.length)") == 2


def test_a_tab_that_was_closed_during_its_refresh_leaves_the_session_to_another(tab: Page, open_tab: OpenTab) -> None:
    other = open_tab()
    arrived: list[Route] = []

    def hold(route: Route) -> None:
        route.fetch()
        arrived.append(route)

    tab.context.route(REFRESH, hold, times=1)
    keys = keys_of(tab.context)
    tab.evaluate("refresh(); 0")
    while not arrived:
        tab.wait_for_timeout(10)
    tab.close()

    other.evaluate("refresh()")

    assert (len(keys), len(set(keys))) == (2, 1)
    assert other.evaluate("window.ends") == 0


def test_a_logout_in_one_tab_signs_out_all_tabs(tab: Page, open_tab: OpenTab) -> None:
    other = open_tab()

    tab.evaluate("client.logout()")

    for one in (tab, other):
        one.wait_for_function("window.ends === 1")
        assert one.evaluate("client.isSignedIn") is False


def test_a_session_that_the_service_ended_signs_out_all_tabs(
    tab: Page, open_tab: OpenTab, service: Service, alice: Visitor
) -> None:
    other = open_tab()
    assert service.post("/v1/logout-all", token=alice.access).status == 200

    assert tab.evaluate("codeOf(refresh())") == "invalid_token"

    for one in (tab, other):
        one.wait_for_function("window.ends === 1")
    assert other.evaluate("codeOf(refresh())") == "signed_out"


def test_a_call_that_waits_for_a_refresh_never_goes_out_as_another_user_who_signs_in(
    tab: Page, alice: Visitor, service: Service
) -> None:
    bob = service.sign_up()
    script = """async ([email, password]) => {
        const name = `gatehouse ${location.origin}`;
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), renewAt: 0 }));
        const waiting = async (number) => {
            while ((await navigator.locks.query()).pending.length < number) await new Promise(requestAnimationFrame);
        };
        let release;
        navigator.locks.request(name, () => new Promise((resolve) => (release = resolve)));
        const login = other.login(email, password);
        await waiting(1);
        const code = codeOf(client.request("POST", "/v1/logout-all"));
        await waiting(2);
        release();
        await login;
        return code;
    }"""

    assert tab.evaluate(script, [bob.email, PASSWORD]) == "signed_out"

    assert len(tab.evaluate("client.request('GET', '/v1/sessions')")) == 2
    assert len(service.get("/v1/sessions", token=alice.access).data) == 2


def test_a_client_whose_tokens_are_in_memory_waits_for_no_other_client(tab: Page, alice: Visitor) -> None:
    script = """async ([email, password]) => {
        navigator.locks.request(`gatehouse ${location.origin}`, () => new Promise(() => {}));
        const { Gatehouse, memory } = await import("/client.js");
        const alone = new Gatehouse({ baseUrl: location.origin, storage: memory() });
        await alone.login(email, password);
        return (await alone.accessToken(await alone.accessToken())) !== "";
    }"""

    assert tab.evaluate(script, [alice.email, PASSWORD])


def test_a_login_of_another_user_in_one_tab_ends_the_session_in_the_other_tabs(
    tab: Page, open_tab: OpenTab, service: Service, alice: Visitor
) -> None:
    other = open_tab()
    log_in(other, alice)
    assert tab.evaluate("window.ends") == 0

    log_in(other, service.sign_up())

    tab.wait_for_function("window.ends === 1")
    assert other.evaluate("window.ends") == 0
    assert tab.evaluate("client.isSignedIn")


def test_the_error_of_a_page_whose_origin_is_refused_names_the_setting(browser: Browser, service: Service) -> None:
    with proxying(service.port) as application, browser.new_context() as context:
        client = (built_client() / "dist" / "index.js").read_text()
        application.pages = {"/": ("text/html", "<!doctype html>"), "/client.js": ("text/javascript", client)}
        page = context.new_page()
        page.goto(application.url)
        message = page.evaluate(
            """async (baseUrl) => {
                const { Gatehouse, memory } = await import("/client.js");
                const client = new Gatehouse({ baseUrl, storage: memory() });
                return client.login("alice@example.com", "a password").catch((error) => error.message);
            }""",
            service.url,
        )

    expected = f"Does its setting CORS_ALLOWED_ORIGINS contain {application.url}?"
    assert message == f"The service sent no answer. {expected}"


def test_a_code_completes_a_login(tab: Page, alice: Visitor) -> None:
    app = app_of(tab.evaluate("client.request('POST', '/v1/totp/enroll').then((made) => made.otpauth_url)"))
    tab.evaluate("(code) => client.request('POST', '/v1/totp/confirm', { code })", app.code(steps=-1))
    codes = tab.evaluate("client.request('POST', '/v1/recovery-codes/generate').then((made) => made.codes)")

    assert paused_methods(tab, alice)[0] == "totp"
    assert tab.evaluate("(code) => codeOf(paused.totp(code))", app.wrong_code()) == "invalid_totp_code"
    assert tab.evaluate("(code) => codeOf(paused.totp(code))", app.code()) == ""
    assert paused_methods(tab, alice)
    assert tab.evaluate("(code) => codeOf(paused.recoveryCode(code))", codes[0]) == ""
    assert tab.evaluate("codeOf(client.request('GET', '/v1/sessions'))") == ""


def test_a_passkey_completes_a_login_and_signs_in_alone(tab: Page, alice: Visitor) -> None:
    VirtualAuthenticator.add_to(tab, PLATFORM)
    tab.evaluate("client.addPasskey('Laptop')")
    tab.evaluate("client.logout()")

    assert paused_methods(tab, alice) == ["passkey"]
    tab.evaluate("paused.passkey()")
    [passkey] = tab.evaluate("client.request('GET', '/v1/passkeys')")
    assert (passkey["nickname"], passkey["signs_in_alone"]) == ("Laptop", True)
    account = tab.evaluate("client.me()")
    assert (account["email"], account["factors"]) == (alice.email, ["passkey"])

    tab.evaluate("client.logout()")
    tab.evaluate("client.signInWithPasskey()")
    assert tab.evaluate("client.isSignedIn")


def test_a_request_that_needs_a_recent_login_is_sent_again_after_a_passkey(tab: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(tab, PLATFORM)
    tab.evaluate("client.addPasskey('Laptop')")
    service.let_logins_age()

    names = tab.evaluate(
        """() => {
            window.proofs = 0;
            ask = (proof) => ((proofs += 1), proof.passkey());
            const add = (name) => client.request("POST", "/v1/api-keys", { name });
            return Promise.all(["a", "b"].map(add)).then((keys) => keys.map((key) => key.api_key.name));
        }"""
    )

    assert names == ["a", "b"]
    assert tab.evaluate("proofs") == 1


def test_a_request_is_not_repeated_for_another_user_who_signed_in_before_the_proof(tab: Page, service: Service) -> None:
    bob = service.sign_up()
    service.let_logins_age()

    code = tab.evaluate(
        """([email, password]) => {
            ask = () => other.login(email, password);
            return codeOf(client.request("POST", "/v1/api-keys", { name: "deploy" }));
        }""",
        [bob.email, PASSWORD],
    )

    assert code == "signed_out"
    assert tab.evaluate("client.request('GET', '/v1/api-keys')") == []


def test_without_a_function_that_asks_for_a_proof_the_request_fails(tab: Page, service: Service) -> None:
    service.let_logins_age()
    create = """codeOf(other.request("POST", "/v1/api-keys", { name: "deploy" }))"""

    assert tab.evaluate(create) == "reauthentication_required"
    assert tab.evaluate("(password) => codeOf(other.reauthentication().password(password))", "wrong") != ""
    assert tab.evaluate("(password) => codeOf(other.reauthentication().password(password))", PASSWORD) == ""
    assert tab.evaluate(create) == ""


def paused_methods(tab: Page, visitor: Visitor) -> Sequence[str]:
    """Log in. Return the methods of the paused login, which the page keeps as `paused`."""
    script = "async ([email, password]) => (window.paused = await client.login(email, password)).methods"
    methods: Sequence[str] = tab.evaluate(script, [visitor.email, PASSWORD])
    return methods


BOUND = """
async ([email, password]) => {
  const { Gatehouse } = await import("/client.js");
  window.bound = new Gatehouse({ baseUrl: location.origin, storage: localStorage, keyBound: true });
  await bound.login(email, password);
  return bound.accessToken();
}
"""
FETCHED = "async (token) => (await fetch('/v1/me', { headers: { Authorization: `Bearer ${token}` } })).status"
OPENED = """
() => {
  const opening = indexedDB.open("gatehouse");
  return new Promise((resolve) => {
    opening.onsuccess = () => {
      const asked = opening.result.transaction("keys").objectStore("keys").getAll();
      asked.onsuccess = async () => {
        const [{ privateKey }] = asked.result;
        const exported = await crypto.subtle.exportKey("pkcs8", privateKey).then(() => "copied", (error) => error.name);
        resolve([asked.result.length, privateKey.extractable, exported]);
      };
    };
  });
}
"""


def test_a_key_that_no_script_can_copy_binds_the_session_of_all_tabs(open_tab: OpenTab, alice: Visitor) -> None:
    tab = open_tab()

    access = tab.evaluate(BOUND, [alice.email, PASSWORD])

    assert tab.evaluate(FETCHED, access) == 401
    assert tab.evaluate("bound.me()")["email"] == alice.email
    assert tab.evaluate(OPENED) == [1, False, "InvalidAccessError"]
    # A client without the option goes on with the bound session: another tab has read the key.
    other = open_tab()
    assert other.evaluate("client.me()")["email"] == alice.email
    assert other.evaluate("refresh()") != access
    assert tab.evaluate("bound.fetch('/v1/me').then((answer) => answer.status)") == 200
    # A thief has the tokens, but not the key.
    stolen = tab.evaluate("localStorage.getItem(`gatehouse ${location.origin}`)")
    assert (
        tab.evaluate(
            """async (stolen) => {
          const { refresh } = JSON.parse(stolen);
          const init = { method: "POST", body: JSON.stringify({ refresh_token: refresh }) };
          const answer = await fetch("/v1/refresh", { ...init, headers: { "Content-Type": "application/json" } });
          return (await answer.json()).error.code;
        }""",
            stolen,
        )
        == "invalid_token"
    )
    assert tab.evaluate("bound.logout().then(() => bound.isSignedIn)") is False


def test_two_tabs_that_begin_at_once_share_one_key(open_tab: OpenTab, alice: Visitor) -> None:
    tabs = [open_tab(), open_tab()]
    start = """([email, password]) => {
      window.started = import("/client.js").then(({ Gatehouse }) => {
        window.bound = new Gatehouse({ baseUrl: location.origin, storage: localStorage, keyBound: true });
        return bound.login(email, password);
      });
    }"""

    for tab in tabs:
        tab.evaluate(start, [alice.email, PASSWORD])
    for tab in tabs:
        tab.evaluate("started")

    assert tabs[0].evaluate(OPENED)[0] == 1
    for tab in tabs:
        assert tab.evaluate("bound.accessToken().then((token) => bound.accessToken(token)).then(() => bound.me())")
