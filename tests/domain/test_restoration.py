"""`manage.py revoke_sessions`, which an operator runs after a restore of the database to an earlier time."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.models import Delivery, Event
from core import clock
from mfa.models import AccountRecovery
from sessions_app.families import ended_sessions, restoration
from sessions_app.families.ended_sessions import list_revocations
from sessions_app.models import PendingLogin
from tests.client import Api
from tests.factories import AccountFactory
from tests.mails import delivered, token_in
from tests.people import Person, sign_up
from tests.recoveries import continued, start
from tests.second_factors import complete_by_totp, enroll_totp, pause


def revoke() -> str:
    out = StringIO()
    call_command("revoke_sessions", all=True, stdout=out)
    return out.getvalue()


def test_every_session_of_every_account_ends(alice: Person, bob: Person) -> None:
    sessions = [alice.log_in(), alice.log_in(Api()), bob.log_in()]

    assert revoke() == "Ended 3 sessions. Checked 2 accounts.\n"

    assert [session.is_live() for session in sessions] == [False, False, False]
    assert alice.log_in().is_live()


def test_an_account_with_live_sessions_gets_one_event(alice: Person, bob: Person) -> None:
    alice.log_in()
    alice.log_in()

    revoke()

    event = Event.objects.get(type="session_ended")
    assert (event.user_id, event.ip) == (alice.user_id, "")
    assert event.metadata["cause"] == "database_restored"
    assert len(event.metadata["session_ids"]) == 2


def test_the_webhook_gets_the_event(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "WEBHOOK_URL": "https://hooks.example.com",
        "WEBHOOK_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    }
    alice.log_in()

    revoke()

    assert Delivery.objects.get(event_type="session_ended").user_id == alice.user_id


def test_a_mailed_link_no_longer_works(alice: Person, api: Api) -> None:
    api.post("/v1/magic-link/request", {"email": alice.email})
    token = token_in(delivered(alice.email)[-1])

    revoke()

    assert api.post("/v1/magic-link/complete", {"token": token}).code == "verification_token_invalid"


def test_a_login_that_waits_for_its_second_factor_ends(alice: Person, api: Api) -> None:
    app = enroll_totp(alice.log_in())
    pending = pause(alice)

    revoke()

    assert complete_by_totp(api, pending, app.code(steps=1)).code == "invalid_pending_login"
    assert not PendingLogin.objects.exists()


def test_a_running_recovery_ends_with_its_next_mail(alice: Person, api: Api) -> None:
    enroll_totp(alice.log_in())
    cancel_token = start(alice)

    revoke()

    assert api.post("/v1/recovery/cancel", {"token": cancel_token}).code == "verification_token_invalid"
    recovery = AccountRecovery.objects.get()
    AccountRecovery.objects.update(due_at=recovery.requested_at)
    assert continued(alice) == []
    assert not AccountRecovery.objects.exists()


def test_the_batches_cover_every_account(alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoration, "BATCH", 2)
    AccountFactory.create_batch(3)
    sessions = [alice.log_in(), bob.log_in()]

    assert revoke() == "Ended 2 sessions. Checked 5 accounts.\n"

    assert [session.is_live() for session in sessions] == [False, False]


def test_a_list_in_pages_names_the_sessions_of_each_account_and_ends(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended_sessions, "PAGE_MAX", 1)
    for person in (alice, bob, sign_up("eve")):
        person.log_in()
    revoke()

    page = list_revocations(since=None, now=clock.now())
    pages = [page]
    while page.has_more and len(pages) < 4:
        page = list_revocations(since=page.next_since, now=clock.now())
        pages.append(page)

    assert [(len(page.revocations), page.has_more) for page in pages] == [(1, True), (1, True), (1, False)]
    assert len({one for page in pages for entry in page.revocations for one in entry.session_ids}) == 3


def test_a_second_run_finds_no_sessions_and_records_no_events(alice: Person) -> None:
    alice.log_in()
    revoke()

    assert revoke() == "Ended 0 sessions. Checked 1 accounts.\n"

    assert Event.objects.filter(type="session_ended").count() == 1


def test_the_command_changes_nothing_without_the_confirmation(alice: Person) -> None:
    session = alice.log_in()

    with pytest.raises(CommandError, match="--all"):
        call_command("revoke_sessions", stdout=StringIO())

    assert session.is_live()
