"""The attempts of webhook deliveries, with the answers of the receiver."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet

from core.db.ids import first_id
from core.db.transactions import transaction_required

from ..conf import webhook_settings
from .models import Delivery, DeliveryAttempt

BEGINNING_MAX = 500
"""The number of bytes of an answer that an attempt keeps."""
LISTED_MAX = 100
"""The number of attempts that a list has at most. `webhooks resend` can add attempts without an end."""


@transaction_required
def record_attempt(
    *,
    delivery_id: UUID,
    number: int,
    response_code: int | None,
    error: str,
    beginning: str,
    duration_ms: int,
    now: datetime,
) -> None:
    """Store an attempt that ended now. Needs a transaction."""
    DeliveryAttempt.objects.create(
        delivery_id=delivery_id,
        number=number,
        started_at=now - timedelta(milliseconds=duration_ms),
        response_code=response_code,
        error=error,
        beginning=beginning,
        duration_ms=duration_ms,
    )


def readable(body: bytes) -> str:
    """Return the bytes as printable text. Line breaks become blanks, and other bytes become question marks."""
    text = " ".join(body.decode("utf-8", "replace").split())
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def list_attempts(*, delivery_id: UUID) -> list[DeliveryAttempt]:
    """Return the latest attempts of the delivery, the newest first."""
    return list(DeliveryAttempt.objects.filter(delivery_id=delivery_id).order_by("-id")[:LISTED_MAX])


@transaction_required
def forget_attempts(*, deliveries: QuerySet[Delivery]) -> None:
    """Delete the attempts of these deliveries. Needs a transaction."""
    DeliveryAttempt.objects.filter(delivery_id__in=deliveries.values("pk")).delete()


def prunable_attempts(now: datetime) -> QuerySet[DeliveryAttempt]:
    """Return the attempts that are past the retention of deliveries."""
    return DeliveryAttempt.objects.filter(pk__lt=first_id(now - timedelta(days=webhook_settings().retention_days)))
