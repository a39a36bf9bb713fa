"""Calls that cause reports of anomalies and credential stuffing."""

from accounts.models import Event
from tests.client import Api
from tests.people import Person

ELSEWHERE = "198.51.100.9"


def guess_at(person: Person) -> str:
    """Fail at the account five times at once; return the id of the anomaly."""
    for _ in range(5):
        person.api.post("/v1/login", {"email": person.email, "password": "wrong"})
    return _last("anomaly_detected")


def spray(*, ip: str = ELSEWHERE) -> str:
    """Fail at ten unknown accounts from one address; return the id of the report."""
    for number in range(10):
        Api(ip=ip).post("/v1/login", {"email": f"nobody{number}@example.com", "password": "wrong"})
    return _last("credential_stuffing_detected")


def _last(event: str) -> str:
    newest = Event.objects.filter(type=event).order_by("-id").first()
    assert newest is not None
    return str(newest.pk)
