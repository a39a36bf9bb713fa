"""Reading of the hashes of other systems for an import. Nothing here reads or writes the database.

Each function returns an `AdoptedHash`, which goes into the password column, or a `WeakHash`, which `wrap()` turns into
one. It raises RefusedHash when the hash is unknown, malformed or too costly. A text that `AdoptedHash.stored` had once
is accepted, and stays the same.

`adopt()` takes all forms that are one text. `adopt_keycloak()` and `adopt_firebase()` take a hash whose parts are apart.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import argon2id
from . import base64_text, stored
from .crypt_schemes import ALPHABET, Phpass, ShaCrypt
from .refusals import RefusedHash
from .schemes import BLOCK_BYTES, DIGEST_MAX, Firebase, Pbkdf2, Scheme, Scrypt, long_enough, number, numbers
from .work import Work
from .wrapped import ALGORITHMS, Recipe, Wrapped

INPUT_MAX = 4_096
"""The longest text of a foreign hash, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptedHash:
    """A hash that the service can store. `stored` goes into the password column and has at most 128 characters.

    `kind` is a name for reports, such as `bcrypt` or `md5 in argon2id`.
    """

    stored: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakHash:
    """A digest that the service does not store as it is. `wrap()` computes Argon2id over it.

    `kind` is the name for reports that the wrapped hash will have.
    """

    recipe: Recipe
    digest: bytes

    @property
    def kind(self) -> str:
        """The name of the wrapped hash for reports."""
        return f"{self.recipe.algorithm} in argon2id"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirebaseParameters:
    """The hash parameters of a Firebase project, as its console shows them. `memory_cost` is a logarithm to base 2."""

    signer_key: bytes
    salt_separator: bytes
    rounds: int
    memory_cost: int

    @classmethod
    def read(cls, *, signer_key: str, salt_separator: str, rounds: int, memory_cost: int) -> "FirebaseParameters":
        """Return the parameters from their base64 text. Raises RefusedHash when a part is malformed."""
        return cls(
            signer_key=base64_text.to_bytes(signer_key, name="signer key"),
            salt_separator=base64_text.to_bytes(salt_separator, name="salt separator"),
            rounds=rounds,
            memory_cost=memory_cost,
        )


def adopt(text: str) -> AdoptedHash | WeakHash:
    """Return the hash of a text in one of these forms. Raises RefusedHash for any other text.

    - Argon2: `$argon2id$v=19$m=…,t=…,p=…$salt$digest`, also argon2i and argon2d
    - bcrypt: `$2a$`, `$2b$`, `$2y$`
    - PBKDF2: `$pbkdf2-sha512$i=…$salt$digest`, and passlib's `$pbkdf2-sha512$…$salt$digest`
    - scrypt: `$scrypt$ln=…,r=…,p=…$salt$digest`
    - Firebase: `$fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$salt$digest`
    - crypt(3): `$5$`, `$6$`. phpass: `$P$`, `$H$`
    - the formats of Django's hashers, MD5 and SHA-1 among them
    - LDAP: `{SSHA}…`, `{SHA}…`, `{SMD5}…`, `{MD5}…`, `{SSHA256}…`, and so on. `{CRYPT}` holds one of the forms above
    - a plain digest in hexadecimal digits, of MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512
    - the stored text of an AdoptedHash

    A text that begins with `!` is no hash. Django stores it for a user without a password, and the caller handles it.
    """
    if len(text) > INPUT_MAX or not text.isascii() or not text.isprintable():
        raise RefusedHash("The hash is no text of at most 4,096 printable ASCII characters.")
    for shape, read in _FORMS:
        if found := shape.fullmatch(text):
            return read(**found.groupdict(default=""))
    raise RefusedHash("The hash has no known format.")


def adopt_keycloak(*, credential_data: str, secret_data: str) -> AdoptedHash | WeakHash:
    """Return the hash of a Keycloak credential of the type `password`. Both arguments are JSON, as in a realm export."""
    credential, secret = _json_object(credential_data), _json_object(secret_data)
    algorithm = str(credential.get("algorithm"))
    salt = base64_text.to_bytes(str(secret.get("salt")), name="salt")
    digest = base64_text.to_bytes(str(secret.get("value")), name="digest")
    iterations = number(str(credential.get("hashIterations")))
    if algorithm == "argon2":
        return _keycloak_argon2(credential.get("additionalParameters"), iterations, salt=salt, digest=digest)
    function = _KEYCLOAK_FUNCTIONS.get(algorithm)
    if function is None:
        raise RefusedHash("The algorithm of the Keycloak credential is not known.")
    return _keep(Pbkdf2.of(algorithm=function, iterations=iterations, salt=salt, digest=digest))


