"""The history of recorded digests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from core.http.examples import EARLIER, MOMENT

from ..examples import DIGEST_TEXT
from ..models import RecordedDigest


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDigest:
    """A recorded digest. `text` is the text that was rendered when the digest was recorded."""

    component: ClassVar = "Run"

    id: UUID
    window_start: datetime
    window_end: datetime
    generated_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestHistory:
    """The recorded digests, the newest first."""

    example: ClassVar = {
        "runs": [
            {
                "id": "01a1fd93-5b6c-7d7e-8f80-91a2b3c4d5e6",
                "window_start": EARLIER,
                "window_end": MOMENT,
                "generated_at": MOMENT,
                "text": DIGEST_TEXT,
            }
        ],
        "count": 1,
        "limit": 20,
    }

    runs: Sequence[ListedDigest]
    count: int
    limit: int


def list_digests(*, limit: int) -> DigestHistory:
    """Return the recorded digests, the newest first."""
    runs = [
        ListedDigest(
            id=row.pk,
            window_start=row.window_start,
            window_end=row.window_end,
            generated_at=row.generated_at,
            text=row.text,
        )
        for row in RecordedDigest.objects.order_by("-id")[:limit]
    ]
    return DigestHistory(runs=runs, count=len(runs), limit=limit)
