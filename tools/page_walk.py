"""A walk through the pages for the people who sign in: every page, and every state of an error.

Each stage opens pages one after the other, and yields the name of each state while the page shows it. The caller takes
a picture of the page or checks it. The walk uses links and forms only, and no text of a page. So it works in every
language, and in a browser without scripts.
"""

import email
import email.policy
import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pyotp
from playwright.sync_api import Page

from .waiting import until
from .walked_host import WalkedHost

PASSWORD = "a long phrase that nobody guesses"  # noqa: S105 - accounts of a service that runs for the walk only
_PATIENCE = 20
_TRIES_TO_LOCK = 6
"""One more wrong password than an account takes before its lock."""
_TRIES_TO_LIMIT = 20
"""As many wrong passwords as the limit permits in two of its windows."""
_AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


_SERVICE = "https://invoices.example.com"
"""A service for which applications get access tokens."""


@dataclass
class Walk:
    """A browser at the running service. `mails` is the directory of its mails, and `host` its machine."""

    page: Page
    url: str
    mails: Path
    host: WalkedHost

    def open(self, path: str) -> None:
        """Open the path of the service."""
        self.page.goto(f"{self.url}{path}")

    def tour(self, pages: Mapping[str, str]) -> Iterator[str]:
        """Open the paths one after the other, and yield the name of each."""
        for name, path in pages.items():
            self.open(path)
            yield name

    def send(self, form: str = "main form", **values: str) -> None:
        """Type the values into the form, and send it with its first button."""
        target = self.page.locator(form).filter(visible=True).first
        for name, value in values.items():
            target.locator(f'[name="{name}"]').fill(value)
        target.locator("button:not([type=button])").filter(visible=True).first.click()

    def follow(self, selector: str) -> None:
        """Follow the first visible link."""
        self.page.locator(selector).filter(visible=True).first.click()

    def new_address(self) -> str:
        """Return an address that has no account."""
        return f"alice.{secrets.token_hex(3)}@example.com"

    def open_link(self, link: str) -> None:
        """Open a mailed link. Without scripts, the person pastes it into the page."""
        # A second address that differs only in its fragment would not load the page again.
        self.page.goto("about:blank")
        self.open(link)
        self.page.wait_for_load_state("networkidle")
        if self.page.locator("main input[name=token]").filter(visible=True).count():
            self.send(token=f"{self.url}{link}")

    def sign_up(self) -> str:
        """Make an account by the API, and return its address."""
        address = self.new_address()
        self.post("/v1/signup", {"email": address, "password": PASSWORD})
        return address

    def sign_in(self, address: str, password: str = PASSWORD) -> None:
        """Sign in by the pages, as far as the page that follows the password."""
        self.open("/sign-in")
        self.send(email=address)
        self.send(password=password)

    def scan(self) -> str:
        """Return the present code of the authenticator app whose secret the page shows."""
        return pyotp.TOTP(re.sub(r"\s", "", str(self.page.locator("#app-secret").text_content()))).now()

    def add_authenticator(self) -> None:
        """Give the page a device that keeps passkeys. It answers only when a person would use it."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": _AUTHENTICATOR})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Call the API, and return the data of its answer."""
        headers = {"Content-Type": "application/json"}
        with urlopen(Request(f"{self.url}{path}", json.dumps(body).encode(), headers)) as answer:  # noqa: S310 - the service of the walk
            return json.load(answer)["data"]

    def mailed(self, address: str, pattern: str) -> str:
        """Return the part of the newest mail to the address that the pattern's group matches. Delete the mails."""

        def find() -> str | None:
            for path in sorted(self.mails.glob("*.eml"), reverse=True):
                message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                body = message.get_body(("plain",))
                found = re.search(pattern, str(body.get_content())) if body and message["To"] == address else None
                if found:
                    path.unlink()
                    return found[1]
            return None

        return until(find, seconds=_PATIENCE, missing=f"no mail to {address} with {pattern}")

    def link(self, address: str, page: str = "") -> str:
        """Return the path of the link in a mail to the address. `page` is a part of the path of the page."""
        return self.mailed(address, rf"{re.escape(self.url)}(/\S*{page}\S*token=[\w-]+)")


Stage = Callable[[Walk], Iterator[str]]


def entrance(walk: Walk) -> Iterator[str]:
    """The sign-in without a second factor, the confirmation and the sign-out."""
    yield from walk.tour({"welcome": "/", "unknown-page": "/no-such-page", "sign-in": "/sign-in"})
    address = walk.sign_up()
    walk.send(email=address)
    yield "sign-in-ways"
    walk.send(password="wrong")  # noqa: S106 - a wrong one
    yield "sign-in-refused"
    walk.send(password=PASSWORD)
    yield "signed-in-first"
    walk.open("/sign-out")
    yield "sign-out"
    walk.send("main form")
    yield "signed-out"
    # A sign-in leads here when the browser did not keep its cookie.
    walk.open("/sign-in?entered=1")
    yield "cookies-off"


