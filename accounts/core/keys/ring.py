"""The keys that sign access tokens: a ring of next, active and retired keys in one JWK set file (RFC 7517).

Every key carries its own times, under the names that OpenID Federation gives them in a JWK: `iat`, published since;
`nbf`, signs from; `exp`, published until. What a key is at a given moment follows from them, so a rotation goes its
way without a timer, and the same way in every process that reads the file.
"""

import fcntl
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from ..conf import core

logger = logging.getLogger("authsvc.keyring")

Jwk: TypeAlias = ECKey | OKPKey | RSAKey

JWKS_MAX_AGE = timedelta(seconds=300)
"""How long others may keep a copy of the published keys."""

PUBLICATION_LEAD = JWKS_MAX_AGE + timedelta(seconds=60)
"""How long a next key is published before it signs: every copy is younger then, slow clocks and reloads included."""

RECHECK_AFTER = timedelta(seconds=1)
RSA_MIN_BITS = 2048
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_TYPES: Mapping[str, type[Jwk]] = {"ES256": ECKey, "Ed25519": OKPKey, "RS256": RSAKey}
_GENERATORS: Mapping[str, Callable[[], Jwk]] = {
    "ES256": lambda: ECKey.generate_key("P-256"),
    "Ed25519": lambda: OKPKey.generate_key("Ed25519"),
    "RS256": lambda: RSAKey.generate_key(RSA_MIN_BITS),
}
_registry = JWSRegistry(algorithms=list(_TYPES))


class State(Enum):
    """NEXT: published, signs later. ACTIVE: signs. RETIRED: published for what it signed. EXPIRED: good for nothing."""

    NEXT = "next"
    ACTIVE = "active"
    RETIRED = "retired"
    EXPIRED = "expired"


class RefusedChange(Exception):
    """The ring stays as it is; the text tells an operator why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """A key pair, its algorithm and its times in whole seconds. `retires_at` is None until it has a successor."""

    kid: str
    algorithm: str
    jwk: Jwk = field(repr=False)
    published_at: datetime
    active_at: datetime
    retires_at: datetime | None

    def sign(self, message: bytes) -> bytes:
        """Return the signature as a JWS carries it (RFC 7518, section 3)."""
        return _registry.get_alg(self.algorithm).sign(message, self.jwk)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Tell whether the signature is this key's, under this key's own algorithm."""
        return _registry.get_alg(self.algorithm).verify(message, signature, self.jwk)

    def is_published(self, *, now: datetime) -> bool:
        """Tell whether what the key signs, or signed, still counts."""
        return self.retires_at is None or now < self.retires_at

    def public_jwk(self) -> dict[str, Any]:
        """Return the JWK for everybody to see."""
        return {**self.jwk.as_dict(private=False), **self._names()}

    def private_jwk(self) -> dict[str, Any]:
        """Return the JWK for the file: private members and times included."""
        times = {"iat": self.published_at, "nbf": self.active_at, "exp": self.retires_at}
        stamps = {name: int(moment.timestamp()) for name, moment in times.items() if moment}
        return {**self.jwk.as_dict(private=True), **self._names(), **stamps}

    def _names(self) -> dict[str, str]:
        return {"kid": self.kid, "use": "sig", "alg": self.algorithm}


@dataclass(frozen=True, slots=True)
class Ring:
    """The keys in the order in which they succeed each other; at least one, and the last has no `retires_at`."""

    keys: tuple[SigningKey, ...]

    def active_key(self, *, now: datetime) -> SigningKey:
        """Return the key that signs at the moment."""
        return self.keys[self._turn(now)]

    def published_keys(self, *, now: datetime) -> tuple[SigningKey, ...]:
        """Return the keys whose signatures count at the moment, those that sign only later included."""
        return tuple(key for key in self.keys if key.is_published(now=now))

    def state_of(self, key: SigningKey, *, now: datetime) -> State:
        """Return what the key of this ring is at the moment."""
        if not key.is_published(now=now):
            return State.EXPIRED
        place = self.keys.index(key) - self._turn(now)
        return State.ACTIVE if place == 0 else State.NEXT if place > 0 else State.RETIRED

    def _turn(self, now: datetime) -> int:
        # The order is that of the file, and the first key needs no leave to sign: clocks differ between machines and
        # can be set back, which must neither put a successor before its predecessor nor leave nobody to sign.
        return max((place for place, key in enumerate(self.keys) if key.active_at <= now), default=0)


def current_ring(*, now: datetime) -> Ring:
    """Return the ring as the file had it a second ago at most. A missing file is made.

    Raises ImproperlyConfigured when the file is of no use and no ring of it was ever read; later on, the ring that was
    read last stays in use and a warning is logged.
    """
    return _file_named(core().signing_keys_file).current(now=now)


