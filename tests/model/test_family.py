"""Two users, their sessions, and a simple model that predicts the service's answers."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

import pytest
import time_machine
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from core import clock
from core.keys import jwt
from tests.client import Answer, Api
from tests.examples import settings_of_model
from tests.people import sign_up

ACCESS = timedelta(minutes=15)
LOCK = timedelta(minutes=15)
# Lower than in a deployment, and close to each other, so that a few steps reach each limit.
THRESHOLD = 3
IDLE = timedelta(hours=2)
ABSOLUTE = timedelta(hours=3)
REPEATABLE = timedelta(minutes=5)
KEYS = (None, "A" * 22, "B" * 22)
ELSEWHERE = "198.51.100.7"
"""An address in a network in which nobody logs in, so that a lock holds there."""
WRONG = "not the password"

numbers = count()


@dataclass(eq=False)
class Account:
    """A user's account: its password, its failures and all its logins, the oldest first."""

    email: str
    user_id: str
    passwords: list[str]
    failures: int = 0
    locked_until: datetime | None = None
    families: list["Family"] = field(default_factory=list)


@dataclass(eq=False)
class Family:
    """One login. `name` is its user agent, which identifies the session in the list of sessions.

    `last` is the latest rotation, which the client may repeat. `superseded` are tokens that a repetition replaced.
    """

    owner: Account
    name: str
    api: Api
    access: str
    newest: str
    refreshed_at: datetime
    started_at: datetime
    rows: list[str] = field(default_factory=list)
    rotated: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    last: "Rotated | None" = None
    is_revoked: bool = False

    def is_live(self, now: datetime) -> bool:
        """Return whether the newest refresh token is valid."""
        return not self.is_revoked and now < min(self.refreshed_at + IDLE, self.started_at + ABSOLUTE)


@dataclass(frozen=True)
class Rotated:
    """A refresh token that was exchanged for a new one, with the Idempotency-Key and the time of the exchange."""

    family: Family
    token: str
    key: str | None
    at: datetime


