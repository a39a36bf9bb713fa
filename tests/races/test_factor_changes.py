"""Concurrent enrolment, removal and use of second factors."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest
from pytest_django import Settings

from accounts.models import Account, Event
from mfa.models import Passkey, RecoveryCode, Totp
from sessions_app.models import Family, PendingLogin
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.passkeys import begin, begin_login, finish, finish_login, register
from tests.people import SignedIn, existing, existing_session
from tests.second_factors import (
    App,
    app_of,
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
)

from .crowd import ROUNDS, ROUNDS_OF_FEW, ROUNDS_OF_RARE, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16
NEW_PASSWORD = "another horse battery"

Act = Callable[[], Answer]


@dataclass(frozen=True)
class Guarded:
    """A person with every kind of factor, and a session that is older than the factors."""

    session: SignedIn
    app: App
    codes: list[str]
    authenticator: Authenticator

    def event_types(self) -> list[str]:
        """Return the types of the account's events in order."""
        events = Event.objects.filter(user_id=self.session.person.user_id).order_by("id")
        return list(events.values_list("type", flat=True))


def guard(name: str) -> Guarded:
    session, authenticator = existing_session(existing(name)), Authenticator()
    assert register(session, authenticator).status == 200
    return Guarded(session, enroll_totp(session), generate_codes(session), authenticator)


def by_totp(whose: Guarded) -> Act:
    pending = pause(whose.session.person)
    return partial(complete_by_totp, Api(), pending, whose.app.code())


def by_recovery_code(whose: Guarded) -> Act:
    pending = pause(whose.session.person)
    return partial(complete_by_recovery_code, Api(), pending, whose.codes.pop())


def by_passkey(whose: Guarded) -> Act:
    pending = pause(whose.session.person)
    begun = begin_login(whose.session.api, pending)
    return partial(finish_login, Api(), pending, begun, whose.authenticator.get(begun["public_key"]))


def change_password(session: SignedIn) -> Answer:
    passwords = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}
    return session.api.post("/v1/change-password", passwords, token=session.access)


def delete_account(session: SignedIn) -> Answer:
    return session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)


def lock(session: SignedIn) -> Answer:
    """Send wrong passwords until the account is locked."""
    guess = {"email": session.person.email, "password": "not the password"}
    while (answer := session.api.post("/v1/login", guess)).code != "account_locked":
        assert answer.code == "invalid_credentials"
    return answer


def disable_totp(session: SignedIn) -> Answer:
    return session.api.post("/v1/totp/disable", {"password": PASSWORD}, token=session.access)


def remove_passkey(session: SignedIn) -> Answer:
    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    return session.api.delete(f"/v1/passkeys/{passkey['credential_id']}", {"password": PASSWORD}, token=session.access)


def generate(session: SignedIn) -> Answer:
    return session.api.post("/v1/recovery-codes/generate", token=session.access)


def after(others: int, act: Act) -> Answer:
    """Act after `lead` calls that change nothing. Over the rounds, each side acts first at times."""
    for _ in range(others):
        assert Api().get("/v1/health").status == 200
    return act()


EVERY_PROOF = (by_totp, by_recovery_code, by_passkey)
VOID = "invalid_pending_login"
GONE = {VOID, "totp_not_enabled", "no_passkeys_enrolled", "invalid_ceremony_token"}


@pytest.mark.parametrize(
    ("end", "event", "proofs", "refusals"),
    [
        (change_password, "password_changed", EVERY_PROOF, {VOID}),
        (delete_account, "account_deleted", EVERY_PROOF, GONE),
        (lock, "account_locked", EVERY_PROOF, {VOID}),
        (disable_totp, "totp_disabled", (by_totp,), {"totp_not_enabled"}),
        (remove_passkey, "passkey_removed", (by_passkey,), {"no_passkeys_enrolled", "invalid_passkey_response"}),
        (generate, "recovery_codes_generated", (by_recovery_code,), {"invalid_recovery_code"}),
    ],
)
def test_no_login_is_completed_by_a_voided_proof(
    settings: Settings,
    end: Callable[[SignedIn], Answer],
    event: str,
    proofs: tuple[Callable[[Guarded], Act], ...],
    refusals: set[str],
) -> None:
    # One wrong password locks the account. With five, the lock would happen too late to race with the proofs.
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1"}

    with Crowd(1 + len(proofs)) as crowd:
        for number in range(ROUNDS_OF_RARE):
            whose = guard(f"alice{number}")
            ways = [prove(whose) for prove in proofs]

            lead = number % 10 - 5

            ended, *answers = crowd.at_once(
                partial(after, lead, partial(end, whose.session)), *[partial(after, -lead, way) for way in ways]
            )

            assert ended.status == (403 if end is lock else 200)
            assert {answer.code for answer in answers if answer.status != 200} <= refusals
            event_types = whose.event_types()
            last = len(event_types) - event_types[::-1].index(event)
            assert "login_success" not in event_types[last:]
            assert event_types.count("login_success") == 1 + sum(answer.status == 200 for answer in answers)
            live = Family.objects.filter(account__email_key=whose.session.person.email, revoked_at=None)
            if end in (change_password, delete_account):
                assert not live.exists()
            else:
                assert live.count() == event_types.count("login_success")


