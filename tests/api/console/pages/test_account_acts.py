"""The acts of operators on accounts: the page, the mails, the planned acts and their cancellation."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from orjson import dumps

from accounts.host import users
from accounts.models import Account, Event
from console.account_acts.planned import PerformPlannedActs
from console.models import Operator, PlannedAct
from core import clock
from core.jobs import jobs
from tests.client import Api
from tests.console_browser import Browser, grant, prefix, sign_in_with_app, signed_in
from tests.mails import delivered, text_of, token_in
from tests.pages import Browser as PageBrowser
from tests.people import Person, sign_up
from tests.second_factors import enroll_totp, lock

Configure = Callable[..., None]

REASON = "A <b>call</b> from the owner, ticket 4711"


@pytest.fixture
def acting(olivia: Person, configure: Configure) -> Browser:
    """A browser in which Olivia, an admin, is signed in with a second factor. OPERATOR_ACTS is on."""
    configure(OPERATOR_ACTS="on")
    return sign_in_with_app(olivia)


def act(browser: Browser, person: Person, name: str, *, reason: str = REASON) -> Browser:
    return browser.submit(f"users/{person.user_id}/acts", {"act": name, "reason": reason})


def steps(person: Person) -> list[dict[str, Any]]:
    """Return the metadata of the acts on the account, the oldest first."""
    rows = Event.objects.filter(type="operator_acted", metadata__subject_id=person.user_id).order_by("id")
    return list(rows.values_list("metadata", flat=True))


def stop(token: str) -> Any:
    return Client().post(reverse("authsvc-page-stop-act"), dumps({"token": token}), content_type="application/json")


def perform(*, after: timedelta, to: str = "") -> list[str]:
    """Run the job of the worker after this time. Return the subjects of the new mails to the address."""
    with time_machine.travel(clock.now() + after, tick=False):
        job = next(job for job in jobs if isinstance(job, PerformPlannedActs))
        while (due := job.next_due(clock.now())) is not None and due <= clock.now():
            job.run(clock.now(), lambda: False)
        return [str(mail["Subject"]) for mail in delivered(to)]


def test_a_sign_out_ends_the_sessions_mails_the_owner_and_names_the_author(
    acting: Browser, olivia: Person, alice: Person
) -> None:
    session = alice.log_in()
    delivered(alice.email)

    page = acting.open(f"users/{alice.user_id}/acts").text
    act(acting, alice, "sign-out")

    assert "End all sessions" in page
    assert "Unlock" not in page
    assert acting.location.endswith(f"/users/{alice.user_id}")
    assert "All sessions have ended." in acting.follow().text
    assert not session.is_live()
    (mail,) = delivered(alice.email)
    assert "All your sessions were ended." in text_of(mail)
    assert "4711" not in text_of(mail)
    assert olivia.email not in text_of(mail)
    (step,) = steps(alice)
    assert step == {"subject_id": alice.user_id, "act": "sign-out", "step": "done", "reason": REASON}
    event = Event.objects.get(type="operator_acted")
    assert (event.user_id, event.ip) == (olivia.user_id, acting.ip)
    acting.open("operators")
    assert "End all sessions (A &lt;b&gt;call&lt;/b&gt; from the owner, ticket 4711)" in acting.text


def test_a_locked_deactivated_or_leaked_account_gets_its_act(acting: Browser, alice: Person) -> None:
    lock(alice)
    act(acting, alice, "unlock")
    session = alice.log_in()
    delivered(alice.email)

    act(acting, alice, "require-reset")
    (mail,) = delivered(alice.email)
    assert "your password no longer works" in text_of(mail)
    assert not session.is_live()
    Api().post("/v1/password/reset", {"token": token_in(mail), "new_password": "another horse battery"})

    act(acting, alice, "deactivate")
    assert Account.objects.get(pk=users.to_account_id(alice.user_id)).deactivated_at is not None
    assert act(acting, alice, "send-link").status == 409
    assert "Reactivate it first" in acting.text
    assert REASON.partition(" <")[0] in acting.text, "The page keeps the typed reason."
    act(acting, alice, "reactivate")
    assert act(acting, alice, "send-link").status == 303

    assert [step["act"] for step in steps(alice)] == [
        "unlock",
        "require-reset",
        "deactivate",
        "reactivate",
        "send-link",
    ]


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_an_act_needs_a_reason_and_a_known_act(acting: Browser, alice: Person, reason: str) -> None:
    session = alice.log_in()

    assert act(acting, alice, "sign-out", reason=reason).status == 422
    assert 'id="reason-error"' in acting.text
    assert act(acting, alice, "promote").status == 422
    assert "Choose an act" in acting.text

    assert session.is_live()
    assert not steps(alice)


def test_factors_go_after_a_day_and_an_account_after_a_week(acting: Browser, alice: Person) -> None:
    enroll_totp(alice.log_in())
    delivered(alice.email)

    act(acting, alice, "remove-factors")
    assert "planned for" in acting.follow().text
    act(acting, alice, "delete")
    assert act(acting, alice, "delete").status == 409

    mails = [text_of(mail) for mail in delivered(alice.email)]
    assert ["second factors and recovery codes will be removed" in mails[0], "will be deleted" in mails[1]] == [
        True
    ] * 2
    perform(after=timedelta(hours=23))
    assert PlannedAct.objects.count() == 2
    (removed,) = perform(after=timedelta(hours=25), to=alice.email)
    assert "A second factor was removed" in removed
    assert Account.objects.filter(pk=users.to_account_id(alice.user_id)).exists()
    (deleted,) = perform(after=timedelta(days=7, minutes=1), to=alice.email)
    assert "was deleted" in deleted
    assert not Account.objects.filter(pk=users.to_account_id(alice.user_id)).exists()
    assert [(step["act"], step["step"]) for step in steps(alice)] == [
        ("remove-factors", "planned"),
        ("delete", "planned"),
        ("remove-factors", "done"),
        ("delete", "done"),
    ]


def test_the_owner_stops_a_planned_act_once_and_without_a_sign_in(acting: Browser, alice: Person) -> None:
    act(acting, alice, "delete")
    (mail,) = delivered(alice.email)[-1:]
    path = reverse("authsvc-page-stop-act")
    assert f"{path}#token={token_in(mail)}" in text_of(mail)
    page = PageBrowser().open(path).submit(path, token=f"http://localhost:8000{path}#token={token_in(mail)}")
    assert (page.status, PlannedAct.objects.count()) == (200, 1)

    page.submit("authsvc-stop-act")
    assert "The change is stopped" in page.text
    second, forged = stop(token_in(mail)), stop("A" * 43)

    assert second.json()["error"]["code"] == forged.json()["error"]["code"] == "verification_token_invalid"
    perform(after=timedelta(days=8))
    assert Account.objects.filter(pk=users.to_account_id(alice.user_id)).exists()
    assert steps(alice)[-1] == {
        "author": "account owner",
        "subject_id": alice.user_id,
        "act": "delete",
        "step": "cancelled",
    }
    assert "Account owner" in acting.open("operators").text


def test_a_page_of_an_application_stops_a_planned_act(acting: Browser, alice: Person) -> None:
    act(acting, alice, "delete")

    answer = stop(token_in(delivered(alice.email)[-1]))

    assert (answer.status_code, answer.json()) == (200, {"data": {"status": "stopped"}})
    assert not PlannedAct.objects.exists()


def test_another_operator_cancels_a_planned_act(acting: Browser, alice: Person, bob: Person) -> None:
    grant(bob, role="support")
    act(acting, alice, "delete")
    planned = PlannedAct.objects.get()
    other = sign_in_with_app(bob)
    path = f"users/{alice.user_id}/acts/{planned.pk}/cancel"

    assert "is planned for" in other.open(f"users/{alice.user_id}").text
    assert other.submit(path, {"reason": " ", "planned": str(planned.pk)}).status == 422
    assert "Delete the account: cancelled." in other.submit(path, {"reason": "A mistake"}).follow().text
    assert "no longer waits" in other.submit(path, {"reason": "A mistake"}).follow().text

    perform(after=timedelta(days=8))
    assert Account.objects.filter(pk=users.to_account_id(alice.user_id)).exists()


def test_a_planned_act_is_dropped_when_it_became_impossible_or_its_author_lost_the_role(
    acting: Browser, olivia: Person, alice: Person, bob: Person
) -> None:
    enroll_totp(alice.log_in())
    act(acting, alice, "remove-factors")
    act(acting, bob, "delete")
    Operator.objects.filter(pk=users.to_account_id(olivia.user_id)).update(granted_role="reader")

    perform(after=timedelta(days=8))

    assert [step["step"] for step in (*steps(alice), *steps(bob))] == ["planned", "failed"] * 2
    assert "does not let you act" in steps(bob)[-1]["cause"]
    assert Account.objects.filter(pk=users.to_account_id(bob.user_id)).exists()

    Operator.objects.filter(pk=users.to_account_id(olivia.user_id)).update(granted_role="admin")
    act(acting, bob, "delete")
    call = sign_up("carol")
    act(acting, call, "remove-factors")
    perform(after=timedelta(days=8))
    assert steps(call)[-1]["cause"] == "The account has no second factor."


def test_no_operator_acts_on_the_own_account_and_only_an_admin_on_operators(
    acting: Browser, olivia: Person, alice: Person, bob: Person
) -> None:
    grant(alice, role="support")
    grant(bob, role="superadmin")
    support = sign_in_with_app(alice)

    assert act(acting, olivia, "deactivate").status == 409
    assert "your own account" in acting.text
    assert act(support, olivia, "sign-out").status == 409
    assert "act on the accounts of operators" in support.text
    assert act(acting, bob, "sign-out").status == 303
    assert (steps(olivia), [step["act"] for step in steps(bob)]) == ([], ["sign-out"])


def test_an_act_needs_the_setting_a_factor_and_a_fresh_proof(
    browser: Browser, acting: Browser, configure: Configure, alice: Person, bob: Person
) -> None:
    session = alice.log_in()
    path = f"users/{alice.user_id}/acts"

    grant(bob)
    without_factor = signed_in(bob)
    assert act(without_factor, alice, "sign-out").status == 403
    assert "needs a second factor" in without_factor.text
    with time_machine.travel(clock.now() + timedelta(minutes=11)):
        acting.open()
        assert "/confirm" in act(acting, alice, "sign-out").location
    configure(OPERATOR_ACTS="off")
    assert act(acting, alice, "sign-out").status == 403

    assert session.is_live()
    for page in (path, f"users/{alice.user_id}"):
        assert f"manage.py users sign-out {alice.user_id}" in acting.open(page).text
        assert "<textarea" not in acting.text.partition("Act on this account")[2].partition("</section>")[0]


def test_planned_acts_wait_while_the_setting_is_off(acting: Browser, configure: Configure, alice: Person) -> None:
    act(acting, alice, "delete")
    configure(OPERATOR_ACTS="off")

    perform(after=timedelta(days=8))

    assert PlannedAct.objects.count() == 1


def test_the_page_of_a_user_leads_to_each_act(acting: Browser, alice: Person) -> None:
    acting.open(f"users/{alice.user_id}")
    url = f"users/{alice.user_id}/acts?act=delete"
    assert f'href="{prefix()}{url}"' in acting.text
    assert "?act=unlock" not in acting.text

    acting.open(url)

    assert 'value="delete" required checked' in acting.text
    assert acting.text.count(" checked") == 1
    assert acting.open(f"users/{alice.user_id}/acts?act=destroy").status == 400
