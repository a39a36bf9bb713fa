"""Logins with unknown addresses that ask an old system."""

import base64
import io
import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings
from standardwebhooks import Webhook

from accounts.host import users
from accounts.models import Account, Event
from accounts.passwords import hashing
from accounts.proofs import refusals
from core.clock import now
from core.threads import FALLBACK_THREADS
from events.webhooks.models import Delivery
from sessions_app.conf import check_fallback
from sessions_app.logins.fallback import breaker, former_addresses, old_system
from sessions_app.models import FormerAddress
from tests.api.host_site.pages import examples_of
from tests.client import PASSWORD, Answer, Api
from tests.loopback import Peer, response, serving
from tests.people import Person
from tests.second_factors import App
from tests.tls import trusted_context

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
EMAIL = "carol@example.com"
CAROL = {"id": "018df4a2-7c3e-7d5b-9a1f-0c2b4d6e8f01", "email": EMAIL, "email_verified": True}
JSON = "Content-Type: application/json\r\n"


@dataclass
class Old:
    """The old system. `answer` is what it sends; it can wait before."""

    peer: Peer
    answer: bytes = b""
    work: Callable[[], object] = lambda: None
    questions: list[dict[str, Any]] = field(default_factory=list)

    def says(self, row: object, *, status: str = "200 OK", headers: str = JSON) -> None:
        """Answer with this JSON from now on."""
        self.answer = response(json.dumps(row).encode(), status=status, headers=headers)

    def talk(self, peer: Peer, send: Callable[[bytes], object]) -> None:
        """Verify the question with the library of Standard Webhooks, and answer."""
        asked = peer.received[-1]
        self.questions.append(
            Webhook(SECRET).verify(asked.body.decode(), {k.lower(): v for k, v in asked.headers.items()})
        )
        self.work()
        send(self.answer)


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    return trusted_context(tmp_path, monkeypatch, host="127.0.0.1")


@pytest.fixture
def old(db: None, tls: ssl.SSLContext, settings: Settings) -> Iterator[Old]:
    """The old system, which knows Carol with PASSWORD."""
    system = Old(Peer(0))
    refusals.forget()
    old_system.forget()
    with serving(system.talk, tls=tls) as peer:
        system.peer = peer
        configure(settings, LOGIN_FALLBACK_URL=peer.url("/login", scheme="https"))
        system.says(CAROL)
        yield system
    refusals.forget()
    old_system.forget()


def configure(settings: Settings, **changes: object) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOGIN_FALLBACK_SECRET": SECRET, **changes}


def log_in(api: Api, email: str = EMAIL, password: str = PASSWORD) -> Answer:
    return api.post("/v1/login", {"email": email, "password": password})


def test_a_yes_creates_the_account_and_the_old_system_is_never_asked_again(api: Api, old: Old) -> None:
    first = log_in(api, " Carol@Example.com", "caf\u00e9 au lait")
    second = log_in(api, password="caf\u00e9 au lait")
    wrong = log_in(api, password="cafe au lait")

    assert (first.status, second.status, wrong.code) == (200, 200, "invalid_credentials")
    [question] = old.questions
    assert question["type"] == "login.password"
    assert question["data"] == {"email": "Carol@Example.com", "password": "caf\u00e9 au lait"}
    assert old.peer.received[0].line == "POST /login HTTP/1.1"
    account = Account.objects.select_related("user").get()
    assert hashing.kind_of(account.user.password) == hashing.todays_kind()
    assert account.email_proven_at is not None
    event = Event.objects.get(type="account_imported")
    assert (event.user_id, event.metadata) == (str(account.pk), {"source": "gatehouse"})


def test_a_closed_sign_up_and_the_rules_for_passwords_do_not_apply_and_the_address_is_unproven_by_default(
    api: Api, old: Old, settings: Settings
) -> None:
    configure(settings, SIGNUP="closed", PASSWORD_MIN_LENGTH="20")
    old.says({"id": "17", "email": EMAIL, "password_hash": "$2b$12$ignored"})

    assert log_in(api, password="password").status == 200
    assert Account.objects.get().email_proven_at is None


def test_the_webhook_gets_the_event_of_a_new_account_when_it_asks_for_it(
    api: Api, old: Old, settings: Settings
) -> None:
    assert log_in(api).status == 200
    configure(settings, WEBHOOK_URL="https://hooks.example", WEBHOOK_SECRET=SECRET, WEBHOOK_EVENTS="account_imported")
    old.says({"id": "17", "email": "dave@example.com"})

    assert log_in(api, "dave@example.com").status == 200
    assert [delivery.event_type for delivery in Delivery.objects.all()] == ["account_imported"]


