"""A client of a running site: JSON to and from the service's routes."""

from dataclasses import dataclass
from typing import Any

import requests

PASSWORD = "correct horse battery"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer of the service. `data` is the member of that name, or the member `error` of a refusal."""

    status: int
    data: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteClient:
    """Calls the routes below `prefix`, which is the URL of the site and the path of the API."""

    prefix: str

    def get(self, path: str, *, token: str = "") -> Answer:
        return self.call("GET", path, token=token)

    def post(self, path: str, body: dict[str, Any] | None = None, *, token: str = "") -> Answer:
        return self.call("POST", path, body, token=token)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, *, token: str = "") -> Answer:
        """Return the answer to a request, with the access token if there is one."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answered = requests.request(method, f"{self.prefix}{path}", json=body, headers=headers, timeout=30)
        content = answered.json() if answered.content else {}
        return Answer(status=answered.status_code, data=content.get("data", content.get("error", content)))

    def log_in(self, email: str, password: str = PASSWORD) -> Answer:
        """Return the answer to a login."""
        return self.post("/login", {"email": email, "password": password})
