"""Questions about the present state of the caller's account, and about the session of the access token."""

from datetime import timedelta

import pytest

from accounts.models import Account
from askai.models import RememberedPlan
from core.clock import now
from tests.client import Api
from tests.factories import ApiKeyFactory
from tests.loopback import serving
from tests.people import Person

from .deployment import Deployment, ask, planning, text_of


def test_the_state_is_that_of_the_callers_own_account(deployment: Deployment, alice: Person, bob: Person) -> None:
    deployment.open()
    session = alice.log_in()
    ApiKeyFactory.create(account=bob.account())
    Account.objects.filter(pk=bob.account().pk).update(locked_until=now() + timedelta(hours=1), email_proven_at=now())

    assert text_of(ask(session, "Is my account locked?")) == {"answer": "fact | value\nlocked | no", "row_count": 1}
    assert ask(session, "Do I have any API keys?").data["sentence"] == "No, your account has no working API key."
    ApiKeyFactory.create(account=alice.account())
    ApiKeyFactory.create(account=alice.account(), expires_at=now())
    Account.objects.filter(pk=alice.account().pk).update(locked_until=now() + timedelta(hours=1))
    assert ask(session, "Do I have any API keys?").data["sentence"] == "Yes, working API keys of your account: 1."
    assert ask(session, "Is my account locked?").data["sentence"].startswith("Your account is locked until ")
    assert ask(session, "Ist mein Konto gesperrt?").data["language"] == "de"


def test_only_questions_about_events_permit_those_about_the_state(deployment: Deployment, alice: Person) -> None:
    deployment.open(entities=["sessions"])
    session = alice.log_in()

    refused = ask(session, "Is my account locked?")

    assert (refused.status, refused.code) == (400, "question_not_answerable")
    assert refused.body == ask(session, "Show my logins").body == ask(session, "Sing me a song").body
    deployment.use_widget(entities=["audit_events"])
    assert ask(session, "Is my account locked?").status == 200


@pytest.mark.parametrize("name", ["deactivated", "password", "", "locked' OR 1=1"])
def test_a_model_cannot_ask_for_another_state(deployment: Deployment, alice: Person, name: str) -> None:
    deployment.open()
    session = alice.log_in()

    with serving(planning({"fact": name})) as peer:
        deployment.use_model("openai", base_url=peer.url(""))
        refused = ask(session, "What do I have?")
        allowed = serving(planning({"fact": "locked"}))
        RememberedPlan.objects.all().delete()

    assert refused.code == "question_not_answerable"
    with allowed as peer:
        deployment.use_model("openai", base_url=peer.url(""))
        assert ask(session, "What do I have?").data["answer"] == "fact | value\nlocked | no"


def test_this_session_is_that_of_the_token_even_after_a_refresh(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    phone = alice.log_in(Api(ip="192.0.2.1"))
    laptop = alice.log_in(Api(ip="192.0.2.2"))
    renewed = laptop.refreshed()

    for session, ip in ((phone, "192.0.2.1"), (laptop, "192.0.2.2"), (renewed, "192.0.2.2")):
        answer = ask(session, "Show the ip of my current session").data["answer"]
        (_, *lines) = answer.split("\n")
        assert [ip in line for line in lines] == [True]
    assert ask(phone, "How many other sessions do I have?").data["row_count"] == 1


def test_each_part_of_a_question_is_answered_in_its_order(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = alice.log_in()

    data = ask(session, "When did I last log in and log out?").data

    assert [part["understood"] for part in data["parts"]] == ["Latest login", "Latest logout"]
    assert data["sentence"] == " ".join(part["sentence"] for part in data["parts"])
    assert data["row_count"] == 1
    assert data["answer"].split("\n\n")[1] == "created_at | type | device | ip"
