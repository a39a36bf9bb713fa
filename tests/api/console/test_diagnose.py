from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import translation

from accounts.models import Event
from console.reports.verdict import Findings, verdict_of
from core.clock import now as read_clock
from core.clock import rfc3339
from sessions_app.logins.stopped import EndPendingLogins
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import Api
from tests.factories import EventFactory
from tests.mails import delivered, token_in
from tests.operators import Console
from tests.passkeys import register
from tests.people import Person
from tests.rows import each
from tests.second_factors import enroll_totp, lock, pause

PATH = "/support/diagnose"
START = datetime(2026, 3, 10, 12, tzinfo=UTC)


def diagnose(console: Console, email: str) -> dict[str, Any]:
    return dict(console.get(PATH, {"email": email}).data)


def events_of(person: Person) -> list[dict[str, str]]:
    events = Event.objects.filter(user_id=person.user_id).order_by("-id")[:20]
    return [{"type": event.type, "created_at": rfc3339(event.created_at)} for event in events]


@pytest.mark.parametrize("email", ["nobody@example.com", "nonsense", "@", "x" * 5000, "a b@c", "Ａ@b"])
def test_an_unknown_address_is_not_found_without_an_error(console: Console, email: str) -> None:
    assert diagnose(console, email) == {
        "email": email,
        "found": False,
        "user_id": None,
        "verdict": "We have no account with this address. Please check the spelling, or tell me another address of yours.",
        "locked": False,
        "locked_until": None,
        "failed_attempts": 0,
        "active_sessions": 0,
        "recent_events": [],
        "text": f"No account has the address {email}.",
    }


def test_an_account_that_was_never_locked_is_shown(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    alice.log_in()

    assert diagnose(console, alice.email) == {
        "email": alice.email,
        "found": True,
        "user_id": alice.user_id,
        "verdict": "Nothing blocks your account. Your address and your password are enough to sign in.",
        "locked": False,
        "locked_until": None,
        "failed_attempts": 0,
        "active_sessions": 1,
        "recent_events": events_of(alice),
        "text": (
            "The account has existed since 2026-03-10. It is not locked. Its address is not "
            "confirmed. It has no second factor. It has 1 active session."
        ),
    }


def test_a_locked_account_is_shown_with_its_lock(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    lock(alice)

    assert diagnose(console, alice.email) == {
        "email": alice.email,
        "found": True,
        "user_id": alice.user_id,
        "verdict": (
            "Your account is locked until 2026-03-10 12:15 UTC, because of wrong passwords or codes. The lock ends by "
            "itself. A sign-in link by mail works now."
        ),
        "locked": True,
        "locked_until": "2026-03-10T12:15:00.000000Z",
        "failed_attempts": 5,
        "active_sessions": 0,
        "recent_events": events_of(alice),
        "text": (
            "The account has existed since 2026-03-10. It is locked until 2026-03-10 12:15 UTC after 5 failed attempts; "
            "the lock ends by itself. Until then the user can sign in with a magic link. Its address is not "
            "confirmed. It has no second factor. It has no active session."
        ),
    }


def test_a_diagnosis_changes_nothing_about_a_lock(console: Console, alice: Person) -> None:
    lock(alice)
    before = alice.account().locked_until

    diagnose(console, alice.email)

    assert alice.account().locked_until == before
    body = {"email": alice.email, "password": alice.password}
    assert alice.api.post("/v1/login", body).code == "account_locked"


def test_an_expired_lock_is_not_shown(travel: time_machine.Traveller, console: Console, alice: Person) -> None:
    lock(alice)
    travel.shift(timedelta(minutes=15))

    found = diagnose(console.renewed(), alice.email)

    assert (found["locked"], found["locked_until"], found["failed_attempts"]) == (
        False,
        "2026-03-10T12:15:00.000000Z",
        0,
    )
    assert "It is not locked. " in found["text"]


def test_failures_below_the_threshold_are_shown(console: Console, alice: Person) -> None:
    alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    assert "It is not locked, but has 1 consecutive failed attempt." in diagnose(console, alice.email)["text"]

    alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    found = diagnose(console, alice.email)
    assert found["failed_attempts"] == 2
    assert "It is not locked, but has 2 consecutive failed attempts." in found["text"]


def test_second_factors_are_named(console: Console, alice: Person) -> None:
    session = alice.log_in()
    register(session, Authenticator())
    assert "A login needs a second factor: passkey." in diagnose(console, alice.email)["text"]

    enroll_totp(session)
    assert "A login needs a second factor: authenticator app or passkey." in diagnose(console, alice.email)["text"]


def test_an_unconfirmed_factor_is_not_named(console: Console, alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/totp/enroll", token=session.access)

    assert "It has no second factor." in diagnose(console, alice.email)["text"]


def test_the_diagnosis_shows_whether_the_address_is_proven(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    alice.api.post("/v1/magic-link/request", {"email": alice.email})
    alice.api.post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])})

    found = diagnose(console, alice.email)

    assert "Its address was confirmed on 2026-03-10." in found["text"]
    assert found["active_sessions"] == 1


