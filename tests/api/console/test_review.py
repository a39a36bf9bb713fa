from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import Event
from accounts.ops.retention import prune
from console.models import Review
from core.clock import now
from core.db.ids import new_id
from tests.factories import EventFactory
from tests.operators import Console, operator
from tests.people import Person
from tests.rows import each
from tests.second_factors import lock

from .flagged import guess_at, spray

NO_STATUS: list[Any] = [None, "", "Confirmed", "confirmed ", "open", 1, True, [], ["confirmed"], {}, "unreviewed\n"]
NO_NOTE: list[Any] = [None, 1, True, [], ["text"], {}, "x" * 501, "é" * 501, "\U0001f600" * 501]


def respelled(event_id: str) -> list[str]:
    """Return other spellings of the id."""
    return [
        event_id.upper(),
        event_id.replace("-", ""),
        f"{{{event_id}}}",
        f"urn:uuid:{event_id}",
        f"{event_id}%0A",
        f"{event_id}/",
    ]


def test_a_review_is_returned_and_stored(travel: time_machine.Traveller, console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)

    answer = console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": "She says it was not her."})

    assert answer.data == {
        "id": anomaly,
        "status": "confirmed",
        "note": "She says it was not her.",
        "reviewer_id": console.user_id,
        "updated_at": "2026-03-10T12:00:00.000000Z",
    }
    (listed,) = console.get("/anomalies", {"status": "confirmed"}).data["anomalies"]
    assert {name: listed[name] for name in answer.data} == answer.data


def test_a_credential_stuffing_report_can_be_reviewed(console: Console) -> None:
    assert console.put(f"/anomalies/{spray()}", {"status": "dismissed"}).data["status"] == "dismissed"


def test_a_later_review_replaces_an_earlier_one(
    travel: time_machine.Traveller, console: Console, alice: Person, bob: Person
) -> None:
    anomaly = guess_at(alice)
    console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": "first"})
    travel.shift(timedelta(minutes=1))

    second = Console(operator(bob)).put(f"/anomalies/{anomaly}", {"status": "dismissed", "note": "second"})

    assert second.data == {
        "id": anomaly,
        "status": "dismissed",
        "note": "second",
        "reviewer_id": bob.user_id,
        "updated_at": "2026-03-10T12:01:00.000000Z",
    }
    assert Review.objects.count() == 1


def test_a_review_can_be_withdrawn(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)
    console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": "hasty"})

    withdrawn = console.put(f"/anomalies/{anomaly}", {"status": "unreviewed"}).data

    assert (withdrawn["status"], withdrawn["note"], withdrawn["reviewer_id"]) == ("unreviewed", "", console.user_id)
    assert console.get("/anomalies", {"status": "confirmed"}).data["anomalies"] == []
    (listed,) = console.get("/anomalies", {"status": "unreviewed"}).data["anomalies"]
    assert {name: listed[name] for name in withdrawn} == withdrawn


def test_an_omitted_note_clears_the_earlier_one(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)
    console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": "something"})

    assert console.put(f"/anomalies/{anomaly}", {"status": "confirmed"}).data["note"] == ""


@pytest.mark.parametrize("note", ["", " ", "x" * 500, "\U0001f600" * 500, "two\nlines\t<b>", "'; DROP TABLE"])
def test_a_note_is_a_text_of_at_most_500_characters(console: Console, alice: Person, note: str) -> None:
    anomaly = guess_at(alice)

    assert console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": note}).data["note"] == note


@each("note", NO_NOTE)
def test_an_invalid_note_gets_its_own_code(console: Console, alice: Person, note: Any) -> None:
    anomaly = guess_at(alice)

    assert console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": note}).code == "invalid_review_note"
    assert not Review.objects.exists()


@each("status", NO_STATUS)
def test_an_invalid_status_gets_its_own_code(console: Console, alice: Person, status: Any) -> None:
    anomaly = guess_at(alice)

    assert console.put(f"/anomalies/{anomaly}", {"status": status}).code == "invalid_review_status"
    assert not Review.objects.exists()


@pytest.mark.parametrize("body", [None, {}, {"note": "text"}, {"Status": "confirmed"}])
def test_the_status_is_required(console: Console, alice: Person, body: Any) -> None:
    assert console.put(f"/anomalies/{guess_at(alice)}", body).code == "invalid_review_status"


