"""The code of `docs/passkeys.md` in Chromium, with a virtual authenticator."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.client import PASSWORD
from tests.processes.running import call

from .service import Service, Visitor
from .test_passkeys import PLATFORM, VirtualAuthenticator
from .test_passkeys import SCRIPT as STEPS

pytestmark = pytest.mark.once

DOCUMENT = Path(__file__).parents[2] / "docs" / "passkeys.md"
PAGE = "/a-sign-in-page"


@pytest.fixture
def site(page: Page, service: Service) -> Page:
    """A sign-in page at the service's own origin, with the field and the code of the document."""
    document = DOCUMENT.read_text()
    (field,) = re.findall(r"```html\n(.*?)```", document, re.DOTALL)
    code = "".join(re.findall(r"```js\n(.*?)```", document, re.DOTALL))
    # Both scripts define `call`.
    steps = f"const {{register}} = (() => {{ {STEPS} return {{register}}; }})();"
    body = f"<!doctype html>{field}<script>{code}</script><script>{steps}</script>"
    page.route(f"{service.url}{PAGE}", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto(PAGE)
    return page


def register(site: Page, visitor: Visitor) -> None:
    """Register a passkey in the browser."""
    assert site.evaluate("register", {"token": visitor.access, "nickname": ""})["status"] == 200


def touch(authenticator: VirtualAuthenticator, *, enabled: bool) -> None:
    """Let the user confirm at once from now on, or not at all."""
    options = {"authenticatorId": authenticator.name, "enabled": enabled}
    authenticator.devtools.send("WebAuthn.setAutomaticPresenceSimulation", options)


def user_of(service: Service, access: str) -> str:
    """Return the id of the user of the access token."""
    user_id: str = service.get("/v1/verify", token=access).data["user_id"]
    return user_id


def listed(service: Service, access: str) -> Any:
    """Return the passkeys of the account."""
    return service.get("/v1/passkeys", token=access).data


def test_a_button_signs_in_with_a_passkey_alone(site: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()
    register(site, alice)

    for _ in range(2):
        tokens = site.evaluate("signIn()")
        assert set(tokens) == {"access_token", "refresh_token"}
        assert user_of(service, tokens["access_token"]) == user_of(service, alice.access)


def test_the_autofill_of_the_browser_signs_in_with_a_passkey_alone(site: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()
    register(site, alice)

    tokens = site.evaluate("autofill()")

    assert user_of(service, tokens["access_token"]) == user_of(service, alice.access)
    (passkey,) = listed(service, tokens["access_token"])
    assert (passkey["signs_in_alone"], passkey["user_verified"]) == (True, True)


def test_the_button_ends_the_autofill(site: Page, service: Service) -> None:
    authenticator = VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()
    register(site, alice)
    touch(authenticator, enabled=False)

    site.evaluate("window.filled = autofill().catch((reason) => reason); 0")
    site.wait_for_function("waiting")

    def let_the_user_confirm(request: Route) -> None:
        # By now the click has ended the autofill. A request that waits already would not notice the change.
        touch(authenticator, enabled=True)
        request.continue_()

    site.route("**/passkey-login/begin", let_the_user_confirm)
    site.evaluate("window.signed = signIn(); 0")

    assert user_of(service, site.evaluate("window.signed")["access_token"]) == user_of(service, alice.access)
    assert site.evaluate("window.filled") == "replaced"


def test_an_authenticator_that_does_not_verify_its_user_does_not_sign_in_alone(site: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(site, {**PLATFORM, "isUserVerified": False, "hasUserVerification": False})
    alice = service.sign_up()
    register(site, alice)

    (passkey,) = listed(service, alice.access)

    assert (passkey["signs_in_alone"], passkey["user_verified"]) == (False, False)


def test_the_options_of_a_conditional_ceremony_make_a_passkey_that_signs_in_alone(site: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()

    answer = site.evaluate(
        """async (access) => {
            const { public_key, ceremony_token } = await call("passkeys/register/begin", { conditional: true }, access);
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(public_key);
            const credential = (await navigator.credentials.create({ publicKey })).toJSON();
            return call("passkeys/register/finish", { ceremony_token, credential }, access);
        }""",
        alice.access,
    )

    assert answer == {"status": "passkey registered"}
    assert set(site.evaluate("signIn()")) == {"access_token", "refresh_token"}


def test_the_upgrade_states_whether_it_made_a_passkey(site: Page, service: Service) -> None:
    VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()

    # A virtual authenticator does not answer a conditional creation in every Chromium.
    is_made = site.evaluate("(access) => upgrade(access, 1000)", alice.access)

    assert len(listed(service, alice.access)) == int(is_made)


def test_the_signal_hides_a_removed_passkey(site: Page, service: Service) -> None:
    authenticator = VirtualAuthenticator.add_to(site, PLATFORM)
    alice = service.sign_up()
    register(site, alice)
    (passkey,) = listed(service, alice.access)
    site.evaluate("signal", alice.access)
    assert len(authenticator.credentials()) == 1, "An accepted passkey stays."

    path = f"/v1/passkeys/{passkey['credential_id']}"
    assert call(service.port, "DELETE", path, {"password": PASSWORD}, token=alice.access).status == 200
    site.evaluate("signal", alice.access)

    assert authenticator.credentials() == []
