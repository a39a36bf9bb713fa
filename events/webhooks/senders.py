"""Messages of other kinds than events, which the queue of the webhooks delivers with the same retries and history."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.registry import Registry

from .models import Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A POST request of a delivery. No member but the body contains a secret."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class Sender(Protocol):
    """Makes the requests of one kind of delivery."""

    kind: Delivery.Kind

    def message_of(self, *, payload: str, now: datetime) -> Message:
        """Return the request of an attempt that begins now. The call runs no database statements."""


senders: Registry[Sender] = Registry()


def sender_of(kind: str) -> Sender:
    """Return the sender of the kind. Raises LookupError when no app has registered one."""
    for sender in senders:
        if sender.kind == kind:
            return sender
    raise LookupError(kind)
