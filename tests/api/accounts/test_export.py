"""GET /v1/account/export."""

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.db.models import BinaryField, Field, Model
from pytest_django import Settings

from accounts.acts import data_export
from accounts.models import Account, Event
from accounts.state.personal_tables import personal_tables
from core.db.ids import new_id
from events.models import Event as StoredEvent
from sessions_app.models import Family, Token
from tests.client import Answer
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp, generate_codes

EXPORT = "/v1/account/export"
REPEATS_THE_ID = {"account_id", "user_id"}
PUBLIC_BINARY = {"credential_id", "public_key", "imported_handle"}


def rows_of(answer: Answer) -> dict[str, list[dict[str, Any]]]:
    return {table["name"]: table["rows"] for table in answer.data["tables"]}


def test_the_export_has_the_rows_of_the_caller_and_of_nobody_else(alice: Person, bob: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    generate_codes(session)
    key = alice.api.post("/v1/api-keys", {"name": "backup"}, token=session.access).data["key"]
    Account.objects.filter(pk=alice.account().pk).update(metadata={"plan": "pro"})
    existing_session(bob)

    answer = alice.api.get(EXPORT, token=session.access)

    assert answer.status == 200
    found = rows_of(answer)
    assert (answer.data["user_id"], answer.data["email"]) == (alice.user_id, alice.email)
    assert answer.data["next_cursor"] is None
    assert found["account"][0]["metadata"] == {"plan": "pro"}
    assert [row["revoked_at"] for row in found["sessions"]] == [None]
    assert [row["name"] for row in found["api_keys"]] == ["backup"]
    assert len(found["authenticator_apps"]) == 1
    assert len(found["recovery_codes"]) == 10
    types = [row["type"] for row in found["events"]]
    assert types[-1] == "data_exported"
    assert {"signup_success", "login_success", "totp_enabled", "api_key_created"} <= set(types)
    text = json.dumps(answer.body)
    assert key not in text
    assert str(Family.objects.get(account_id=bob.account().pk).pk) not in text
    assert bob.email not in text


def test_no_secret_and_no_digest_of_one_leaves_the_service(alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    generate_codes(session)
    alice.api.post("/v1/api-keys", {"name": "backup"}, token=session.access)
    alice.api.post("/v1/magic-link/request", {"email": alice.email})

    text = json.dumps(alice.api.get(EXPORT, token=session.access).body)

    hidden = [
        bytes(value)
        for table in personal_tables
        for field in table.model._meta.local_concrete_fields
        if isinstance(field, BinaryField) and field.attname in table.left_out
        for value in table.rows(alice.account().pk).values_list(field.attname, flat=True)
        if value
    ]
    assert len(hidden) > 12
    for value in hidden:
        assert value.hex() not in text
        assert base64.b64encode(value).decode().rstrip("=") not in text
        assert base64.urlsafe_b64encode(value).decode().rstrip("=") not in text
    assert alice.account().user.password not in text


def test_pages_are_bounded_and_together_complete(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    session = existing_session(alice)
    now = datetime.now(UTC)  # noqa: TID251 - the rows are stored without the service
    made = [
        StoredEvent(id=new_id(), type="logout", user_id=alice.user_id, created_at=now, metadata={"n": n})
        for n in range(2_500)
    ]
    StoredEvent.objects.bulk_create(made)

    seen: list[dict[str, Any]] = []
    cursor, pages = None, 0
    while cursor is not None or not pages:
        answer = alice.api.get(EXPORT + (f"?cursor={cursor}" if cursor else ""), token=session.access)
        assert sum(len(rows) for rows in rows_of(answer).values()) <= data_export.PAGE_ROWS
        seen += rows_of(answer).get("events", [])
        cursor, pages = answer.data["next_cursor"], pages + 1

    assert pages == 3
    assert [row["metadata"]["n"] for row in seen if row["type"] == "logout"] == list(range(2_500))
    assert Event.objects.filter(type="data_exported").count() == 1
    for wrong in ("events:x", "nothing:", "sessions%00", "x" * 81):
        refused = alice.api.get(f"{EXPORT}?cursor={wrong}", token=session.access)
        assert (refused.status, refused.code) == (400, "bad_request")


def test_an_old_login_and_an_ended_session_get_nothing(alice: Person) -> None:
    session = existing_session(alice)

    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=11)):  # noqa: TID251 - the test's own clock
        old = alice.api.get(EXPORT, token=session.access)
    alice.api.post("/v1/logout-all", token=session.access)
    ended = alice.api.get(EXPORT, token=session.access)

    assert (old.status, old.code) == (403, "reauthentication_required")
    assert (ended.status, ended.code) == (401, "invalid_access_token")
    assert not Event.objects.filter(type="data_exported").exists()


def test_the_calls_of_an_account_are_limited(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "export=1/h"}
    session = existing_session(alice)

    assert alice.api.get(EXPORT, token=session.access).status == 200
    assert alice.api.get(EXPORT, token=session.access).code == "rate_limited"


def leads_to_account(model: type[Model], seen: frozenset[type[Model]] = frozenset()) -> bool:
    """Return whether the rows of the model belong to accounts, directly or through other models."""
    if model is Account or {"user_id", "account_id"} & {field.attname for field in model._meta.local_concrete_fields}:
        return True
    related = {field.related_model for field in model._meta.local_concrete_fields if field.remote_field} - seen
    return any(leads_to_account(other, seen | {model}) for other in related if isinstance(other, type))


@pytest.mark.once
def test_each_table_and_each_column_about_accounts_is_exported_or_has_a_reason() -> None:
    own = [
        model for model in apps.get_models(include_auto_created=True) if model._meta.app_label.startswith("authsvc_")
    ]
    needed = {model for model in own if leads_to_account(model)}
    exported = {table.model for table in personal_tables}

    assert Token in needed
    assert needed - exported == set()
    for table in personal_tables:
        fields: list[Field[Any, Any]] = list(table.model._meta.local_concrete_fields)
        columns = {field.attname for field in fields} - REPEATS_THE_ID
        assert columns == {*table.columns, *table.left_out} - REPEATS_THE_ID, table.name
        assert not {*table.columns} & {*table.left_out}
        binary = {field.attname for field in fields if isinstance(field, BinaryField)}
        assert binary & {*table.columns} <= PUBLIC_BINARY
    assert all(table.left_out.values() for table in personal_tables if table.left_out)