NO_YES = {
    "no": response(status="401 Unauthorized"),
    "an unknown user": response(b"{}", status="404 Not Found", headers=JSON),
    "a failure": response(b"{}", status="500 Internal Server Error", headers=JSON),
    "created": response(json.dumps(CAROL).encode(), status="201 Created", headers=JSON),
    "a redirect": response(status="302 Found", headers="Location: /yes\r\n"),
    "a page": response(b"<!doctype html><h1>Welcome</h1>", headers="Content-Type: text/html\r\n"),
    "a row without its type": response(json.dumps(CAROL).encode()),
    "no JSON": response(b"{", headers=JSON),
    "deep JSON": response(b"[" * 60_000, headers=JSON),
    "a list": response(json.dumps([CAROL]).encode(), headers=JSON),
    "an empty object": response(b"{}", headers=JSON),
    "true": response(b"true", headers=JSON),
    "a huge body": response(json.dumps({**CAROL, "metadata": {"x": "x" * 70_000}}).encode(), headers=JSON),
    "another address": response(json.dumps({**CAROL, "email": "eve@example.com"}).encode(), headers=JSON),
    "no id": response(json.dumps({"email": EMAIL}).encode(), headers=JSON),
    "an unknown member": response(json.dumps({**CAROL, "is_admin": True}).encode(), headers=JSON),
    "a second factor without its secret": response(json.dumps({**CAROL, "totp": {}}).encode(), headers=JSON),
    "nothing": b"",
}


@pytest.mark.parametrize("name", NO_YES)
def test_every_other_answer_is_no_yes(api: Api, old: Old, name: str) -> None:
    old.answer = NO_YES[name]

    answer = log_in(api)

    assert (answer.status, answer.code) == (401, "invalid_credentials")
    assert len(old.peer.received) == 1
    assert not Account.objects.exists()


def test_only_unknown_and_unlocked_addresses_are_asked_about(api: Api, old: Old, alice: Person) -> None:
    old.says({}, status="401 Unauthorized")
    for email in (alice.email, "ALICE@example.com", "no address", ""):
        assert log_in(api, email, "wrong").code == "invalid_credentials"
    assert not old.questions

    answers = [log_in(api).code for _ in range(6)]

    assert answers == ["invalid_credentials"] * 5 + ["account_locked"]
    assert len(old.questions) == 5


def test_an_account_that_was_deleted_here_does_not_come_back(api: Api, old: Old, settings: Settings) -> None:
    session = log_in(api).data["access_token"]
    assert api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session).status == 200

    by_address = log_in(api, EMAIL.upper())
    questions = len(old.questions)
    kept = FormerAddress.objects.get()
    FormerAddress.objects.all().delete()
    by_id = log_in(api)

    assert (by_address.code, questions) == ("invalid_credentials", 1)
    assert EMAIL not in kept.digest
    if not users.take_ids():
        return  # the site chooses its keys, so only the address tells
    assert (by_id.code, len(old.questions)) == ("invalid_credentials", 2)
    assert not former_addresses.prunable_former_addresses(now()).exists()


def test_digests_of_addresses_are_kept_only_while_logins_ask(alice: Person, old: Old, settings: Settings) -> None:
    FormerAddress.objects.create(digest="0" * 32, deleted_at=now())

    assert not former_addresses.prunable_former_addresses(now()).exists()
    configure(settings, LOGIN_FALLBACK_URL="")
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert former_addresses.prunable_former_addresses(now()).count() == FormerAddress.objects.count() == 1


def test_a_deactivated_user_of_the_old_system_is_refused_like_one_of_the_service(api: Api, old: Old) -> None:
    old.says({**CAROL, "state": "deactivated"})

    assert log_in(api).code == "account_deactivated"
    assert log_in(api).code == "account_deactivated"
    assert len(old.questions) == 1


def test_the_second_factor_of_the_old_system_is_asked_for(api: Api, old: Old) -> None:
    secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    old.says({**CAROL, "totp": {"secret": secret}})

    paused = log_in(api)
    body = {"pending_token": paused.data["pending_token"], "code": App(secret).code()}

    assert set(paused.data) == {"second_factor_required", "pending_token", "methods"}
    assert paused.data["methods"] == ["totp"]
    assert api.post("/v1/login/totp", body).status == 200


