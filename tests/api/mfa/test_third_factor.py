"""A site adds a third kind of second factor. Every place that handles second factors knows the new one."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured

from core.clock import now
from events.vocabulary import EventType
from sessions_app.logins.pending import complete, get_pending
from sessions_app.logins.second_factors import second_factors
from tests import password_resets, recoveries
from tests.client import PASSWORD, Api
from tests.keys import events
from tests.mails import delivered, text_of, token_in
from tests.people import Person
from tests.second_factors import enroll_totp
from tests.third_factor import HERE, NUMBER, Card, CardProof, give, registered, take


@pytest.fixture
def card() -> Iterator[Card]:
    """A registered card that no account has yet."""
    factor = Card()
    with registered(factor):
        yield factor


@pytest.fixture
def holder(card: Card, alice: Person) -> Person:
    """Alice, who has a card."""
    return give(card, alice)


def pause(person: Person) -> dict[str, Any]:
    """Log in by password. The description of the API lacks the card, because it is older than the registration."""
    body = {"email": person.email, "password": PASSWORD}
    paused: dict[str, Any] = person.api.client.post("/v1/login", body, content_type="application/json").json()["data"]
    return paused


def prove(person: Person) -> None:
    """Prove the address by a magic link."""
    person.api.post("/v1/magic-link/request", {"email": person.email})
    person.api.post("/v1/magic-link/complete", {"token": token_in(delivered(person.email)[-1])})


def reset(person: Person) -> None:
    """Reset the password by a mailed link."""
    assert password_resets.reset(Api(), password_resets.mailed_token(person)).status == 200


def test_a_login_waits_for_the_factor_and_its_proof_completes_the_login(holder: Person) -> None:
    paused = pause(holder)
    pending = get_pending(pending_token=paused["pending_token"], now=now())

    complete(pending=pending, proof=CardProof(NUMBER), client=HERE, now=now())

    assert paused["methods"] == ["card"]
    assert events(holder, "login_success")[-1].metadata == {"method": "password", "second_factor": "card"}


def test_the_factor_comes_after_the_service_s_own_factors(card: Card, alice: Person) -> None:
    enroll_totp(alice.log_in())
    give(card, alice)

    assert pause(alice)["methods"] == ["totp", "card"]


def test_mails_notify_the_owner_of_an_added_and_a_removed_factor(card: Card, alice: Person) -> None:
    delivered(alice.email)
    give(card, alice)
    take(card, alice)

    added, removed = delivered(alice.email)

    assert "A second factor was added to your account at localhost: printed card." in text_of(added)
    assert "A second factor was removed from your account at localhost: printed card." in text_of(removed)
    assert [event.metadata for event in events(alice, "second_factor_removed")] == [{}]


def test_the_mail_about_a_takeover_lists_the_factor(holder: Person) -> None:
    reset(holder)

    assert "- Printed card" in text_of(delivered(holder.email)[-1])


def test_a_password_reset_of_an_unproven_account_removes_the_factor(card: Card, holder: Person) -> None:
    card.drafts.add(holder.user_id)

    reset(holder)

    assert (card.holders, card.drafts) == ({}, set())


def test_a_password_reset_of_a_proven_account_keeps_the_factor(card: Card, alice: Person) -> None:
    prove(alice)
    give(card, alice)

    reset(alice)

    assert list(card.holders) == [alice.user_id]


def test_a_takeover_by_a_magic_link_removes_an_order_of_the_factor(card: Card, alice: Person) -> None:
    card.drafts.add(alice.user_id)

    prove(alice)

    assert not card.drafts


def test_a_recovery_removes_the_factor_and_records_it(
    card: Card, holder: Person, travel: time_machine.Traveller
) -> None:
    delivered(holder.email)
    assert recoveries.request(holder.api, pause(holder)["pending_token"]).status == 200
    travel.shift(recoveries.WAIT_HOURS * 3600 + 60)
    token = token_in(recoveries.continued(holder)[-1])

    assert recoveries.complete(Api(), token).status == 200

    assert not card.holders
    assert [event.metadata for event in events(holder, "second_factor_removed")] == [
        {"card": "printed", "method": "recovery"}
    ]
    assert "access_token" in pause(holder)


def test_a_new_factor_ends_a_recovery(card: Card, alice: Person, travel: time_machine.Traveller) -> None:
    enroll_totp(alice.log_in())
    recoveries.start(alice)
    give(card, alice)

    travel.shift(86_400)
    recoveries.continued(alice)

    assert [event.metadata for event in events(alice, "recovery_cancelled")] == [{"reason": "owner_active"}]


@pytest.mark.parametrize(("age", "is_kept"), [(timedelta(days=2), True), (timedelta(hours=1), False)])
def test_the_undo_of_a_changed_address_ends_only_a_new_factor(
    card: Card, alice: Person, travel: time_machine.Traveller, age: timedelta, is_kept: bool
) -> None:
    password_resets.prove_address(alice)
    travel.shift(timedelta(days=8))
    session = alice.log_in()
    card.holders[alice.user_id] = now() - age
    session.api.post("/v1/email/request-change", {"new_email": "eve@example.com"}, token=session.access)
    body = {"token": token_in(delivered("eve@example.com")[-1])}
    session.api.post("/v1/email/confirm-change", body, token=session.access)

    undone = Api().post("/v1/email/undo-change", {"token": token_in(delivered(alice.email)[-1])})

    assert undone.status == 200
    assert (alice.user_id in card.holders) is is_kept


def test_the_deletion_of_the_account_removes_the_factor(card: Card, alice: Person) -> None:
    session = alice.log_in()
    give(card, alice)
    card.drafts.add(alice.user_id)

    assert alice.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access).status == 200

    assert (card.holders, card.drafts) == ({}, set())


def test_a_site_that_deletes_its_user_removes_the_factor(card: Card, holder: Person) -> None:
    holder.account().user.delete()

    assert not card.holders


def test_the_removal_by_the_owner_ends_the_wait_of_logins(card: Card, holder: Person) -> None:
    take(card, holder)

    assert "access_token" in pause(holder)


def test_a_factor_without_all_parts_is_refused_and_the_error_names_them() -> None:
    class OldCard:
        name = "card"
        enrolled_event = EventType.SECOND_FACTOR_ADDED
        removed_event = EventType.SECOND_FACTOR_REMOVED
        is_enrolled = Card.is_enrolled
        login_paused = Card.login_paused

    card: Any = OldCard()

    with pytest.raises(ImproperlyConfigured) as refused:
        second_factors.register(card)

    assert str(refused.value) == (
        "The second factor OldCard lacks: label, label_plural, gates_login, failed_event, page_step, describe, remove."
    )
    assert card not in list(second_factors)
