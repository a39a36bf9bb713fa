"""The ring of the keys that sign tokens: next, active and retired keys. Every process follows the changes of its file."""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from ..conf import core_settings
from ..watched_file import WatchedFile
from .ring_file import change_ring, create_ring, path_of, read_file
from .signing_keys import RS256, Keys, Ring, SigningKey, State, new_key

logger = logging.getLogger("authsvc.keyring")

JWKS_MAX_AGE = timedelta(seconds=300)
"""The longest time that other services may cache the published keys."""

PUBLICATION_LEAD = JWKS_MAX_AGE + timedelta(seconds=60)
"""The time between the publication of a key and its first signature.

No cached copy of the keys is older than this time, even with slow clocks and slow reloads. Therefore every cached copy
contains the key when the key starts to sign.
"""

RECHECK_INTERVAL = timedelta(seconds=1)


class RefusedChange(Exception):
    """The change was refused, and the ring is unchanged. The message states the reason for an operator."""


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


def ensure_rs256_key(*, now: datetime) -> SigningKey:
    """Return the key that signs with RS256. If there is none, exactly one process makes it, and it signs at once.

    Raises ImproperlyConfigured when the file is not valid or cannot be written.
    """
    key = current_ring(now=now).active_rs256_key(now=now)
    if key is None:
        change_ring(lambda ring: ring if ring.active_rs256_key(now=now) else _with_id_token_key(ring, now=now), now=now)
        key = recheck_ring(now=now).active_rs256_key(now=now)
    assert key is not None  # noqa: S101 - the change has made it, and no other call removes the last key
    return key


def _with_id_token_key(ring: Ring, *, now: datetime) -> Ring:
    return replace(ring, id_token_keys=(new_key(RS256, published_at=now, active_at=now),))


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
        return _append_successor(keys, new_key(algorithm, published_at=now, active_at=active_at))

    return change_ring(lambda ring: _rotated(ring, step), now=now)


def rotate_at_once(*, now: datetime) -> Ring:
    """Make a new key active at once, and return the changed ring. The call otherwise behaves like `rotate`.

    The call discards a next key instead of raising RefusedChange. The reason is that the next key was in the same file
    as the replaced key. A next key has signed nothing. Other services that cache the published keys reject new tokens
    until they renew their copy.
    """

    def step(keys: Keys, algorithm: str) -> Keys:
        kept = tuple(key for key in keys if Ring(keys).state_of(key, now=now) is not State.NEXT)
        return _append_successor(kept, new_key(algorithm, published_at=now, active_at=now))

    return change_ring(lambda ring: _rotated(ring, step), now=now)


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

    return change_ring(step, now=now)


def _without(keys: Keys, removed: SigningKey) -> Keys:
    if removed not in keys:
        return keys
    *others, last = (key for key in keys if key != removed)
    # If the removed key was the next key, the active key has no successor and must not retire.
    return (*others, replace(last, retires_at=None))


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
                create_ring(self.file.path, now=now)
            try:
                ring = self.file.refresh(read_file)
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
    return _RingFile(path_of(name))


# If another thread holds the lock during a fork, the child's copy of the lock would stay locked.
os.register_at_fork(after_in_child=_file_named.cache_clear)


def _append_successor(keys: Keys, successor: SigningKey) -> Keys:
    if not keys:
        return (successor,)
    needed = timedelta(seconds=core_settings().access_token_seconds) + JWKS_MAX_AGE
    return (*keys[:-1], replace(keys[-1], retires_at=successor.active_at + needed), successor)
