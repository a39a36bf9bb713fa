"""Alice, Bob and Eve, who have accounts."""

from dataclasses import dataclass
from typing import Any

from accounts.acts import signup
from accounts.models import Account
from accounts.passwords.hashing import hash_password
from accounts.state.epochs import CredentialsEpoch
from core.clock import now
from core.db.transactions import write
from core.http.client import Client
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.login import LoginMethod, ProvenLogin, open_login
from sessions_app.logins.second_factors import enrolled_factors

from .client import PASSWORD, Api


@dataclass(frozen=True)
class Person:
    """A person with an account, and the caller of that person."""

    email: str
    password: str
    user_id: str
    api: Api

    def account(self) -> Account:
        """Return the person's account and its user as stored in the database."""
        key: Any = self.user_id
        return Account.objects.select_related("user").get(pk=key)

    def log_in(self, api: Api | None = None) -> "SignedIn":
        """Log in by password, with the person's own caller or another."""
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
        """Return whether the refresh token is valid. The check uses the token."""
        return self.api.post("/v1/refresh", {"refresh_token": self.refresh}).status == 200


def sign_up(name: str, *, password: str = PASSWORD, api: Api | None = None) -> Person:
    """Create an account `name@example.com` through the API."""
    caller = api or Api()
    email = name if "@" in name else f"{name}@example.com"
    data = caller.post("/v1/signup", {"email": email, "password": password}).data
    return Person(email=email, password=password, user_id=data["user_id"], api=caller)


def existing(name: str) -> Person:
    """Store the rows that a sign-up through the API stores. That takes a third of the time."""
    api, email = Api(), f"{name}@example.com"
    stored = signup._insert(
        email=email, password_hash=hash_password(PASSWORD), is_mailed=False, client=client_of(api), now=now()
    )
    return Person(email=email, password=PASSWORD, user_id=stored.user_id, api=api)


def existing_session(person: Person) -> SignedIn:
    """Store the rows of a login by password, with the person's own caller."""
    pair = open_session(person, client=client_of(person.api))
    return SignedIn(person=person, api=person.api, access=pair.access_token, refresh=pair.refresh_token)


@write
def open_session(person: Person, *, client: Client) -> TokenPair:
    """Store the rows of a login by password, and by a second factor if the account has one. Return its tokens."""
    account = person.account()
    held = CredentialsEpoch(account_id=account.pk, number=account.credentials_epoch).hold()
    assert held is not None
    factor = next((factor.name for factor in enrolled_factors(account_id=account.pk)), None)
    login = ProvenLogin(account_id=account.pk, held=held, method=LoginMethod.PASSWORD, second_factor=factor)
    return open_login(login=login, client=client, now=now())


def client_of(api: Api) -> Client:
    """Return the client that the service sees in a call of this caller."""
    return Client(ip=api.ip, user_agent=api.user_agent)
