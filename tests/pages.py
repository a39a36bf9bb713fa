"""A browser at the pages. It keeps cookies, states its origin, and sends the forms of the page that it shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Self, TypeVar
from urllib.parse import urlencode, urlsplit

from django.http import HttpResponse
from django.test import Client as TestClient
from django.urls import reverse

from core.clock import now
from core.http.client import Client
from pages.frame import passkey_offers, sessions

from .people import Person, open_session

HOST = "localhost:8000"
ORIGIN = f"http://{HOST}"
FORM = "application/x-www-form-urlencoded"
AnyTab = TypeVar("AnyTab", bound="Tab")


@dataclass
class ShownForm:
    """A form of a page: the path to which it posts, and the values of its fields."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    controls: dict[str, dict[str, str]] = field(default_factory=dict)
    """The attributes of each field and of each button that has a name."""


class _Forms(HTMLParser):
    """Collects the forms of a page. A button sends nothing, because a test names its value."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[ShownForm] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(ShownForm(action=given.get("action", "")))
        elif tag in {"input", "textarea", "select", "button"} and "name" in given and self.found:
            self.found[-1].controls[given["name"]] = given
            is_sent = tag == "input" and (given.get("type") not in {"checkbox", "radio"} or "checked" in given)
            if is_sent:
                self.found[-1].fields[given["name"]] = given.get("value", "")


class Tab:
    """The one tab of a browser. `page` is the last answer."""

    def __init__(self, *, ip: str = "203.0.113.7", keeps_cookies: bool = True) -> None:
        self.client = TestClient(raise_request_exception=False)
        self.ip = ip
        self.keeps_cookies = keeps_cookies
        self.page: Any = HttpResponse()
        self.url = ""
        """The path and the query of the page."""

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
        """The handle of the session; "" without one."""
        found = self.client.cookies.get(sessions.cookie_name())
        return found.value if found else ""

    @property
    def forms(self) -> list[ShownForm]:
        """The forms of the page."""
        parser = _Forms()
        parser.feed(self.text)
        return parser.found

    def field(self, name: str) -> str:
        """Return the value of the first field of the page with this name."""
        return next(one.fields[name] for one in self.forms if name in one.fields)

    def send(self, path: str, form: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None) -> Self:
        """POST the form from the page that the browser shows."""
        raw = urlencode(form or {}, doseq=True).encode()
        return self._send("POST", path, raw, headers={"Origin": ORIGIN, **(headers or {})})

    def follow(self) -> Self:
        """Follow the redirects of the answer."""
        while self.location:
            self._send("GET", self.location)
        return self

    def find_path(self, place: str) -> str:
        """Return the path of the place."""
        return to_path(place)

    def _send(self, method: str, place: str, raw: bytes = b"", headers: Mapping[str, str] | None = None) -> Self:
        path = self.find_path(place)
        referrer = {"Referer": ORIGIN + self.url} if self.url else {}
        self.page = self.client.generic(
            method,
            path,
            raw,
            content_type=FORM,
            headers={"Host": HOST, **referrer, **(headers or {})},
            REMOTE_ADDR=self.ip,
        )
        if method == "GET" and not self.location:
            self.url = path
        if not self.keeps_cookies:
            self.client.cookies.clear()
        assert self.page.headers["X-Content-Type-Options"] == "nosniff"
        return self


class Browser(Tab):
    """A browser at the pages. A place is a path, or the name of a route with its arguments."""

    def form(self, place: str, *arguments: str) -> ShownForm:
        """Return the first form of the page that posts to the place."""
        path = to_path(place, *arguments)
        found = [one for one in self.forms if urlsplit(one.action).path == path]
        assert found, f"no form posts to {path}; the page is: {self.text}"
        return found[0]

    def shows_form(self, place: str, *arguments: str) -> bool:
        """Return whether the page has a form that posts to the place."""
        return any(urlsplit(one.action).path == to_path(place, *arguments) for one in self.forms)

    def open(self, place: str, *arguments: str, headers: Mapping[str, str] | None = None, **query: str) -> Self:
        """GET the place."""
        path = to_path(place, *arguments) + (f"?{urlencode(query)}" if query else "")
        return self._send("GET", path, headers=headers)

    def submit(self, place: str, *arguments: str, **typed: str) -> Self:
        """Send the form of the page that posts to the place. `typed` are the values that the person changes."""
        shown = self.form(place, *arguments)
        return self.send(shown.action, {**shown.fields, **typed})

    def sign_in(self, person: Person, *, following: str = "") -> Self:
        """Sign in as the person does: the address, then the password. A second factor stays to be proven.

        The person has already seen the offer of a passkey, so the login leads on.
        """
        see_offer(person)
        self.open("authsvc-sign-in", next=following)
        self.submit("authsvc-sign-in", email=person.email)
        return self.submit("authsvc-sign-in", password=person.password)

    def is_signed_in(self) -> bool:
        """Return whether the page of the account opens."""
        return self.open("authsvc-account").status == 200


def signed_in(person: Person) -> Browser:
    """Return a browser with the session of a sign-in, which has opened no page."""
    return with_session(Browser(), person)


def with_session(tab: AnyTab, person: Person) -> AnyTab:
    """Store the rows of a sign-in, give the tab the cookie, and return the tab."""
    pair = open_session(person, client=Client(ip=tab.ip, user_agent=""))
    tab.client.cookies[sessions.cookie_name()] = sessions.open_session(pair=pair).handle
    return tab


def see_offer(person: Person) -> None:
    """Store that the person has seen the offer of a passkey, which comes once."""
    passkey_offers.remember(account_id=person.account().pk, now=now())


def to_path(place: str, *arguments: str) -> str:
    """Return the path of the place: a path, or the name of a route with its arguments."""
    return place if place.startswith("/") else reverse(place, args=arguments)


def path_of(location: str) -> str:
    """Return the path of a redirect without its query."""
    return urlsplit(location).path