def recheck_ring(*, now: datetime) -> Ring:
    """Return the ring as the file has it at this moment, at the price of one `stat`; else like `current_ring`."""
    return _file_named(core().signing_keys_file).recheck(now=now)


def ensure_ring(*, now: datetime) -> None:
    """Make the ring with one active key if there is none; of all who try at once, one does.

    Raises ImproperlyConfigured when the file is of no use or cannot be made.
    """
    recheck_ring(now=now)


def read_ring() -> Ring:
    """Return what the file holds. Raises ImproperlyConfigured when it is missing or of no use."""
    return _read(_path())


def rotate(*, now: datetime) -> Ring:
    """Publish a next key, which becomes the active one by itself, and let the present one retire after that.

    The old key stays published for as long as a token that it signed can live, given the present ACCESS_TOKEN_SECONDS,
    and a copy of the published keys can be kept. Expired keys leave the file. A ring that is not there yet begins with
    an active key. Raises RefusedChange while a next key waits: replacing it would put its turn off, and whoever rotates
    more often than every six minutes would never get a new active key.
    """

    def step(keys: tuple[SigningKey, ...]) -> tuple[SigningKey, ...]:
        if keys and (last := keys[-1]).active_at > now:
            raise RefusedChange(
                f"Key {last.kid} waits for its turn already; it signs from {last.active_at:%Y-%m-%dT%H:%M:%SZ}. "
                "Wait for that, or retire it first."
            )
        return _succeed(keys, _new_key(published_at=now, active_at=now + PUBLICATION_LEAD if keys else now))

    return _change(step, now=now)


def rotate_at_once(*, now: datetime) -> Ring:
    """Make a new key the active one now; else like `rotate`.

    A key that waits for its turn is discarded, since it was in the same file as the one that is being replaced; it
    has signed nothing. Who verifies with a copy of the published keys refuses new tokens until the copy is renewed.
    """

    def step(keys: tuple[SigningKey, ...]) -> tuple[SigningKey, ...]:
        kept = tuple(key for key in keys if Ring(keys).state_of(key, now=now) is not State.NEXT)
        return _succeed(kept, _new_key(published_at=now, active_at=now))

    return _change(step, now=now)


def retire(*, kid: str, now: datetime) -> Ring:
    """Take the key away at once, and with it the validity of all that it signed.

    Raises RefusedChange when there is no such key and when it is the active one.
    """

    def step(keys: tuple[SigningKey, ...]) -> tuple[SigningKey, ...]:
        if kid not in {key.kid for key in keys}:
            raise RefusedChange(f"There is no key {kid} in the ring.")
        if kid == Ring(keys).active_key(now=now).kid:
            raise RefusedChange(
                f"Key {kid} is the active one, and without it nobody could sign in. "
                "Replace it with `signing_keys rotate --now`, then retire it."
            )
        *others, last = (key for key in keys if key.kid != kid)
        # The active key was to retire in favour of a next one that is no more.
        return (*others, replace(last, retires_at=None))

    return _change(step, now=now)


def find_exposure() -> str | None:
    """Return a sentence when others than the file's owner have rights on it, None when not or when there is no file."""
    path = _path()
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        return None
    if not mode & 0o077:
        return None
    return f"SIGNING_KEYS_FILE: {path} is open to others than its owner (mode {mode:o}); run `chmod 600` on it."


