from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.clock import rfc3339
from tests.rows import each

pytestmark = pytest.mark.once

MOMENT = datetime(2026, 11, 23, 19, 29, 36, 500, tzinfo=UTC)


@each(
    "moment, text",
    [
        (MOMENT, "2026-11-23T19:29:36.000500Z"),
        (MOMENT.replace(microsecond=0), "2026-11-23T19:29:36.000000Z"),
        (MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30))), "2026-11-23T19:29:36.000500Z"),
        (MOMENT.astimezone(timezone(timedelta(hours=-23))), "2026-11-23T19:29:36.000500Z"),
        (MOMENT.replace(year=1), "0001-11-23T19:29:36.000500Z"),
    ],
)
def test_a_time_in_rfc_3339_is_utc_with_six_digits_of_microseconds(moment: datetime, text: str) -> None:
    assert rfc3339(moment) == text
