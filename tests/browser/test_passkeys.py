"""Passkeys with a page, a browser and a virtual authenticator of Chromium."""

from dataclasses import dataclass
from typing import Any, Self

import pytest
from playwright.sync_api import CDPSession, Error, Page

from tests.client import PASSWORD

from .service import Service, Visitor

pytestmark = pytest.mark.once

PAGE = "/a-page-of-a-site"
SCRIPT = """
const call = async (path, body, token) => {
    const authorization = token ? {Authorization: `Bearer ${token}`} : {};
    const response = await fetch(path, {
        method: "POST",
        headers: {"Content-Type": "application/json", ...authorization},
        body: JSON.stringify(body),
    });
    return {status: response.status, ...await response.json()};
};
const register = async ({token, nickname}) => {
    const {public_key, ceremony_token} = (await call("/v1/passkeys/register/begin", {}, token)).data;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(public_key);
    const credential = (await navigator.credentials.create({publicKey})).toJSON();
    return call("/v1/passkeys/register/finish", {ceremony_token, credential, nickname}, token);
};
const logIn = async ({email, password}) => {
    const {pending_token, methods} = (await call("/v1/login", {email, password})).data;
    if (methods.join() !== "passkey") throw new Error(`asked for ${methods}`);
    const {public_key, ceremony_token} = (await call("/v1/login/passkey/begin", {pending_token})).data;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(public_key);
    const credential = (await navigator.credentials.get({publicKey})).toJSON();
    return call("/v1/login/passkey/finish", {pending_token, ceremony_token, credential});
};
"""
PLATFORM = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "defaultBackupEligibility": True,
    "defaultBackupState": True,
}
SECURITY_KEY = {"protocol": "ctap2", "transport": "usb", "hasResidentKey": False, "hasUserVerification": False}
U2F_KEY = {"protocol": "u2f", "transport": "usb"}


@dataclass
class VirtualAuthenticator:
    """A virtual authenticator in the browser."""

    devtools: CDPSession
    name: str

    @classmethod
    def add_to(cls, page: Page, options: dict[str, Any]) -> Self:
        """Add an authenticator to the browser. Its user is present and confirms at once."""
        devtools = page.context.new_cdp_session(page)
        devtools.send("WebAuthn.enable")
        touched = {**options, "automaticPresenceSimulation": True}
        added = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": touched})
        return cls(devtools, added["authenticatorId"])

    def credentials(self) -> list[dict[str, Any]]:
        """Return the credentials of the authenticator, including the private keys."""
        held: list[dict[str, Any]] = self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.name})[
            "credentials"
        ]
        return held

    def hold(self, credential: dict[str, Any]) -> None:
        """Replace the credential with the same id in the authenticator."""
        self.devtools.send(
            "WebAuthn.removeCredential", {"authenticatorId": self.name, "credentialId": credential["credentialId"]}
        )
        self.devtools.send("WebAuthn.addCredential", {"authenticatorId": self.name, "credential": credential})


@pytest.fixture
def site(page: Page, service: Service) -> Page:
    """A page of a site at the service's own origin."""
    page.route(
        f"{service.url}{PAGE}",
        lambda route: route.fulfill(content_type="text/html", body=f"<!doctype html><script>{SCRIPT}</script>"),
    )
    page.goto(PAGE)
    return page


def register(site: Page, visitor: Visitor, nickname: str = "") -> dict[str, Any]:
    """Register a passkey in the browser."""
    answer: dict[str, Any] = site.evaluate("register", {"token": visitor.access, "nickname": nickname})
    return answer


def log_in(site: Page, visitor: Visitor) -> dict[str, Any]:
    """Log in by password and passkey in the browser."""
    answer: dict[str, Any] = site.evaluate("logIn", {"email": visitor.email, "password": PASSWORD})
    return answer


@pytest.mark.parametrize("options", [PLATFORM, SECURITY_KEY, U2F_KEY], ids=["platform", "security key", "U2F key"])
def test_a_passkey_is_registered_and_logs_in_repeatedly(site: Page, service: Service, options: dict[str, Any]) -> None:
    VirtualAuthenticator.add_to(site, options)
    alice = service.sign_up()

    assert register(site, alice, "Laptop") == {"status": 200, "data": {"status": "passkey registered"}}

    for _ in range(2):
        answer = log_in(site, alice)
        assert (answer["status"], set(answer["data"])) == (200, {"access_token", "refresh_token"})
        (passkey,) = service.get("/v1/passkeys", token=answer["data"]["access_token"]).data
        assert passkey["nickname"] == "Laptop"
        assert passkey["last_used_at"] > passkey["created_at"]


def test_a_platform_authenticator_stores_the_user_handle(site: Page, service: Service) -> None:
    authenticator = VirtualAuthenticator.add_to(site, PLATFORM)

    register(site, service.sign_up())

    (held,) = authenticator.credentials()
    assert (held["isResidentCredential"], held["rpId"]) == (True, "localhost")
    assert held["userHandle"]


def test_an_authenticator_is_not_registered_twice(site: Page, service: Service) -> None:
    authenticator = VirtualAuthenticator.add_to(site, PLATFORM)
    alice, bob = service.sign_up(), service.sign_up()
    register(site, alice)

    with pytest.raises(Error, match="InvalidStateError"):
        register(site, alice)

    assert register(site, bob)["status"] == 200, "Bob has a passkey of his own on it."
    assert len(authenticator.credentials()) == 2
    assert log_in(site, alice)["status"] == log_in(site, bob)["status"] == 200


def test_a_copy_of_an_authenticator_is_refused(site: Page, service: Service) -> None:
    authenticator = VirtualAuthenticator.add_to(site, SECURITY_KEY)
    alice = service.sign_up()
    register(site, alice)
    (copied,) = authenticator.credentials()
    assert log_in(site, alice)["status"] == 200

    authenticator.hold(copied)

    answer = log_in(site, alice)
    assert (answer["status"], answer["error"]["code"]) == (401, "invalid_passkey_response")
