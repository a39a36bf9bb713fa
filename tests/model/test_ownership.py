"""Two users who sign up, change addresses, reset passwords and recover accounts in any order.

Each user reads two mailboxes and no other. The model knows which user opened each session. The account of a proven
address belongs to the reader of its mailbox.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit
from uuid import UUID

import pytest
import time_machine
from django.db.models import QuerySet
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from accounts.host import users
from accounts.models import Account
from apikeys.models import ApiKey
from core import clock
from core.keys import opaque
from mail.conf import settings as mail_settings
from mail.models import OutgoingMail
from mail.queue import DeliverMails
from mfa.models import Totp
from mfa.recovery.account_recovery import ContinueRecoveries
from sessions_app.models import Family, PendingLogin
from tests.client import Answer, Api
from tests.examples import settings_of_model
from tests.mails import read, text_of, token_in
from tests.recoveries import WAIT_HOURS
from tests.second_factors import STEP_SECONDS, App, app_of

ROUTES = {
    "magic-link": "/v1/magic-link/complete",
    "email-change": "/v1/email/confirm-change",
    "verify-email": "/v1/email/verify/confirm",
    "password-reset": "/v1/password/reset",
    "recovery-cancel": "/v1/recovery/cancel",
    "recovery-complete": "/v1/recovery/complete",
}
"""The route that takes the token of a mail, by the page that the mail links to."""

ACTS = ("enroll", "refresh", "make_key", "make_key", "/v1/totp/disable", "/v1/change-password", "/v1/delete-account")
"""Acts in a session. A path is a route that asks for the password."""

BOXES = ("alice", "alice2", "eve")
"""The mailboxes. Each user reads the boxes with the user's name."""

numbers = count()
names = st.sampled_from(["alice", "eve"])
boxes = st.sampled_from(BOXES)
recent = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 8])
"""The place of an account, a session, a login or a mail among those of the example, the newest first."""
mostly = st.sampled_from([True, True, True, False])
proofs = st.sampled_from(["none", "none", "password", "session"])
"""The proof with which the reader of a mail claims the account: the password, or the newest session."""


@dataclass(eq=False)
class User:
    """A user: the password that this user chooses everywhere, and the user's authenticator apps by account."""

    name: str
    apps: dict[str, App] = field(default_factory=dict)

    @property
    def password(self) -> str:
        """The password. It differs from that of the other user."""
        return f"the password of {self.name}"


@dataclass(eq=False)
class Session:
    """A session of a user."""

    user: User
    account_id: str
    access: str
    refresh: str


@dataclass(eq=False)
class Paused:
    """A login of a user that waits for a second factor."""

    user: User
    account_id: str
    token: str
    by_link: bool


@dataclass(eq=False)
class Mailed:
    """A token in a mailbox of its reader. `requester` is the user whose session requested a change of the address."""

    reader: User
    page: str
    token: str
    account_id: str
    requester: User | None


T = TypeVar("T")


def newest(items: list[T], place: int) -> T:
    """Return the item at the place, counted from the end of the list."""
    return items[-1 - min(place, len(items) - 1)]


def has_factor(email: str) -> bool:
    """Return whether the account with this address has an authenticator app."""
    return Totp.objects.filter(account__email_key=email, confirmed_at__isnull=False).exists()


