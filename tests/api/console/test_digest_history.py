from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command

from console.digests.recording import RecordDigests
from console.models import RecordedDigest
from core.clock import now as read_clock
from core.db import ids
from tests.operators import Console
from tests.people import sign_up
from tests.rows import each

from .invalid_numbers import invalid_numbers

PATH = "/digest/history"

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _schedule(
    travel: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, console: Console, configure: Configure
) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    configure(DIGEST_INTERVAL_HOURS="24")


@pytest.fixture
def console(travel: time_machine.Traveller, console: Console) -> Console:
    """The console of an operator. The token's times match the day on which the clock is frozen."""
    return Console(console.session.person.log_in())


def record_two(travel: time_machine.Traveller, console: Console) -> Console:
    """Record one digest by the schedule and one by the command; return the console of the next day."""
    RecordDigests().run(read_clock(), lambda: False)
    travel.shift(timedelta(days=1))
    RecordDigests().run(read_clock(), lambda: False)
    travel.shift(timedelta(hours=6))
    call_command("record_digest", "--hours", "6", stdout=StringIO())
    return Console(console.session.person.log_in())


def test_recorded_digests_are_shown_unchanged_with_the_newest_first(
    travel: time_machine.Traveller, console: Console
) -> None:
    console = record_two(travel, console)
    sign_up("bob")

    by_command, by_schedule = RecordedDigest.objects.order_by("-id")
    assert console.get(PATH).data == {
        "runs": [
            {
                "id": str(by_command.pk),
                "window_start": "2026-03-11T12:00:00.000000Z",
                "window_end": "2026-03-11T18:00:00.000000Z",
                "generated_at": "2026-03-11T18:00:00.000000Z",
                "text": by_command.text,
            },
            {
                "id": str(by_schedule.pk),
                "window_start": "2026-03-10T12:00:00.000000Z",
                "window_end": "2026-03-11T12:00:00.000000Z",
                "generated_at": "2026-03-11T12:00:00.000000Z",
                "text": by_schedule.text,
            },
        ],
        "count": 2,
        "limit": 20,
    }
    assert "sign-ups" in by_schedule.text


def test_a_limit_selects_the_newest_digests(travel: time_machine.Traveller, console: Console) -> None:
    console = record_two(travel, console)

    page = console.get(PATH, {"limit": 1}).data

    assert [run["window_end"] for run in page["runs"]] == ["2026-03-11T18:00:00.000000Z"]
    assert (page["count"], page["limit"]) == (1, 1)


@pytest.mark.parametrize("limit", [1, 200])
def test_the_smallest_and_the_largest_limit_are_allowed(console: Console, limit: int) -> None:
    assert console.get(PATH, {"limit": limit}).data == {"runs": [], "count": 0, "limit": limit}


@each("limit", invalid_numbers(1, 200))
def test_a_limit_out_of_bounds_is_refused(console: Console, limit: str) -> None:
    assert console.get(PATH, f"limit={limit}").code == "bad_request"


def test_requests_to_the_console_record_no_digest(console: Console) -> None:
    console.get("/digest")
    console.get("/digest", {"window_days": 30})

    assert console.get(PATH).data == {"runs": [], "count": 0, "limit": 20}


def test_the_history_is_not_configured_without_a_schedule(
    travel: time_machine.Traveller, console: Console, configure: Configure
) -> None:
    console = record_two(travel, console)
    configure(DIGEST_INTERVAL_HOURS="")

    assert (console.get(PATH).status, console.get(PATH).code) == (404, "not_configured")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_writes_to_the_history(console: Console, method: str) -> None:
    assert console.call(method, PATH, {}).code == "method_not_allowed"


def test_only_operators_see_the_history(console: Console) -> None:
    session = sign_up("eve").log_in()

    assert session.api.get(f"/v1/admin{PATH}", token=session.access).code == "not_operator"
    assert session.api.get(f"/v1/admin{PATH}").code == "missing_auth_header"
