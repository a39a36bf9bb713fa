"""Operators, and the console as they call it."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import call_command

from console.operators.grants import DEFAULT_ROLE, grant
from core.clock import now
from core.db.deployment import is_embedded

from .client import Answer, Api
from .people import Person, SignedIn, existing, existing_session

only_on_full = pytest.mark.usefixtures("full_deployment")
only_on_embedded = pytest.mark.skipif(not is_embedded(), reason="a full deployment has operators")


def operator(person: Person) -> SignedIn:
    """Make the person an operator, as the management command does, and log them in."""
    call_command("grant_operator", "--email", person.email, "--unproven", stdout=StringIO(), stderr=StringIO())
    return person.log_in()


def existing_operator(name: str) -> SignedIn:
    """Store the rows of an operator who signed up and in through the API. That takes a third of the time."""
    person = existing(name)
    grant(account=person.account(), role=DEFAULT_ROLE, os_user="root", now=now())
    return existing_session(person)


@dataclass(frozen=True)
class Console:
    """The routes below /v1/admin with an operator's token. `query` is a mapping or a raw query string."""

    session: SignedIn

    @property
    def api(self) -> Api:
        """The caller behind the console."""
        return self.session.api

    @property
    def user_id(self) -> str:
        """The operator's user id."""
        return self.session.person.user_id

    def renewed(self) -> "Console":
        """Return the console after a new login, because access tokens expire."""
        return Console(self.session.person.log_in())

    def get(self, path: str, query: Mapping[str, object] | str = "") -> Answer:
        """GET the path."""
        text = query if isinstance(query, str) else urlencode(query)
        return self.call("GET", f"{path}?{text}" if text else path)

    def put(self, path: str, body: Any = None) -> Answer:
        """PUT the body as JSON."""
        return self.call("PUT", path, body)

    def post(self, path: str, body: Any = None) -> Answer:
        """POST the body as JSON."""
        return self.call("POST", path, body)

    def delete(self, path: str) -> Answer:
        """DELETE the path."""
        return self.call("DELETE", path)

    def call(self, method: str, path: str, body: Any = None) -> Answer:
        """Call the path with a JSON body, or none."""
        return self.api.call(method, f"/v1/admin{path}", body, token=self.session.access)

    def send(self, method: str, path: str, raw: bytes) -> Answer:
        """Call the path with these bytes as body."""
        return self.api.send(method, f"/v1/admin{path}", raw, token=self.session.access)
