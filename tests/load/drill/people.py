"""People who use the service during a drill, and who check everything that it acknowledged."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from random import Random
from secrets import token_hex, token_urlsafe
from typing import Any

from tests.load.service import PASSWORD, Caller

from .mailbox import Mailbox
from .stage import Progress

OK = "ok"
UNANSWERED = "unanswered"
UNAVAILABLE = ("overloaded", "db_unreachable")
REFUSED_TOKEN = frozenset({"invalid_token", "token_reused"})
RETRY_SECONDS = 0.1
PATIENCE_SECONDS = 60
MAIL_SECONDS = 8
CHECKING_THREADS = 4
LEASE_SECONDS = 330
"""The longest wait of a mail whose worker failed after the claim: the lease plus a margin."""


class Stuck(Exception):
    """This person cannot continue. Something necessary was lost and recorded, or the drill was stopped."""


class Record:
    """The observations of all people of a drill. Many threads use this object."""

    def __init__(self) -> None:
        self.over = threading.Event()
        """Set at the end: people begin nothing new and finish what they began."""
        self.abandoned = threading.Event()
        self.lost: list[str] = []
        self.troubled_at = time.monotonic()
        """The time of the last missing answer, or of the last 503 for an unreachable database."""
        self._noted = Counter[tuple[str, str]]()
        self._lock = threading.Lock()

    def note(self, what: str, outcome: str) -> None:
        """Count the outcome of an act."""
        with self._lock:
            self._noted[what, outcome] += 1
        if outcome in {UNANSWERED, "db_unreachable"}:
            self.troubled_at = time.monotonic()

    def lose(self, sentence: str) -> None:
        """Record a loss."""
        self.lost.append(sentence)

    def count(self, *outcomes: str, what: str | None = None) -> int:
        """Return how many acts, or acts of one kind, had one of the outcomes."""
        with self._lock:
            return sum(
                number
                for (done, outcome), number in self._noted.items()
                if what in {None, done} and outcome in outcomes
            )


@dataclass(slots=True)
class Family:
    """A session as its owner knows it. `mark` is the user agent of the call that returned its newest token."""

    access: str
    newest: str
    mark: str
    older: list[str] = field(default_factory=list)
    has_ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalAnswer:
    """A conclusive answer: `ok` or an error code. `doubts` is the number of inconclusive attempts before it."""

    outcome: str
    data: Any
    mark: str
    doubts: int


class Person:
    """A person with an account.

    The person repeats each act until an answer arrives. An attempt without an answer, or with 503, may or may not have
    been carried out. Only after such an attempt may an answer state that the act was already done. Every other
    difference from the acknowledged state is recorded as a loss.
    """

    def __init__(self, *, port: int, record: Record, mailbox: Mailbox) -> None:
        self.name = token_hex(5)
        self.email = f"{self.name}@example.com"
        self.password = PASSWORD
        self.families: list[Family] = []
        self._record = record
        self._mailbox = mailbox
        self._caller = Caller(port)
        self._calls = 0
        self._former: list[tuple[str, str]] = []
        self._spent: list[tuple[str, str]] = []
        self._mails_due: list[tuple[str, str]] = []
        self._is_verified = False

    @property
    def live_families(self) -> list[Family]:
        """The sessions that the person has not ended."""
        return [family for family in self.families if not family.has_ended]

    def sign_up(self) -> None:
        """Create the account."""
        self._call_until_final(
            "POST", "/v1/signup", {"email": self.email, "password": PASSWORD}, in_doubt={"user_exists"}
        )

    def log_in(self) -> Family:
        """Start a session."""
        return self._start(
            self._call_until_final("POST", "/v1/login", {"email": self.email, "password": self.password})
        )

    def refresh(self, family: Family) -> None:
        """Exchange the newest token. After a lost answer, the next attempt has the same key and must succeed too."""
        body = {"refresh_token": family.newest}
        final = self._call_until_final("POST", "/v1/refresh", body, idempotency_key=token_urlsafe(16))
        if final.doubts:
            self._record.note("refresh in doubt", final.outcome)
        if final.outcome == OK:
            family.older.append(family.newest)
            family.access, family.newest = final.data["access_token"], final.data["refresh_token"]
            family.mark = final.mark
        else:
            family.has_ended = True

    def log_out(self, family: Family) -> None:
        """End a session."""
        sessions = self.list_sessions(family)
        ids = [session["id"] for session in sessions if session["user_agent"] == family.mark]
        if len(ids) != 1:
            self._record.lose(f"{self.name}: a live session is listed {len(ids)} times")
            return
        # A lost answer of the session's own end: the next attempt has a token of an ended session.
        self._call_until_final(
            "POST", "/v1/logout", {"session_id": ids[0]}, token=family.access, in_doubt={"invalid_access_token"}
        )
        family.has_ended = True

    def log_out_everywhere(self, family: Family) -> None:
        """End all sessions."""
        self._call_until_final("POST", "/v1/logout-all", token=family.access, in_doubt={"invalid_access_token"})
        self._end_all()

    def change_password(self, family: Family) -> None:
        """Change the password, which ends all sessions."""
        new = f"{PASSWORD} {token_hex(4)}"
        body = {"current_password": self.password, "new_password": new}
        self._call_until_final(
            "POST", "/v1/change-password", body, token=family.access, in_doubt={"invalid_credentials"}
        )
        self._former.append((self.email, self.password))
        self.password = new
        self._end_all()

    def verify(self, family: Family) -> None:
        """Verify the address. It stays unverified when the mail is late."""
        path, page = "/v1/email/verify/confirm", "verify-email"
        self._call_until_final("POST", "/v1/email/verify/request", token=family.access)
        self._mails_due.append((self.email, page))
        token = self._find_token(to=self.email, page=page)
        if token is not None:
            body = {"token": token, "password": self.password}
            self._call_until_final("POST", path, body, in_doubt={"verification_token_invalid"})
            self._spent.append((path, token))
            self._is_verified = True

    def log_in_by_mail(self, family: Family) -> None:
        """Log in by a magic link, at most once. No session starts when a mail is late.

        The first link of an address that is not verified would end the password and the sessions.
        """
        if not self._is_verified:
            self.verify(family)
        if not self._is_verified:
            return
        path, page = "/v1/magic-link/complete", "magic-link"
        self._call_until_final("POST", "/v1/magic-link/request", {"email": self.email})
        self._mails_due.append((self.email, page))
        token = self._find_token(to=self.email, page=page)
        if token is None:
            return
        final = self._call_until_final("POST", path, {"token": token}, in_doubt={"verification_token_invalid"})
        self._spent.append((path, token))
        if final.outcome == OK:
            self._start(final)

    def change_email(self, family: Family) -> None:
        """Change the address.

        The change is skipped when the mail is late or when an attempt in doubt may have voided its token.
        """
        path, page = "/v1/email/confirm-change", "email-change"
        new = f"{self.name}.new@example.com"
        asked = self._call_until_final("POST", "/v1/email/request-change", {"new_email": new}, token=family.access)
        self._mails_due.append((new, page))
        token = None if asked.doubts else self._find_token(to=new, page=page)
        if token is None:
            return
        self._call_until_final("POST", path, {"token": token}, in_doubt={"verification_token_invalid"})
        self._spent.append((path, token))
        self._former.append((self.email, self.password))
        self.email = new
        # The token alone moves the address and does not verify it.
        self._is_verified = False

    def list_sessions(self, family: Family) -> Sequence[Mapping[str, Any]]:
        """Return the listed sessions."""
        final = self._call_until_final("GET", "/v1/sessions", token=family.access)
        return final.data if final.outcome == OK else []

    def check(self, *, mails_until: float) -> None:
        """Record every difference from the acknowledged state.

        The check ends all sessions. Mails may arrive until `mails_until`, a value of `time.monotonic()`.
        """
        listed = Counter(session["user_agent"] for session in self.list_sessions(self.log_in()))
        for family in self.families:
            right = 0 if family.has_ended else 1
            if listed[family.mark] != right:
                self._record.lose(f"{self.name}: a session is listed {listed[family.mark]} times instead of {right}")
        for family in self.families:
            self._check_tokens(family)
        for path, token in self._spent:
            self._call_until_final("POST", path, {"token": token}, right={"verification_token_invalid"})
        for email, password in self._former:
            body = {"email": email, "password": password}
            self._call_until_final("POST", "/v1/login", body, right={"invalid_credentials"})
        self.disconnect()
        for to, page in self._mails_due:
            if self._await_token(to=to, page=page, until=mails_until) is None:
                self._record.lose(f"{self.name}: a mail for {page} never came")

    def disconnect(self) -> None:
        """Close the connection, as a client does that pauses."""
        self._caller.disconnect()

    def _check_tokens(self, family: Family) -> None:
        """Check that only the newest token works, and that no token works in an ended session."""
        if not family.has_ended:
            self.refresh(family)
        for token in [*family.older[-1:], family.newest]:
            self._call_until_final("POST", "/v1/refresh", {"refresh_token": token}, right=REFUSED_TOKEN)

    def _find_token(self, *, to: str, page: str) -> str | None:
        """Return the token of the requested link, or None when the mail is late."""
        token = self._await_token(to=to, page=page, until=time.monotonic() + MAIL_SECONDS)
        self._record.note("mail", "late" if token is None else OK)
        return token

    def _await_token(self, *, to: str, page: str, until: float) -> str | None:
        while not (found := self._mailbox.tokens(to=to, page=page)) and time.monotonic() < until:
            if self._record.abandoned.wait(RETRY_SECONDS):
                raise Stuck
        return found[-1] if found else None

    def _start(self, final: FinalAnswer) -> Family:
        if final.outcome != OK:
            raise Stuck
        tokens = final.data
        self.families.append(Family(access=tokens["access_token"], newest=tokens["refresh_token"], mark=final.mark))
        return self.families[-1]

    def _end_all(self) -> None:
        for family in self.families:
            family.has_ended = True

    def _call_until_final(
        self,
        method: str,
        path: str,
        body: Mapping[str, str] | None = None,
        *,
        token: str | None = None,
        idempotency_key: str | None = None,
        right: Collection[str] = (OK,),
        in_doubt: Collection[str] = (),
    ) -> FinalAnswer:
        """Repeat the call until a conclusive answer, which must be one of `right`.

        After a doubt, `in_doubt` is allowed too.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        doubts = 0
        while True:
            if self._record.abandoned.is_set():
                raise Stuck
            status, outcome, data, mark = self._ask(method, path, body, token=token, idempotency_key=idempotency_key)
            self._record.note(path, outcome)
            if status not in {0, 503}:
                break
            if time.monotonic() > deadline:
                raise RuntimeError(f"{method} {path}: no answer but {outcome} for {PATIENCE_SECONDS} s")
            doubts += 1
            time.sleep(RETRY_SECONDS)
        if outcome not in right and not (doubts and outcome in in_doubt):
            self._record.lose(
                f"{self.name}: {method} {path} was answered {status} {outcome} instead of {' or '.join(right)}, "
                f"after {doubts} attempts in doubt"
            )
        return FinalAnswer(outcome=outcome, data=data, mark=mark, doubts=doubts)

    def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, str] | None,
        *,
        token: str | None,
        idempotency_key: str | None,
    ) -> tuple[int, str, Any, str]:
        self._calls += 1
        mark = f"Gatehouse drill {self._calls}"
        try:
            answer = self._caller.call(
                method, path, body, token=token, user_agent=mark, idempotency_key=idempotency_key
            )
        except (OSError, HTTPException):
            return 0, UNANSWERED, None, mark
        except ValueError:
            # The body is not the service's envelope, for example a page of the server program.
            return -1, "no JSON", None, mark
        if answer.status < 300:
            return answer.status, OK, answer.body["data"], mark
        return answer.status, answer.body["error"]["code"], None, mark


