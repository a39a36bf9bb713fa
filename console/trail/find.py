"""The way to anything by what an operator knows of it: an address, an id, an IP address, a network or a request id."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.host import users
from accounts.models import Account
from accounts.state.lookup import find_account_for_operator
from core.db.ids import parse_id
from core.http.client import parse_address
from events.logs.columns import RequestIdOf
from events.logs.models import ShippedLog
from events.models import Event
from events.networks import read_network
from events.webhooks.models import Delivery

from ..people.conditions import PART_MIN, UserFilters
from ..people.positions import Sort
from ..people.search import search_users

HITS_MAX = 10
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class Kind(StrEnum):
    """The kind of a hit. Each has a page of its own."""

    USER = "user"
    EVENT = "event"
    DELIVERY = "delivery"
    IP = "ip"
    NETWORK = "network"
    REQUEST = "request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A thing that the text means. `key` is its id, or the text in its canonical form. `label` is for the operator."""

    kind: Kind
    key: str
    label: str


def find(*, text: str, now: datetime) -> Sequence[Hit]:
    """Return what the text means, at most HITS_MAX hits. Each statement uses an index or reads a limited number of rows.

    An id, a whole address, an IP address, a network or a request id is exact. Another text is a part of addresses.
    """
    text = text.strip()
    exact = [*_by_id(text), *_by_network(text), *_by_request(text), *_by_address(text)]
    if exact or len(text) < PART_MIN:
        return exact
    page = search_users(filters=UserFilters(text=text), sort=Sort.NEWEST, cursor=None, limit=HITS_MAX, now=now)
    return [Hit(kind=Kind.USER, key=user.id, label=user.email or user.id) for user in page.users]


def _by_id(text: str) -> Iterator[Hit]:
    account_id = users.to_account_id(text.lower())
    account = Account.objects.select_related("user").filter(pk=account_id).first() if account_id is not None else None
    if account is not None:
        yield Hit(kind=Kind.USER, key=str(account.pk), label=users.email_of(account.user) or str(account.pk))
    key = parse_id(text.lower())
    if key is None:
        return
    if event := Event.objects.filter(pk=key).first():
        yield Hit(kind=Kind.EVENT, key=str(key), label=event.type)
    if delivery := Delivery.objects.filter(pk=key).first():
        yield Hit(kind=Kind.DELIVERY, key=str(key), label=delivery.event_type)


def _by_network(text: str) -> Iterator[Hit]:
    if address := parse_address(text):
        yield Hit(kind=Kind.IP, key=str(address), label=str(address))
    elif "/" in text and (network := read_network(text)):
        yield Hit(kind=Kind.NETWORK, key=str(network), label=str(network))


def _by_request(text: str) -> Iterator[Hit]:
    if not _REQUEST_ID.fullmatch(text):
        return
    lines = ShippedLog.objects.alias(of_request=RequestIdOf("fields")).filter(of_request=text)
    if lines.exists():
        yield Hit(kind=Kind.REQUEST, key=text, label=text)


def _by_address(text: str) -> Iterator[Hit]:
    account = find_account_for_operator(email=text) if "@" in text else None
    if account is not None:
        yield Hit(kind=Kind.USER, key=str(account.pk), label=users.email_of(account.user))