def test_five_failures_in_a_row_stop_the_questions_for_a_while(
    api: Api, old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    old.answer = b""
    for number in range(7):
        assert log_in(api, f"carol{number}@example.com").code == "invalid_credentials"
    assert len(old.peer.received) == 5
    assert refusals.expect().asked is None

    old.says(CAROL)
    assert log_in(api).code == "invalid_credentials"
    monkeypatch.setattr(breaker, "OPEN_SECONDS", 0)

    assert log_in(api).status == 200
    assert log_in(api, "dave@example.com").code == "invalid_credentials"
    assert len(old.peer.received) == 7


def test_a_slow_old_system_gets_its_time_and_not_all_threads(
    api: Api, old: Old, alice: Person, settings: Settings
) -> None:
    configure(settings, LOGIN_FALLBACK_SECONDS="1")
    old.work = lambda: old.peer.is_over.wait(3)
    before = perf_counter()

    assert log_in(api).code == "invalid_credentials"
    assert 0.9 < perf_counter() - before < 2.8

    with ExitStack() as busy:
        for _ in range(2 * FALLBACK_THREADS):
            busy.enter_context(old_system._slots.counted())
        assert log_in(api, "dave@example.com").code == "invalid_credentials"
        assert alice.log_in().is_live()
    assert len(old.peer.received) == 1


def test_the_questions_have_a_limit_of_their_own_beyond_which_a_login_is_refused(
    api: Api, old: Old, alice: Person, settings: Settings
) -> None:
    configure(settings, RATE_LIMITS="login_fallback=1/d")
    old.says({}, status="404 Not Found")

    codes = [log_in(api, f"carol{number}@example.com").code for number in range(3)]

    assert codes == ["invalid_credentials"] * 3
    assert len(old.questions) == 1
    assert alice.log_in().is_live()


def test_a_no_takes_as_long_as_a_wrong_password(api: Api, old: Old, alice: Person, settings: Settings) -> None:
    configure(settings, LOCKOUT_THRESHOLD="1000")
    old.says({}, status="401 Unauthorized")
    old.work = lambda: old.peer.is_over.wait(0.15)
    for email in (EMAIL, alice.email):
        log_in(api, email, "wrong")

    ratios = [
        seconds_of(lambda: log_in(api, alice.email, "wrong")) / seconds_of(lambda: log_in(api, EMAIL, "wrong"))
        for _ in range(5)
    ]

    # Without the wait, the refusal for the account takes a tenth of the other.
    assert 0.6 < median(ratios) < 1.6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"LOGIN_FALLBACK_URL": "http://old.example"}, "LOGIN_FALLBACK_URL must be https"),
        ({"LOGIN_FALLBACK_SECRET": ""}, "LOGIN_FALLBACK_URL needs LOGIN_FALLBACK_SECRET"),
        ({"LOGIN_NAME": "username"}, "LOGIN_FALLBACK_URL needs LOGIN_NAME=email"),
        ({}, ""),
    ],
)
def test_settings_that_do_not_fit_together_stop_the_start(
    settings: Settings, changes: dict[str, str], message: str
) -> None:
    configure(settings, **{"LOGIN_FALLBACK_URL": "https://old.example", **changes})

    if not message:
        check_fallback()
        return
    with pytest.raises(ImproperlyConfigured, match=message):
        check_fallback()


def test_the_server_of_the_page_answers_the_service(api: Api, old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGIN_FALLBACK_SECRET", SECRET)
    names: dict[str, Any] = {}
    [code] = examples_of("login-fallback.md", "A server for Python")
    exec(code, names)  # noqa: S102 - our own page

    def call() -> None:
        asked, started = old.peer.received[-1], []
        environ = {
            "wsgi.input": io.BytesIO(asked.body),
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in asked.headers.items()},
            "CONTENT_LENGTH": str(len(asked.body)),
        }
        body = b"".join(names["application"](environ, lambda *status: started.append(status)))
        [(status, headers)] = started
        old.answer = response(body, status=status, headers="".join(f"{name}: {value}\r\n" for name, value in headers))

    old.work = call
    assert log_in(api, "alice@example.com", "wrong horse").code == "invalid_credentials"
    assert log_in(api, "alice@example.com", "correct horse").status == 200
    assert len(old.questions) == 2


def seconds_of(work: Callable[[], object]) -> float:
    before = perf_counter()
    work()
    return perf_counter() - before
