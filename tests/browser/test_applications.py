"""The applications with access to an account, in Chromium: at the account and in the console."""

import re
import subprocess
import sys
from typing import Literal

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.processes.running import PATIENCE, ROOT

from .conftest import OpenPage
from .looks import faults, fits
from .operators import enter_console, sign_in
from .service import Service, Visitor

pytestmark = pytest.mark.once

LOOKS: list[tuple[int, Literal["light", "dark"]]] = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def back(service: Service) -> str:
    """Return the redirect URI of the clients. It is a page of the service, because the browser reaches no other site."""
    return f"{service.url}/v1/health"


def register(service: Service, name: str, *options: str) -> tuple[str, str]:
    """Register a client by the command. Return its id and its secret, or "" for a public client."""
    command = [sys.executable, "manage.py", "clients", "create", name, "--redirect-uri", back(service), *options]
    done = subprocess.run(command, cwd=ROOT, env=service.variables, check=True, capture_output=True, text=True)
    values = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if line.startswith("client_"))
    return values["client_id"], values.get("client_secret", "")


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_a_person_agrees_sees_the_application_and_ends_its_access(
    open_page: OpenPage, service: Service, is_scripted: bool
) -> None:
    owner = service.sign_up()
    client_id, secret = register(service, "Ledger <b>& Co, the application with a rather long name")
    page = open_page(java_script_enabled=is_scripted, viewport={"width": 360, "height": 780})
    page.goto(
        f"/oauth2/authorize?client_id={client_id}&response_type=code&redirect_uri={back(service)}&scope=openid+email+offline_access"
        f"&code_challenge={CHALLENGE}&code_challenge_method=S256"
    )
    sign_in(page, owner)
    page.get_by_role("link", name="Not now").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ledger <b>& Co")
    assert fits(page)
    # axe is a script too.
    assert not is_scripted or faults(page) == []

    page.get_by_role("button", name="Continue", exact=True).press("Enter")
    page.wait_for_url(lambda url: url.startswith(back(service)))

    code = page.url.partition("code=")[2].partition("&")[0]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back(service), "code_verifier": VERIFIER}
    redeemed = requests.post(f"{service.url}/oauth2/token", form, auth=(client_id, secret), timeout=PATIENCE)
    assert redeemed.status_code == 200, redeemed.text
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto("/account/applications")
        assert fits(page)
        assert not is_scripted or faults(page) == []
    page.get_by_role("button", name="End the access of Ledger").press("Enter")
    expect(page.locator("main .notice")).to_have_text("The application no longer has access to your account.")
    expect(page.get_by_text("No application has access to your account.")).to_be_visible()


@pytest.mark.parametrize("is_scripted", [True, False], ids=["with scripts", "without scripts"])
def test_a_person_connects_a_device_by_keyboard(open_page: OpenPage, service: Service, is_scripted: bool) -> None:
    owner = service.sign_up()
    invoices = "https://invoices.example.com"
    client_id, _ = register(service, "Television", "--devices", "--public", "--resource", invoices)
    asked = {"client_id": client_id, "scope": "openid email", "resource": invoices}
    started = requests.post(f"{service.url}/oauth2/device_authorization", asked, timeout=PATIENCE).json()
    page = open_page(java_script_enabled=is_scripted, viewport={"width": 360, "height": 780})
    page.goto("/oauth2/device")
    sign_in(page, owner)
    page.get_by_role("link", name="Not now").click()

    expect(page.get_by_label("Code")).to_be_focused()
    assert not is_scripted or faults(page) == []
    page.keyboard.type(started["user_code"].lower())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect a device to Television?")
    for width, scheme in LOOKS if is_scripted else LOOKS[:1]:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert fits(page)
        assert not is_scripted or faults(page) == []
    expect(page.get_by_text("invoices.example.com")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("The device is connected")
    page.get_by_role("link", name="Applications").first.press("Enter")
    expect(page.get_by_text("An application appears here")).to_be_visible()


def show_page(page: Page, url: str, *, script: str) -> None:
    """Let the address be a page of the application, in each window."""
    html = f"<!doctype html><title>Calendar</title><link rel=icon href='data:,'><button>Sign in</button><script>{script}</script>"
    page.context.route(url, lambda route: route.fulfill(body=html, content_type="text/html"))


def test_a_pop_up_reports_to_its_application_by_the_code_of_the_docs(
    open_page: OpenPage, service: Service, site: str
) -> None:
    owner = service.sign_up()
    client_id, _ = register(service, "Calendar", "--redirect-uri", f"{site}/back", "--first-party")
    request = (
        f"{service.url}/oauth2/authorize?client_id={client_id}&response_type=code&redirect_uri={site}/back&scope=openid"
        f"&state=s1&code_challenge={CHALLENGE}&code_challenge_method=S256"
    )
    opening, returning = re.findall(
        r"^```js\n(.*?)^```$", (ROOT / "docs" / "openid.md").read_text(), re.MULTILINE | re.DOTALL
    )
    opening = opening.replace("window.open(", "window.popUp = window.open(")
    begins = (
        f"const state = 's1', authorizationRequest = '{request}', finish = (answer) => {{ window.answer = answer; }};"
    )
    page = open_page()
    click = f"document.querySelector('button').onclick = () => {{ {begins} {opening} }};"
    show_page(page, f"{site}/", script=click)
    show_page(
        page, f"{site}/back?*", script=f"window.openedBy = window.opener; {returning.replace('window.close();', '')}"
    )
    page.goto(f"{site}/")

    with page.expect_popup() as opened:
        page.get_by_role("button", name="Sign in").click()
    pop_up = opened.value
    sign_in(pop_up, owner)
    pop_up.get_by_role("link", name="Not now").click()

    page.wait_for_function("() => window.answer")
    assert page.evaluate("() => window.answer.get('code')").startswith("oac_")
    assert pop_up.evaluate("() => window.openedBy") is None
    assert page.evaluate("() => window.popUp.closed") is True


@pytest.mark.usefixtures("full_deployment")
def test_an_operator_sees_the_application(open_page: OpenPage, service: Service, olivia: Visitor) -> None:
    client_id, _ = register(service, "Grafana")
    page = open_page()
    enter_console(page, service, olivia, "/console/applications")

    page.get_by_role("link", name="Grafana").first.press("Enter")

    expect(page.get_by_text(f"manage.py clients deactivate {client_id}")).to_be_visible()
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        for path in ("/console/applications", f"/console/applications/{client_id}"):
            page.goto(path)
            assert fits(page)
            assert faults(page) == []
