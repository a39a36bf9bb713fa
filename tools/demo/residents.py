"""The users of the demo. Their addresses and networks are reserved for documentation or for private use."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from core.db.ids import first_id

EARLIER = timedelta(days=150)
"""The time before the demo's first day in which the oldest users signed up."""

_FIRST = [
    "ada",
    "alan",
    "amara",
    "anna",
    "arjun",
    "bela",
    "carla",
    "chen",
    "dana",
    "diego",
    "elif",
    "emil",
    "erik",
    "fatima",
    "felix",
    "grace",
    "hana",
    "hugo",
    "ines",
    "ivan",
    "jana",
    "jonas",
    "kai",
    "kenji",
    "lara",
    "leila",
    "liam",
    "lina",
    "luca",
    "maja",
    "marco",
    "maria",
    "mei",
    "mila",
    "nadia",
    "nico",
    "nina",
    "noah",
    "olga",
    "omar",
    "paul",
    "priya",
    "rosa",
    "ruth",
    "sara",
    "sofia",
    "tariq",
    "tom",
    "uma",
    "vera",
    "viktor",
    "yara",
    "yuki",
    "zoe",
]
_LAST = [
    "adeyemi",
    "bauer",
    "becker",
    "bianchi",
    "castro",
    "chen",
    "costa",
    "demir",
    "dubois",
    "eriksen",
    "fischer",
    "garcia",
    "haddad",
    "hansen",
    "horvat",
    "ito",
    "jansen",
    "kaya",
    "keller",
    "kim",
    "kovacs",
    "kumar",
    "larsen",
    "lopez",
    "martin",
    "meyer",
    "moreau",
    "muller",
    "nakamura",
    "novak",
    "nowak",
    "okafor",
    "olsen",
    "patel",
    "perez",
    "petrov",
    "popov",
    "ricci",
    "rossi",
    "sato",
    "schmidt",
    "silva",
    "singh",
    "smith",
    "sokolov",
    "tanaka",
    "toth",
    "vogel",
    "weber",
    "wagner",
    "yilmaz",
    "zhang",
]
_DOMAINS = ("example.com", "example.com", "example.org", "example.net")

_DEVICES = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Edg/141.0.0.0",
)


_PROVIDERS = {0: "google", 1: "google", 2: "google", 3: "github", 4: "microsoft"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A device in a network, from which a request comes."""

    ip: str
    user_agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A user of the demo. `activity` is the probability of a visit on a working day."""

    id: uuid.UUID
    email: str
    created_at: datetime
    places: Sequence[Place]
    activity: float

    @property
    def provider(self) -> str:
        """The provider by which a quarter of the users sign in instead of their password, or ""."""
        return _PROVIDERS.get(self.id.int % 20, "")


def id_at(moment: datetime, random: Random) -> uuid.UUID:
    """Return a random id that sorts by the moment, as the service's ids do."""
    return uuid.UUID(int=first_id(moment).int | random.getrandbits(12) << 64 | random.getrandbits(62))


def settle(*, users: int, since: datetime, now: datetime, random: Random) -> list[Resident]:
    """Return the users, the oldest first. The number of sign-ups per day grows until now."""
    start = since - EARLIER
    # The square root of a uniform variable has a density that grows linearly.
    moments = sorted(start + (now - start) * random.random() ** 0.5 for _ in range(users))
    return [
        Resident(
            id=id_at(moment, random),
            email=_address(number, random),
            created_at=moment,
            places=[_place(random) for _ in range(random.choice((1, 1, 2, 2, 3)))],
            activity=min(0.7, random.lognormvariate(-2.4, 0.9)),
        )
        for number, moment in enumerate(moments)
    ]


def foreign_place(random: Random) -> Place:
    """Return a place from which no user of the demo usually comes."""
    return Place(ip=f"192.0.2.{random.randrange(1, 255)}", user_agent=random.choice(_DEVICES))


def _address(number: int, random: Random) -> str:
    # The number keeps the addresses distinct.
    return f"{random.choice(_FIRST)}.{random.choice(_LAST)}{number}@{random.choice(_DOMAINS)}"


def _place(random: Random) -> Place:
    network = random.random()
    if network < 0.15:
        ip = f"2001:db8:{random.getrandbits(16):x}:{random.getrandbits(16):x}::{random.randrange(1, 0xFFFF):x}"
    elif network < 0.35:
        ip = f"198.51.100.{random.randrange(1, 255)}"
    else:
        ip = f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(1, 255)}"
    return Place(ip=ip, user_agent=random.choice(_DEVICES))