def joining(walk: Walk) -> Iterator[str]:
    """The sign-up, the mailed links and a forgotten password."""
    walk.open("/sign-up")
    yield "sign-up"
    address = walk.new_address()
    walk.send(email=address, password="short")  # noqa: S106 - a wrong one
    yield "sign-up-refused"
    walk.send(email=address, password=PASSWORD)
    yield "passkey-offer"
    link = walk.link(address, "verify-email")
    walk.open("/mail/verify-email")
    yield "link-missing"
    walk.open_link(link)
    yield "verify-address"
    walk.send()
    yield "address-verified"
    walk.open_link(link)
    yield "link-used"
    walk.page.context.clear_cookies()
    walk.open("/sign-up")
    walk.send(email=address, password=PASSWORD)
    yield "sign-up-known"
    walk.page.context.clear_cookies()
    walk.open("/forgot-password")
    yield "forgot-password"
    walk.send(email=address)
    yield "reset-mailed"
    walk.open_link(walk.link(address, "password-reset"))
    yield "new-password"
    walk.send(new_password="short")  # noqa: S106 - a wrong one
    yield "new-password-refused"
    walk.send(new_password=f"{PASSWORD} again")
    yield "password-set"
    walk.open("/sign-in")
    walk.send(email=address)
    walk.send("form[action$='/sign-in/mail']")
    yield "code-mailed"
    walk.send("form:has([name=code])", code="000000")
    yield "code-refused"
    walk.page.context.clear_cookies()
    walk.open_link(walk.link(address, "magic-link"))
    yield "sign-in-by-link"


def account(walk: Walk) -> Iterator[str]:
    """The rooms of a new account, and what they refuse."""
    address = walk.sign_up()
    walk.sign_in(address)
    yield from walk.tour({"account": "/account/", "address": "/account/address"})
    walk.open("/account/address/new")
    walk.send(new_email=address)
    yield "address-refused"
    walk.send(new_email=walk.new_address())
    yield "address-waits"
    walk.open("/account/password")
    walk.send(current_password="wrong", new_password="short")  # noqa: S106 - wrong ones
    yield "password-refused"
    yield from walk.tour(
        {
            "connected": "/account/connected",
            "applications-empty": "/account/applications",
            "preferences": "/account/preferences",
            "api-keys-empty": "/account/api-keys",
        }
    )
    walk.open("/account/api-keys/new")
    walk.send(name="Backup of the report", scopes="reports:read reports write(", days="0")
    yield "api-key-refused"
    walk.send(name="Backup of the report", scopes="reports:read", days="90")
    yield "api-key-made"
    yield from walk.tour({"api-keys": "/account/api-keys", "data": "/account/data", "delete": "/account/delete"})
    walk.send(name=address, current_password="wrong")  # noqa: S106 - a wrong one
    yield "delete-refused"
    walk.open("/account/devices/sign-out")
    yield "method-refused"


def security(walk: Walk) -> Iterator[str]:
    """The second factor of an account, and the sign-in with it."""
    address = walk.sign_up()
    walk.sign_in(address)
    yield from walk.tour(
        {
            "two-step-off": "/account/two-step",
            "passkeys-empty": "/account/passkeys",
            "passkey-new": "/account/passkeys/new",
            "app": "/account/two-step/app",
        }
    )
    walk.send()
    yield "app-scan"
    walk.send(code="000000")
    yield "app-refused"
    walk.send(code=walk.scan())
    yield "recovery-codes-offer"
    walk.send()
    yield "recovery-codes-new"
    codes = walk.page.locator("#codes").inner_text().split("\n")
    yield from walk.tour(
        {
            "recovery-codes": "/account/two-step/recovery-codes",
            "two-step": "/account/two-step",
            "app-on": "/account/two-step/app",
            "devices": "/account/devices",
            "activity": "/account/activity",
        }
    )
    walk.page.context.clear_cookies()
    walk.sign_in(address)
    yield "second-step"
    walk.send(code="000000")
    yield "second-step-refused"
    walk.page.locator("main details").first.locator("summary").click()
    walk.send("main details form", recovery_code=codes[0])
    yield from walk.tour({"confirm": "/confirm", "devices-two": "/account/devices"})
    walk.send("form[action$='/sign-out']:has(.danger)")
    yield "signed-out-everywhere"