class Ownership(RuleBasedStateMachine):
    """A user without mailbox and factor never gets a session of an account that the other user proved."""

    def __init__(self) -> None:
        super().__init__()
        self.now = clock.now()
        self.clock = time_machine.travel(self.now, tick=False)
        self.time = self.clock.start()
        self.api = Api()
        self.number = next(numbers)
        self.users = {name: User(name) for name in ("alice", "eve")}
        self.sessions: list[Session] = []
        self.paused: list[Paused] = []
        self.mails: list[Mailed] = []
        self.opened: dict[UUID, User] = {}
        self.keys: dict[str, User] = {}
        self.owners: dict[str, User] = {}
        self.recoverers: dict[str, set[User]] = {}

    def teardown(self) -> None:
        """Use each mailed token once more, the oldest first."""
        try:
            for place in reversed(range(len(self.mails))):
                self.open(place, "none", finishes=True)
                self.only_the_owner_has_sessions_and_keys()
        finally:
            self.clock.stop()

    # Accounts and sessions.

    @initialize(name=names, has_factor=st.booleans(), is_proven=st.booleans())
    def begin(self, name: str, has_factor: bool, is_proven: bool) -> None:
        """One of the users has signed up with the address of alice and uses the account. Alice may have proven it."""
        self.sign_up(name, "alice", has_factor)
        self.make_key(self.sessions[-1])
        self.change_address(0, name.replace("alice", "alice2"), opens=False, proof="none")
        if is_proven:
            self.request_link(0, by_reset=True, opens=True)
            alice = self.users["alice"]
            self.starts(alice, self.log_in_by(self.address("alice"), alice.password))
            if has_factor:
                self.enroll(self.sessions[-1])

    @rule(name=names, box=boxes, has_factor=st.booleans())
    def sign_up(self, name: str, box: str, has_factor: bool) -> None:
        """Sign up with any address, and log in."""
        user, email = self.users[name], self.address(box)
        answer = self.api.post("/v1/signup", {"email": email, "password": user.password})
        if answer.status != 201:
            assert answer.code == "user_exists"
            return
        self.starts(user, self.log_in_by(email, user.password))
        if has_factor:
            self.enroll(self.sessions[-1])

    @rule(name=names, place=recent, finishes=st.booleans())
    def log_in(self, name: str, place: int, finishes: bool) -> None:
        """Log in with the user's own password, or with a stolen one where a second factor protects the account."""
        email = self.address_of_an_account(place)
        answer = self.log_in_by(email, self.users[name].password)
        if answer.status != 200 and has_factor(email):
            victim = self.users["eve" if name == "alice" else "alice"]
            answer = self.log_in_by(email, victim.password)
        self.starts(self.users[name], answer, finishes=finishes)

    @precondition(lambda self: self.paused)
    @rule(place=recent)
    def complete(self, place: int) -> None:
        """Complete a login by the user's own authenticator app."""
        self.finish(newest(self.paused, place))

    @precondition(lambda self: self.sessions)
    @rule(place=recent, act=st.sampled_from(ACTS))
    def use_session(self, place: int, act: str) -> None:
        """Do something in a session, which may have ended."""
        session = newest(self.sessions, place)
        match act:
            case "enroll":
                self.enroll(session)
            case "refresh":
                self.refresh(session)
            case "make_key":
                self.make_key(session)
            case path:
                self.confirm_by_password(session, path)

    # Mails.

    @rule(place=recent, by_reset=st.booleans(), opens=st.booleans())
    def request_link(self, place: int, by_reset: bool, opens: bool) -> None:
        """Request a link to the account's own address. Any person can do so."""
        path = "/v1/password/forgot" if by_reset else "/v1/magic-link/request"
        with self.new_mails():
            assert self.api.post(path, {"email": self.address_of_an_account(place)}).status == 200
        if opens:
            self.open(0, "none", finishes=True)

    @precondition(lambda self: self.sessions)
    @rule(place=recent, opens=st.booleans(), proof=proofs)
    def verify(self, place: int, opens: bool, proof: str) -> None:
        """Request a link that verifies the address of the session's account."""
        with self.new_mails():
            self.post("/v1/email/verify/request", {}, newest(self.sessions, place))
        if opens:
            self.open(0, proof, finishes=True)

    @precondition(lambda self: self.sessions)
    @rule(place=recent, box=boxes, opens=st.booleans(), proof=proofs)
    def change_address(self, place: int, box: str, opens: bool, proof: str) -> None:
        """Request a change of the session's account to any address."""
        session = newest(self.sessions, place)
        with self.new_mails(account_id=session.account_id, requester=session.user):
            self.post("/v1/email/request-change", {"new_email": self.address(box)}, session)
        if opens:
            self.open(0, proof, finishes=True)

    @rule(name=names, place=recent, by_link=st.booleans(), waits=mostly)
    def recover(self, name: str, place: int, by_link: bool, waits: bool) -> None:
        """Request the recovery of an account with a second factor, and perhaps wait for its last mail."""
        if by_link:
            self.request_link(place, by_reset=False, opens=False)
            self.open(0, "none", finishes=False)
        else:
            self.log_in(name, place, finishes=False)
        with self.new_mails():
            login = self.paused[-1] if self.paused else None
            answer = self.api.post("/v1/recovery/request", {"pending_token": login.token if login else ""})
        if answer.status == 200 and login:
            self.recoverers.setdefault(login.account_id, set()).add(login.user)
            if waits:
                self.wait()

    @rule()
    def let_time_pass(self) -> None:
        """Let the time pass, so that tokens expire."""
        self.move(timedelta(minutes=4))

    @rule(place=recent, proof=proofs, finishes=st.booleans())
    def open(self, place: int, proof: str, finishes: bool) -> None:
        """Use the token of a mail."""
        if not self.mails:
            return
        mail = newest(self.mails, place)
        body, session = {"token": mail.token}, None
        if mail.page == "recovery-complete" and mail.reader not in self.recoverers.get(mail.account_id, ()):
            # The reader did not request the recovery, so a thief did.
            return
        if mail.page == "password-reset":
            body["new_password"] = mail.reader.password
        elif proof == "password":
            body["password"] = mail.reader.password
        elif proof == "session":
            session = next((each for each in reversed(self.sessions) if each.user is mail.reader), None)
        answer = self.api.post(ROUTES[mail.page], body, token=session.access if session else None)
        if mail.page == "magic-link":
            self.starts(mail.reader, answer, finishes=finishes, by_link=True)
        elif mail.page == "email-change" and answer.status == 200:
            self.change_owner(mail)
        elif mail.page in {"verify-email", "password-reset"} and answer.status == 200:
            self.prove(mail.account_id, mail.reader)

    # The invariants.

    @invariant()
    def only_the_owner_has_sessions_and_keys(self) -> None:
        """The owner of an account is the user who proved its mailbox."""
        for account in self.accounts().filter(email_proven_at__isnull=False).select_related("user"):
            box, _, _ = users.email_of(account.user).partition(".")
            self.prove(str(account.pk), self.reader_of(box))
        mine = {"account_id__in": list(self.owners), "revoked_at": None}
        for account_id, family in Family.objects.filter(**mine).values_list("account_id", "pk"):
            assert self.opened[family] is self.owners[str(account_id)]
        for account_id, prefix in ApiKey.objects.filter(**mine).values_list("account_id", "prefix"):
            assert self.keys[prefix] is self.owners[str(account_id)]

    # Steps of the rules.

    def address(self, box: str) -> str:
        """Return the address of a mailbox in this example."""
        return f"{box}.{self.number}@example.com"

    def accounts(self) -> QuerySet[Account]:
        """Return the accounts of this example, the oldest first."""
        mine = Account.objects.filter(email_key__endswith=f".{self.number}@example.com")
        return mine.order_by("created_at", "pk")

    def address_of_an_account(self, place: int) -> str:
        """Return the address of an account. Without an account, return an address that no account has."""
        return newest([account.email_key for account in self.accounts()] or [self.address("alice")], place)

    def reader_of(self, box: str) -> User:
        """Return the user who reads the mailbox."""
        return self.users[box.rstrip("2")]

    def prove(self, account_id: str, user: User) -> None:
        """Make the user the owner of the account. An owner stays until the owner gives the account away."""
        assert self.owners.setdefault(account_id, user) is user

    def enroll(self, session: Session) -> None:
        """Enroll an authenticator app of the user."""
        begun = self.post("/v1/totp/enroll", {}, session)
        if begun.status == 200:
            app = app_of(begun.data["otpauth_url"])
            if self.post("/v1/totp/confirm", {"code": app.code()}, session).status == 200:
                session.user.apps[session.account_id] = app

    def refresh(self, session: Session) -> None:
        """Refresh the session."""
        answer = self.api.post("/v1/refresh", {"refresh_token": session.refresh})
        if answer.status == 200:
            session.access, session.refresh = answer.data["access_token"], answer.data["refresh_token"]

    def make_key(self, session: Session) -> None:
        """Make an API key."""
        answer = self.post("/v1/api-keys", {"name": "key"}, session)
        if answer.status == 201:
            self.keys["_".join(answer.data["key"].split("_")[:2])] = session.user

    def confirm_by_password(self, session: Session, path: str) -> None:
        """Remove the factor, end the sessions by a change of the password, or delete the account."""
        password = session.user.password
        body = {"password": password, "current_password": password, "new_password": password}
        if self.post(path, body, session).status == 200 and path == "/v1/delete-account":
            self.owners.pop(session.account_id, None)

    def log_in_by(self, email: str, password: str) -> Answer:
        """Log in by password."""
        return self.api.post("/v1/login", {"email": email, "password": password})

    def post(self, path: str, body: object, session: Session) -> Answer:
        """Call in the session."""
        return self.api.post(path, body, token=session.access)

    def starts(self, user: User, answer: Answer, *, finishes: bool = True, by_link: bool = False) -> None:
        """Store the session or the paused login that the user got. If `finishes`, complete the paused login.

        A session that began by a mailed link proves the mailbox.
        """
        if answer.status != 200:
            return
        if "pending_token" in answer.data:
            token = answer.data["pending_token"]
            pending = PendingLogin.objects.get(digest=opaque.digest(token))
            self.paused.append(Paused(user, str(pending.account_id), token, by_link))
            if finishes:
                self.finish(self.paused[-1])
            return
        access, refresh = answer.data["access_token"], answer.data["refresh_token"]
        family = Family.objects.get(tokens__digest=opaque.digest(refresh))
        self.opened[family.pk] = user
        self.sessions.append(Session(user, str(family.account_id), access, refresh))
        if by_link:
            self.prove(str(family.account_id), user)

    def finish(self, login: Paused) -> None:
        """Complete a login by the app that the user has for the account."""
        # Each code works once.
        self.move(timedelta(seconds=STEP_SECONDS))
        app = login.user.apps.get(login.account_id)
        body = {"pending_token": login.token, "code": app.code() if app else "000000"}
        self.starts(login.user, self.api.post("/v1/login/totp", body), by_link=login.by_link)

    @contextmanager
    def new_mails(self, *, account_id: str = "", requester: User | None = None) -> Iterator[None]:
        """Store the tokens that the block mails, each for the user who reads the mailbox."""
        OutgoingMail.objects.all().delete()
        yield
        DeliverMails().run(self.now, lambda: False)
        directory = Path(urlsplit(mail_settings().email_url).path)
        for box in BOXES:
            for mail in read(directory, to=self.address(box)):
                account = Account.objects.filter(email_key=self.address(box)).first()
                target = account_id or (str(account.pk) if account else "")
                self.mails += [
                    Mailed(self.reader_of(box), page, token_in(mail), target, requester)
                    for page in ROUTES
                    if f"/mail/{page}#" in text_of(mail)
                ]

    def change_owner(self, mail: Mailed) -> None:
        """Check that the owner requested the change. An owner who moves an account to another mailbox gives it away."""
        assert self.owners.get(mail.account_id) in {None, mail.requester}
        if mail.requester is not mail.reader:
            self.owners.pop(mail.account_id, None)

    def wait(self) -> None:
        """Let the wait of each recovery end, and run the worker."""
        self.move(timedelta(hours=WAIT_HOURS))
        with self.new_mails():
            ContinueRecoveries().run(self.now, lambda: False)

    def move(self, passing: timedelta) -> None:
        """Move the time."""
        self.now += passing
        self.time.move_to(self.now)


# Hypothesis needs a long time to shrink a failing example.
@pytest.mark.timeout(1_800)
def test_only_the_reader_of_a_proven_mailbox_has_sessions_of_its_account(
    db: None, settings: Settings, tmp_path: Path
) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "EMAIL_URL": f"file://{tmp_path}/mails",
        "ANOMALY_DETECTION": "off",
        # Tokens last longer than the wait of a recovery, so that sessions can act after it.
        "ACCESS_TOKEN_SECONDS": "31536000",
        # A lock would only end the attempts of a thief early.
        "LOCKOUT_THRESHOLD": "1000",
    }

    run_state_machine_as_test(Ownership, settings=settings_of_model())