class Sessions(RuleBasedStateMachine):
    """In every order of calls by alice and bob, the service answers as the model predicts."""

    families: Bundle[Family] = Bundle("families")
    rotated: Bundle[Rotated] = Bundle("rotated")
    names = st.sampled_from(["alice", "bob"])

    def __init__(self) -> None:
        super().__init__()
        self.now = clock.now()
        self.clock = time_machine.travel(self.now, tick=False)
        self.time = self.clock.start()
        self.accounts: dict[str, Account] = {}

    def teardown(self) -> None:
        """Send every token that was ever issued once more."""
        for family in self.every_family():
            if family.is_live(self.now):
                self.refresh(family)
            for token in family.superseded:
                assert refused(exchange(family.api, token)) == "invalid_token"
            for token in family.rotated:
                assert refused(exchange(Api(), token)) == "token_reused"
                family.is_revoked = True
            assert refused(exchange(family.api, family.newest)) == "invalid_token"
        self.clock.stop()

    @initialize(target=families)
    def sign_up(self) -> MultipleResults[Family]:
        """Both users have an account and a session."""
        for name in ("alice", "bob"):
            password = f"horse battery {next(numbers)}"
            person = sign_up(f"{name}{next(numbers)}", password=password)
            self.accounts[name] = Account(email=person.email, user_id=person.user_id, passwords=[password])
        return multiple(*[self.open_session(account) for account in self.accounts.values()])

    @rule(target=families, name=names)
    def log_in(self, name: str) -> Family | MultipleResults[Family]:
        """Log in, unless the account is locked."""
        account = self.accounts[name]
        if not self.is_locked(account):
            return self.open_session(account)
        answer = Api(ip=ELSEWHERE).post("/v1/login", {"email": account.email, "password": account.passwords[-1]})
        assert refused(answer) == "account_locked"
        return multiple()

    @rule(name=names, number=st.integers(0, 5), times=st.integers(1, THRESHOLD))
    def log_in_with_a_wrong_password(self, name: str, number: int, times: int) -> None:
        """Log in with a wrong or an old password, once or several times in a row."""
        account = self.accounts[name]
        password = [WRONG, *account.passwords[:-1]][number % len(account.passwords)]
        for _ in range(times):
            answer = Api(ip=ELSEWHERE).post("/v1/login", {"email": account.email, "password": password})
            if self.is_locked(account):
                assert refused(answer) == "account_locked"
            else:
                assert refused(answer) == "invalid_credentials"
                self.fail(account)

    @rule(target=rotated, family=families, key=st.sampled_from(KEYS))
    def refresh(self, family: Family, key: str | None = None) -> Rotated | MultipleResults[Rotated]:
        """Exchange the newest refresh token, with or without an Idempotency-Key."""
        token = family.newest
        answer = exchange(family.api, token, key)
        if not family.is_live(self.now):
            assert refused(answer) == "invalid_token"
            return multiple()
        self.take(family, answer)
        family.rotated.append(token)
        family.last = Rotated(family, token, key, self.now)
        return family.last

    @rule(spent=rotated, key=st.sampled_from(KEYS))
    def replay(self, spent: Rotated, key: str | None) -> None:
        """Send a rotated refresh token again. It repeats the latest rotation, or ends a live session."""
        self.send_again(spent, key)

    @rule(spent=rotated)
    def repeat(self, spent: Rotated) -> None:
        """Send a rotated refresh token again with its own key."""
        self.send_again(spent, spent.key)

    @rule(family=families)
    def use_a_superseded_token(self, family: Family) -> None:
        """A superseded token is unknown, and its use changes nothing."""
        for token in family.superseded:
            assert refused(exchange(Api(), token)) == "invalid_token"

    @rule(caller=families, family=families, row=st.integers(0, 10), by_logout=st.booleans())
    def end(self, caller: Family, family: Family, row: int, by_logout: bool) -> None:
        """End a session of the caller or of the other user, by the id of any of its rows."""
        session_id = family.rows[row % len(family.rows)]
        if by_logout:
            answer = caller.api.post("/v1/logout", {"session_id": session_id}, token=caller.access)
        else:
            answer = caller.api.delete(f"/v1/sessions/{session_id}", token=caller.access)
        if not self.may_call(caller) or not caller.is_live(self.now):
            assert refused(answer) == "invalid_access_token"
        elif caller.owner is not family.owner:
            assert (answer.status, answer.code) == (403, "session_not_owned")
        else:
            assert answer.data == {"status": "logged out" if by_logout else "session revoked"}
            family.is_revoked = True

    @rule(caller=families)
    def log_out_everywhere(self, caller: Family) -> None:
        """End every session of the caller."""
        answer = caller.api.post("/v1/logout-all", token=caller.access)
        if self.may_call(caller) and caller.is_live(self.now):
            assert answer.data == {"status": "logged out everywhere"}
            revoke_all(caller.owner)
        else:
            assert refused(answer) == "invalid_access_token"

    @rule(caller=families, knows_password=st.booleans())
    def change_password(self, caller: Family, knows_password: bool) -> None:
        """Change the password in a live session, which ends every session. A wrong password counts as a failure."""
        account, new = caller.owner, f"horse battery {next(numbers)}"
        current = account.passwords[-1] if knows_password else WRONG
        body = {"current_password": current, "new_password": new}
        answer = caller.api.post("/v1/change-password", body, token=caller.access)
        if not self.may_call(caller) or not caller.is_live(self.now):
            assert refused(answer) == "invalid_access_token"
        elif self.is_locked(account):
            assert refused(answer) == "invalid_credentials"
        elif not knows_password:
            assert refused(answer) == "invalid_credentials"
            self.fail(account)
        else:
            assert answer.data == {"status": "password changed"}
            account.passwords.append(new)
            revoke_all(account)

    @rule(caller=families)
    def use_each_token_as_the_other_kind(self, caller: Family) -> None:
        """An access token cannot refresh, and a refresh token cannot authorize a call."""
        assert refused(exchange(caller.api, caller.access)) == "invalid_token"
        assert refused(caller.api.get("/v1/sessions", token=caller.newest)) == "invalid_access_token"

    @rule(caller=families)
    def verify(self, caller: Family) -> None:
        """An access token identifies its owner until it expires, even after the session ended."""
        answer = caller.api.get("/v1/verify", token=caller.access)
        if self.may_call(caller):
            assert answer.data == {"user_id": caller.owner.user_id}
        else:
            assert refused(answer) == "invalid_access_token"

    @rule(passing=st.sampled_from([timedelta(minutes=1), REPEATABLE, ACCESS, LOCK, timedelta(minutes=100), IDLE]))
    def let_time_pass(self, passing: timedelta) -> None:
        """Move the time without any call."""
        self.now += passing
        self.time.move_to(self.now)

    @invariant()
    def each_sees_the_own_live_sessions_and_no_others(self) -> None:
        """Each user sees only their live sessions, newest login first. Only a refresh gives a session a new id."""
        for account in self.accounts.values():
            token = jwt.issue_access_token(user_id=account.user_id, token_id="t", claims={}, now=self.now)
            listed = Api().get("/v1/sessions", token=token).data
            live = [family for family in reversed(account.families) if family.is_live(self.now)]
            assert [session["user_agent"] for session in listed] == [family.name for family in live]
            for family, session in zip(live, listed, strict=True):
                if session["id"] not in family.rows:
                    family.rows.append(session["id"])
                assert family.rows[-1] == session["id"]
                assert len(family.rows) == len(family.rotated) + len(family.superseded) + 1

    def open_session(self, account: Account) -> Family:
        """Log in, which resets the failures."""
        api = Api(user_agent=f"family {next(numbers)}")
        tokens = api.post("/v1/login", {"email": account.email, "password": account.passwords[-1]}).data
        account.failures, account.locked_until = 0, None
        family = Family(
            owner=account,
            name=api.user_agent,
            api=api,
            access=tokens["access_token"],
            newest=tokens["refresh_token"],
            refreshed_at=self.now,
            started_at=self.now,
        )
        account.families.append(family)
        return family

    def send_again(self, spent: Rotated, key: str | None) -> None:
        """Send the token with the key. Only the latest rotation of a live session repeats, and only with its own key."""
        family = spent.family
        answer = exchange(Api(user_agent=family.name), spent.token, key)
        is_own = spent is family.last and key is not None and key == spent.key
        if is_own and family.is_live(self.now) and self.now < spent.at + REPEATABLE:
            family.superseded.append(family.newest)
            self.take(family, answer)
        else:
            assert refused(answer) == "token_reused"
            family.is_revoked = True

    def take(self, family: Family, answer: Answer) -> None:
        """Keep the pair of the answer."""
        family.access, family.newest = answer.data["access_token"], answer.data["refresh_token"]
        family.refreshed_at = self.now

    def every_family(self) -> list[Family]:
        """Return the logins of both users."""
        return [family for account in self.accounts.values() for family in account.families]

    def may_call(self, caller: Family) -> bool:
        """Return whether the newest access token of the session is valid. Only its expiry decides."""
        return self.now < caller.refreshed_at + ACCESS

    def is_locked(self, account: Account) -> bool:
        """Return whether the account refuses every password."""
        return account.locked_until is not None and self.now < account.locked_until

    def fail(self, account: Account) -> None:
        """Count a failure. The failures before an expired lock no longer count."""
        account.failures = 1 if account.locked_until else account.failures + 1
        account.locked_until = self.now + LOCK if account.failures == THRESHOLD else None


def exchange(api: Api, token: str, key: str | None = None) -> Answer:
    return api.post("/v1/refresh", {"refresh_token": token}, headers=key and {"Idempotency-Key": key})


def refused(answer: Answer) -> str:
    """Return the code of a refusal because of an invalid token or password."""
    assert answer.status == (403 if answer.code == "account_locked" else 401)
    return answer.code


def revoke_all(account: Account) -> None:
    for family in account.families:
        family.is_revoked = True


# Hypothesis needs a long time to shrink a failing example.
@pytest.mark.timeout(1_800)
def test_sessions_live_and_end_as_the_model_predicts(db: None, settings: Settings) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "LOCKOUT_THRESHOLD": str(THRESHOLD),
        "REFRESH_IDLE_SECONDS": str(IDLE // timedelta(seconds=1)),
        "REFRESH_ABSOLUTE_SECONDS": str(ABSOLUTE // timedelta(seconds=1)),
    }

    run_state_machine_as_test(Sessions, settings=settings_of_model())
