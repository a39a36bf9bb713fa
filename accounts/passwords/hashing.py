"""Password hashes in Django's format: Argon2id for new ones, and never more at once than there are slots.

Django's hashers are used directly: a site's PASSWORD_HASHERS neither weakens nor breaks anything here.
"""

import logging
import os
import re
from dataclasses import dataclass, field
from time import perf_counter

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, VerifyMismatchError
from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    BasePasswordHasher,
    BCryptPasswordHasher,
    BCryptSHA256PasswordHasher,
    PBKDF2PasswordHasher,
    PBKDF2SHA1PasswordHasher,
    ScryptPasswordHasher,
)

from ..conf import conf
from .rules import normalize
from .slots import Slots

logger = logging.getLogger("authsvc.hashing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a password matched. `rewrite`: the stored hash shall be replaced by one of today's form and costs.

    `kind` is the kind of hash that was computed, once for each of `forms`. `queued` is the seconds before it had a
    slot, `spent` the seconds with the slot for one form.
    """

    ok: bool
    rewrite: bool
    kind: str = field(default="", compare=False)
    forms: int = field(default=1, compare=False)
    queued: float = field(default=0.0, compare=False)
    spent: float = field(default=0.0, compare=False)


_ARGON2_FILLING = f"${'A' * 30}${'A' * 43}"
"""Zero bytes, as many as a salt and a digest of ours have."""

_KINDS = (
    (re.compile(r"(argon2\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+)\$.+"), rf"\1{_ARGON2_FILLING}"),
    (re.compile(r"(pbkdf2_sha(?:256|1)\$\d+)\$.+\$.+"), r"\1$salt$digest"),
    (re.compile(r"(bcrypt(?:_sha256)?\$\$2[abxy]\$\d\d\$).+"), r"\1" + "." * 53),
    (re.compile(r"(scrypt\$\d+)\$.+(\$\d+\$\d+)\$.+"), r"\1$salt\2$digest"),
)
"""The shape of each stored format, and how its kind is made from it."""

KIND_MAX = 128
"""The longest kind, in characters; Django's own users have no longer hashes."""


class _ConfiguredArgon2(Argon2PasswordHasher):
    """Argon2id with the costs of the settings."""

    def __init__(self) -> None:
        settings = conf()
        self.memory_cost = settings.argon2_memory_kib
        self.time_cost = settings.argon2_time
        self.parallelism = settings.argon2_parallelism

    def verify(self, password: str, encoded: str) -> bool:
        # Django's own returns False for an unreadable hash as well, long before it would for a wrong password.
        try:
            return PasswordHasher().verify(encoded.removeprefix("argon2"), password)
        except VerifyMismatchError:
            return False

    def kind(self) -> str:
        """Return the kind of the hashes that are made today."""
        return f"argon2$argon2id$v=19$m={self.memory_cost},t={self.time_cost},p={self.parallelism}{_ARGON2_FILLING}"


_OTHER_HASHERS = {
    str(hasher.algorithm): hasher
    for hasher in (
        PBKDF2PasswordHasher(),
        PBKDF2SHA1PasswordHasher(),
        BCryptSHA256PasswordHasher(),
        BCryptPasswordHasher(),
        ScryptPasswordHasher(),
    )
}

NEW_ALGORITHM = str(Argon2PasswordHasher.algorithm)
"""Name of the format that new hashes have."""
ALGORITHMS = frozenset({NEW_ALGORITHM, *_OTHER_HASHERS})
"""Names of the formats that can be verified, as they begin a stored hash."""

# What the hashers raise for text that is no hash of theirs, and ValueError also when their library is missing.
_UNREADABLE = (ValueError, AssertionError, OverflowError, Argon2Error)

_slots = Slots()
os.register_at_fork(after_in_child=_slots.clear)
_sharers = 1


def share_processors(*, sharers: int) -> None:
    """Let this process and those that it forks compute as many hashes at once as one of that many equal ones should.

    All of them together then keep every processor busy once; a deployment's own PASSWORD_HASH_CONCURRENCY wins.
    """
    global _sharers  # noqa: PLW0603 - said once, before the process serves anybody
    _sharers = sharers


def check_room() -> None:
    """Raise Overloaded when a hash would be refused at this moment, before anything else is spent on its caller."""
    _slots.check_room(places=_places())


def hash_password(password: str) -> str:
    """Return the encoded hash of the password's normalized form, `argon2$argon2id$v=19$m=…,t=…,p=…$salt$hash`.

    Raises Overloaded when too many hashes wait for a slot already.
    """
    hasher = _ConfiguredArgon2()
    with _slots.taken(at_once=_at_once(), places=_places()):
        return hasher.encode(normalize(password), hasher.salt())


def verify_password(password: str, encoded: str) -> Verification:
    """Return whether the encoded hash, of any format that Django knows, is that of the password.

    The normalized form is tried first, then the password as given if that differs. What is no readable hash matches
    nothing, after the same work as a wrong password. Raises Overloaded when too many hashes wait for a slot already.
    """
    argon2 = _ConfiguredArgon2()
    normalized = normalize(password)
    forms = tuple(dict.fromkeys((normalized, password)))
    asked = perf_counter()
    with _slots.taken(at_once=_at_once(), places=_places()):
        began = perf_counter()
        for form in forms:
            if _matches(form, encoded, argon2=argon2):
                return Verification(ok=True, rewrite=form != normalized or _is_outdated(encoded, argon2=argon2))
        spent = perf_counter() - began
    return Verification(
        ok=False,
        rewrite=False,
        kind=kind_of(encoded) or argon2.kind(),
        forms=len(forms),
        queued=began - asked,
        spent=spent / len(forms),
    )


def verify_nothing(password: str) -> Verification:
    """Do the work of verifying a wrong password against a new hash, for an account that does not exist.

    Raises Overloaded when too many hashes wait for a slot already.
    """
    return verify_password(password, "")


def kind_of(encoded: str) -> str | None:
    """Return the kind of an encoded hash: a hash of the same algorithm and costs that no known password has.

    None for text that is no hash of a format that Django knows.
    """
    for shape, kind in _KINDS:
        if shape.fullmatch(encoded):
            found = shape.sub(kind, encoded)
            return found if len(found) <= KIND_MAX else None
    return None


def todays_kind() -> str:
    """Return the kind of the hashes that are made today."""
    return _ConfiguredArgon2().kind()


def measure(kind: str) -> float:
    """Return the seconds that verifying a wrong password against a hash of the kind takes now, on this machine.

    Raises Overloaded when too many hashes wait for a slot already.
    """
    return verify_password("", kind).spent


def _at_once() -> int:
    return conf().password_hash_concurrency or max(1, (os.cpu_count() or 1) // _sharers)


def _places() -> int:
    """Twice as many wait as hashes could run if this process were alone: a burst must not find the others' slots idle."""
    return 2 * (conf().password_hash_concurrency or os.cpu_count() or 1)


def _matches(password: str, encoded: str, *, argon2: _ConfiguredArgon2) -> bool:
    algorithm = encoded.partition("$")[0]
    hasher: BasePasswordHasher | None = argon2 if algorithm == argon2.algorithm else _OTHER_HASHERS.get(algorithm)
    if hasher is not None:
        try:
            return hasher.verify(password, encoded)
        except _UNREADABLE:
            logger.warning("a stored password hash cannot be verified", extra={"algorithm": algorithm})
    argon2.verify(password, argon2.kind())
    return False


def _is_outdated(encoded: str, *, argon2: _ConfiguredArgon2) -> bool:
    return not encoded.startswith("argon2$") or argon2.must_update(encoded)
