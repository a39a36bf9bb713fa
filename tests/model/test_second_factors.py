"""Two users, their second factors, and a simple model that predicts which logins complete."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import time_machine
from django.db import transaction
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
from webauthn.helpers import bytes_to_base64url

from accounts.host import users
from accounts.models import Account as AccountRow
from core import clock
from core.http.client import Client
from core.keys import opaque
from mail.models import OutgoingMail
from mfa.models import Passkey
from sessions_app.families.issuing import open_session
from sessions_app.models import Family
from tests.authenticator import Authenticator, FalseValues
from tests.client import PASSWORD, Answer, Api
from tests.examples import settings_of_model
from tests.mails import delivered, token_in
from tests.passkeys import finish_login
from tests.people import sign_up
from tests.second_factors import STEP_SECONDS, App, app_of, complete_by_recovery_code, complete_by_totp

STEP = timedelta(seconds=STEP_SECONDS)
PENDING = timedelta(minutes=5)
LOCK = timedelta(minutes=2)
HOUR = timedelta(hours=1)
# Above the number of wrong guesses that end a pending login, so that the tests reach both limits.
# The lock is short, so that the tests also reach the hourly limit.
THRESHOLD = 7
FAILURES_MAX = 5
ELSEWHERE = "198.51.100.7"
WRONG_CODES_MAX = 20
LINKS_MAX = 20
WRONG = "not the password"
CLIENT = Client(ip="203.0.113.7", user_agent="")
UNKNOWN_CODE = "0000-0000"

numbers = count()
names = st.sampled_from(["alice", "bob"])
factors = st.sampled_from([{"totp"}, {"totp", "codes"}, {"passkey", "codes"}, {"totp", "passkey", "codes"}, set()])
mostly = st.sampled_from([True, True, True, False])


@dataclass(eq=False)
class Totp:
    """An authenticator app, confirmed or not. `last_step` is the newest time step whose code completed a login."""

    app: App
    is_confirmed: bool = False
    last_step: int = 0
    wrong_at: list[datetime] = field(default_factory=list)

    def has_too_many_wrong_codes(self, now: datetime) -> bool:
        """Return whether too many wrong codes block every code."""
        return sum(moment > now - HOUR for moment in self.wrong_at) >= WRONG_CODES_MAX


@dataclass(eq=False)
class Account:
    """A user's account: its credentials, its failures and the number of its sessions."""

    email: str
    user_id: str
    password: str = PASSWORD
    failures: int = 0
    locked_until: datetime | None = None
    sessions: int = 0
    totp: Totp | None = None
    passkeys: list[Authenticator] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    logins: list["Pending"] = field(default_factory=list)
    links: list[datetime] = field(default_factory=list)

    @property
    def confirmed(self) -> Totp | None:
        """Return the confirmed app, or None."""
        return self.totp if self.totp and self.totp.is_confirmed else None

    @property
    def methods(self) -> list[str]:
        """Return the factors that a login needs."""
        return ["totp"] * bool(self.confirmed) + ["passkey"] * bool(self.passkeys)


@dataclass(eq=False)
class Pending:
    """A login that needs its second factor."""

    owner: Account
    token: str
    expires_at: datetime
    failures: int = 0
    is_void: bool = False

    def is_pending(self, now: datetime) -> bool:
        """Return whether a valid factor would complete the login."""
        return not self.is_void and now < self.expires_at


@dataclass(frozen=True)
class Code:
    """A code that an app showed for a time step."""

    app: App
    step: int
    text: str


@dataclass(frozen=True)
class Recovery:
    """A recovery code."""

    text: str


@dataclass(frozen=True)
class Signed:
    """An assertion of an authenticator, and its ceremony."""

    begun: Any
    credential: Any


Proof: TypeAlias = Code | Recovery | Signed