def use_every_route(person: Person, *, random: Random) -> None:
    """Use everything that the service offers, in random order."""
    person.sign_up()
    acts: list[Callable[[Family], object]] = [
        *[person.refresh] * 6,
        *[person.list_sessions] * 2,
        person.log_in_by_mail,
        person.change_email,
        person.change_password,
        person.log_out,
        person.log_out_everywhere,
    ]
    random.shuffle(acts)
    for act in acts:
        act(random.choice(person.live_families or [person.log_in()]))
    person.disconnect()


@contextmanager
def at_work(
    lives: Sequence[Callable[[], None]], *, record: Record, threads: int | None = None
) -> Iterator[Sequence[Future[None]]]:
    """Run the people's lives on threads during the block. The end of the block sets `record.over`."""
    with ThreadPoolExecutor(threads or len(lives)) as pool:
        running = [pool.submit(_run_life, life) for life in lives]
        try:
            yield running
        except BaseException:
            record.abandoned.set()
            raise
        finally:
            record.over.set()
    for life in running:
        life.result()


def _run_life(life: Callable[[], None]) -> None:
    with suppress(Stuck):
        life()


def check_all(people: Sequence[Person], *, record: Record, progress: Progress) -> None:
    """Let all people check the acknowledged state."""
    checks = [partial(person.check, mails_until=time.monotonic() + LEASE_SECONDS) for person in people]
    with at_work(checks, record=record, threads=CHECKING_THREADS) as running:
        while left := sum(not check.done() for check in running):
            progress.report(f"checking what was acknowledged, {left} people to go")
            time.sleep(RETRY_SECONDS)
