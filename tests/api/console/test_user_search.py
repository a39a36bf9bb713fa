"""The search of users."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from accounts.models import Account
from console.people import search
from core.clock import now, rfc3339
from events.models import Event
from sessions_app.models import Family, Identity, LastLogin
from tests.api.users.commands import users
from tests.factories import AccountFactory, EventFactory
from tests.operators import Console, operator
from tests.people import Person, sign_up
from tests.second_factors import enroll_totp, lock

PATH = "/user-search"
START = datetime(2026, 1, 1, tzinfo=UTC)


def ids(answer: Any) -> list[str]:
    return [user["id"] for user in answer.data["users"]]


def emails(console: Console, **query: str) -> list[str]:
    return [user["email"].partition("@")[0] for page in pages(console, **query) for user in page["users"]]


def pages(console: Console, **query: Any) -> Iterator[dict[str, Any]]:
    cursor: dict[str, str] = {}
    while True:
        page = console.get(PATH, {**query, **cursor}).data
        yield page
        if page["next_cursor"] is None:
            return
        cursor = {"cursor": page["next_cursor"]}


def test_a_user_is_listed_with_the_state_of_the_account(console: Console, alice: Person) -> None:
    signed_in_at = now()
    alice.log_in()
    account = alice.account()

    (found,) = console.get(PATH, {"q": alice.email}).data["users"]

    last_sign_in = found.pop("last_sign_in_at")
    assert signed_in_at <= datetime.fromisoformat(last_sign_in) <= now()
    assert found == {
        "id": alice.user_id,
        "email": alice.email,
        "created_at": rfc3339(account.created_at),
        "updated_at": rfc3339(account.updated_at),
        "email_proven_at": None,
        "has_factor": False,
        "operator": False,
        "deactivated": False,
        "failed_attempts": 0,
        "locked": False,
        "locked_until": None,
    }


@pytest.mark.parametrize("part", ["Carol.Jones@Example.com", "carol.j", "JONES", "@example.c", " jones ", "ｊｏｎｅｓ"])
def test_any_part_of_the_address_finds_in_any_case(console: Console, alice: Person, part: str) -> None:
    carol = sign_up("Carol.Jones@Example.com")

    found = ids(console.get(PATH, {"q": part, "sort": "oldest"}))

    assert carol.user_id in found
    assert (alice.user_id in found) is part.startswith("@")


@pytest.mark.parametrize("part", ["%", "___", "%%%", "jon%s", "o_e", "zzz", "\\\\\\"])
def test_a_part_is_no_pattern(console: Console, part: str) -> None:
    sign_up("Carol.Jones@Example.com")

    answer = console.get(PATH, {"q": part})

    assert (answer.code == "bad_request") if len(part) < 3 else (ids(answer) == [])


def test_an_id_finds_its_user(console: Console, alice: Person, bob: Person) -> None:
    assert ids(console.get(PATH, {"q": f" {bob.user_id} "})) == [bob.user_id]
    assert ids(console.get(PATH, {"q": bob.user_id[:-1] + "x"})) == []


def test_each_state_filters(console: Console, alice: Person, bob: Person) -> None:
    alice.log_in()
    lock(bob)
    users("verify", alice.email)
    carol = sign_up("carol")
    users("deactivate", carol.email)
    operator(sign_up("otto"))

    found = {state: sorted(emails(console, state=state)) for state in ("locked", "operator", "deactivated", "unproven")}

    assert found["locked"] == ["bob"]
    assert found["deactivated"] == ["carol"]
    assert found["operator"] == ["olivia", "otto"]
    assert "alice" not in found["unproven"]
    assert {"bob", "carol"} <= set(found["unproven"])
    assert sorted(emails(console, state="never_signed_in")) == ["bob", "carol"]
    assert sorted(emails(console, state="never_signed_in", sort="last_sign_in", limit="1")) == ["bob", "carol"]
    assert "alice" in emails(console, state="no_factor")
    assert emails(console, state="locked", q="alice") == []
    assert emails(console, state="locked", q="bob") == ["bob"]


def test_a_second_factor_and_a_provider_filter(console: Console, alice: Person, bob: Person) -> None:
    enroll_totp(alice.log_in())
    Identity.objects.create(
        account=bob.account(), provider="google", issuer="g", subject="1", created_at=now(), last_used_at=now()
    )

    assert {"alice", "bob"} & set(emails(console, state="no_factor")) == {"bob"}
    assert emails(console, provider="google") == ["bob"]
    assert emails(console, provider="github") == []


@pytest.mark.parametrize("sort", ["newest", "oldest", "address", "last_sign_in"])
def test_the_pages_together_contain_each_user_once(
    console: Console, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    monkeypatch.setattr(search, "SCANNED_MAX", 3)
    names = ["person3", "PERSON1", "person0", "person2"]
    people = [AccountFactory.create(email=f"{name}@example.com", created_at=START) for name in names]
    LastLogin.objects.bulk_create(
        [LastLogin(pk=one.pk, at=START + timedelta(days=number)) for number, one in enumerate(people)]
    )
    by_key = [name for _, name in sorted(zip((one.pk for one in people), names, strict=True))]
    expected = {
        "newest": by_key[::-1],
        "oldest": by_key,
        "address": sorted(names, key=str.lower),
        "last_sign_in": names[::-1],
    }

    for query in ({}, {"q": "person"}, {"state": "unproven"}, {"state": "no_factor"}):
        for few in (0, 100):
            monkeypatch.setattr(search, "FEW", few)
            listed = emails(console, **query, sort=sort, limit="2")

            assert [name for name in listed if name in names] == expected[sort], (query, few)


def test_the_migration_takes_the_last_login_from_sessions_and_events(console: Console, alice: Person) -> None:
    migration = import_module("sessions_app.migrations.0010_last_logins")
    carol = AccountFactory.create()
    EventFactory.create(type="login_success", user_id=str(carol.pk), created_at=START)
    EventFactory.create(type="login_success", user_id="unknown", created_at=START)
    alice.log_in()
    expected = {alice.account().pk: LastLogin.objects.get(pk=alice.account().pk).at, carol.pk: START}
    LastLogin.objects.all().delete()
    models = {"last_login": LastLogin, "family": Family, "event": Event, "account": Account}

    with connection.cursor() as cursor:
        cursor.execute(migration.FILL_SQL.format(**{name: model._meta.db_table for name, model in models.items()}))

    assert dict(LastLogin.objects.filter(pk__in=expected).values_list("pk", "at")) == expected


@pytest.mark.parametrize(
    "query", ["q=ab", "state=broken", "sort=random", "limit=501", "cursor=x", "cursor=W10", "q=%00%00%00"]
)
def test_a_malformed_search_is_refused(console: Console, query: str) -> None:
    assert console.get(PATH, query).code == "bad_request"


def test_a_cursor_belongs_to_its_sort(console: Console, alice: Person) -> None:
    cursor = console.get(PATH, {"limit": 1}).data["next_cursor"]

    refused = console.get(PATH, {"limit": 1, "sort": "oldest", "cursor": cursor})

    assert (
        refused.body["error"]["message"] == "cursor: must be the next_cursor of an earlier answer with the same sort."
    )


def test_the_search_has_its_indexes_and_runs_few_statements(
    console: Console, django_assert_max_num_queries: Any
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = %s", [Account._meta.db_table])
        names = {name for (name,) in cursor.fetchall()}

    assert {
        "authsvc_account_order",
        "authsvc_account_locked",
        "authsvc_account_unproven",
        "authsvc_account_deactivated",
        "authsvc_account_parts",
    } <= names
    with django_assert_max_num_queries(8):
        console.get(PATH, {"q": "example", "state": "unproven", "provider": "google"})
