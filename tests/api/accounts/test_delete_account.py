from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from accounts.models import Account, Event, SecurityMailCount
from core.db.ids import new_id
from events.webhooks.models import Delivery
from mfa.models import AccountRecovery
from sessions_app.models import Family, Token
from tests.client import PASSWORD, Api
from tests.factories import DeliveryFactory
from tests.people import Person, SignedIn, existing_session

TABLE = Delivery._meta.db_table


def delete(session: SignedIn, password: str = PASSWORD) -> tuple[int, object]:
    answer = session.api.post("/v1/delete-account", {"current_password": password}, token=session.access)
    return answer.status, answer.body["data"] if answer.status == 200 else answer.code


def test_all_data_of_the_account_are_deleted(alice: Person) -> None:
    session = existing_session(alice).refreshed()

    assert delete(session) == (200, {"status": "account deleted"})

    assert not Account.objects.exists()
    assert not Family.objects.exists()
    assert not Token.objects.exists()
    assert not session.is_live()


def test_the_events_of_the_account_stay_without_address_and_user_agent(alice: Person) -> None:
    session = existing_session(alice)

    delete(session)

    events = Event.objects.filter(user_id=alice.user_id)
    types = {event.type for event in events}
    assert types == {"signup_success", "login_success", "session_ended", "account_deleted"}
    assert {(event.ip, event.user_agent) for event in events} == {("", "")}
    assert alice.email not in str([event.metadata for event in events])


@pytest.mark.skipif(connection.vendor != "postgresql", reason="an SQLite database has processes of one release only")
def test_a_process_that_does_not_know_the_new_tables_can_delete_an_account(alice: Person) -> None:
    account = alice.account()
    moment = account.created_at
    SecurityMailCount.objects.create(account=account, kind="lock", started_at=moment, count=1)
    AccountRecovery.objects.create(account=account, epoch=0, requested_at=moment, ready_at=moment, due_at=moment)

    # The statement of such a process, which deletes no rows of the new tables.
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {Account._meta.db_table} WHERE user_id = %s", (account.pk,))  # noqa: S608 - a table's name
    connection.check_constraints()

    assert not SecurityMailCount.objects.exists()
    assert not AccountRecovery.objects.exists()


@pytest.fixture
def webhook(settings: Settings) -> None:
    """Enable webhooks for signups, logins and deletions."""
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "WEBHOOK_URL": "https://hooks.example.invalid/",
        "WEBHOOK_SECRET": "whsec_" + "c2Vj" * 10,
        "WEBHOOK_EVENTS": "signup_success,login_success,account_deleted",
    }


@pytest.mark.usefixtures("webhook")
@pytest.mark.parametrize(("status", "left"), [("delivered", 0), ("failed", 0), ("pending", 2), ("in_flight", 2)])
def test_finished_webhook_deliveries_are_deleted_and_deliveries_in_progress_stay(
    alice: Person, bob: Person, status: str, left: int
) -> None:
    session = existing_session(alice)
    Delivery.objects.update(status=status)

    delete(session)

    deliveries = Delivery.objects.filter(user_id=alice.user_id).order_by("id").values_list("event_type", "status", "ip")
    kept = [("signup_success", status, alice.api.ip), ("login_success", status, alice.api.ip)][:left]
    assert list(deliveries) == [*kept, ("account_deleted", "pending", "")]
    assert Delivery.objects.filter(user_id=bob.user_id).count() == 1


@pytest.mark.usefixtures("webhook")
def test_a_wrong_password_deletes_no_webhook_deliveries(alice: Person) -> None:
    session = existing_session(alice)
    Delivery.objects.update(status="delivered")

    delete(session, "wrong")

    assert Delivery.objects.count() == 2


def test_an_index_finds_the_webhook_deliveries_of_the_account(alice: Person) -> None:
    # The table also holds the deliveries of many other accounts.
    others = [DeliveryFactory.build(user_id=str(new_id()), status="delivered") for _ in range(5_000)]
    Delivery.objects.bulk_create(others, batch_size=1_000)
    for status in ("delivered", "pending"):
        DeliveryFactory.create(user_id=alice.user_id, status=status)
    statements: list[tuple[str, Any]] = []

    def remember(execute: Any, statement: str, parameters: Any, many: Any, context: Any) -> Any:
        statements.append((statement, parameters))
        return execute(statement, parameters, many, context)

    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Delivery._meta.db_table}")
    session = existing_session(alice)
    with connection.execute_wrapper(remember):
        assert delete(session)[0] == 200

    ((statement, parameters),) = [
        said for said in statements if said[0].split()[:3] == ["DELETE", "FROM", f'"{TABLE}"']
    ]
    with connection.cursor() as cursor:
        prefix = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{prefix} {statement}", parameters)
        assert "authsvc_delivery_user" in str(cursor.fetchall())


def test_a_wrong_password_deletes_nothing(alice: Person) -> None:
    session = existing_session(alice)

    assert delete(session, "wrong") == (401, "invalid_credentials")

    assert session.is_live()


def test_only_verify_accepts_an_access_token_of_a_deleted_account(alice: Person) -> None:
    session = existing_session(alice)
    delete(session)

    calls = [
        session.api.get("/v1/sessions", token=session.access),
        session.api.get("/v1/api-keys", token=session.access),
        session.api.delete("/v1/sessions/nonsense", token=session.access),
        session.api.post("/v1/logout", {"session_id": "nonsense"}, token=session.access),
        session.api.post("/v1/logout-all", token=session.access),
        session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access),
    ]

    assert {(answer.status, answer.code) for answer in calls} == {(401, "invalid_access_token")}
    assert session.api.get("/v1/verify", token=session.access).data == {"user_id": alice.user_id}


def test_the_address_of_a_deleted_account_can_sign_up_again(api: Api, alice: Person) -> None:
    delete(existing_session(alice))

    assert api.post("/v1/signup", {"email": alice.email, "password": PASSWORD}).status == 201
