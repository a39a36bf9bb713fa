"""Password hashes in Django's format. New hashes use Argon2id. `foreign` has the hashes of other systems.

The number of concurrent hashes is limited to the number of slots. The module uses Django's hashers directly, so that a
host project's PASSWORD_HASHERS has no effect here.
"""

import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import prod
from time import monotonic, perf_counter

from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    BCryptSHA256PasswordHasher,
    PBKDF2PasswordHasher,
    PBKDF2SHA1PasswordHasher,
)

from core import meter
from core.errors import Overloaded
from core.threads import SharedSlots, Slots

from ..conf import settings
from . import argon2id
from .foreign import stored as foreign
from .foreign.django_hashers import BCryptOfOldSystems, ScryptWithMemory
from .rules import normalize

logger = logging.getLogger("authsvc.hashing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of the verification of a password.

    `ok` means that the password matched. `rewrite` means that the stored hash should be replaced by a new hash of the
    normalized password. The other fields are set only when the password did not match. `kind` is the kind of hash that
    was computed. `forms` is the number of forms of the password, each of which needed one hash. `queued` is the seconds
    of the wait for a slot. `spent` is the seconds of one hash with the slot.
    """

    ok: bool
    rewrite: bool
    kind: str = field(default="", compare=False)
    forms: int = field(default=1, compare=False)
    queued: float = field(default=0.0, compare=False)
    spent: float = field(default=0.0, compare=False)


_KINDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"(argon2\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)"),
        lambda found: f"{found[1]}${'A' * len(found[2])}${'A' * len(found[3])}",
    ),
    (re.compile(r"(pbkdf2_sha(?:256|1)\$\d+)\$.+\$.+"), r"\1$salt$digest"),
    (re.compile(r"(bcrypt(?:_sha256)?\$\$2[abxy]\$\d\d\$).+"), r"\1" + "." * 53),
    (re.compile(r"(scrypt\$\d+)\$.+(\$\d+\$\d+)\$.+"), r"\1$salt\2$digest"),
)
"""The pattern of each stored format, and the replacement that turns a hash into its kind.

A kind of Argon2 keeps the lengths of salt and digest, because PyNaCl takes only one length of the salt.
"""

KIND_MAX = 128
"""The longest kind, in characters. The `password` column of Django's users has the same limit."""

_OTHER_HASHERS = {
    str(hasher.algorithm): hasher
    for hasher in (
        PBKDF2PasswordHasher(),
        PBKDF2SHA1PasswordHasher(),
        BCryptSHA256PasswordHasher(),
        BCryptOfOldSystems(),
        ScryptWithMemory(),
    )
}

NEW_ALGORITHM = str(Argon2PasswordHasher.algorithm)
"""Name of the format that new hashes have."""
ALGORITHMS = frozenset({NEW_ALGORITHM, foreign.ALGORITHM, *_OTHER_HASHERS})
"""Names of the formats that the service can verify. A stored hash begins with the name of its format."""

# The hashers raise these for a malformed hash. They raise ValueError also when their library is missing.
_UNREADABLE = (*argon2id.UNREADABLE, AssertionError)

# Each call of `os.cpu_count` reads a file of the kernel. The three calls of a login took 0.13 ms.
_PROCESSORS = os.cpu_count() or 1

_slots = Slots()
_shared_slots: SharedSlots | None = None
_threads: int | None = None


def share_slots(*, threads: int) -> None:
    """Limit the concurrent hashes of all processes that are forked from this one to PASSWORD_HASH_CONCURRENCY together.

    `threads` is the number of threads in each of these processes that may be busy with passwords.
    """
    global _shared_slots, _threads
    _shared_slots, _threads = SharedSlots(), threads


def check_room() -> None:
    """Raise Overloaded when a new hash would be refused at this moment.

    A view calls it before it does other work for a request.
    """
    try:
        _slots.check_room(threads=_most_threads())
    except Overloaded:
        meter.current.count_refused_hash()
        raise


@contextmanager
def counted() -> Iterator[None]:
    """Count this thread during the block as one that is busy with passwords, although it computes no hash."""
    with _slots.counted():
        yield


def hash_password(password: str) -> str:
    """Return the encoded hash of the password's normalized form: `argon2$argon2id$v=19$m=…,t=…,p=…$salt$hash`.

    Raises Overloaded when too many hashes wait for a slot, or when the wait was too long.
    """
    with _slot():
        return argon2id.encode(normalize(password), costs=costs_of_new_hashes())


def verify_password(password: str, encoded: str) -> Verification:
    """Return whether the encoded hash belongs to the password. The hash can have any of the formats in ALGORITHMS.

    The function tries the normalized form first. It then tries the unchanged password, if that differs. An unreadable
    hash matches no password, and costs the same work as a wrong password. Raises Overloaded when too many hashes wait
    for a slot, or when the wait was too long.
    """
    today = todays_kind()
    normalized = normalize(password)
    forms = tuple(dict.fromkeys((normalized, password)))
    asked = perf_counter()
    with _slot():
        began = perf_counter()
        for form in forms:
            if _matches(form, encoded, otherwise=today):
                return Verification(ok=True, rewrite=form != normalized or kind_of(encoded) != today)
        spent = perf_counter() - began
    return Verification(
        ok=False,
        rewrite=False,
        kind=kind_of(encoded) or today,
        forms=len(forms),
        queued=began - asked,
        spent=spent / len(forms),
    )


def verify_nothing(password: str) -> Verification:
    """Return a failed verification after the same work as for a wrong password and a new hash.

    It is for an account that does not exist. Raises Overloaded when too many hashes wait for a slot.
    """
    return verify_password(password, "")


def kind_of(encoded: str) -> str | None:
    """Return the kind of an encoded hash: the hash with its salt and digest replaced by constants.

    A kind has the algorithm and the costs of the hash, and no known password matches it. The same library computes the
    kind and the hash. Returns None when the text is not a hash of a known format. Returns None also when the kind has
    more than KIND_MAX characters.
    """
    if is_foreign(encoded):
        return foreign.kind_of(encoded)
    for shape, kind in _KINDS:
        if shape.fullmatch(encoded):
            found = shape.sub(kind, encoded)
            return found if len(found) <= KIND_MAX else None
    return None


def is_foreign(encoded: str) -> bool:
    """Return whether only this service can verify the hash, and none of Django's hashers."""
    return encoded.startswith(f"{foreign.ALGORITHM}$")


def name_of(kind: str) -> str:
    """Return the name of the algorithm of a kind for reports, such as `argon2id` or `md5 in argon2id`."""
    if is_foreign(kind):
        return foreign.read(kind).name
    algorithm, _, rest = kind.partition("$")
    return rest.partition("$")[0] if algorithm == NEW_ALGORITHM else algorithm.replace("pbkdf2_", "pbkdf2-")


def cost_of(kind: str) -> int:
    """Return a number that grows with the work of one check, among the kinds of one library."""
    if is_foreign(kind):
        return foreign.read(kind).work.units
    return prod(map(int, re.findall(r"\d+", kind)))


def todays_kind() -> str:
    """Return the kind of new hashes."""
    return argon2id.blank(costs=costs_of_new_hashes())


def costs_of_new_hashes() -> argon2id.Costs:
    """Return the costs of the settings."""
    costs = settings()
    return argon2id.Costs(memory=costs.argon2_memory_kib, passes=costs.argon2_time, lanes=costs.argon2_parallelism)


def library_of(kind: str) -> str:
    """Return a name of the algorithm of the kind, and of the library where several compute this algorithm."""
    if argon2id.is_of_pynacl(kind):
        return "argon2 of PyNaCl"
    return foreign.library_of(kind) if is_foreign(kind) else kind.partition("$")[0]


def measure(kind: str) -> float:
    """Return the seconds that the verification of a wrong password against a hash of the kind takes now.

    Raises Overloaded when too many hashes wait for a slot.
    """
    return verify_password("", kind).spent


@contextmanager
def _slot() -> Iterator[None]:
    wait = settings().password_hash_wait_seconds
    deadline = monotonic() + wait
    with ExitStack() as slots:
        meter.current.add_hashes(waiting=1)
        try:
            slots.enter_context(_slots.taken(at_once=_at_once(), threads=_most_threads(), seconds=wait))
            if _shared_slots is not None:
                slots.enter_context(_shared_slots.taken(at_once=_at_once(), seconds=deadline - monotonic()))
        except Overloaded:
            meter.current.count_refused_hash()
            raise
        finally:
            meter.current.add_hashes(waiting=-1)
        meter.current.add_hashes(running=1)
        slots.callback(meter.current.add_hashes, running=-1)
        yield


def _at_once() -> int:
    return settings().password_hash_concurrency or _PROCESSORS


def _most_threads() -> int:
    """Return the number of threads of this process that may be busy with passwords.

    A process that does not know its number of threads has a fixed number. Two threads then wait for each that computes.
    """
    return _threads or 3 * _at_once()


def _matches(password: str, encoded: str, *, otherwise: str) -> bool:
    """Return whether the hash belongs to the password. Compute the hash `otherwise` when `encoded` is unreadable."""
    algorithm = encoded.partition("$")[0]
    try:
        if algorithm == NEW_ALGORITHM:
            return argon2id.verify(password, encoded)
        if is_foreign(encoded):
            return foreign.verify(password, encoded)
        if hasher := _OTHER_HASHERS.get(algorithm):
            return hasher.verify(password, encoded)
    except _UNREADABLE:
        logger.warning("a stored password hash cannot be verified", extra={"algorithm": algorithm})
    argon2id.verify(password, otherwise)
    return False
