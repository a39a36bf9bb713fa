"""The lines of the standalone project's log."""

import logging

import orjson
import pytest

from core.log_format import LEVELS, JsonLines
from tests.client import Api
from tests.rows import each


@pytest.mark.parametrize("word", LEVELS)
def test_a_line_names_its_level_by_the_word_that_the_settings_use(word: str) -> None:
    level = logging.getLevelNamesMapping()[LEVELS[word]]
    record = logging.LogRecord("authsvc", level, __file__, 1, "something happened", None, None)

    line = orjson.loads(JsonLines().format(record))

    assert (line["level"], line["event"]) == (word, "something happened")


@each(
    "created, time",
    [
        (1795462176.5, "2026-11-23T19:29:36.500000Z"),
        (1795462176.25, "2026-11-23T19:29:36.250000Z"),
        (1795462177.0, "2026-11-23T19:29:37.000000Z"),
        (0.0009765625, "1970-01-01T00:00:00.000976Z"),
    ],
)
def test_a_line_has_its_time_with_microseconds(created: float, time: str) -> None:
    record = logging.makeLogRecord({"created": created})

    assert orjson.loads(JsonLines().format(record))["time"] == time


@pytest.mark.django_db
def test_the_lines_of_a_request_have_the_id_of_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.setFormatter(JsonLines())
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    with caplog.at_level(logging.INFO, logger="authsvc.access"):
        for headers in ({"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}, {}):
            Api().get("/v1/health", headers=headers)

    traced, other = map(orjson.loads, caplog.text.splitlines())
    assert traced["trace_id"] == trace
    assert "trace_id" not in other
