"""The world of the unseen questions, stored as the records of a person."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from accounts.models import Account
from askai.ask import read_records
from askai.evaluation.world import World, load_world
from askai.plans.plan import Query
from askai.running.facts import fact_names
from askai.running.results import Result
from askai.settings.dsn import parse_dsn
from askai.settings.stored import DatabaseSettings
from core.db.ids import new_id
from core.keys.jwt import Caller
from events.models import Event
from mfa.models import Passkey, RecoveryBatch, RecoveryCode, Totp
from sessions_app.detection.locations import Location, own_geolocators
from sessions_app.models import Family, Token
from tests.factories import ApiKeyFactory, EventFactory
from tests.people import Person

DAYS = timedelta(days=1)


@dataclass(frozen=True)
class Populated:
    """A person with the records of the world. `names` has the world's name of each id."""

    world: World
    caller: Caller
    names: Mapping[str, str]
    dsn: str

    def read(self, query: Query, *, zone: str = "UTC", max_rows: int = 500) -> list[Result]:
        """Return the results of the query at the world's present moment."""
        database = DatabaseSettings(label="", max_rows=max_rows, dsn=parse_dsn(self.dsn))
        now = self.world.now
        return [*read_records(query, caller=self.caller, zone=ZoneInfo(zone), database=database, now=now).results]


@contextmanager
def populated(person: Person, *, dsn: str) -> Iterator[Populated]:
    """Store the world as the person's records, and register its locations until the end of the block."""
    world = load_world()
    Event.objects.filter(user_id=person.user_id).delete()
    account = person.account()
    names = {str(_add_event(person, world, event).pk): event["id"] for event in world.events}
    tokens = {session["id"]: _add_session(account, world, session) for session in world.sessions}
    names |= {str(token.pk): name for name, token in tokens.items()}
    _add_facts(account, world)
    own = next(tokens[session["id"]] for session in world.sessions if session.get("this"))
    caller = Caller(user_id=person.user_id, token_id=str(own.pk), is_operator=False)
    geolocator = _Geolocator(world.locations)
    own_geolocators.register(geolocator)
    try:
        yield Populated(world=world, caller=caller, names=names, dsn=dsn)
    finally:
        own_geolocators.unregister(geolocator)


@dataclass(frozen=True)
class _Geolocator:
    locations: Mapping[str, Mapping[str, str]]

    def locate(self, *, ip: str) -> Location:
        return Location(**self.locations.get(ip, {}))


def _add_event(person: Person, world: World, event: Mapping[str, Any]) -> Event:
    return EventFactory.create(
        type=event["type"],
        user_id=person.user_id,
        ip=event["ip"],
        user_agent=world.agents[event["agent"]],
        created_at=datetime.fromisoformat(event["created_at"]),
    )


def _add_session(account: Account, world: World, session: Mapping[str, Any]) -> Token:
    started_at = datetime.fromisoformat(session["started_at"])
    ended_at = datetime.fromisoformat(session["ended_at"]) if session["ended_at"] else None
    token_id = new_id()
    family = Family.objects.create(
        account=account,
        current_token_id=token_id,
        started_at=started_at,
        idle_expires_at=world.now + 30 * DAYS,
        absolute_expires_at=world.now + 90 * DAYS,
        revoked_at=ended_at,
    )
    return Token.objects.create(
        id=token_id,
        family=family,
        digest=uuid4().bytes * 2,
        ip=session["ip"],
        user_agent=world.agents[session["agent"]],
        created_at=started_at,
    )


def _add_facts(account: Account, world: World) -> None:
    facts, then = world.facts, world.now - 30 * DAYS
    assert set(facts) <= set(fact_names())
    account.email_proven_at = then if facts["address_proven"] else None
    account.locked_until = world.now + DAYS if facts["locked"] else None
    account.save()
    if facts["totp"]:
        Totp.objects.create(account=account, secret=b"", created_at=then, confirmed_at=then)
    for number in range(facts["passkey"]):
        Passkey.objects.create(
            account=account,
            credential_id=number.to_bytes(16),
            public_key=b"",
            sign_count=0,
            transports=[],
            aaguid=uuid4(),
            is_backup_eligible=False,
            is_backed_up=False,
            nickname="Laptop",
            created_at=then,
        )
    batch = RecoveryBatch.objects.create(account=account, pepper=b"", created_at=then)
    for number in range(facts["recovery_code"]):
        RecoveryCode.objects.create(batch=batch, digest=number.to_bytes(32))
    for _ in range(facts["api_keys"]):
        ApiKeyFactory.create(account=account, created_at=then)
