"""A browser at the console. It keeps cookies, states its origin, and sends the forms of the page that it shows."""

import re
from collections.abc import Mapping
from html import unescape
from io import StringIO
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client as TestClient
from django.test import RequestFactory
from django.urls import reverse

from console.browser import entry
from core.clock import now
from core.http.client import Client
from pages.frame import sessions
from pages.frame.sessions import LiveSession

from .pages import see_offer
from .people import Person, existing_session, open_session
from .second_factors import enroll_totp

HOST = "localhost:8000"
ORIGIN = f"http://{HOST}"
FORM = "application/x-www-form-urlencoded"


def prefix() -> str:
    """Return the path of the console's first page."""
    return reverse("authsvc-console-overview")


def grant(person: Person, *, role: str = "admin") -> None:
    """Make the person an operator."""
    arguments = ("--email", person.email, "--unproven", "--role", role)
    call_command("grant_operator", *arguments, stdout=StringIO(), stderr=StringIO())


def sign_in_with_app(person: Person) -> "Browser":
    """Give the person an authenticator app, and return a browser with a session that has this factor."""
    enroll_totp(existing_session(person))
    return signed_in(person)


def browser_of(person: Person) -> "Browser":
    """Store the rows of a sign-in, and return a browser with its cookie, which has opened no page."""
    browser = Browser()
    pair = open_session(person, client=Client(ip=browser.ip, user_agent=""))
    browser.client.cookies[sessions.cookie_name()] = sessions.open_session(pair=pair)
    return browser


def signed_in(person: Person) -> "Browser":
    """Return a browser as `browser_of` does, whose session has entered the console."""
    browser = browser_of(person)
    entry.enter(session=browser.session(), client=Client(ip=browser.ip, user_agent=""), now=now())
    return browser


class Browser:
    """A browser with one tab. `page` is the last answer. Paths are relative to the console's first page.

    A path can also be the name of a route of another page.
    """

    def __init__(self, *, ip: str = "203.0.113.7") -> None:
        self.client = TestClient(raise_request_exception=False)
        self.ip = ip
        self.page: Any = HttpResponse()

    @property
    def text(self) -> str:
        """The HTML of the page."""
        return str(self.page.content.decode())

    @property
    def status(self) -> int:
        """The status of the page."""
        return int(self.page.status_code)

    @property
    def location(self) -> str:
        """The path to which the answer redirects; "" without a redirect."""
        return str(self.page.headers.get("Location", ""))

    @property
    def cookie(self) -> str:
        """The value of the console's cookie; "" without one."""
        found = self.client.cookies.get("gatehouse")
        return found.value if found else ""

    def session(self) -> LiveSession:
        """Return the session to which the cookie leads."""
        request = RequestFactory(headers={"Cookie": f"{sessions.cookie_name()}={self.cookie}"}).get("/")
        found = sessions.find_session(request=request, now=now())
        assert found is not None
        return found

    def field(self, name: str) -> str:
        """Return the value of the first input of the page with this name."""
        found = re.search(rf'<input[^>]* name="{name}"[^>]* value="([^"]*)"', self.text)
        assert found is not None, f"no field {name}"
        return unescape(found[1])

    def open(self, path: str = "", headers: Mapping[str, str] | None = None) -> "Browser":
        """GET the path."""
        return self._send("GET", path, headers=headers)

    def send(
        self, path: str, form: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> "Browser":
        """POST the form from a page of the console."""
        raw = urlencode(form or {}, doseq=True).encode()
        return self._send("POST", path, raw, headers={"Origin": ORIGIN, **(headers or {})})

    def submit(self, path: str, form: Mapping[str, Any] | None = None) -> "Browser":
        """POST the form with the session's CSRF token, which every page of the console contains."""
        return self.send(path, {"csrf_token": self.token(), **(form or {})})

    def token(self) -> str:
        """Return the CSRF token of the page, or of the first page when this page has none."""
        if 'name="csrf_token"' not in self.text:
            self.open()
            self.follow()
        return self.field("csrf_token")

    def follow(self) -> "Browser":
        """Follow the redirects of the answer."""
        while self.location:
            self._send("GET", self.location)
        return self

    def sign_in(self, person: Person, **form: str) -> "Browser":
        """Send the form of the sign-in with the person's password. The person has seen the offer of a passkey."""
        see_offer(person)
        return self.send("authsvc-sign-in", {"email": person.email, "password": person.password, **form})

    def is_signed_in(self) -> bool:
        """Return whether the first page opens."""
        return self.open().status == 200

    def _send(self, method: str, path: str, raw: bytes = b"", headers: Mapping[str, str] | None = None) -> "Browser":
        full = path if path.startswith("/") else prefix() + path
        if path.startswith("authsvc-"):
            full = reverse(path)
        self.page = self.client.generic(
            method, full, raw, content_type=FORM, headers={"Host": HOST, **(headers or {})}, REMOTE_ADDR=self.ip
        )
        assert self.page.headers["X-Content-Type-Options"] == "nosniff"
        return self


def path_of(location: str) -> str:
    """Return the path of a redirect without its query."""
    return urlsplit(location).path