@pytest.mark.parametrize("spelling", ["ALICE@example.com", " alice@example.com ", "ａlice@example.com"])
def test_every_spelling_of_the_address_finds_the_account(console: Console, alice: Person, spelling: str) -> None:
    found = diagnose(console, spelling)

    assert (found["found"], found["email"]) == (True, spelling)


def test_at_most_twenty_events_are_shown(console: Console, alice: Person) -> None:
    session = alice.log_in()
    for _ in range(25):
        session = session.refreshed()

    assert diagnose(console, alice.email)["recent_events"] == events_of(alice)


@pytest.mark.parametrize("query", ["", "email=", "email=%20", "email=%09%0A", "Email=a@b", "email=a%00@example.com"])
def test_the_address_is_required(console: Console, query: str) -> None:
    assert console.get(PATH, query).code == "bad_request"


def test_a_diagnosis_contains_no_secret(console: Console, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)

    text = str(diagnose(console, alice.email))

    assert not any(secret in text for secret in (app.secret, alice.account().user.password, session.refresh, "argon2"))


def test_a_deactivated_account_and_a_retired_password_are_named(console: Console, alice: Person) -> None:
    users("require-reset", alice.email)
    assert "An operator retired its password: the owner has to reset" in diagnose(console, alice.email)["text"]

    users("deactivate", alice.email)

    text = diagnose(console, alice.email)["text"]
    assert "It is deactivated since " in text
    assert f"`manage.py users reactivate {alice.user_id}`" in text


def test_an_open_invitation_is_named(console: Console) -> None:
    users("invite", "carol@example.com")

    text = diagnose(console, "CAROL@example.com")["text"]
    assert text.startswith("No account has the address CAROL@example.com. It has an invitation, which is open until ")


def test_a_stop_at_the_second_factor_comes_first_until_the_password_changes(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    enroll_totp(alice.log_in())
    pause(alice, Api(ip="198.51.100.9", user_agent="curl/8.0"))
    travel.shift(timedelta(minutes=5))
    EndPendingLogins().run(read_clock(), lambda: False)
    console = console.renewed()

    found = diagnose(console, alice.email)

    assert found["verdict"] == (
        "Another person knew your password and stopped at the second factor, at 2026-03-10 12:05 UTC. Your account was "
        "not opened. Please choose a new password now. Nothing blocks your account. After the password, your sign-in "
        "needs your authenticator app."
    )
    assert found["text"].startswith(
        "Another person knew the password and stopped at the second factor, at 2026-03-10 12:05 UTC from 198.51.100.9. "
        "The password is still the same. The account has existed since 2026-03-10."
    )
    EventFactory.create(type="password_changed", user_id=alice.user_id, created_at=read_clock())
    changed = diagnose(console, alice.email)
    assert changed["verdict"].startswith("Nothing blocks your account.")
    assert "The owner has changed the password since." in changed["text"]


@each(
    "changes, verdict",
    [
        ({"is_deactivated": True, "locked_until": START}, "Your account is switched off. Only the people"),
        ({"has_retired_password": True}, "Your old password no longer works."),
        ({"needs_confirmed_address": True}, "Your address is not confirmed yet."),
        ({"failed_attempts": 1}, "Your account is not locked, but the sign-in failed once. If you forgot"),
        (
            {"failed_attempts": 3, "has_mails": False},
            "Your account is not locked, but the sign-in failed 3 times in a row.",
        ),
        (
            {"opened_at": START, "failed_attempts": 1},
            "Another person may have signed in to your account, at 2026-03-10 12:00",
        ),
        ({"locked_until": START, "stopped_at": START}, "Another person knew your password and stopped"),
    ],
)
def test_the_verdict_names_the_most_urgent_reason(changes: dict[str, Any], verdict: str) -> None:
    quiet = Findings(
        is_deactivated=False,
        has_retired_password=False,
        stopped_at=None,
        opened_at=None,
        locked_until=None,
        needs_confirmed_address=False,
        failed_attempts=0,
        has_mails=True,
        factors=(),
    )

    with translation.override("en"):
        found = verdict_of(replace(quiet, **changes))

    assert found.startswith(verdict)
    assert ("The lock ends by itself." in found) == ("stopped_at" in changes)


def test_a_login_of_an_attack_is_named_to_the_user(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    metadata = {"signals": ["new_ip", "ip_failure_velocity"], "event": "login_success"}
    EventFactory.create(
        type="anomaly_detected", user_id=alice.user_id, ip="198.51.100.9", metadata=metadata, created_at=START
    )

    found = diagnose(console, alice.email)

    assert found["verdict"].startswith("Another person may have signed in to your account, at 2026-03-10 12:00 UTC.")
    assert found["text"].startswith("Another person may have signed in, at 2026-03-10 12:00 UTC from 198.51.100.9.")
