"""The recovery of an account whose owner lost all second factors."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.host import users
from accounts.models import Event, MailToken
from core import clock
from core.conf import load
from mfa.checks import check_recovery_pages
from mfa.conf import MfaSettings
from mfa.models import AccountRecovery, Ceremony, Passkey, RecoveryBatch, Totp
from mfa.recovery.account_recovery import ContinueRecoveries
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.password_resets import mailed_token, prove_address, reset
from tests.people import Person, SignedIn
from tests.recoveries import WAIT_HOURS, cancel, complete, continued, request, start
from tests.rows import each
from tests.second_factors import (
    App,
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    lock,
    pause,
    pause_by_link,
)

People: Any = get_user_model()
WAIT = timedelta(hours=WAIT_HOURS)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
NEW = "another good password"


pytestmark = pytest.mark.usefixtures("travel")


@dataclass(frozen=True)
class Owner:
    """An account owner with a session and an authenticator app."""

    session: SignedIn
    app: App

    @property
    def person(self) -> Person:
        return self.session.person


@pytest.fixture
def owner(alice: Person) -> Owner:
    """Alice with a session from before the loss. Her address is proven, and she has an authenticator app."""
    prove_address(alice)
    session = alice.log_in()
    owner = Owner(session=session, app=enroll_totp(session))
    delivered(alice.email)
    return owner


@pytest.fixture
def session(owner: Owner) -> SignedIn:
    """The session of Alice."""
    return owner.session


def completion_token(alice: Person, travel: time_machine.Traveller) -> str:
    """Start a recovery, wait, and return the token of the last mail."""
    start(alice)
    travel.shift(WAIT)
    return token_in(continued(alice)[-1])


def runs(alice: Person) -> bool:
    """Return whether a recovery of the account is stored."""
    return AccountRecovery.objects.filter(account=alice.account()).exists()


def reasons(alice: Person) -> list[str]:
    events = Event.objects.filter(type="recovery_cancelled", user_id=alice.user_id)
    return [event.metadata["reason"] for event in events]


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


# The request.


def test_a_request_starts_the_wait_and_keeps_the_pending_token(session: SignedIn, alice: Person, api: Api) -> None:
    pending = pause(alice)

    answer = request(api, pending)

    assert answer.data == {"status": "recovery started", "ready_at": "2026-03-04T12:00:00.000000Z"}
    (mail,) = delivered(alice.email)
    assert "4 March 2026, 12:00 UTC" in text_of(mail)
    assert "/mail/recovery-cancel#token=" in text_of(mail)
    assert complete_by_totp(api, pending, "000000").code == "invalid_totp_code"
    assert Event.objects.filter(type="recovery_started", user_id=alice.user_id).count() == 1


def test_a_second_request_neither_restarts_nor_shortens_the_wait(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller, settings: Settings
) -> None:
    first = request(api, pause(alice)).data
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECOVERY_WAIT_HOURS": "1"}
    travel.shift(timedelta(hours=2))
    delivered(alice.email)

    assert request(api, pause(alice)).data == first
    assert not continued(alice)
    assert AccountRecovery.objects.count() == 1


@pytest.mark.parametrize("pending", ["", "x", "spt_" + "A" * 43])
def test_an_unknown_pending_token_starts_nothing(api: Api, db: None, pending: str) -> None:
    assert refusal(request(api, pending)) == (401, "invalid_pending_login")


def test_a_completed_or_expired_pending_login_starts_nothing(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    codes = generate_codes(session)
    completed, expired = pause(alice), pause(alice)
    complete_by_recovery_code(api, completed, codes[0])
    assert refusal(request(api, completed)) == (401, "invalid_pending_login")

    travel.shift(timedelta(minutes=5))

    assert refusal(request(api, expired)) == (401, "invalid_pending_login")
    assert not runs(alice)


@pytest.mark.parametrize("changed", [{"RECOVERY_WAIT_HOURS": ""}, {"RECOVERY_WAIT_HOURS": "off"}, {"EMAIL_URL": "off"}])
def test_without_the_setting_or_mail_there_is_no_recovery(
    session: SignedIn,
    alice: Person,
    api: Api,
    settings: Settings,
    changed: dict[str, str],
    travel: time_machine.Traveller,
) -> None:
    pending = pause(alice)
    stop = start(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **changed}

    for answer in (request(api, pending), cancel(api, stop), complete(api, stop)):
        assert refusal(answer) == (404, "not_configured")
    travel.shift(DAY)
    ContinueRecoveries().run(clock.now(), lambda: False)
    assert not runs(alice)
    assert reasons(alice) == ["turned_off"]
    assert ContinueRecoveries().next_due(clock.now()) is None


def test_the_start_counts_towards_the_limits_of_mails_and_a_repetition_does_not(
    session: SignedIn, alice: Person, api: Api, settings: Settings
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "mailbox=1/h,completion=100/m"}
    stop = start(alice)
    pending = pause(alice)
    assert [request(api, pending).status for _ in range(3)] == [200] * 3
    cancel(api, stop)

    assert refusal(request(api, pending)) == (429, "rate_limited")
    assert not runs(alice)


def test_requests_count_towards_the_limit_of_completions(
    session: SignedIn, alice: Person, api: Api, settings: Settings
) -> None:
    pending = pause(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion=2/m"}

    assert [request(api, pending).status for _ in range(3)] == [200, 200, 429]


# The mails.


def test_the_owner_gets_a_mail_each_day_and_the_last_one_after_the_wait(
    session: SignedIn, alice: Person, travel: time_machine.Traveller
) -> None:
    start(alice)

    found = []
    for _ in range(8 * 24):
        travel.shift(timedelta(hours=1))
        found += [(clock.now().day, clock.now().hour, mail["Subject"]) for mail in continued(alice)]

    reminder = "Your second factors at localhost are to be removed"
    assert found == [(2, 12, reminder), (3, 12, reminder), (4, 12, "Recover your account at localhost")]


def test_a_worker_that_was_away_sends_one_mail_and_then_the_mails_of_the_days_that_follow(
    session: SignedIn, alice: Person, travel: time_machine.Traveller
) -> None:
    start(alice)
    travel.shift(2 * DAY + timedelta(hours=5))

    assert len(continued(alice)) == 1
    assert not continued(alice)
    assert AccountRecovery.objects.get().due_at == datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_a_worker_that_was_away_after_the_wait_sends_only_the_last_mail(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    start(alice)
    travel.shift(WAIT + DAY)

    (mail,) = continued(alice)

    assert complete(api, token_in(mail)).status == 200


# The cancellation.


def test_each_mailed_link_cancels_the_recovery_once(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    first = start(alice)
    travel.shift(DAY)
    (mail,) = continued(alice)

    assert cancel(api, first).data == {"status": "recovery cancelled"}

    assert refusal(cancel(api, first)) == (400, "verification_token_invalid")
    assert refusal(cancel(api, token_in(mail))) == (400, "verification_token_invalid")
    assert reasons(alice) == ["link"]
    travel.shift(WAIT)
    assert not continued(alice)
    assert Totp.objects.get().confirmed_at


def test_a_new_request_after_a_cancellation_waits_for_the_whole_time(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    stop = start(alice)
    travel.shift(2 * DAY)
    cancel(api, stop)

    answer = request(api, pause(alice))

    assert answer.data["ready_at"] == "2026-03-06T12:00:00.000000Z"
    assert refusal(cancel(api, stop)) == (400, "verification_token_invalid")


def by_login(owner: Owner) -> None:
    assert complete_by_totp(owner.session.api, pause(owner.person), owner.app.code()).status == 200


def by_refresh(owner: Owner) -> None:
    owner.session.refreshed()


def by_reauthentication(owner: Owner) -> None:
    assert post(owner, "/v1/reauthenticate", {"password": PASSWORD}).status == 200


def by_reset(owner: Owner) -> None:
    assert reset(owner.session.api, mailed_token(owner.person), NEW).status == 200


def by_change_of_password(owner: Owner) -> None:
    body = {"current_password": PASSWORD, "new_password": NEW}
    assert post(owner, "/v1/change-password", body).status == 200


def by_change_of_address(owner: Owner) -> None:
    post(owner, "/v1/email/request-change", {"new_email": "new@example.com"})
    assert post(owner, "/v1/email/confirm-change", {"token": token_in(delivered("new@example.com")[-1])}).status == 200


def by_new_passkey(owner: Owner) -> None:
    passkeys.register(owner.session, Authenticator())


def by_new_codes(owner: Owner) -> None:
    generate_codes(owner.session)


def by_removed_app(owner: Owner) -> None:
    assert post(owner, "/v1/totp/disable", {"password": PASSWORD}).status == 200


def post(owner: Owner, path: str, body: object) -> Answer:
    return owner.session.api.post(path, body, token=owner.session.access)


Act = Callable[[Owner], None]
ACTS: list[Act] = [
    by_login,
    by_refresh,
    by_reauthentication,
    by_reset,
    by_change_of_password,
    by_change_of_address,
    by_new_passkey,
    by_new_codes,
    by_removed_app,
]


@pytest.mark.parametrize("act", ACTS)
def test_an_act_of_the_owner_cancels_the_recovery_before_its_last_mail(
    owner: Owner, alice: Person, travel: time_machine.Traveller, act: Act
) -> None:
    start(alice)
    act(owner)
    delivered(alice.email)
    travel.shift(DAY)

    assert not continued(alice)

    assert not runs(alice)
    assert len(reasons(alice)) == 1


@pytest.mark.parametrize("act", [by_login, by_refresh, by_reset])
def test_an_act_of_the_owner_after_the_last_mail_voids_its_link(
    owner: Owner, alice: Person, api: Api, travel: time_machine.Traveller, act: Act
) -> None:
    token = completion_token(alice, travel)
    act(owner)

    assert refusal(complete(api, token)) == (400, "verification_token_invalid")

    assert Totp.objects.get().confirmed_at


def test_a_short_retention_of_events_does_not_hide_an_act_of_the_owner(
    owner: Owner, alice: Person, api: Api, travel: time_machine.Traveller, settings: Settings
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RETENTION_AUDIT_DAYS": "1"}
    start(alice)
    owner.session.refreshed()
    # No worker runs during the wait, but an operator prunes.
    travel.shift(3 * DAY)
    call_command("prune", stdout=StringIO())

    assert not continued(alice)
    assert reasons(alice) == ["owner_active"]


def test_a_request_after_an_act_of_the_owner_starts_anew(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    start(alice)
    session.refreshed()
    travel.shift(timedelta(hours=1))

    assert request(api, pause(alice)).data["ready_at"] == "2026-03-04T13:00:00.000000Z"
    assert reasons(alice) == ["owner_active"]


def test_acts_before_the_request_do_not_cancel_the_recovery(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    session.refreshed()

    assert complete(api, completion_token(alice, travel)).status == 200


def test_an_act_in_another_account_does_not_cancel_the_recovery(
    session: SignedIn, alice: Person, bob: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)
    bob.log_in().refreshed()

    assert complete(api, token).status == 200


def test_a_lock_neither_cancels_the_recovery_nor_shortens_the_wait(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    start(alice)
    for _ in range(2):
        lock(alice)
        travel.shift(timedelta(minutes=15))
    lock(alice)
    travel.shift(WAIT - timedelta(minutes=31))
    assert not [mail for mail in continued(alice) if "/mail/recovery-complete" in text_of(mail)]
    travel.shift(timedelta(minutes=1))
    token = token_in(continued(alice)[-1])
    lock(alice)

    assert complete(api, token).status == 200
    assert alice.account().locked_until


def test_a_lock_does_not_revive_a_recovery_that_a_reset_ended(
    owner: Owner, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)
    by_reset(owner)
    lock(alice)

    assert complete(api, token).code == "verification_token_invalid"
    assert not request_after_link(alice, api).data["ready_at"].startswith("2026-03-04")


def request_after_link(alice: Person, api: Api) -> Answer:
    return request(api, pause_by_link(alice))


def test_a_locked_account_can_start_a_recovery_after_a_magic_link(session: SignedIn, alice: Person, api: Api) -> None:
    lock(alice)

    assert request_after_link(alice, api).status == 200


def test_an_operator_cancels_a_recovery_by_a_command(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)

    assert cancel_by_command("ALICE@example.com") == "The recovery is cancelled.\n"
    assert cancel_by_command(alice.email) == "The account has no running recovery.\n"

    assert complete(api, token).code == "verification_token_invalid"
    assert reasons(alice) == ["operator"]
    with pytest.raises(CommandError, match=r"No account has the address bob@example\.com\."):
        cancel_by_command("bob@example.com")


def cancel_by_command(email: str) -> str:
    out = StringIO()
    call_command("cancel_recovery", email, stdout=out)
    return out.getvalue()


def test_the_deletion_of_the_account_deletes_its_recovery(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    stop = start(alice)
    assert alice.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access).status == 200

    assert refusal(cancel(api, stop)) == (400, "verification_token_invalid")
    travel.shift(WAIT)
    delivered(alice.email)
    assert not continued(alice)
    assert not AccountRecovery.objects.exists()


def test_a_takeover_by_the_mailbox_ends_the_recovery(alice: Person, api: Api) -> None:
    enroll_totp(alice.log_in())
    stop = start(alice)

    assert reset(api, mailed_token(alice), NEW).status == 200

    assert refusal(cancel(api, stop)) == (400, "verification_token_invalid")
    assert not AccountRecovery.objects.exists()


def deactivate(alice: Person) -> None:
    People._default_manager.filter(pk=alice.user_id).update(is_active=False)


def move_to_another_address(alice: Person) -> None:
    People._default_manager.filter(pk=alice.user_id).update(contact="moved@example.com")


@pytest.mark.parametrize("change", [deactivate, move_to_another_address])
def test_a_change_of_the_user_by_the_host_ends_the_recovery(
    session: SignedIn,
    alice: Person,
    api: Api,
    travel: time_machine.Traveller,
    change: Callable[[Person], None],
) -> None:
    if not users.belong_to_host():
        pytest.skip("only a host project changes users by itself")
    pending = pause(alice)
    first = completion_token(alice, travel)
    change(alice)

    assert complete(api, first).code == "verification_token_invalid"
    assert request(api, pending).code == "invalid_pending_login"
    travel.shift(4 * DAY)
    assert not continued(alice)
    assert not delivered("moved@example.com")
    assert reasons(alice) == ["account_changed"]


# The completion.


def test_the_completion_removes_the_factors_and_nothing_else(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    passkeys.register(session, Authenticator())
    generate_codes(session)
    token = completion_token(alice, travel)
    pending = pause(alice)
    passkeys.begin_login(api, pending)

    answer = complete(api, token)

    assert answer.data == {"status": "recovery completed"}
    for model in (Totp, Passkey, RecoveryBatch, Ceremony, AccountRecovery):
        assert not model._default_manager.filter(account=alice.account()).exists()
    assert complete_by_totp(api, pending, "000000").code == "invalid_pending_login"
    assert session.is_live()
    assert "access_token" in api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data
    (mail,) = delivered(alice.email)
    assert mail["Subject"] == "Your second factors at localhost were removed"


def test_the_completion_records_each_removed_factor(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    passkeys.register(session, Authenticator())
    complete(api, completion_token(alice, travel))

    found = Event.objects.filter(
        user_id=alice.user_id, type__in=["totp_disabled", "passkey_removed", "recovery_completed"]
    )
    assert [(event.type, event.metadata.get("method")) for event in found.order_by("pk")] == [
        ("totp_disabled", "recovery"),
        ("passkey_removed", "recovery"),
        ("recovery_completed", None),
    ]


def test_a_link_completes_the_recovery_once(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)
    complete(api, token)
    app = enroll_totp(SignedIn(person=alice, api=api, access=alice.log_in().access, refresh=""))

    assert refusal(complete(api, token)) == (400, "verification_token_invalid")
    assert complete_by_totp(api, pause(alice), app.code()).status == 200


def test_the_completion_must_follow_within_three_days(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)
    travel.shift(3 * DAY)

    assert refusal(complete(api, token)) == (400, "verification_token_expired")

    assert not continued(alice)
    assert reasons(alice) == ["expired"]
    assert request(api, pause(alice)).data["ready_at"] == "2026-03-10T12:00:00.000000Z"


def test_the_link_works_until_the_last_second(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    token = completion_token(alice, travel)
    travel.shift(3 * DAY - SECOND)

    assert complete(api, token).status == 200


def test_no_link_completes_the_recovery_before_the_end_of_the_wait(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    stop = start(alice)
    travel.shift(WAIT - SECOND)
    mailed = [token_in(mail) for mail in continued(alice)]

    assert not MailToken.objects.filter(purpose="recovery_complete").exists()
    for token in (stop, *mailed):
        assert refusal(complete(api, token)) == (400, "verification_token_invalid")
    assert Totp.objects.get().confirmed_at


@pytest.mark.parametrize("token", ["", "x", "A" * 43])
def test_an_unknown_token_neither_cancels_nor_completes(api: Api, db: None, token: str) -> None:
    assert refusal(cancel(api, token)) == (400, "verification_token_invalid")
    assert refusal(complete(api, token)) == (400, "verification_token_invalid")


def test_the_completion_does_not_prove_an_unproven_address(
    alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    enroll_totp(alice.log_in())

    assert complete(api, completion_token(alice, travel)).status == 200
    assert alice.account().email_proven_at is None


def test_the_other_person_can_still_take_over_an_unproven_account_after_its_recovery(
    alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    session = alice.log_in()
    enroll_totp(session)
    complete(api, completion_token(alice, travel))

    api.post("/v1/magic-link/request", {"email": alice.email})
    answer = api.post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])})

    assert "access_token" in answer.data
    assert not session.is_live()


def test_an_unconfirmed_app_does_not_count_as_a_removed_factor(
    session: SignedIn, alice: Person, api: Api, travel: time_machine.Traveller
) -> None:
    passkeys.register(session, Authenticator())
    Totp.objects.all().delete()
    begin_totp(session)
    complete(api, completion_token(alice, travel))

    assert not Event.objects.filter(type="totp_disabled").exists()
    assert not Totp.objects.exists()


def test_missing_pages_are_reported_only_while_recoveries_are_on(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.api.pages.joining.bare_site"
    assert [found.id for found in check_recovery_pages()] == ["authsvc.W012"] * 2

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECOVERY_WAIT_HOURS": "off"}

    assert not check_recovery_pages()


@pytest.mark.parametrize(("value", "hours"), [("1", 1), ("720", 720), (24, 24), ("off", None), ("", None)])
def test_the_wait_is_a_number_of_hours_or_off(value: object, hours: int | None) -> None:
    assert load(MfaSettings, {"RECOVERY_WAIT_HOURS": value}).recovery_wait_hours == hours


@each("value", ["0", "721", "-1", "1.5", "on", True])
def test_another_wait_stops_the_start(value: object) -> None:
    with pytest.raises(ImproperlyConfigured, match="RECOVERY_WAIT_HOURS must be off, or a whole number of hours"):
        load(MfaSettings, {"RECOVERY_WAIT_HOURS": value})
