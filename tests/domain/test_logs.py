"""The lines of the standalone project's log."""

import logging

import orjson
import pytest

from accounts.core.log_format import LEVELS, JsonLines


@pytest.mark.parametrize("word", LEVELS)
def test_a_line_names_its_level_by_the_word_that_the_settings_use(word: str) -> None:
    level = logging.getLevelNamesMapping()[LEVELS[word]]
    record = logging.LogRecord("authsvc", level, __file__, 1, "something happened", None, None)

    line = orjson.loads(JsonLines().format(record))

    assert (line["level"], line["event"]) == (word, "something happened")