@pytest.mark.parametrize("raw", [b"{", b"[]", b"null", b'{"status": "confirmed", "note": "\\ud800"}'])
def test_a_body_other_than_a_json_object_is_malformed(console: Console, alice: Person, raw: bytes) -> None:
    assert console.send("PUT", f"/anomalies/{guess_at(alice)}", raw).code == "bad_request"


@pytest.mark.parametrize("event_id", ["0199f3a2-7c11-7abc-8def-0123456789ab", "4711", "nonsense", "%00", "%20"])
def test_an_unknown_event_is_not_found(console: Console, event_id: str) -> None:
    assert console.put(f"/anomalies/{event_id}", {"status": "confirmed"}).code == "audit_event_not_found"


def test_an_id_in_another_spelling_is_not_found(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)

    codes = [console.put(f"/anomalies/{text}", {"status": "confirmed"}).code for text in respelled(anomaly)]

    # A path with a slash at the end is an unknown route.
    assert codes == ["audit_event_not_found"] * 5 + ["not_found"]


def test_an_event_of_another_type_is_not_found(console: Console, alice: Person) -> None:
    lock(alice)

    for event in Event.objects.exclude(type__in=["anomaly_detected", "credential_stuffing_detected"]):
        answer = console.put(f"/anomalies/{event.pk}", {"status": "confirmed"})
        assert answer.code == "audit_event_not_found", event.type
    assert not Review.objects.exists()


def test_an_event_that_was_pruned_meanwhile_is_not_found(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)
    Event.objects.filter(pk=anomaly).delete()

    assert console.put(f"/anomalies/{anomaly}", {"status": "confirmed"}).code == "audit_event_not_found"


def test_the_reviewer_is_the_user_of_the_access_token(console: Console, alice: Person, bob: Person) -> None:
    anomaly, other = guess_at(alice), str(new_id())
    body = {
        "status": "confirmed",
        "reviewer_id": bob.user_id,
        "reviewer": bob.user_id,
        "user_id": bob.user_id,
        "id": other,
        "event_id": other,
        "updated_at": "2020-01-01T00:00:00Z",
    }

    answer = console.put(f"/anomalies/{anomaly}", body).data

    assert (answer["id"], answer["reviewer_id"]) == (anomaly, console.user_id)
    assert answer["updated_at"] > "2026"
    assert [str(review.pk) for review in Review.objects.all()] == [anomaly]


def test_a_confirmed_review_does_not_change_the_account(console: Console, alice: Person) -> None:
    session = alice.log_in()
    anomaly = guess_at(alice)
    before, events = alice.account(), Event.objects.filter(user_id=alice.user_id).count()

    console.put(f"/anomalies/{anomaly}", {"status": "confirmed"})

    after = alice.account()
    fields = [field.attname for field in after._meta.concrete_fields]
    assert [getattr(after, name) for name in fields] == [getattr(before, name) for name in fields]
    assert Event.objects.filter(user_id=alice.user_id).count() == events
    assert session.is_live()


@pytest.mark.parametrize("status", ["confirmed", "dismissed", "unreviewed"])
def test_a_reviewed_event_is_never_pruned(console: Console, alice: Person, bob: Person, status: str) -> None:
    reviewed, other = _old_anomaly(alice.user_id), _old_anomaly(bob.user_id)
    console.put(f"/anomalies/{reviewed}", {"status": status})

    list(prune(now=now()))

    assert Event.objects.filter(pk=reviewed).exists()
    assert not Event.objects.filter(pk=other).exists()
    assert console.put(f"/anomalies/{reviewed}", {"status": "confirmed"}).status == 200


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
def test_a_review_accepts_only_put(console: Console, alice: Person, method: str) -> None:
    answer = console.call(method, f"/anomalies/{guess_at(alice)}", {"status": "confirmed"})

    assert (answer.code, answer.headers["Allow"]) == ("method_not_allowed", "PUT")


def _old_anomaly(user_id: str) -> str:
    then = now() - timedelta(days=500)
    return str(EventFactory.create(type="anomaly_detected", user_id=user_id, created_at=then).pk)
