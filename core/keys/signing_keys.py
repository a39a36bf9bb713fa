"""The keys that sign tokens, with their times, their states and their form as a JWK (RFC 7517).

Every key has three times, with the names that OpenID Federation uses in a JWK. A key is published since `iat`, signs
from `nbf` on, and is published until `exp`. The state of a key follows from these times. Therefore a rotation needs no
timer, and every process that reads the file finds the same state.
"""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .key_pairs import KeyPair

RS256 = "RS256"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class State(Enum):
    """The state of a signing key.

    NEXT: published, but signs later. ACTIVE: signs new tokens. RETIRED: published, so that its tokens stay valid.
    EXPIRED: not published, so that its tokens are not valid.
    """

    NEXT = "next"
    ACTIVE = "active"
    RETIRED = "retired"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """A key pair with its algorithm and its times in whole seconds.

    `retires_at` is None until the key has a successor.
    """

    kid: str
    algorithm: str
    pair: "KeyPair" = field(repr=False)
    published_at: datetime
    active_at: datetime
    retires_at: datetime | None

    def sign(self, message: bytes) -> bytes:
        """Return the signature in the format of a JWS (RFC 7518, section 3)."""
        return self.pair.sign(message)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Return whether this key made the signature with its own algorithm."""
        return self.pair.has_signed(message, signature)

    def is_published(self, *, now: datetime) -> bool:
        """Return whether the key is published, so that its signatures are valid."""
        return self.retires_at is None or now < self.retires_at

    def public_jwk(self) -> dict[str, Any]:
        """Return the JWK with public members only."""
        return {**self.pair.jwk.as_dict(private=False), **self._public_members()}

    def private_jwk(self) -> dict[str, Any]:
        """Return the JWK for the file, with the private members and the times."""
        times = {"iat": self.published_at, "nbf": self.active_at, "exp": self.retires_at}
        stamps = {name: int(moment.timestamp()) for name, moment in times.items() if moment}
        return {**self.pair.jwk.as_dict(private=True), **self._public_members(), **stamps}

    def _public_members(self) -> dict[str, str]:
        return {"kid": self.kid, "use": "sig", "alg": self.algorithm}


Keys: TypeAlias = tuple[SigningKey, ...]
"""Keys in the order of their succession. The last key has no `retires_at`."""


@dataclass(frozen=True, slots=True)
class Ring:
    """The keys of access tokens, at least one, and the RS256 keys of ID tokens, which can be none."""

    keys: Keys
    id_token_keys: Keys = ()

    @property
    def all_keys(self) -> Keys:
        """The keys of both successions."""
        return self.keys + self.id_token_keys

    def active_key(self, *, now: datetime) -> SigningKey:
        """Return the key that signs access tokens at the time `now`."""
        return self.keys[_active_index(self.keys, now)]

    def active_rs256_key(self, *, now: datetime) -> SigningKey | None:
        """Return the key that signs with RS256 at the time `now`, or None. It can be the key of access tokens."""
        if (active := self.active_key(now=now)).algorithm == RS256:
            return active
        return self.id_token_keys[_active_index(self.id_token_keys, now)] if self.id_token_keys else None

    def published_keys(self, *, now: datetime) -> Keys:
        """Return the keys whose signatures are valid at the time `now`, including keys that sign later."""
        return tuple(key for key in self.all_keys if key.is_published(now=now))

    def state_of(self, key: SigningKey, *, now: datetime) -> State:
        """Return the state of a key of this ring at the time `now`."""
        if not key.is_published(now=now):
            return State.EXPIRED
        keys = self.keys if key in self.keys else self.id_token_keys
        offset = keys.index(key) - _active_index(keys, now)
        return State.ACTIVE if offset == 0 else State.NEXT if offset > 0 else State.RETIRED


def _active_index(keys: Keys, now: datetime) -> int:
    # The file fixes the order, and the first key may sign even before its `active_at`. Clocks differ between machines and
    # can be set back. A slow clock must not reorder the keys, and one key must always be active.
    return max((index for index, key in enumerate(keys) if key.active_at <= now), default=0)


def new_key(algorithm: str, *, published_at: datetime, active_at: datetime) -> SigningKey:
    """Return a new key. A fraction of a second is cut off from its times."""
    from .key_pairs import new_pair  # noqa: PLC0415 - most commands of manage.py use no key, and the library is large

    return SigningKey(
        # The kid is not a thumbprint, because an operator types it after `retire`. A thumbprint in base64url can start
        # with a dash, and the command would read it as an option.
        kid=secrets.token_hex(8),
        algorithm=algorithm,
        pair=new_pair(algorithm),
        published_at=published_at.replace(microsecond=0),
        active_at=active_at.replace(microsecond=0),
        retires_at=None,
    )


def parse_key(entry: Any, *, index: int) -> SigningKey:
    """Return the key of a JWK, which is entry number `index` of its set, from 1 on.

    Raises ValueError when the entry is not valid. The message states the fault and contains no secret. The error has no
    cause, because a cause could contain a secret.
    """
    from .key_pairs import ALGORITHMS, parse_pair  # noqa: PLC0415 - as in `new_key`

    match entry:
        case {"kid": str(kid), "alg": str(algorithm)} if kid and algorithm in ALGORITHMS:
            pass
        case _:
            raise ValueError(f"key {index} needs a kid, and an alg that is one of {', '.join(ALGORITHMS)}")
    try:
        return SigningKey(
            kid=kid,
            algorithm=algorithm,
            pair=parse_pair(entry, algorithm=algorithm),
            published_at=_moment(entry.get("iat", 0)),
            active_at=_moment(entry.get("nbf", 0)),
            retires_at=_moment(entry["exp"]) if "exp" in entry else None,
        )
    except (ValueError, TypeError, LookupError, OverflowError):
        raise ValueError(f"key {kid} is not a private {algorithm} key with whole seconds in iat, nbf and exp") from None


def _moment(seconds: object) -> datetime:
    if type(seconds) is not int:
        raise TypeError
    # `fromtimestamp` can raise OSError for large numbers, and the caller would report an unreadable file.
    return EPOCH + timedelta(seconds=seconds)
