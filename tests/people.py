"""Alice, Bob and Eve, as they come to the service: by signing up."""

from dataclasses import dataclass
from typing import Any

from accounts.models import Account

from .client import PASSWORD, Api


@dataclass(frozen=True)
class Person:
    """Somebody with an account, and the caller they use."""

    email: str
    password: str
    user_id: str
    api: Api

    def account(self) -> Account:
        """Return the person's account, with its user, as it stands in the database."""
        key: Any = self.user_id
        return Account.objects.select_related("user").get(pk=key)

    def log_in(self, api: Api | None = None) -> "SignedIn":
        """Log in by password, from the person's own device or another."""
        caller = api or self.api
        tokens = caller.post("/v1/login", {"email": self.email, "password": self.password}).data
        return SignedIn(person=self, api=caller, access=tokens["access_token"], refresh=tokens["refresh_token"])


@dataclass(frozen=True)
class SignedIn:
    """A person with the tokens of one login."""

    person: Person
    api: Api
    access: str
    refresh: str

    def refreshed(self) -> "SignedIn":
        """Refresh and return the new tokens."""
        tokens = self.api.post("/v1/refresh", {"refresh_token": self.refresh}).data
        return SignedIn(
            person=self.person, api=self.api, access=tokens["access_token"], refresh=tokens["refresh_token"]
        )

    def is_live(self) -> bool:
        """Tell whether the refresh token still works, by using it."""
        return self.api.post("/v1/refresh", {"refresh_token": self.refresh}).status == 200


def sign_up(name: str, *, password: str = PASSWORD, api: Api | None = None) -> Person:
    """Make an account `name@example.com` through the API."""
    caller = api or Api()
    email = name if "@" in name else f"{name}@example.com"
    data = caller.post("/v1/signup", {"email": email, "password": password}).data
    return Person(email=email, password=password, user_id=data["user_id"], api=caller)
