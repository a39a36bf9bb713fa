"""A browser at the console. It keeps cookies, states its origin, and sends the forms of the page that it shows."""

from collections.abc import Mapping
from io import StringIO
from typing import Any, Self

from django.core.management import call_command
from django.test import RequestFactory
from django.urls import reverse

from console.browser import entry
from core.clock import now
from core.http.client import Client
from pages.frame import sessions
from pages.frame.sessions import LiveSession

from .pages import Tab, see_offer, to_path, with_session
from .people import Person, existing_session
from .second_factors import enroll_totp


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
    """Return a browser with the session of a sign-in, which has opened no page."""
    return with_session(Browser(), person)


def signed_in(person: Person) -> "Browser":
    """Return a browser as `browser_of` does, whose session has entered the console."""
    browser = browser_of(person)
    entry.enter(session=browser.session(), client=Client(ip=browser.ip, user_agent=""), now=now())
    return browser


class Browser(Tab):
    """A browser at the console. Paths are relative to the console's first page.

    A path can also be the name of a route of another page.
    """

    def session(self) -> LiveSession:
        """Return the session to which the cookie leads."""
        request = RequestFactory(headers={"Cookie": f"{sessions.cookie_name()}={self.cookie}"}).get("/")
        found = sessions.find_session(request=request, now=now())
        assert found is not None
        return found

    def find_path(self, place: str) -> str:
        """Return the path of the place."""
        return to_path(place) if place.startswith(("/", "authsvc-")) else prefix() + place

    def open(self, path: str = "", headers: Mapping[str, str] | None = None) -> Self:
        """GET the path."""
        return self._send("GET", path, headers=headers)

    def submit(self, path: str, form: Mapping[str, Any] | None = None) -> Self:
        """POST the form with the session's CSRF token, which every page of the console contains."""
        return self.send(path, {"csrf_token": self.token(), **(form or {})})

    def token(self) -> str:
        """Return the CSRF token of the page, or of the first page when this page has none."""
        if 'name="csrf_token"' not in self.text:
            self.open()
            self.follow()
        return self.field("csrf_token")

    def sign_in(self, person: Person, **form: str) -> Self:
        """Send the form of the sign-in with the person's password. The person has seen the offer of a passkey."""
        see_offer(person)
        return self.send("authsvc-sign-in", {"email": person.email, "password": person.password, **form})

    def is_signed_in(self) -> bool:
        """Return whether the first page opens."""
        return self.open().status == 200
