"""A second factor that a site adds: a printed card with a number. It follows the recipe of the docs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from rest_framework.serializers import Serializer

from accounts.models import Account
from core.clock import now as current_time
from core.errors import ServiceError
from core.http.client import Client
from events.vocabulary import EventType
from mfa.totp.serializers import CodeInput
from sessions_app.logins.factor_changes import record_enrolled, record_removed
from sessions_app.logins.second_factors import (
    Accepted,
    PageStep,
    ProofResult,
    Refused,
    SecondFactor,
    SecondProof,
    second_factors,
)
from sessions_app.models import DISTANT_PAST, PendingLogin

from .people import Person

NUMBER = "314159"
HERE = Client(ip="203.0.113.7", user_agent="")


class CardStep:
    """The step of a page that asks for the number of a card. The number is a secret of this test only."""

    template = "authsvc_mfa/code_step.html"
    form: type[Serializer[None]] = CodeInput
    reauthenticates = False

    def read(self, *, pending: PendingLogin, values: Mapping[str, Any], now: datetime) -> SecondProof:
        return CardProof(values["code"])


class Card:
    """A second factor that the accounts in `holders` have, each with the time of the enrolment.

    `drafts` lists the accounts that only ordered a card.
    """

    name = "card"
    label = "printed card"
    label_plural = "printed cards"
    gates_login = True
    enrolled_event = EventType.SECOND_FACTOR_ADDED
    removed_event = EventType.SECOND_FACTOR_REMOVED
    failed_event = EventType.SECOND_FACTOR_FAILED
    page_step: PageStep | None = CardStep()

    def __init__(self) -> None:
        self.holders: dict[str, datetime] = {}
        self.drafts: set[str] = set()

    def is_enrolled(self, *, account_id: str) -> str:
        # SQLite stores a UUID without hyphens.
        ids = [f"'{form}'" for user_id in self.holders for form in (user_id, user_id.replace("-", ""))]
        return f"CAST({account_id} AS VARCHAR(64)) IN ({', '.join(ids) or 'NULL'})"

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        """Do nothing: the user has the card."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        return ["Printed card"] if str(account_id) in self.holders else []

    def remove(self, *, account_id: Any, added_from: datetime, now: datetime) -> Sequence[Mapping[str, Any]]:
        self.drafts.discard(str(account_id))
        if self.holders.get(str(account_id), DISTANT_PAST) < added_from:
            return []
        return [{"card": "printed"}] if self.holders.pop(str(account_id), None) else []


class CardProof:
    """The number of a card."""

    factor = Card.name
    failed_event = Card.failed_event

    def __init__(self, number: str) -> None:
        self.number = number

    @property
    def refusal(self) -> type[ServiceError]:
        # The service's own errors are the ones of the contract, so the card borrows one.
        return ServiceError.registry["invalid_totp_code"]

    def verify(self, *, account: Account, client: Client, now: datetime) -> ProofResult:
        return Accepted() if self.number == NUMBER else Refused(reason="wrong")


def give(card: Card, person: Person) -> Person:
    """Give the person a card. Every later login waits for its number."""
    card.holders[person.user_id] = current_time()
    with transaction.atomic():
        record_enrolled(factor=card, user=person.account().user, client=HERE, now=current_time())
    return person


def take(card: Card, person: Person) -> None:
    """Take the person's card away, as a route of the site would do for its owner."""
    with transaction.atomic():
        card.remove(account_id=person.account().pk, added_from=DISTANT_PAST, now=current_time())
        record_removed(factor=card, user=person.account().user, client=HERE, now=current_time())


@contextmanager
def registered(factor: SecondFactor) -> Iterator[None]:
    """Register the factor for the block."""
    second_factors.register(factor)
    try:
        yield
    finally:
        second_factors.unregister(factor)