class _RingFile:
    """The ring of one file as this process knows it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.ring: Ring | None = None
        self.stamp: tuple[int, int, int] | None = None
        self.checked_at = datetime.min.replace(tzinfo=UTC)
        self.complaint = ""

    def current(self, *, now: datetime) -> Ring:
        ring = self.ring
        # The distance, not the order: requests do not get here in the order of their `now`.
        if ring is None or abs(now - self.checked_at) >= RECHECK_AFTER:
            return self.recheck(now=now)
        return ring

    def recheck(self, *, now: datetime) -> Ring:
        self.checked_at = now
        with self.lock:
            if self.ring is None:
                _create(self.path, now=now)
            # Taken before the reading: should the file change in between, the next check reads it again.
            stamp = _stamp(self.path)
            if self.ring is None or stamp != self.stamp:
                self.ring = self._load(self.ring)
                self.stamp = None if self.complaint else stamp
            return self.ring

    def _load(self, last: Ring | None) -> Ring:
        try:
            ring = _read(self.path)
        except ImproperlyConfigured as error:
            if last is None:
                raise
            if str(error) != self.complaint:
                self.complaint = str(error)
                logger.warning("the signing keys that were read last stay in use", extra={"reason": str(error)})
            return last
        self.complaint = ""
        return ring


@cache
def _file_named(name: str) -> _RingFile:
    return _RingFile(_path_of(name))


# A lock that another thread holds at the moment of a fork would stay locked in the child.
os.register_at_fork(after_in_child=_file_named.cache_clear)


def _path() -> Path:
    return _path_of(core().signing_keys_file)


def _path_of(name: str) -> Path:
    return Path(getattr(settings, "BASE_DIR", ""), name)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _new_key(*, published_at: datetime, active_at: datetime) -> SigningKey:
    algorithm = core().token_algorithm
    return SigningKey(
        # No thumbprint: people type it behind `retire`, where base64url's leading dash would be an option.
        kid=secrets.token_hex(8),
        algorithm=algorithm,
        jwk=_GENERATORS[algorithm](),
        published_at=published_at.replace(microsecond=0),
        active_at=active_at.replace(microsecond=0),
        retires_at=None,
    )


def _succeed(keys: tuple[SigningKey, ...], successor: SigningKey) -> tuple[SigningKey, ...]:
    if not keys:
        return (successor,)
    needed = timedelta(seconds=core().access_token_seconds) + JWKS_MAX_AGE
    return (*keys[:-1], replace(keys[-1], retires_at=successor.active_at + needed), successor)


def _change(step: Callable[[tuple[SigningKey, ...]], tuple[SigningKey, ...]], *, now: datetime) -> Ring:
    path = _path()
    with _writing(path):
        changed = step(_read(path).keys if path.exists() else ())
        ring = Ring(tuple(key for key in changed if key.is_published(now=now)))
        _replace(path, ring)
    return ring


def _create(path: Path, *, now: datetime) -> None:
    if path.exists():
        return
    with _writing(path):
        if not path.exists():
            _replace(path, Ring((_new_key(published_at=now, active_at=now),)))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Hold the ring's lock, a file beside it: the ring's own is replaced, and a lock on it would go with it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} cannot be written: {error.strerror}.") from error


def _replace(path: Path, ring: Ring) -> None:
    """Put the ring in the file's place; whatever happens, readers find the old one or the new one, and it is whole."""
    fresh = path.with_name(f"{path.name}.new")
    # Left behind by a crash: the lock says that nobody else is at it.
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        if os.geteuid() == 0 and path.exists():
            # Who rotates as root must not lock out the account that serves.
            os.fchown(file.fileno(), path.stat().st_uid, path.stat().st_gid)
        file.write(orjson.dumps({"keys": [key.private_jwk() for key in ring.keys]}, option=orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _read(path: Path) -> Ring:
    try:
        return _parse(path.read_bytes())
    except OSError as error:
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} is no set of signing keys: {error}.") from None


def _parse(content: bytes) -> Ring:
    """Return the ring of the JWK set. A ValueError says what is wrong, quotes nothing secret and has no cause."""
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise ValueError("it is not JSON") from None
    match document:
        case {"keys": [_, *_] as entries}:
            keys = [_parse_key(entry, place=place) for place, entry in enumerate(entries, start=1)]
        case _:
            raise ValueError("it has no keys")
    if len({key.kid for key in keys}) < len(keys):
        raise ValueError("two of its keys have the same kid")
    if keys[-1].retires_at:
        raise ValueError(f"key {keys[-1].kid} has an exp, but no key follows it")
    return Ring(tuple(keys))


def _parse_key(entry: Any, *, place: int) -> SigningKey:
    match entry:
        case {"kid": str(kid), "alg": str(algorithm)} if kid and algorithm in _TYPES:
            pass
        case _:
            raise ValueError(f"key {place} needs a kid, and an alg out of {', '.join(_TYPES)}")
    try:
        return SigningKey(
            kid=kid,
            algorithm=algorithm,
            jwk=_parse_jwk(entry, algorithm=algorithm),
            published_at=_moment(entry.get("iat", 0)),
            active_at=_moment(entry.get("nbf", 0)),
            retires_at=_moment(entry["exp"]) if "exp" in entry else None,
        )
    except (JoseError, ValueError, TypeError, LookupError, OverflowError):
        raise ValueError(f"key {kid} is not a private {algorithm} key with whole seconds in iat, nbf and exp") from None


def _parse_jwk(entry: dict[str, Any], *, algorithm: str) -> Jwk:
    kind = _TYPES[algorithm]
    if entry.get("kty") != kind.key_type:
        raise ValueError
    # Nothing else of the entry goes along: whatever stands in the key would be published with it.
    jwk = kind.import_key({name: entry[name] for name in ("kty", *kind.value_registry) if name in entry})
    _registry.get_alg(algorithm).check_key(jwk)
    if not jwk.is_private or (isinstance(jwk, RSAKey) and jwk.raw_value.key_size < RSA_MIN_BITS):
        raise ValueError
    return jwk


def _moment(seconds: object) -> datetime:
    if type(seconds) is not int:
        raise TypeError
    # Not `fromtimestamp`, which has an OSError for what does not fit: that would pass for an unreadable file.
    return EPOCH + timedelta(seconds=seconds)