def links(walk: Walk) -> Iterator[str]:
    """A change of the address and its undoing, and the recovery of an account whose second step is lost."""
    address, other = walk.sign_up(), walk.new_address()
    walk.sign_in(address)
    # Only a confirmed address gets a link that undoes its change.
    walk.open_link(walk.link(address, "verify-email"))
    walk.send()
    walk.open("/account/address/new")
    walk.send(new_email=other)
    walk.open_link(walk.link(other, "email-change"))
    yield "change-address"
    walk.send()
    yield "address-changed"
    walk.open_link(walk.link(address, "email-undo"))
    yield "undo-address"
    walk.send()
    yield "address-restored"
    walk.page.context.clear_cookies()
    address = walk.sign_up()
    walk.sign_in(address)
    walk.open("/account/two-step/app")
    walk.send()
    walk.send(code=walk.scan())
    walk.page.context.clear_cookies()
    walk.sign_in(address)
    walk.send("form[action$='/recover']")
    yield "lost-factor"
    walk.send("form[action$='/recover/start']")
    yield "recovery-waits"
    walk.open_link(walk.link(address, "recovery-cancel"))
    yield "cancel-recovery"
    walk.send()
    yield "recovery-cancelled"
    walk.sign_in(address)
    walk.send("form[action$='/recover']")
    walk.send("form[action$='/recover/start']")
    walk.host.end_waits_of_recoveries()
    walk.open_link(walk.link(address, "recovery-complete"))
    yield "complete-recovery"
    walk.send()
    yield "recovery-completed"


def arrivals(walk: Walk) -> Iterator[str]:
    """An invitation, the sign-in to an application, and that of a device."""
    address = walk.new_address()
    walk.host.manage("users", "invite", address)
    walk.open_link(walk.link(address, "invitation"))
    yield "invitation"
    walk.send(new_password="short")  # noqa: S106 - a wrong one
    yield "invitation-refused"
    walk.send(new_password=PASSWORD)
    returning = "https://books.example.com/back"
    options = ["--redirect-uri", returning, "--without-pkce", "--resource", _SERVICE]
    made = walk.host.manage("clients", "create", "Books", *options)
    request = {
        "client_id": _client_in(made),
        "resource": _SERVICE,
        "redirect_uri": returning,
        "response_type": "code",
        "scope": "openid profile email",
        "state": "walk",
    }
    walk.open(f"/oauth2/authorize?{urlencode(request)}")
    yield "consent"
    walk.open("/oauth2/authorize?client_id=unknown")
    yield "application-unknown"
    yield from _connect_device(walk)


def _connect_device(walk: Walk) -> Iterator[str]:
    """The pages on which a person connects a television."""
    made = walk.host.manage("clients", "create", "Television", "--public", "--devices", "--resource", _SERVICE)
    asked = {"client_id": _client_in(made), "scope": "openid profile email", "resource": _SERVICE}
    with urlopen(f"{walk.url}/oauth2/device_authorization", urlencode(asked).encode()) as answer:  # noqa: S310 - the service of the walk
        code = json.load(answer)["user_code"]
    walk.open("/oauth2/device")
    yield "device"
    walk.send(code="BCDF-GHJK")
    yield "device-code-refused"
    walk.send(code=code)
    yield "device-question"
    walk.send()
    yield "device-connected"


def _client_in(printed: str) -> str:
    """Return the id of the client that a command has registered."""
    [client_id] = re.findall(r"^client_id +(\S+)$", printed, re.MULTILINE)
    return str(client_id)


def refusals(walk: Walk) -> Iterator[str]:
    """Refusals of requests that no form sends, and of too many tries."""
    walk.open("/sign-in?return_to=https://evil.example/")
    yield "return-refused"
    address = walk.sign_up()
    walk.open("/sign-in")
    walk.send(email=address)
    for _ in range(_TRIES_TO_LOCK):
        walk.send(password="wrong")  # noqa: S106 - a wrong one
    yield "locked"
    for _ in range(_TRIES_TO_LIMIT):
        walk.send(password="wrong")  # noqa: S106 - a wrong one
    yield "too-many-tries"


def passkeys(walk: Walk) -> Iterator[str]:
    """The passkeys of an account. It needs scripts, and a browser with a virtual authenticator."""
    address = walk.sign_up()
    walk.add_authenticator()
    walk.open("/sign-in")
    walk.send(email=address)
    walk.send(password=PASSWORD)
    walk.open("/account/passkeys/new")
    walk.send(nickname="Phone")
    walk.page.wait_for_url(lambda url: not url.endswith("/new"))
    yield "passkey-added"
    walk.open("/account/passkeys")
    yield "passkeys"
    walk.follow("main .rows a")
    yield "passkey"
    walk.open("/account/")
    yield "account-protected"


STAGES: Mapping[str, Stage] = {
    "entrance": entrance,
    "joining": joining,
    "account": account,
    "security": security,
    "links": links,
    "arrivals": arrivals,
    "refusals": refusals,
}
"""The stages that need no scripts."""

SCRIPTED_STAGES: Mapping[str, Stage] = {"passkeys": passkeys}
"""The stages that need scripts and Chromium."""