def adopt_firebase(*, digest: str, salt: str, parameters: FirebaseParameters) -> AdoptedHash:
    """Return the hash of a Firebase export: `passwordHash` and `salt` of the user, in base64."""
    return _keep(
        Firebase.of(
            digest=base64_text.to_bytes(digest, name="digest"),
            salt=base64_text.to_bytes(salt, name="salt") + parameters.salt_separator,
            signer_key=parameters.signer_key,
            log_cost=_small(parameters.memory_cost),
            block=number(str(parameters.rounds)),
        )
    )


def wrap(weak: WeakHash, *, costs: argon2id.Costs) -> AdoptedHash:
    """Return the weak hash inside Argon2id. `hashing.costs_of_new_hashes()` returns the costs.

    The call takes as long as one new hash. It releases the GIL, so threads use all processors. It works in a pool of
    processes too. It takes no hash slot.
    """
    wrapped = Wrapped.of(recipe=weak.recipe, digest=weak.digest, costs=costs)
    return AdoptedHash(stored=stored.write(wrapped), kind=wrapped.name)


def seconds_to_wrap(*, costs: argon2id.Costs) -> float:
    """Return the estimated time of one `wrap()` on one processor of this machine."""
    return Work.of_argon2(costs).seconds()


_KEYCLOAK_FUNCTIONS = {"pbkdf2": "sha1", "pbkdf2-sha1": "sha1", "pbkdf2-sha256": "sha256", "pbkdf2-sha512": "sha512"}
_ARGON2_VERSIONS = {"1.0": 16, "1.3": 19}
_BY_HEXADECIMAL_LENGTH = {2 * length: name for name, length in ALGORITHMS.items()}
_BCRYPT_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BCRYPT_COSTS = range(4, 32)
_CRYPT_ROUNDS = 5_000
"""The rounds of SHA-crypt in a text that names none."""


def _keep(scheme: Scheme) -> AdoptedHash:
    scheme.work.check()
    return AdoptedHash(stored=stored.write(scheme), kind=scheme.name)


def _keep_text(text: str, *, kind: str, work: Work) -> AdoptedHash:
    """Return the hash in a format of Django's hashers."""
    work.check()
    if len(text) > stored.STORED_MAX:
        raise RefusedHash("The hash is too long for the database, which holds 128 characters.")
    return AdoptedHash(stored=text, kind=kind)


def _weak(algorithm: str, order: str, digest: bytes, salt: bytes) -> WeakHash:
    if len(digest) != ALGORITHMS[algorithm]:
        raise RefusedHash("The digest has another length than its algorithm.")
    weak = WeakHash(recipe=Recipe(algorithm=algorithm, order=order, salt=salt), digest=digest)
    # A salt that does not fit must be refused before the long computation.
    blank = Wrapped(recipe=weak.recipe, costs=_LONGEST_COSTS, outer_salt=bytes(16), digest=bytes(16))
    stored.write(blank)
    return weak


_LONGEST_COSTS = argon2id.Costs(memory=999_999, passes=9, lanes=9)


def _argon2(*, variant: str, version: str, memory: str, passes: str, lanes: str, salt: str, digest: str) -> AdoptedHash:
    # The text without a version is of version 1.0, whose number is 16.
    costs = argon2id.Costs(memory=number(memory), passes=number(passes), lanes=number(lanes))
    raw_salt = base64_text.to_bytes(salt, name="salt")
    raw_digest = long_enough(base64_text.to_bytes(digest, name="digest"))
    if len(raw_salt) < _ARGON2_SALT_MIN:
        raise RefusedHash("The hash of Argon2 has a shorter salt than Argon2 allows.")
    parameters = f"v={version or 16}$m={costs.memory},t={costs.passes},p={costs.lanes}"
    return _keep_text(
        f"argon2$argon2{variant}${parameters}${base64_text.to_text(raw_salt)}${base64_text.to_text(raw_digest)}",
        kind=f"argon2{variant}",
        work=Work.of_argon2(costs),
    )


_ARGON2_SALT_MIN = 8


def _keycloak_argon2(parameters: Any, passes: int, *, salt: bytes, digest: bytes) -> AdoptedHash:
    named = parameters if isinstance(parameters, dict) else {}
    first = {name: str(values[0]) for name, values in named.items() if isinstance(values, list) and values}
    variant, version = first.get("type", "id"), _ARGON2_VERSIONS.get(first.get("version", "1.3"))
    if variant not in {"id", "i", "d"} or version is None:
        raise RefusedHash("The parameters of the Keycloak credential are not known.")
    return _argon2(
        variant=variant,
        version=str(version),
        memory=first.get("memory", ""),
        passes=str(passes),
        lanes=first.get("parallelism", ""),
        salt=base64_text.to_text(salt),
        digest=base64_text.to_text(digest),
    )


