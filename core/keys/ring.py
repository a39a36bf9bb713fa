"""The keys that sign tokens: next, active and retired keys in one JWK set file (RFC 7517).

Every key has three times, with the names that OpenID Federation uses in a JWK. A key is published since `iat`, signs
from `nbf` on, and is published until `exp`. The state of a key follows from these times. Therefore a rotation needs no
timer, and every process that reads the file finds the same state.

The member `keys` of the file has the keys of access tokens. The member `id_token_keys` has RS256 keys for the ID tokens of
the applications that demand this algorithm. It is missing until the first of them needs a key. A process of a release
that does not know this member still reads the file.
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

from ..conf import core_settings
from ..watched_file import WatchedFile

logger = logging.getLogger("authsvc.keyring")

Jwk: TypeAlias = ECKey | OKPKey | RSAKey

JWKS_MAX_AGE = timedelta(seconds=300)
"""The longest time that other services may cache the published keys."""

PUBLICATION_LEAD = JWKS_MAX_AGE + timedelta(seconds=60)
"""The time between the publication of a key and its first signature.

No cached copy of the keys is older than this time, even with slow clocks and slow reloads. Therefore every cached copy
contains the key when the key starts to sign.
"""

RECHECK_INTERVAL = timedelta(seconds=1)
RSA_MIN_BITS = 2048
RS256 = "RS256"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_TYPES: Mapping[str, type[Jwk]] = {"ES256": ECKey, "Ed25519": OKPKey, "RS256": RSAKey}
_GENERATORS: Mapping[str, Callable[[], Jwk]] = {
    "ES256": lambda: ECKey.generate_key("P-256"),
    "Ed25519": lambda: OKPKey.generate_key("Ed25519"),
    "RS256": lambda: RSAKey.generate_key(RSA_MIN_BITS),
}
_registry = JWSRegistry(algorithms=list(_TYPES))


class State(Enum):
    """The state of a signing key.

    NEXT: published, but signs later. ACTIVE: signs new tokens. RETIRED: published, so that its tokens stay valid.
    EXPIRED: not published, so that its tokens are not valid.
    """

    NEXT = "next"
    ACTIVE = "active"
    RETIRED = "retired"
    EXPIRED = "expired"


class RefusedChange(Exception):
    """The change was refused, and the ring is unchanged. The message states the reason for an operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """A key pair with its algorithm and its times in whole seconds.

    `retires_at` is None until the key has a successor.
    """

    kid: str
    algorithm: str
    jwk: Jwk = field(repr=False)
    published_at: datetime
    active_at: datetime
    retires_at: datetime | None

    def sign(self, message: bytes) -> bytes:
        """Return the signature in the format of a JWS (RFC 7518, section 3)."""
        return _registry.get_alg(self.algorithm).sign(message, self.jwk)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Return whether this key made the signature with its own algorithm."""
        return _registry.get_alg(self.algorithm).verify(message, signature, self.jwk)

    def is_published(self, *, now: datetime) -> bool:
        """Return whether the key is published, so that its signatures are valid."""
        return self.retires_at is None or now < self.retires_at

    def public_jwk(self) -> dict[str, Any]:
        """Return the JWK with public members only."""
        return {**self.jwk.as_dict(private=False), **self._public_members()}

    def private_jwk(self) -> dict[str, Any]:
        """Return the JWK for the file, with the private members and the times."""
        times = {"iat": self.published_at, "nbf": self.active_at, "exp": self.retires_at}
        stamps = {name: int(moment.timestamp()) for name, moment in times.items() if moment}
        return {**self.jwk.as_dict(private=True), **self._public_members(), **stamps}

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


def current_ring(*, now: datetime) -> Ring:
    """Return the ring of the file. The process checks the file for changes about once a second.

    A missing file is created if this process has not read a ring before. Raises ImproperlyConfigured when this process
    has never read a ring and the file is not valid or cannot be created. If the file is not valid later, the last valid
    ring stays in use and a warning is logged.
    """
    return _file_named(core_settings().signing_keys_file).current(now=now)


def recheck_ring(*, now: datetime) -> Ring:
    """Return the current ring of the file. The call checks the file with one `stat`.

    The call otherwise behaves like `current_ring`.
    """
    return _file_named(core_settings().signing_keys_file).recheck(now=now)


def ensure_ring(*, now: datetime) -> None:
    """Ensure that a ring exists. If the file is missing, exactly one process creates it, with one active key.

    Raises ImproperlyConfigured when the file is not valid or cannot be created, and this process has read no ring yet.
    """
    recheck_ring(now=now)


def read_ring() -> Ring:
    """Return the ring in the file. Raises ImproperlyConfigured when the file is missing or not valid."""
    return _read(ring_path())


def ensure_rs256_key(*, now: datetime) -> SigningKey:
    """Return the key that signs with RS256. If there is none, exactly one process makes it, and it signs at once.

    Raises ImproperlyConfigured when the file is not valid or cannot be written.
    """
    key = current_ring(now=now).active_rs256_key(now=now)
    if key is None:
        _change(lambda ring: ring if ring.active_rs256_key(now=now) else _with_id_token_key(ring, now=now), now=now)
        key = recheck_ring(now=now).active_rs256_key(now=now)
    assert key is not None  # noqa: S101 - the change has made it, and no other call removes the last key
    return key


def _with_id_token_key(ring: Ring, *, now: datetime) -> Ring:
    return replace(ring, id_token_keys=(_new_key(RS256, published_at=now, active_at=now),))


def rotate(*, now: datetime) -> Ring:
    """Publish a next key, and return the changed ring. The next key becomes active after PUBLICATION_LEAD.

    If the ring has keys of ID tokens, they get a next key too.

    The old key retires when its successor becomes active. It stays published for ACCESS_TOKEN_SECONDS, at their current
    value, plus JWKS_MAX_AGE. So its tokens stay valid for their whole lifetime. The call removes expired keys from the
    file. If there is no ring yet, the call creates one with an active key.

    Raises RefusedChange while a next key is not active yet. Replacing that key would delay the change of the active
    key. An operator who rotates more often than every six minutes would then never get a new active key. Raises
    ImproperlyConfigured when the file is not valid or cannot be written.
    """

    def step(keys: Keys, algorithm: str) -> Keys:
        if keys and (last := keys[-1]).active_at > now:
            raise RefusedChange(
                f"The next key {last.kid} is already published. It becomes active at {last.active_at:%Y-%m-%dT%H:%M:%SZ}. "
                "Wait until then, or retire it first."
            )
        active_at = now + PUBLICATION_LEAD if keys else now
        return _append_successor(keys, _new_key(algorithm, published_at=now, active_at=active_at))

    return _change(lambda ring: _rotated(ring, step), now=now)


def rotate_at_once(*, now: datetime) -> Ring:
    """Make a new key active at once, and return the changed ring. The call otherwise behaves like `rotate`.

    The call discards a next key instead of raising RefusedChange. The reason is that the next key was in the same file
    as the replaced key. A next key has signed nothing. Other services that cache the published keys reject new tokens
    until they renew their copy.
    """

    def step(keys: Keys, algorithm: str) -> Keys:
        kept = tuple(key for key in keys if Ring(keys).state_of(key, now=now) is not State.NEXT)
        return _append_successor(kept, _new_key(algorithm, published_at=now, active_at=now))

    return _change(lambda ring: _rotated(ring, step), now=now)


def _rotated(ring: Ring, step: Callable[[Keys, str], Keys]) -> Ring:
    """Return the ring with a new key in each succession. Keys of ID tokens begin when the first application needs one."""
    id_token_keys = step(ring.id_token_keys, RS256) if ring.id_token_keys else ()
    return Ring(step(ring.keys, core_settings().token_algorithm), id_token_keys)


def retire(*, kid: str, now: datetime) -> Ring:
    """Remove the key at once, and return the changed ring. All tokens that the key signed become invalid.

    Raises RefusedChange when the ring has no such key, and when the key is the active key. Raises ImproperlyConfigured
    when the file is not valid or cannot be written.
    """

    def step(ring: Ring) -> Ring:
        found = next((key for key in ring.all_keys if key.kid == kid), None)
        if found is None:
            raise RefusedChange(f"There is no key {kid}. List the keys with `signing_keys list`.")
        if ring.state_of(found, now=now) is State.ACTIVE:
            raise RefusedChange(
                f"Key {kid} is the active key, and users cannot sign in without an active key. "
                "Replace it with `signing_keys rotate --now`, then retire it."
            )
        return Ring(_without(ring.keys, found), _without(ring.id_token_keys, found))

    return _change(step, now=now)


def _without(keys: Keys, removed: SigningKey) -> Keys:
    if removed not in keys:
        return keys
    *others, last = (key for key in keys if key != removed)
    # If the removed key was the next key, the active key has no successor and must not retire.
    return (*others, replace(last, retires_at=None))


def find_exposure() -> str | None:
    """Return a warning when other users than the file's owner have rights on the file.

    Returns None when only the owner has rights, and when there is no file.
    """
    path = ring_path()
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        return None
    if not mode & 0o077:
        return None
    return (
        f"SIGNING_KEYS_FILE: {path} must be accessible to its owner only, but has mode {mode:o}. Run `chmod 600` on it."
    )


def find_obstacle() -> str | None:
    """Return why this user can neither read the file nor make it, or None. The call changes no file."""
    path = ring_path()
    if os.access(path, os.F_OK):
        try:
            _read(path)
        except ImproperlyConfigured as error:
            return str(error)
        return None
    nearest = next(parent for parent in path.absolute().parents if os.access(parent, os.F_OK))
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return None
    return f"SIGNING_KEYS_FILE: {path} cannot be made, because {nearest} is no directory that this user can write."


class _RingFile:
    """The ring that this process last read from one file."""

    def __init__(self, path: Path) -> None:
        self.file: WatchedFile[Ring] = WatchedFile(path)
        self.lock = threading.Lock()
        self.checked_at = datetime.min.replace(tzinfo=UTC)
        self.last_warning = ""

    def current(self, *, now: datetime) -> Ring:
        ring = self.file.content
        # `now` can be earlier than `checked_at`, because another thread can have checked with a later `now`.
        if ring is None or abs(now - self.checked_at) >= RECHECK_INTERVAL:
            return self.recheck(now=now)
        return ring

    def recheck(self, *, now: datetime) -> Ring:
        self.checked_at = now
        with self.lock:
            if self.file.content is None:
                _create(self.file.path, now=now)
            try:
                ring = self.file.refresh(_read)
            except ImproperlyConfigured as error:
                if self.file.content is None:
                    raise
                self._warn_once(str(error))
                return self.file.content
            self.last_warning = ""
            return ring

    def _warn_once(self, reason: str) -> None:
        """Log the reason as a warning, unless the last warning gave the same reason."""
        if reason != self.last_warning:
            self.last_warning = reason
            logger.warning(
                "the changed signing keys cannot be used, the last ones stay in use", extra={"reason": reason}
            )


@cache
def _file_named(name: str) -> _RingFile:
    return _RingFile(_path_of(name))


# If another thread holds the lock during a fork, the child's copy of the lock would stay locked.
os.register_at_fork(after_in_child=_file_named.cache_clear)


def ring_path() -> Path:
    """Return the path of the file of the ring."""
    return _path_of(core_settings().signing_keys_file)


def _path_of(name: str) -> Path:
    return Path(getattr(settings, "BASE_DIR", ""), name)


def _new_key(algorithm: str, *, published_at: datetime, active_at: datetime) -> SigningKey:
    return SigningKey(
        # The kid is not a thumbprint, because an operator types it after `retire`. A thumbprint in base64url can start
        # with a dash, and the command would read it as an option.
        kid=secrets.token_hex(8),
        algorithm=algorithm,
        jwk=_GENERATORS[algorithm](),
        published_at=published_at.replace(microsecond=0),
        active_at=active_at.replace(microsecond=0),
        retires_at=None,
    )


def _append_successor(keys: Keys, successor: SigningKey) -> Keys:
    if not keys:
        return (successor,)
    needed = timedelta(seconds=core_settings().access_token_seconds) + JWKS_MAX_AGE
    return (*keys[:-1], replace(keys[-1], retires_at=successor.active_at + needed), successor)


def _change(step: Callable[[Ring], Ring], *, now: datetime) -> Ring:
    """Replace the ring by the result of the step, without expired keys. A step gets an empty ring for a missing file."""
    path = ring_path()
    with _locked(path):
        changed = step(_read(path) if path.exists() else Ring(()))
        ring = Ring(
            *(tuple(key for key in keys if key.is_published(now=now)) for keys in (changed.keys, changed.id_token_keys))
        )
        _replace(path, ring)
    return ring


def _create(path: Path, *, now: datetime) -> None:
    # `Path.exists()` raises PermissionError below a directory that this user may not enter.
    if os.access(path, os.F_OK):
        return
    with _locked(path):
        if not path.exists():
            key = _new_key(core_settings().token_algorithm, published_at=now, active_at=now)
            _replace(path, Ring((key,)))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the ring's lock for the duration of the block. Creates the directory of the file if it is missing.

    The lock is on a separate file. A change replaces the ring's file, and would lose a lock on that file. Raises
    ImproperlyConfigured when the block or the lock raises OSError.
    """
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
    """Replace the file by one with this ring. Even after a crash the file contains either the old or the new ring."""
    new_file = path.with_name(f"{path.name}.new")
    # A crash can leave this file behind. This process has the lock, so no other process uses the file.
    new_file.unlink(missing_ok=True)
    with os.fdopen(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        if os.geteuid() == 0 and path.exists():
            # Without this, a rotation as root would make the file unreadable for the user that runs the service.
            os.fchown(file.fileno(), path.stat().st_uid, path.stat().st_gid)
        document = {"keys": [key.private_jwk() for key in ring.keys]}
        if ring.id_token_keys:
            document["id_token_keys"] = [key.private_jwk() for key in ring.id_token_keys]
        file.write(orjson.dumps(document, option=orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
    new_file.replace(path)
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
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} is not a valid set of signing keys: {error}.") from None


def _parse(content: bytes) -> Ring:
    """Return the ring of the JWK set.

    Raises ValueError when the content is not valid. The message states the fault and contains no secret. The error has
    no cause, because a cause could contain a secret.
    """
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise ValueError("the file is not JSON") from None
    match document:
        case {"keys": [_, *_] as entries}:
            ring = Ring(_parse_keys(entries), _parse_keys(document.get("id_token_keys", [])))
        case _:
            raise ValueError("the file contains no keys")
    if len({key.kid for key in ring.all_keys}) < len(ring.all_keys):
        raise ValueError("two keys have the same kid")
    if any(key.algorithm != RS256 for key in ring.id_token_keys):
        raise ValueError(f"a key of id_token_keys is not for {RS256}")
    return ring


def _parse_keys(entries: Any) -> Keys:
    if not isinstance(entries, list):
        raise ValueError("id_token_keys is no list")  # noqa: TRY004 - as every fault of the file
    keys = tuple(_parse_key(entry, index=index) for index, entry in enumerate(entries, start=1))
    if keys and keys[-1].retires_at:
        raise ValueError(f"key {keys[-1].kid} has an exp, but it is the last key")
    return keys


def _parse_key(entry: Any, *, index: int) -> SigningKey:
    match entry:
        case {"kid": str(kid), "alg": str(algorithm)} if kid and algorithm in _TYPES:
            pass
        case _:
            raise ValueError(f"key {index} needs a kid, and an alg that is one of {', '.join(_TYPES)}")
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
    # Other members of the entry are dropped, because the service would publish them with the key.
    jwk = kind.import_key({name: entry[name] for name in ("kty", *kind.value_registry) if name in entry})
    _registry.get_alg(algorithm).check_key(jwk)
    if not jwk.is_private or (isinstance(jwk, RSAKey) and jwk.raw_value.key_size < RSA_MIN_BITS):
        raise ValueError
    return jwk


def _moment(seconds: object) -> datetime:
    if type(seconds) is not int:
        raise TypeError
    # `fromtimestamp` can raise OSError for large numbers, and the caller would report an unreadable file.
    return EPOCH + timedelta(seconds=seconds)
