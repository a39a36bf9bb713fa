import logging

import pytest

from core import tracing
from core.db import ids
from core.http.access_log import request_id_of_context
from events.logs.shipping import otlp_body
from tests.people import sign_up

from .collecting import NOW, UseShipping, copy, copying, fields_of, log, records_in, stored

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_line_is_copied_with_its_redacted_fields() -> None:
    row = copy(status=200, route="v1/login", user_id="4711", duration_ms=1.25, method="POST")

    assert (row.message, row.level, row.created_at, row.shipped_at) == ("request", logging.INFO, NOW, NOW)
    assert fields_of(row) == {
        "status": 200,
        "route": "v1/login",
        "user_id": "[redacted]",
        "duration_ms": 1.25,
        "method": "POST",
    }


@pytest.mark.usefixtures("handlers_without_thread")
def test_personal_fields_are_hashed_on_request_and_credentials_are_masked(use_shipping: UseShipping) -> None:
    use_shipping("record", LOG_REDACTION="hash", LOG_SHIPPING_HASH_KEY="pepper")

    fields = fields_of(copy(user_id="4711", reason={"user_id": "4711", "api_key": "ak_1", "Old_Token": "t"}))

    assert fields["user_id"].startswith("hmac-sha256:")
    assert len(fields["user_id"]) == len("hmac-sha256:") + 16
    assert fields["reason"] == {"user_id": fields["user_id"], "api_key": "[redacted]", "Old_Token": "[redacted]"}


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_field_that_is_not_allowed_is_not_copied() -> None:
    assert fields_of(copy(status=200, path="/v1/login?token=sesame", query="sesame", body={"password": "sesame"})) == {
        "status": 200
    }


@pytest.mark.usefixtures("handlers_without_thread")
def test_the_text_of_an_exception_is_not_copied() -> None:
    with copying() as handler:
        error = ValueError("alice@example.com may not")
        logging.getLogger("authsvc.worker").error(
            "a background job failed and will be tried again", exc_info=error, stack_info=True, extra={"job": "mails"}
        )
        handler.flush()

    (row,) = stored()
    assert fields_of(row) == {"job": "mails", "exception_type": "ValueError"}
    assert "alice" not in row.message + row.fields


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_copied_message_has_no_interpolated_values() -> None:
    with copying() as handler:
        logging.getLogger("authsvc.serve").error("ended %d times, says %s", 3, "alice@example.com")
        handler.flush()

    assert [row.message for row in stored()] == ["ended %d times, says %s"]


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_message_is_cut_to_the_length_of_its_column() -> None:
    assert copy("x" * 500).message == "x" * 200


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_line_carries_the_id_of_its_request() -> None:
    token = request_id_of_context.set("req-1")
    try:
        fields = fields_of(copy(status=200))
    finally:
        request_id_of_context.reset(token)

    assert fields == {"status": 200, "request_id": "req-1"}


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_line_carries_the_trace_of_its_request_to_the_collector() -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    tracing.begin_request(f"00-{trace}-00f067aa0ba902b7-01")
    try:
        row = copy(status=200)
    finally:
        tracing.begin_request("")

    assert fields_of(row) == {"status": 200, "trace_id": trace}
    (record,) = records_in(otlp_body([row]))
    assert record["traceId"] == trace
    assert [attribute["key"] for attribute in record["attributes"]] == ["status"]


@pytest.mark.usefixtures("handlers_without_thread")
@pytest.mark.parametrize(
    ("given", "kept"),
    [(5, 10), (10, 10), (15, 10), (20, 20), (25, 20), (30, 30), (40, 40), (50, 40), (99, 40)],
)
def test_a_level_is_one_of_four(use_shipping: UseShipping, given: int, kept: int) -> None:
    use_shipping("record", LOG_SHIPPING_LEVEL="debug")
    with copying(level=1) as handler:
        handler.setLevel(1)
        log(level=given)
        handler.flush()

    assert [row.level for row in stored()] == [kept]


@pytest.mark.usefixtures("handlers_without_thread")
@pytest.mark.parametrize(
    ("setting", "kept"),
    [("debug", [10, 20, 30, 40]), ("info", [20, 30, 40]), ("warn", [30, 40]), ("error", [40])],
)
def test_lines_below_the_configured_level_are_not_copied(
    use_shipping: UseShipping, setting: str, kept: list[int]
) -> None:
    use_shipping("record", LOG_SHIPPING_LEVEL=setting)
    with copying() as handler:
        for level in (10, 20, 30, 40):
            log(level=level)
        handler.flush()

    assert [row.level for row in stored()] == kept


@pytest.mark.usefixtures("handlers_without_thread")
def test_shipping_and_storing_do_not_copy_their_own_lines() -> None:
    with copying() as handler:
        log("the log collector does not accept log lines right now", name="shipping", level=logging.WARNING)
        handler.flush()

    assert stored() == []


@pytest.mark.usefixtures("handlers_without_thread")
def test_unusual_values_are_copied_as_text_without_an_error() -> None:
    row = copy(reason=object, status=float("nan"), job={"at": NOW, "of": ids.new_id(), "in": {1, 2}})

    assert fields_of(row)["status"] is None
    assert fields_of(row)["reason"] == "<class 'object'>"


@pytest.mark.usefixtures("handlers_without_thread")
def test_requests_are_copied_without_the_input_of_callers() -> None:
    with copying() as handler:
        alice = sign_up("alice")
        session = alice.log_in()
        alice.api.get(f"/v1/sessions?token={session.refresh}", token=session.access)
        handler.flush()

    assert {row.message for row in stored()} == {"request"}
    assert {"method", "route", "ip", "status", "user_id", "duration_ms", "request_id"} == set(fields_of(stored()[-1]))
    everything = "".join(row.message + row.fields for row in stored())
    # The value is compared in its JSON form. The key of a host's user may be a number of two digits.
    for secret in ("alice", f'"{alice.user_id}"', session.refresh, session.access, "203.0.113.7", "token="):
        assert secret not in everything