def _bcrypt(*, prefix: str, text: str, cost: str) -> AdoptedHash:
    if int(cost) not in _BCRYPT_COSTS:
        raise RefusedHash("The cost of bcrypt is not between 4 and 31.")
    work = Work(family="bcrypt", units=1 << int(cost))
    # The last characters of salt and digest have unused bits. Some systems set them, and the library refuses them.
    text = f"{text[:28]}{_cleared(text[28], bits=4)}{text[29:-1]}{_cleared(text[-1], bits=2)}"
    return _keep_text(f"{prefix or 'bcrypt$'}{text}", kind=(prefix or "bcrypt$").rstrip("$"), work=work)


def _cleared(character: str, *, bits: int) -> str:
    """Return the character of bcrypt's base64 with its lowest bits cleared."""
    return _BCRYPT_ALPHABET[_BCRYPT_ALPHABET.index(character) >> bits << bits]


def _pbkdf2(*, function: str, iterations: str, salt: str, digest: str) -> AdoptedHash:
    return _keep(
        Pbkdf2.of(
            algorithm=function or "sha1",
            iterations=number(iterations),
            salt=base64_text.to_bytes(salt, name="salt"),
            digest=base64_text.to_bytes(digest, name="digest"),
        )
    )


def _django_pbkdf2(*, text: str, function: str, iterations: str, digest: str) -> AdoptedHash:
    _check_django_digest(digest, length=BLOCK_BYTES[function])
    name = f"pbkdf2-{function}"
    return _keep_text(text, kind=name, work=Work(family=name, units=number(iterations)))


def _check_django_digest(digest: str, *, length: int) -> None:
    """Raise RefusedHash when Django's hasher would write another text for a digest of this length."""
    raw = base64_text.to_bytes(digest, name="digest")
    if len(raw) != length or base64.b64encode(raw).decode() != digest:
        raise RefusedHash("The digest has another length than its algorithm, or is not standard base64.")


def _scrypt(*, costs: str, salt: str, digest: str) -> AdoptedHash:
    named = numbers(costs, names=("ln", "r", "p"))
    return _keep(
        Scrypt(
            log_cost=_small(named["ln"]),
            block=named["r"],
            lanes=named["p"],
            salt=base64_text.to_bytes(salt, name="salt"),
            digest=long_enough(base64_text.to_bytes(digest, name="digest"))[:DIGEST_MAX],
        )
    )


def _django_scrypt(*, text: str, cost: str, block: str, lanes: str, digest: str) -> AdoptedHash:
    log_cost = number(cost).bit_length() - 1
    if number(cost) != 1 << log_cost:
        raise RefusedHash("The cost of scrypt is no power of two.")
    _check_django_digest(digest, length=64)
    work = Work.of_scrypt(log_cost=log_cost, block=number(block), lanes=number(lanes))
    return _keep_text(text, kind="scrypt", work=work)


def _fbscrypt(*, log_cost: str, block: str, separator: str, signer_key: str, salt: str, digest: str) -> AdoptedHash:
    parameters = FirebaseParameters.read(
        signer_key=signer_key, salt_separator=separator, rounds=number(block), memory_cost=number(log_cost)
    )
    return adopt_firebase(digest=digest, salt=salt, parameters=parameters)


def _small(log_cost: int) -> int:
    """Return the logarithm. A shift by a huge number would occupy the memory that the bound refuses."""
    Work.of_scrypt(log_cost=log_cost, block=1, lanes=1)
    return log_cost


def _sha_crypt(*, version: str, rounds: str, salt: str, digest: str) -> AdoptedHash:
    return _keep(
        ShaCrypt.of(version=version, rounds=number(rounds) if rounds else _CRYPT_ROUNDS, salt=salt, digest=digest)
    )


def _phpass(*, cost: str, salt: str, digest: str) -> AdoptedHash:
    return _keep(Phpass.of(log_rounds=ALPHABET.index(cost), salt=salt, digest=digest))


def _django_digest(*, algorithm: str, salt: str, digest: str) -> WeakHash:
    if len(digest) != 2 * ALGORITHMS[algorithm]:
        raise RefusedHash("The digest has another length than its algorithm.")
    return _weak(algorithm, "before" if salt else "", bytes.fromhex(digest), salt.encode())


