"""Factories of rows, for tests that need many rows, old rows or rows of a host site.

`X.create()` stores a row, and `X.build()` returns a row that is not stored. Use the API instead where a caller could
make the row: `tests.people` signs up and logs in, and `tests.keys` makes API keys.
"""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from factory.declarations import LazyAttribute, LazyAttributeSequence, LazyFunction, SelfAttribute, Sequence
from factory.django import DjangoModelFactory

from accounts.host import users
from accounts.models import Account, MailToken
from apikeys.models import ApiKey
from core.addresses import email_key
from core.clock import now
from core.db.ids import first_id, new_id
from events.logs.models import ShippedLog
from events.models import Event
from events.webhooks.models import Delivery
from sessions_app.models import PendingLogin


class HostUserFactory(DjangoModelFactory[Any]):
    """Users of the host site, without a password and without an account."""

    class Meta:
        model = settings.AUTH_USER_MODEL

    handle = Sequence(lambda number: f"carol{number}")
    contact = LazyAttribute(lambda user: f"{user.handle}@example.com")
    password = "!"


class AccountFactory(DjangoModelFactory[Account]):
    """Accounts of new users without a password."""

    class Meta:
        model = Account

    class Params:
        email = Sequence(lambda number: f"carol{number}@example.com")

    user = LazyAttribute(lambda account: users.create_user(email=account.email, password_hash="!"))
    email_key = LazyAttribute(lambda account: email_key(account.email))
    created_at = LazyFunction(now)
    updated_at = SelfAttribute("created_at")


class EventFactory(DjangoModelFactory[Event]):
    """Events without an account. As in a recorded event, the id contains the time."""

    class Meta:
        model = Event

    id = LazyAttributeSequence(lambda event, number: UUID(int=first_id(event.created_at).int + number))
    type = "login_success"
    created_at = LazyFunction(now)


class DeliveryFactory(DjangoModelFactory[Delivery]):
    """Deliveries of webhooks that are due."""

    class Meta:
        model = Delivery

    event_id = LazyFunction(new_id)
    created_at = LazyFunction(now)
    next_attempt_at = SelfAttribute("created_at")


class ShippedLogFactory(DjangoModelFactory[ShippedLog]):
    """Lines that wait to be shipped. `content` is the dictionary of the line's fields."""

    class Meta:
        model = ShippedLog

    class Params:
        content: Any = LazyFunction(dict)

    level = logging.INFO
    message = "request"
    fields = LazyAttribute(lambda line: orjson.dumps(line.content).decode())
    created_at = LazyFunction(now)
    next_attempt_at = SelfAttribute("created_at")


class ApiKeyFactory(DjangoModelFactory[ApiKey]):
    """Live API keys that no caller holds."""

    class Meta:
        model = ApiKey

    name = "x"
    prefix = Sequence(lambda number: f"ak_{number:08}")
    digest = b""
    scopes = LazyFunction(list)
    created_at = LazyFunction(now)


class PendingLoginFactory(DjangoModelFactory[PendingLogin]):
    """Logins that wait for a second factor. No caller holds their tokens."""

    class Meta:
        model = PendingLogin

    digest = Sequence(lambda number: number.to_bytes(32))
    epoch = 0
    created_at = LazyFunction(now)
    expires_at = LazyAttribute(lambda login: login.created_at + timedelta(minutes=5))


class MailTokenFactory(DjangoModelFactory[MailToken]):
    """Tokens of magic links that no mail contains."""

    class Meta:
        model = MailToken

    purpose = MailToken.Purpose.MAGIC_LINK
    digest = Sequence(lambda number: number.to_bytes(32))
    address = LazyAttribute(lambda token: token.account.email_key)
    created_at = LazyFunction(now)
    expires_at = LazyAttribute(lambda token: token.created_at + timedelta(minutes=15))