def test_an_account_can_be_deleted_while_passkey_ceremonies_of_its_logins_begin() -> None:
    callers = [Api() for _ in range(4)]

    with Crowd(1 + len(callers)) as crowd:
        for number in range(ROUNDS_OF_FEW):
            whose, done = guard(f"alice{number}"), threading.Event()
            pending = {"pending_token": pause(whose.session.person)}

            deleted, *last = crowd.at_once(
                partial(announce, done, partial(delete_account, whose.session)),
                *[partial(repeat, done, partial(api.post, "/v1/login/passkey/begin", pending)) for api in callers],
            )

            assert deleted.status == 200
            assert {answer.code for answer in last} <= {VOID, "no_passkeys_enrolled"}
            assert not Account.objects.exists()


def announce(done: threading.Event, act: Act) -> Answer:
    try:
        return act()
    finally:
        done.set()


def repeat(done: threading.Event, act: Act) -> Answer:
    """Repeat the act until `done` is set, then act once more. Return the last answer."""
    while not done.is_set():
        act()
    return act()


@pytest.mark.parametrize("method", ["totp", "passkey"])
def test_a_login_either_precedes_a_new_factor_or_requires_it(method: str) -> None:
    callers = [Api() for _ in range(7)]

    with Crowd(1 + len(callers)) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = existing_session(existing(f"alice{number}"))
            if method == "totp":
                code = {"code": begin_totp(session).code()}
                enroll: Act = partial(session.api.post, "/v1/totp/confirm", code, token=session.access)
            else:
                begun = begin(session)
                enroll = partial(finish, session, begun, Authenticator().create(begun["public_key"]))
            password = {"email": session.person.email, "password": PASSWORD}

            enrolled, *answers = crowd.at_once(enroll, *[partial(api.post, "/v1/login", password) for api in callers])

            assert enrolled.status == 200
            methods = [answer.data["methods"] for answer in answers if "methods" in answer.data]
            assert methods == [[method]] * len(methods)
            assert PendingLogin.objects.filter(account__email_key=session.person.email).count() == len(methods)
            events = Event.objects.filter(user_id=session.person.user_id).order_by("id")
            event_types = list(events.values_list("type", flat=True))
            without = event_types[: event_types.index(f"{method}_{'enabled' if method == 'totp' else 'registered'}")]
            assert without.count("login_success") == 1 + len(callers) - len(methods)
            assert event_types.count("login_success") == without.count("login_success")


def test_one_secret_of_many_concurrent_enrolments_remains() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))

            answers = crowd.at_once(*[partial(api.post, "/v1/totp/enroll", token=session.access) for api in callers])

            apps = {app_of(answer.data["otpauth_url"]) for answer in answers}
            tried = [session.api.post("/v1/totp/confirm", {"code": app.code()}, token=session.access) for app in apps]
            assert len(apps) == CALLERS
            assert Counter(answer.status for answer in tried)[200] == 1
            assert {answer.code for answer in tried if answer.status != 200} <= {
                "invalid_totp_code",
                "totp_already_enabled",
            }


def test_a_concurrent_enrolment_either_replaces_a_secret_or_finds_it_confirmed() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            session = existing_session(existing(f"alice{number}"))
            code = {"code": begin_totp(session).code()}

            confirmed, enrolled = pair.at_once(
                partial(session.api.post, "/v1/totp/confirm", code, token=session.access),
                partial(Api().post, "/v1/totp/enroll", token=session.access),
            )

            assert (confirmed.status, enrolled.status) in {(200, 409), (401, 200)}
            assert Totp.objects.exclude(confirmed_at=None).count() == Event.objects.filter(type="totp_enabled").count()


@pytest.mark.parametrize(
    ("act", "event", "refusal"),
    [("confirm", "totp_enabled", "totp_already_enabled"), ("disable", "totp_disabled", "totp_not_enabled")],
)
def test_concurrent_calls_confirm_or_disable_an_app_once(act: str, event: str, refusal: str) -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))
            body = {"code": begin_totp(session).code(), "password": PASSWORD}
            if act == "disable":
                session.api.post("/v1/totp/confirm", body, token=session.access)

            answers = crowd.at_once(
                *[partial(api.post, f"/v1/totp/{act}", body, token=session.access) for api in callers]
            )

            assert Counter(answer.status for answer in answers)[200] == 1
            assert {answer.code for answer in answers if answer.status != 200} == {refusal}
            assert Event.objects.filter(type=event, user_id=session.person.user_id).count() == 1


def test_concurrent_removals_remove_a_passkey_once() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))
            register(session, Authenticator())
            (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
            path, password = f"/v1/passkeys/{passkey['credential_id']}", {"password": PASSWORD}

            answers = crowd.at_once(*[partial(api.delete, path, password, token=session.access) for api in callers])

            assert Counter(answer.status for answer in answers) == {200: 1, 404: CALLERS - 1}
            assert not Passkey.objects.exists()
            assert Event.objects.filter(type="passkey_removed", user_id=session.person.user_id).count() == 1


def test_one_complete_batch_of_many_concurrent_batches_remains() -> None:
    callers = [Api() for _ in range(4)]

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))
            enroll_totp(session)

            batches = [
                answer.data["codes"]
                for answer in crowd.at_once(
                    *[partial(api.post, "/v1/recovery-codes/generate", token=session.access) for api in callers]
                )
            ]

            assert RecoveryCode.objects.filter(batch__account__email_key=session.person.email).count() == 10
            works = [[completes(session, code) for code in batch] for batch in batches]
            assert sorted(works) == [[False] * 10] * 3 + [[True] * 10]


def completes(session: SignedIn, code: str) -> bool:
    """Return whether the recovery code completes a new login."""
    Account.objects.filter(email_key=session.person.email).update(failed_attempts=0)
    return complete_by_recovery_code(session.api, pause(session.person), code).status == 200