class SecondFactors(RuleBasedStateMachine):
    """In every order of calls by alice and bob, a login completes only if the model allows it."""

    logins: Bundle[Pending] = Bundle("logins")
    spent: Bundle[Proof] = Bundle("spent")

    def __init__(self) -> None:
        super().__init__()
        self.now = clock.now()
        self.clock = time_machine.travel(self.now, tick=False)
        self.time = self.clock.start()
        self.api = Api()
        self.accounts: dict[str, Account] = {}

    def teardown(self) -> None:
        """Send each ended pending login once more, with a code that is valid by itself."""
        for account in self.accounts.values():
            for pending in account.logins:
                code = account.totp.app.code() if account.totp else "000000"
                if not pending.is_pending(self.now):
                    assert refused(complete_by_totp(self.api, pending.token, code)) == "invalid_pending_login"
        self.clock.stop()

    @initialize(of_alice=factors, of_bob=factors)
    def sign_up(self, of_alice: set[str], of_bob: set[str]) -> None:
        """Both users have an account and some factors."""
        for name, mine in (("alice", of_alice), ("bob", of_bob)):
            person = sign_up(f"{name}{next(numbers)}", api=self.api)
            # The addresses are proven. Otherwise a magic link could take an account over.
            AccountRow.objects.filter(pk=person.account().pk).update(email_proven_at=self.now)
            self.accounts[name] = Account(email=person.email, user_id=person.user_id)
            if "totp" in mine:
                self.enroll(name)
                self.confirm(name, is_right=True)
            if "passkey" in mine:
                self.register_passkey(name, counts=True)
            if "codes" in mine:
                self.generate_codes(name)

    @rule(name=names)
    def enroll(self, name: str) -> None:
        """Enroll an app; the new secret replaces an unconfirmed one."""
        account = self.accounts[name]
        answer = self.call(account, "POST", "/v1/totp/enroll")
        if account.confirmed:
            assert refused(answer) == "totp_already_enabled"
        else:
            account.totp = Totp(app_of(answer.data["otpauth_url"]))

    @rule(name=names, is_right=mostly)
    def confirm(self, name: str, is_right: bool) -> None:
        """Confirm the app, or send a wrong code, which does not count as a failure."""
        account = self.accounts[name]
        app = account.totp.app if account.totp else App("A" * 32)
        answer = self.call(account, "POST", "/v1/totp/confirm", {"code": app.code() if is_right else app.wrong_code()})
        if account.totp is None:
            assert refused(answer) == "totp_not_enabled"
        elif account.confirmed:
            assert refused(answer) == "totp_already_enabled"
        elif not is_right:
            assert refused(answer) == "invalid_totp_code"
        else:
            assert answer.data == {"status": "totp enabled"}
            account.totp.is_confirmed = True

    @rule(name=names, knows_password=st.booleans())
    def disable(self, name: str, knows_password: bool) -> None:
        """Disable the app."""
        account = self.accounts[name]
        password = account.password if knows_password else WRONG
        answer = self.call(account, "POST", "/v1/totp/disable", {"password": password})
        if account.confirmed is None:
            assert refused(answer) == "totp_not_enabled"
        elif self.proves(account, answer, knows_password):
            assert answer.data == {"status": "totp disabled"}
            account.totp = None

    @rule(name=names, counts=st.booleans())
    def register_passkey(self, name: str, counts: bool) -> None:
        """Register a passkey."""
        account, authenticator = self.accounts[name], Authenticator(counts=counts)
        begun = self.call(account, "POST", "/v1/passkeys/register/begin").data
        body = {
            "ceremony_token": begun["ceremony_token"],
            "credential": authenticator.create(begun["public_key"]),
            "nickname": str(next(numbers)),
        }
        finish = "/v1/passkeys/register/finish"
        assert self.call(account, "POST", finish, body).data == {"status": "passkey registered"}
        assert refused(self.call(account, "POST", finish, body)) == "invalid_ceremony_token"
        account.passkeys.append(authenticator)

    @rule(name=names, whose=names, knows_password=st.booleans())
    def remove_passkey(self, name: str, whose: str, knows_password: bool) -> None:
        """Remove a passkey of the caller, or try to remove one of the other user."""
        account, passkeys = self.accounts[name], self.accounts[whose].passkeys
        path = f"/v1/passkeys/{id_of(passkeys[0]) if passkeys else 'AAAA'}"
        answer = self.call(account, "DELETE", path, {"password": account.password if knows_password else WRONG})
        if not self.proves(account, answer, knows_password):
            return
        if name == whose and passkeys:
            assert answer.data == {"status": "passkey removed"}
            passkeys.pop(0)
        else:
            assert (answer.status, answer.code) == (404, "not_found")

    @rule(target=spent, name=names)
    def generate_codes(self, name: str) -> MultipleResults[Proof]:
        """Generate ten recovery codes, which void the older ones."""
        account = self.accounts[name]
        older, account.codes = account.codes, self.call(account, "POST", "/v1/recovery-codes/generate").data["codes"]
        return multiple(*map(Recovery, older[:1]))

    @rule(name=names, knows_password=st.booleans())
    def change_password(self, name: str, knows_password: bool) -> None:
        """Change the password, which ends every session and voids every pending login."""
        account, new = self.accounts[name], f"horse battery {next(numbers)}"
        passwords = {"current_password": account.password if knows_password else WRONG, "new_password": new}
        answer = self.call(account, "POST", "/v1/change-password", passwords)
        if self.proves(account, answer, knows_password):
            assert answer.data == {"status": "password changed"}
            account.password, account.sessions = new, 0
            void(account)

    @rule(target=logins, name=names)
    def log_in(self, name: str) -> Pending | MultipleResults[Pending]:
        """Log in by password, which a lock refuses."""
        account = self.accounts[name]
        # A lock holds in a network in which the account has not logged in.
        api = Api(ip=ELSEWHERE) if self.is_locked(account) else self.api
        answer = api.post("/v1/login", {"email": account.email, "password": account.password})
        if self.is_locked(account):
            assert refused(answer) == "account_locked"
            return multiple()
        return self.begun(account, answer)

    @rule(target=logins, name=names)
    def log_in_by_link(self, name: str) -> Pending | MultipleResults[Pending]:
        """Log in by a mailed link, with or without a lock."""
        account = self.accounts[name]
        if sum(link > self.now - HOUR for link in account.links) >= LINKS_MAX:
            return multiple()
        account.links.append(self.now)
        # The model ignores queued notices.
        OutgoingMail.objects.all().delete()
        self.api.post("/v1/magic-link/request", {"email": account.email})
        (mail,) = delivered(account.email)
        link = {"token": token_in(mail)}
        begun = self.begun(account, self.api.post("/v1/magic-link/complete", link))
        assert refused(self.api.post("/v1/magic-link/complete", link)) == "verification_token_invalid"
        return begun

    @rule(name=names, times=st.integers(1, 3))
    def log_in_with_a_wrong_password(self, name: str, times: int) -> None:
        """Log in with a wrong password, once or several times in a row."""
        account = self.accounts[name]
        for _ in range(times):
            answer = Api(ip=ELSEWHERE).post("/v1/login", {"email": account.email, "password": WRONG})
            if self.is_locked(account):
                assert refused(answer) == "account_locked"
            else:
                assert refused(answer) == "invalid_credentials"
                self.fail(account)

    @rule(name=names, times=st.integers(1, FAILURES_MAX))
    def guess_a_code(self, name: str, times: int) -> None:
        """Send wrong TOTP codes, once or several times in a row."""
        totp = self.accounts[name].totp
        app = totp.app if totp else App("A" * 32)
        for _ in range(times):
            self.send_proof(self.waiting(name), Code(app, step=0, text=app.wrong_code()))

    @rule(name=names, times=st.integers(1, FAILURES_MAX))
    def guess_a_recovery_code(self, name: str, times: int) -> None:
        """Send wrong recovery codes, once or several times in a row."""
        for _ in range(times):
            self.send_proof(self.waiting(name), Recovery(UNKNOWN_CODE))

    @rule(target=spent, name=names, is_own=mostly, steps=st.sampled_from([0, 1, -1, 2, -2]))
    def complete_by_code(self, name: str, is_own: bool, steps: int) -> Proof | MultipleResults[Proof]:
        """Send the code that an app shows now, or one of an earlier or later time step."""
        totp = self.account_of(name, is_own).totp
        if totp is None:
            return multiple()
        step = int(self.now.timestamp()) // STEP_SECONDS + steps
        return self.send_proof(self.waiting(name), Code(totp.app, step=step, text=totp.app.code(steps=steps)))

    @rule(target=spent, name=names, is_own=mostly)
    def complete_by_recovery_code(self, name: str, is_own: bool) -> Proof | MultipleResults[Proof]:
        """Send a recovery code."""
        codes = self.account_of(name, is_own).codes
        return self.send_proof(self.waiting(name), Recovery(codes[0])) if codes else multiple()

    @rule(target=spent, name=names, is_own=mostly, is_true=mostly)
    def complete_by_passkey(self, name: str, is_own: bool, is_true: bool) -> Proof | MultipleResults[Proof]:
        """Send an assertion over the challenge, or over other data."""
        account, passkeys, pending = self.accounts[name], self.account_of(name, is_own).passkeys, self.waiting(name)
        if pending is None:
            return multiple()
        answer = self.api.post("/v1/login/passkey/begin", {"pending_token": pending.token})
        if not account.passkeys:
            assert refused(answer) == "no_passkeys_enrolled"
            return multiple()
        begun, false_values = answer.data, FalseValues() if is_true else FalseValues(challenge=b"another")
        authenticator = (passkeys or account.passkeys)[-1]
        signed = authenticator.get(begun["public_key"], **false_values)
        answer = finish_login(self.api, pending.token, begun, signed)
        if is_true and authenticator in account.passkeys:
            self.complete(pending, answer)
        else:
            assert refused(answer) == "invalid_passkey_response"
            self.fail_to_complete(pending)
        return Signed(begun, signed)

    @rule(pending=logins, proof=spent)
    def replay(self, pending: Pending, proof: Proof) -> None:
        """Send a used proof again, for any earlier login."""
        self.send_proof(pending, proof)

    @rule(name=names, proof=spent)
    def replay_where_a_login_waits(self, name: str, proof: Proof) -> None:
        """Send a used proof again, for a pending login."""
        self.send_proof(self.waiting(name), proof)

    @rule(passing=st.sampled_from([timedelta(0), STEP, 2 * STEP, LOCK, PENDING, HOUR]))
    def let_time_pass(self, passing: timedelta) -> None:
        """Move the time without any call."""
        self.now += passing
        self.time.move_to(self.now)

    @invariant()
    def there_are_the_sessions_that_the_model_has_seen_begin(self) -> None:
        """The sessions and the passkeys are exactly those of the model."""
        for account in self.accounts.values():
            mine = {"account__email_key": account.email}
            assert Family.objects.filter(**mine, revoked_at=None).count() == account.sessions
            assert Passkey.objects.filter(**mine).count() == len(account.passkeys)

    def account_of(self, name: str, is_own: bool) -> Account:
        """Return the user's account if `is_own`, otherwise the other user's account."""
        return self.accounts[name if is_own else {"alice": "bob", "bob": "alice"}[name]]

    def waiting(self, name: str) -> Pending | None:
        """Return the newest pending login, or begin a new one. Return None if the account needs no factor."""
        account = self.accounts[name]
        for pending in reversed(account.logins):
            if pending.is_pending(self.now):
                return pending
        begun = self.log_in_by_link(name) if self.is_locked(account) else self.log_in(name)
        return begun if isinstance(begun, Pending) else None

    def send_proof(self, pending: Pending | None, proof: Proof) -> Proof | MultipleResults[Proof]:
        """Send a proof for the pending login. Return the proof if the service checked it."""
        if pending is None:
            return multiple()
        match proof:
            case Code():
                answer = complete_by_totp(self.api, pending.token, proof.text)
                missing = None if pending.owner.confirmed else "totp_not_enabled"
            case Recovery():
                answer, missing = complete_by_recovery_code(self.api, pending.token, proof.text), None
            case Signed():
                answer = finish_login(self.api, pending.token, proof.begun, proof.credential)
                missing = "invalid_ceremony_token" if pending.owner.passkeys else "no_passkeys_enrolled"
        if not pending.is_pending(self.now):
            assert refused(answer) == "invalid_pending_login"
            return multiple()
        if missing:
            assert refused(answer) == missing
            return multiple()
        if self.spend(pending.owner, proof):
            self.complete(pending, answer)
        else:
            assert refused(answer) == ("invalid_totp_code" if isinstance(proof, Code) else "invalid_recovery_code")
            self.fail_to_complete(pending)
        return proof

    def spend(self, owner: Account, proof: Proof) -> bool:
        """Return whether the proof is valid, and mark it as used."""
        if isinstance(proof, Recovery):
            is_right = proof.text in owner.codes
            owner.codes = [code for code in owner.codes if code != proof.text]
            return is_right
        totp = owner.confirmed
        assert totp
        assert isinstance(proof, Code)
        if totp.has_too_many_wrong_codes(self.now):
            return False
        present = int(self.now.timestamp()) // STEP_SECONDS
        if proof.app == totp.app and abs(proof.step - present) <= 1 and proof.step > totp.last_step:
            totp.last_step = proof.step
            return True
        totp.wrong_at.append(self.now)
        return False

    def begun(self, account: Account, answer: Answer) -> Pending | MultipleResults[Pending]:
        """Check that the answer to the first factor matches the enrolled factors."""
        if not account.methods:
            self.open_session(account, answer)
            return multiple()
        token = answer.data["pending_token"]
        assert answer.data == {"second_factor_required": True, "pending_token": token, "methods": account.methods}
        pending = Pending(owner=account, token=token, expires_at=self.now + PENDING)
        account.logins.append(pending)
        return pending

    def complete(self, pending: Pending, answer: Answer) -> None:
        """Complete the login in the model."""
        pending.is_void = True
        self.open_session(pending.owner, answer)

    def open_session(self, account: Account, answer: Answer) -> None:
        """Check that the answer holds tokens of the account. Reset the failures but keep a lock."""
        verified = self.api.get("/v1/verify", token=answer.data["access_token"])
        assert verified.data == {"user_id": account.user_id}
        account.sessions += 1
        if not self.is_locked(account):
            account.failures, account.locked_until = 0, None

    def proves(self, account: Account, answer: Answer, knows_password: bool) -> bool:
        """Return whether the service accepted the caller's password. Count a wrong password, unless the account is locked."""
        if knows_password and not self.is_locked(account):
            return True
        assert refused(answer) == "invalid_credentials"
        self.fail(account)
        return False

    def fail_to_complete(self, pending: Pending) -> None:
        """Count a wrong second factor against the login and the account."""
        pending.failures += 1
        pending.is_void = pending.failures == FAILURES_MAX
        self.fail(pending.owner)

    def fail(self, account: Account) -> None:
        """Count a failure, unless the account is locked. The failures before an expired lock no longer count."""
        if self.is_locked(account):
            return
        account.failures = 1 if account.locked_until else account.failures + 1
        account.locked_until = self.now + LOCK if account.failures == THRESHOLD else None
        if account.locked_until:
            void(account)

    def is_locked(self, account: Account) -> bool:
        """Return whether the account refuses every password."""
        return account.locked_until is not None and self.now < account.locked_until

    def call(self, account: Account, method: str, path: str, body: object = None) -> Answer:
        """Call in a session that exists only for this call, so that the model need not count the session."""
        key = users.to_account_id(account.user_id)
        with transaction.atomic():
            pair = open_session(account_id=key, client=CLIENT, now=self.now)
        answer = self.api.call(method, path, body, token=pair.access_token)
        Family.objects.filter(tokens__digest=opaque.digest(pair.refresh_token)).delete()
        return answer


def void(account: Account) -> None:
    for pending in account.logins:
        pending.is_void = True


def refused(answer: Answer) -> str:
    assert 400 <= answer.status < 500
    return answer.code


def id_of(authenticator: Authenticator) -> str:
    return bytes_to_base64url(authenticator.credentials[0].id)


# Hypothesis needs a long time to shrink a failing example.
@pytest.mark.timeout(1_800)
def test_logins_complete_as_the_model_predicts(db: None, settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "LOCKOUT_THRESHOLD": str(THRESHOLD),
        "LOCKOUT_SECONDS": str(LOCK // timedelta(seconds=1)),
        "EMAIL_URL": f"file://{tmp_path}/mails",
    }

    run_state_machine_as_test(SecondFactors, settings=settings_of_model())
