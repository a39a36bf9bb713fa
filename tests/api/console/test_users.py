from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import Account
from core.clock import rfc3339
from tests.client import PASSWORD
from tests.operators import Console
from tests.people import Person, sign_up
from tests.rows import each
from tests.second_factors import lock

from .invalid_numbers import invalid_numbers

LIMITS = invalid_numbers(1, 500)
OFFSETS = invalid_numbers(0, 10_000)


def shown(person: Person, **others: Any) -> dict[str, Any]:
    account = person.account()
    return {
        "id": person.user_id,
        "email": person.email,
        "created_at": rfc3339(account.created_at),
        "updated_at": rfc3339(account.updated_at),
        "failed_attempts": 0,
        "locked": False,
        "locked_until": None,
        **others,
    }


def ids(answer: Any) -> list[str]:
    return [user["id"] for user in answer.data["users"]]


def only_user(console: Console, person: Person) -> dict[str, Any]:
    (user,) = console.get("/users", {"q": person.email}).data["users"]
    return dict(user)


def test_users_are_browsed_with_the_newest_first(console: Console, alice: Person, bob: Person) -> None:
    assert console.get("/users").data == {
        "users": [shown(bob), shown(alice), shown(console.session.person)],
        "total": 3,
        "limit": 50,
        "offset": 0,
        "match": "browse",
        "query": "",
    }


def test_users_of_the_same_moment_have_a_stable_order(console: Console) -> None:
    people = [sign_up(f"person{number}") for number in range(5)]
    Account.objects.update(created_at=datetime(2026, 3, 1, tzinfo=UTC))

    whole = ids(console.get("/users"))
    pages = [ids(console.get("/users", {"limit": 2, "offset": offset})) for offset in (0, 2, 4)]

    keys = sorted(Account.objects.values_list("pk", flat=True), reverse=True)
    assert whole == [str(key) for key in keys]
    assert len(whole) == len(people) + 1
    assert [user for page in pages for user in page] == whole


def test_a_page_contains_its_position_and_the_number_of_users(console: Console, alice: Person) -> None:
    assert console.get("/users", {"limit": 1, "offset": 1}).data == {
        "users": [shown(console.session.person)],
        "total": 2,
        "limit": 1,
        "offset": 1,
        "match": "browse",
        "query": "",
    }


@pytest.mark.parametrize(("limit", "offset"), [(1, 0), (500, 10_000)])
def test_the_smallest_and_the_largest_page_are_allowed(console: Console, limit: int, offset: int) -> None:
    page = console.get("/users", {"limit": limit, "offset": offset}).data

    assert (page["limit"], page["offset"], page["total"]) == (limit, offset, 1)


@each("limit", LIMITS)
def test_a_limit_out_of_bounds_is_refused(console: Console, limit: str) -> None:
    assert console.get("/users", f"limit={limit}").code == "bad_request"


@each("offset", OFFSETS)
def test_an_offset_out_of_bounds_is_refused(console: Console, offset: str) -> None:
    assert console.get("/users", f"offset={offset}").code == "bad_request"


def test_a_refusal_names_the_parameter(console: Console) -> None:
    answer = console.get("/users", {"limit": 501})

    assert answer.body["error"]["message"] == "limit: must be at most 500."


def test_the_last_value_of_a_repeated_parameter_counts(console: Console) -> None:
    assert console.get("/users", "limit=0&limit=2").data["limit"] == 2
    assert console.get("/users", "limit=2&limit=0").code == "bad_request"


def test_a_search_finds_the_stored_address(console: Console, alice: Person) -> None:
    carol = sign_up("Carol.Jones@Example.com")

    assert console.get("/users", {"q": carol.email}).data == {
        "users": [shown(carol)],
        "total": 1,
        "limit": 50,
        "offset": 0,
        "match": "exact_email",
        "query": carol.email,
    }


@pytest.mark.parametrize(
    "query",
    [
        "carol.jones@example.com",
        "CAROL.JONES@EXAMPLE.COM",
        " Carol.Jones@Example.com",
        "Carol.Jones@Example.com ",
        "Carol.Jones",
        "Carol.Jones@Example.co",
        "Ｃarol.Jones@Example.com",
        "%",
        "*@Example.com",
        "no address",
        "x" * 4000,
    ],
)
def test_a_search_with_another_spelling_finds_no_user(console: Console, query: str) -> None:
    sign_up("Carol.Jones@Example.com")

    assert console.get("/users", {"q": query}).data == {
        "users": [],
        "total": 0,
        "limit": 50,
        "offset": 0,
        "match": "exact_email",
        "query": query,
    }


@pytest.mark.parametrize("query", ["q=", "q=%20", "q=%09%0A", "Q=alice@example.com"])
def test_a_blank_search_lists_all_users(console: Console, alice: Person, query: str) -> None:
    page = console.get("/users", query).data

    assert (page["match"], page["query"], page["total"]) == ("browse", "", 2)


def test_a_search_with_a_nul_character_is_malformed(console: Console) -> None:
    assert console.get("/users", "q=alice%00@example.com").code == "bad_request"


def test_a_search_has_pages_too(console: Console, alice: Person) -> None:
    page = console.get("/users", {"q": alice.email, "offset": 1}).data

    assert (page["users"], page["total"]) == ([], 1)


def test_a_search_finds_only_the_new_address_after_a_change(console: Console, alice: Person) -> None:
    account = alice.account()
    setattr(account.user, account.user.get_email_field_name(), "new@example.com")
    account.user.save()
    Account.objects.filter(pk=account.pk).update(email_key="new@example.com")

    assert console.get("/users", {"q": alice.email}).data["total"] == 0
    assert ids(console.get("/users", {"q": "new@example.com"})) == [alice.user_id]


def test_a_locked_account_shows_the_end_of_its_lock(console: Console, alice: Person) -> None:
    lock(alice)

    locked_until = alice.account().locked_until
    assert locked_until is not None
    assert only_user(console, alice) == shown(alice, failed_attempts=5, locked=True, locked_until=rfc3339(locked_until))


def test_failures_below_the_threshold_are_shown(console: Console, alice: Person) -> None:
    for _ in range(3):
        alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    assert only_user(console, alice) == shown(alice, failed_attempts=3)


def test_an_expired_lock_is_not_shown_and_its_failures_do_not_count(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    lock(alice)
    locked_until = alice.account().locked_until
    assert locked_until is not None

    travel.move_to(locked_until - timedelta(microseconds=1))
    assert only_user(console, alice)["locked"] is True

    travel.move_to(locked_until)
    later = console.renewed()
    expected = shown(alice, failed_attempts=0, locked=False, locked_until=rfc3339(locked_until))
    assert only_user(later, alice) == expected

    alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    assert only_user(later, alice) == shown(alice, failed_attempts=1)


def test_a_completed_login_resets_the_failures(console: Console, alice: Person) -> None:
    alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    alice.log_in()

    assert only_user(console, alice)["failed_attempts"] == 0


def test_no_answer_holds_a_hash(console: Console, alice: Person) -> None:
    encoded = alice.account().user.password

    text = str([console.get("/users").body, console.get(f"/users/{alice.user_id}").body])

    assert encoded not in text
    assert "argon2" not in text
    assert PASSWORD not in text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_writes_a_user(console: Console, alice: Person, method: str) -> None:
    assert console.call(method, "/users", {}).code == "method_not_allowed"
    assert console.call(method, f"/users/{alice.user_id}", {}).code == "method_not_allowed"
