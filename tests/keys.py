"""API keys: their owners create them, and machines use them."""

from typing import Any

from accounts.models import Event

from .client import Answer, Api
from .people import Person, SignedIn


def make_key(session: SignedIn, **members: Any) -> Any:
    """Create a key and return `data` of the answer. `members` are added to a name."""
    return session.api.post("/v1/api-keys", {"name": "Backup", **members}, token=session.access).data


def verify(key: str, *, api: Api | None = None) -> Answer:
    """Call verify with the key in X-API-Key."""
    return (api or Api()).get("/v1/verify", headers={"X-API-Key": key})


def listed(session: SignedIn) -> Any:
    """Return the caller's keys."""
    return session.api.get("/v1/api-keys", token=session.access).data


def revoke(session: SignedIn, key_id: str) -> Answer:
    """Revoke the key with the id."""
    return session.api.delete(f"/v1/api-keys/{key_id}", token=session.access)


def events(person: Person, kind: str) -> list[Event]:
    """Return the account's events of the type, the oldest first."""
    return list(Event.objects.filter(type=kind, user_id=person.user_id).order_by("id"))


def forged(key: str) -> str:
    """Return another key with the same prefix."""
    return key[:-43] + "A" * 43
