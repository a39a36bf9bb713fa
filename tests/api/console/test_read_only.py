"""The console writes through three exceptions. No other request below /v1/admin changes a row."""

from itertools import product
from typing import Any

import pytest
from django.db import connection

from tests.contract.mounted import mounted_operations
from tests.contract.tables import ADMIN, ROUTES
from tests.operators import Console
from tests.people import Person
from tests.rows import each
from tests.second_factors import lock

from .flagged import guess_at, spray

WRITES = {
    "PUT /v1/admin/users/{}/metadata/{}": {"value"},
    "DELETE /v1/admin/users/{}/metadata/{}": set(),
    "PUT /v1/admin/anomalies/{}": {"status", "note"},
    "PUT /v1/admin/settings/llm-provider": {"kind", "model", "api_key", "max_tokens"},
    "DELETE /v1/admin/settings/llm-provider": set(),
    "PUT /v1/admin/settings/database-provider": {"label", "dsn", "max_rows"},
    "DELETE /v1/admin/settings/database-provider": set(),
    "PUT /v1/admin/settings/ask-ai-widget": {"enabled", "allowed_origins", "entities", "greeting", "placeholder"},
    "DELETE /v1/admin/settings/ask-ai-widget": set(),
}
"""Every write with its members. No member is a suggestion, a finding or a text of a model."""

TESTS = {
    f"POST {name.split()[1]}/test": members for name, members in WRITES.items() if members and "/settings/" in name
}
"""The tests of settings, which store nothing, with the members of the setting that they test."""

QUERIES: list[dict[str, Any]] = [
    {},
    {"q": "alice@example.com"},
    {"q": "' OR 1=1; DELETE FROM authsvc_user; --"},
    {"limit": 1, "offset": 1},
    {"limit": 0},
    {"window_days": 365},
    {"window_days": "nonsense"},
    {"status": "confirmed"},
    {"status": "unreviewed"},
    {"email": "alice@example.com"},
    {"email": "nobody@example.com"},
    {"_method": "DELETE", "unlock": "true", "role": "admin", "record": "true", "apply": "true"},
]


def state() -> dict[str, tuple[int, str]]:
    """Return the number of rows and a digest of the rows, for each table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            rows = "count(*), coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), '')"
            cursor.execute(f'SELECT {rows} FROM "{table}" t')  # noqa: S608 - tables' own names
            found[table] = cursor.fetchone()
    return found


@pytest.fixture
def filled_console(console: Console, alice: Person, bob: Person) -> Console:
    """A console with data for every report and list."""
    alice.log_in()
    lock(bob)
    console.put(f"/anomalies/{guess_at(alice)}", {"status": "confirmed", "note": "x"})
    spray()
    console.put(f"/users/{alice.user_id}/metadata/plan", {"value": "pro"})
    console.put("/settings/llm-provider", {"kind": "builtin", "model": "m", "api_key": "k"})
    console.put("/settings/ask-ai-widget", {"enabled": True, "greeting": "Hi"})
    return console


def addresses(person: Person) -> list[str]:
    """Return every path of the console in the contract, filled in for an existing user."""
    paths = {route.path for route in ROUTES if route.auth is ADMIN}
    return sorted(
        path.replace("{userID}", person.user_id)
        .replace("{key}", "plan")
        .replace("{eventID}", "x")
        .removeprefix("/v1/admin")
        for path in paths
    )


def test_no_get_request_changes_a_row(filled_console: Console, alice: Person, configure: Any) -> None:
    configure(WEBHOOK_URL="https://hooks.example.com/x", WEBHOOK_SECRET="whsec_" + "A" * 32, DIGEST_INTERVAL_HOURS="24")
    before = state()
    assert sum(rows for rows, _ in before.values()) > 20

    answers = [filled_console.get(path, query).status for path, query in product(addresses(alice), QUERIES)]

    assert state() == before
    assert set(answers) == {200, 400, 404, 405}


def test_only_the_three_exceptions_write(filled_console: Console, alice: Person) -> None:
    allowed = {name.replace("/v1/admin", "") for name in {**WRITES, **TESTS}}
    suggestion = {"suggestions": [{"area": "lockout", "finding": "x", "suggestion": "y"}], "locked_until": None}
    before = state()

    refused = []
    for method, path in product(("POST", "PUT", "PATCH", "DELETE"), addresses(alice)):
        template = path.replace(alice.user_id, "{}").replace("/metadata/plan", "/metadata/{}")
        template = template.replace("/anomalies/x", "/anomalies/{}")
        if f"{method} {template}" not in allowed:
            refused.append(filled_console.call(method, path, suggestion).status)

    assert set(refused) == {405}
    assert len(refused) > 50
    assert state() == before


def test_the_mounted_writes_and_their_members_are_those_of_the_table(console: Console) -> None:
    mounted = {
        name: view.operations[name.split()[0]]
        for name, view in mounted_operations().items()
        if name.split()[1].startswith("/v1/admin") and not name.startswith("GET ")
    }

    taken = {name: set(found.input().fields) if found.input else set() for name, found in mounted.items()}

    assert taken == {**WRITES, **TESTS}


@each(
    "path",
    [
        "/users/{}/unlock",
        "/users/{}/lock",
        "/users/{}/password",
        "/operators",
        "/digest/history/record",
        "/config-tuning/apply",
    ],
)
@each("method", ["POST", "PUT", "DELETE"])
def test_no_route_unlocks_resets_or_deletes_a_user(console: Console, alice: Person, path: str, method: str) -> None:
    assert console.call(method, path.format(alice.user_id), {}).code == "not_found"