def _ldap(*, word: str, payload: str) -> AdoptedHash | WeakHash:
    word = word.upper()
    if word == "CRYPT":
        # An LDAP server may nest no other form. A deep nesting would exceed the stack.
        return adopt(payload.removeprefix("{"))
    algorithm, is_salted = _LDAP.get(word, ("", False))
    if not algorithm:
        raise RefusedHash("The hash has no known format.")
    data, length = base64_text.to_bytes(payload, name="digest"), ALGORITHMS[algorithm]
    digest, salt = data[:length], data[length:]
    if salt and not is_salted:
        raise RefusedHash("The digest has another length than its algorithm.")
    return _weak(algorithm, "after" if salt else "", digest, salt)


_LDAP = {
    "MD5": ("md5", False),
    "SMD5": ("md5", True),
    "SHA": ("sha1", False),
    "SSHA": ("sha1", True),
    **{f"SHA{bits}": (f"sha{bits}", False) for bits in (224, 256, 384, 512)},
    **{f"SSHA{bits}": (f"sha{bits}", True) for bits in (224, 256, 384, 512)},
}


def _plain(*, text: str) -> WeakHash:
    algorithm = _BY_HEXADECIMAL_LENGTH.get(len(text))
    if algorithm is None:
        raise RefusedHash("The hash has no known format.")
    return _weak(algorithm, "", bytes.fromhex(text), b"")


def _own(*, text: str) -> AdoptedHash:
    return _keep(stored.read(text))


def _json_object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text) if len(text) <= INPUT_MAX else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RefusedHash("The Keycloak credential is no JSON object.")
    return found


_FORMS: tuple[tuple[re.Pattern[str], Callable[..., AdoptedHash | WeakHash]], ...] = tuple(
    (re.compile(shape, re.ASCII), read)
    for shape, read in (
        (
            (
                r"(?:argon2)?\$argon2(?P<variant>id|i|d)\$(?:v=(?P<version>16|19)\$)?"
                r"m=(?P<memory>\d+),t=(?P<passes>\d+),p=(?P<lanes>\d+)\$(?P<salt>[A-Za-z0-9+/]+)\$(?P<digest>[A-Za-z0-9+/]+)"
            ),
            _argon2,
        ),
        (r"(?P<prefix>bcrypt\$|bcrypt_sha256\$)?(?P<text>\$2[aby]\$(?P<cost>\d\d)\$[A-Za-z0-9./]{53})", _bcrypt),
        (
            (
                r"\$pbkdf2(?:-(?P<function>sha1|sha256|sha512))?\$(?:i=)?(?P<iterations>\d+)(?:,l=\d+)?"
                r"\$(?P<salt>[^$]*)\$(?P<digest>[^$]+)"
            ),
            _pbkdf2,
        ),
        (
            r"(?P<text>pbkdf2_(?P<function>sha256|sha1)\$(?P<iterations>[1-9]\d*)\$[^$]+\$(?P<digest>[^$]+))",
            _django_pbkdf2,
        ),
        (r"\$scrypt\$(?P<costs>[^$]+)\$(?P<salt>[^$]*)\$(?P<digest>[^$]+)", _scrypt),
        (
            r"(?P<text>scrypt\$(?P<cost>[1-9]\d*)\$[^$]+\$(?P<block>[1-9]\d*)\$(?P<lanes>[1-9]\d*)\$(?P<digest>[^$]+))",
            _django_scrypt,
        ),
        (
            (
                r"\$fbscrypt\$v=1,n=(?P<log_cost>\d+),r=(?P<block>\d+),p=1,ss=(?P<separator>[^,$]*),sk=(?P<signer_key>[^,$]+)"
                r"\$(?P<salt>[^$]*)\$(?P<digest>[^$]+)"
            ),
            _fbscrypt,
        ),
        (r"\$(?P<version>[56])\$(?:rounds=(?P<rounds>\d+)\$)?(?P<salt>[^$]*)\$(?P<digest>[^$]+)", _sha_crypt),
        (r"\$[PH]\$(?P<cost>[./0-9A-Za-z])(?P<salt>.{8})(?P<digest>.{22})", _phpass),
        (rf"(?P<algorithm>{'|'.join(ALGORITHMS)})\$(?P<salt>.*)\$(?P<digest>[0-9a-fA-F]+)", _django_digest),
        (r"\{(?P<word>[A-Za-z0-9]+)\}(?P<payload>.+)", _ldap),
        (r"(?P<text>[0-9a-fA-F]+)", _plain),
        (rf"(?P<text>{stored.ALGORITHM}\$.+)", _own),
    )
)
"""The shape of each form, and the function that reads its groups."""
