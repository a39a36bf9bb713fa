"""The page of the log: its filters, its pages, and the way from an error page."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import orjson
import pytest
import time_machine
from django.db import connection

from console.logs import search as log_search
from core.clock import now as read_clock
from core.db.ids import new_id
from events.logs.models import ShippedLog
from tests.console_browser import Browser, prefix

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _copy(configure: Configure) -> None:
    configure(LOG_SHIPPING="record")


def add(message: str = "request", *, level: int = logging.INFO, **fields: Any) -> ShippedLog:
    """Store a line."""
    now = read_clock()
    text = orjson.dumps(fields).decode()
    line = ShippedLog(id=new_id(), level=level, message=message, fields=text, created_at=now, next_attempt_at=now)
    line.save()
    return line


def shown(browser: Browser, query: str) -> list[str]:
    """Return the field `n` of the lines that the page lists, the newest first."""
    return re.findall(r"\bn: (\d+)", browser.open(f"logs?{query}").text)


def test_lines_are_found_by_request_text_route_level_and_time(travel: time_machine.Traveller, browser: Browser) -> None:
    add(n=1, route="v1/login", request_id="abc-1")
    add("a mail failed", n=2, level=logging.ERROR, reason='She said "no"\0 to 50%', request_id="abc-1")
    travel.shift(timedelta(minutes=10))
    add(n=3, route=f"{prefix()[1:]}users", request_id="abc-2")
    add(n=4, route="v1/refresh", note='"request_id":"abc-1"')
    add("started", n=5, route="")

    assert shown(browser, "") == ["5", "4", "2", "1"]
    assert shown(browser, "own=shown") == ["5", "4", "3", "2", "1"]
    assert shown(browser, "request_id=abc-1") == ["2", "1"]
    assert "<title>Logs of request …abc-1 ·" in browser.text
    assert shown(browser, "request_id=abc-2") == ["3"]
    assert shown(browser, "route=LOGIN") == ["1"]
    assert shown(browser, "text=MAIL") == ["2"]
    assert shown(browser, "text=50%25") == ["2"]
    assert shown(browser, "text=5_%25") == []
    assert shown(browser, "level=error") == ["2"]
    assert shown(browser, "level=info&text=started") == ["5"]
    assert shown(browser, "since=2026-03-10T12:10:00") == ["5", "4"]
    assert shown(browser, "until=2026-03-10T12:10:00") == ["2", "1"]
    assert browser.open("logs?since=2026-03-10T12:10&until=2026-03-10T12:00").status == 400
    browser.submit("export/logs", {"text": "mail", "level": "warn"})
    lines = b"".join(browser.page.streaming_content).decode().splitlines()
    assert len(lines) == 2
    assert "a mail failed" in lines[1]


def test_older_lines_are_on_the_next_pages(browser: Browser) -> None:
    for number in range(5):
        add(n=number)

    found = shown(browser, "limit=2")
    while older := re.search(r'href="[^"]*\?([^"]*)" rel="next"', browser.text):
        found += shown(browser, older[1].replace("&amp;", "&"))

    assert found == ["4", "3", "2", "1", "0"]
    assert ">Newest</a>" in browser.text


def test_a_search_for_text_states_how_far_back_it_read(
    travel: time_machine.Traveller, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_search, "SCANNED_MAX", 3)
    add(n=1, reason="rare")
    travel.shift(timedelta(minutes=1))
    for _ in range(3):
        add()

    assert shown(browser, "text=rare") == []
    assert "The part that was searched has no match." in browser.text
    assert re.search(r"searched back to <time[^>]*>10 Mar 2026, 12:01:00 UTC", browser.text)
    older = re.search(r'href="[^"]*\?([^"]*)" rel="next"', browser.text)
    assert older is not None
    assert shown(browser, older[1].replace("&amp;", "&")) == ["1"]


def test_an_index_finds_the_lines_of_a_request(browser: Browser) -> None:
    now = read_clock()
    ShippedLog.objects.bulk_create(
        ShippedLog(level=20, message="request", fields=f'{{"request_id":"r{n}"}}', created_at=now, next_attempt_at=now)
        for n in range(5_000)
    )
    statements: list[tuple[str, Any]] = []

    def remember(execute: Any, statement: str, parameters: Any, many: Any, context: Any) -> Any:
        statements.append((statement, parameters))
        return execute(statement, parameters, many, context)

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE authsvc_accounts_shippedlog")
    with connection.execute_wrapper(remember):
        assert browser.open("logs?request_id=r77").text.count('data-label="When"') == 1

    found = [said for said in statements if "substring" in said[0]]
    assert len(found) == 2
    for statement, parameters in found:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {statement}", parameters)
            assert "authsvc_shipped_log_request" in str(cursor.fetchall())


def test_an_error_page_leads_an_operator_to_the_log_of_its_request(browser: Browser) -> None:
    def stop(execute: Any, statement: str, *rest: Any) -> Any:
        if "authsvc_accounts_event" in statement:
            raise RuntimeError
        return execute(statement, *rest)

    with connection.execute_wrapper(stop):
        browser.open("events")

    request_id = browser.page.headers["X-Request-ID"]
    assert browser.status == 500
    assert f'logs?request_id={request_id}">Show the log of this request</a>' in browser.text
    assert '<nav aria-label="Console">' in browser.text
