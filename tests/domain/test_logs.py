"""The lines of the standalone project's log."""

import logging

import orjson
import pytest

from core.log_format import LEVELS, JsonLines
from tests.client import Api


@pytest.mark.parametrize("word", LEVELS)
def test_a_line_names_its_level_by_the_word_that_the_settings_use(word: str) -> None:
    level = logging.getLevelNamesMapping()[LEVELS[word]]
    record = logging.LogRecord("authsvc", level, __file__, 1, "something happened", None, None)

    line = orjson.loads(JsonLines().format(record))

    assert (line["level"], line["event"]) == (word, "something happened")


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
