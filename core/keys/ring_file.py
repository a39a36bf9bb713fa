"""The file of the signing keys: one JWK set (RFC 7517) with all keys of the ring.

The member `keys` of the file has the keys of access tokens. The member `id_token_keys` has RS256 keys for the ID tokens of
the applications that demand this algorithm. It is missing until the first of them needs a key. A process of a release
that does not know this member still reads the file.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from ..conf import core_settings
from .signing_keys import RS256, Keys, Ring, new_key, parse_key


def ring_path() -> Path:
    """Return the path of the file of the ring."""
    return path_of(core_settings().signing_keys_file)


def path_of(name: str) -> Path:
    """Return the path of the file with this name in the settings. It is relative to the project's directory."""
    return Path(getattr(settings, "BASE_DIR", ""), name)


def read_ring() -> Ring:
    """Return the ring in the file. Raises ImproperlyConfigured when the file is missing or not valid."""
    return read_file(ring_path())


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
            read_file(path)
        except ImproperlyConfigured as error:
            return str(error)
        return None
    nearest = next(parent for parent in path.absolute().parents if os.access(parent, os.F_OK))
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return None
    return f"SIGNING_KEYS_FILE: {path} cannot be made, because {nearest} is no directory that this user can write."


def change_ring(step: Callable[[Ring], Ring], *, now: datetime) -> Ring:
    """Replace the ring by the result of the step, without expired keys. Return the new ring.

    The step gets an empty ring for a missing file. Raises ImproperlyConfigured when the file is not valid or cannot be
    written.
    """
    path = ring_path()
    with _locked(path):
        changed = step(read_file(path) if path.exists() else Ring(()))
        ring = Ring(
            *(tuple(key for key in keys if key.is_published(now=now)) for keys in (changed.keys, changed.id_token_keys))
        )
        _replace(path, ring)
    return ring


def create_ring(path: Path, *, now: datetime) -> None:
    """Create the file with one active key, unless it exists. Raises ImproperlyConfigured when it cannot be written."""
    # `Path.exists()` raises PermissionError below a directory that this user may not enter.
    if os.access(path, os.F_OK):
        return
    with _locked(path):
        if not path.exists():
            key = new_key(core_settings().token_algorithm, published_at=now, active_at=now)
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


def read_file(path: Path) -> Ring:
    """Return the ring in this file. Raises ImproperlyConfigured when the file is missing or not valid."""
    try:
        return parse_ring(path.read_bytes())
    except OSError as error:
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ImproperlyConfigured(f"SIGNING_KEYS_FILE: {path} is not a valid set of signing keys: {error}.") from None


def parse_ring(content: bytes) -> Ring:
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
    keys = tuple(parse_key(entry, index=index) for index, entry in enumerate(entries, start=1))
    if keys and keys[-1].retires_at:
        raise ValueError(f"key {keys[-1].kid} has an exp, but it is the last key")
    return keys
