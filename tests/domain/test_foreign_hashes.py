"""Hashes of other systems: what an import accepts, and that the right password matches. The vectors name their source."""

import base64
import hashlib
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import argon2
import hypothesis
import pytest
from django.contrib.auth import hashers
from hypothesis import given
from hypothesis import strategies as st
from passlib import hash as libpass
from pytest_django import Settings

from accounts.passwords import argon2id, hashing
from accounts.passwords.foreign.adoption import (
    AdoptedHash,
    FirebaseParameters,
    WeakHash,
    adopt,
    adopt_firebase,
    adopt_keycloak,
    seconds_to_wrap,
    wrap,
)
from accounts.passwords.foreign.refusals import RefusedHash
from accounts.passwords.foreign.work import SECONDS_MAX
from accounts.passwords.hashing import Verification, kind_of, measure, verify_password
from tests.rows import each

pytestmark = pytest.mark.once

CHEAP = argon2id.Costs(memory=8, passes=1, lanes=1)
OLD = Verification(ok=True, rewrite=True)
WRONG = Verification(ok=False, rewrite=False)
FIREBASE = FirebaseParameters.read(
    signer_key="jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    salt_separator="Bw==",
    rounds=8,
    memory_cost=14,
)

VECTORS = {
    # The reference implementation, phc-winner-argon2, src/test.c.
    "argon2i": ("password", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA"),
    "argon2i of version 1.0": (
        "password",
        "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
    ),
    # PHP's manual, password_verify().
    "bcrypt": ("rasmuslerdorf", "$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq"),
    # Passlib's manual, pbkdf2_digest and scrypt.
    "pbkdf2-sha256": (
        "password",
        "$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44",
    ),
    "scrypt": (
        "password",
        "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
    ),
    # Django, tests/auth_tests/test_hashers.py.
    "scrypt of Django": (
        "l\u00e8tmein",
        "scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==",
    ),
    "md5 of Django": ("l\u00e8tmein", "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3"),
    "sha1 of Django": ("l\u00e8tmein", "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8"),
    "md5 without salt": ("l\u00e8tmein", "88a434c88cca4e900f7874cd98123f43"),
    "sha1 without salt": ("l\u00e8tmein", "sha1$$6d138ca3ae545631b3abd71a4f076ce759c5700b"),
    # Supabase Auth, internal/crypto/password_test.go.
    "firebase": (
        "mytestpassword",
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==",
    ),
    # Ulrich Drepper's specification of SHA-crypt, as glibc computes it.
    "sha256-crypt": ("Hello world!", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"),
    "sha256-crypt with rounds": (
        "Hello world!",
        "$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA",
    ),
    "sha512-crypt": (
        "Hello world!",
        "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1",
    ),
    "sha512-crypt with rounds": (
        "we have a short salt string but not a short password",
        "$6$rounds=77777$short$WuQyW2YR.hBNpjjRhpYD/ifIw05xdfeEyQoMxIXbkvr0gge1a1x3yRULJ5CCaUeOxFmtlcGZelFl5CxtgfiAc0",
    ),
    # phpass, test.php.
    "phpass": ("test12345", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"),
    "phpass of phpBB": ("test12345", "$H$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"),
    # Passlib, tests/test_handlers.py.
    "SSHA": ("testing123", "{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr"),
    "SMD5": ("testing1234", "{SMD5}UjFY34os/pnZQ3oQOzjqGu4yeXE="),
    "SHA": ("helloworld", "{SHA}at+xg6SiyUovktq1redipHiJpaE="),
}

# An export of Keycloak, and PBKDF2 with 64 bytes by Node's crypto.pbkdf2Sync().
KEYCLOAK = {
    ("pbkdf2-sha256", 27_500, "fmpBI1r8R1u75hDLMUlwBw=="): (
        "user",
        "MbKsMgWPnZyImih8s4SaoCSCq+XIY/c6S9F93sXEidHF1TjPWxCqMkec0+o3860CMLXHt3az61cIJOWI0FW9aw==",
    ),
    ("pbkdf2", 1_000, "AAECAwQFBgcICQoLDA0ODw=="): (
        "p\u00e4ssword",
        "LXLUTXEwz3bsvdnCGyPh0mNzhGsT3JIejK/YM3IjVHDr08IcUsOPErp8sUmjF3LpEnrbTA9+wOxVj2VlXRYCMg==",
    ),
    ("pbkdf2-sha512", 1_000, "AAECAwQFBgcICQoLDA0ODw=="): (
        "p\u00e4ssword",
        "y/eRj2FwHgs6A0d8wKheOWOR5PjlKZUVEID5K8lrpY3fVCUnILd/a7SvXHROar5bA9d3J9zVifnM9vYjy0q8ZQ==",
    ),
}


@pytest.fixture(autouse=True)
def cheap(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"ARGON2_MEMORY_KIB": "8", "ARGON2_TIME": "1"}


@each("name", VECTORS)
def test_the_password_of_a_published_vector_matches_and_is_hashed_anew(name: str) -> None:
    password, text = VECTORS[name]

    assert_matches(adopted(text), password)


@pytest.mark.parametrize("credential", KEYCLOAK)
def test_a_credential_of_keycloak_matches(credential: tuple[str, int, str]) -> None:
    algorithm, iterations, salt = credential
    password, value = KEYCLOAK[credential]

    found = adopt_keycloak(
        credential_data=json.dumps({"hashIterations": iterations, "algorithm": algorithm, "additionalParameters": {}}),
        secret_data=json.dumps({"value": value, "salt": salt, "additionalParameters": {}}),
    )

    assert_matches(found, password)


def test_argon2_of_keycloak_matches() -> None:
    salt, hasher = b"0123456789abcdef", argon2.PasswordHasher(5, 7168, 1)
    digest = base64.b64decode(hasher.hash("secret", salt=salt).rpartition("$")[2] + "=")
    parameters = {"hashLength": ["32"], "memory": ["7168"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}

    found = adopt_keycloak(
        credential_data=json.dumps({"hashIterations": 5, "algorithm": "argon2", "additionalParameters": parameters}),
        secret_data=json.dumps({"value": encoded(digest), "salt": encoded(salt), "additionalParameters": {}}),
    )

    assert_matches(found, "secret")


def test_the_example_of_firebase_matches_and_the_signer_key_is_not_stored() -> None:
    # github.com/firebase/scrypt, README.
    digest = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    found = adopt_firebase(digest=digest, salt="42xEC+ixf3L2lw==", parameters=FIREBASE)

    assert_matches(found, "user1password")
    assert encoded(FIREBASE.signer_key)[:20] not in found.stored


@hypothesis.settings(max_examples=25, deadline=None)
@given(password=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40))
def test_the_hashes_of_libpass_match(password: str) -> None:
    texts = [
        libpass.sha256_crypt.using(rounds=1000).hash(password),
        libpass.sha512_crypt.using(rounds=1001).hash(password),
        libpass.phpass.using(rounds=7).hash(password),
        libpass.phpass.using(rounds=8, ident="H").hash(password),
        libpass.pbkdf2_sha1.using(rounds=3).hash(password),
        libpass.pbkdf2_sha512.using(rounds=3, salt_size=20).hash(password),
        libpass.scrypt.using(rounds=4).hash(password),
        libpass.ldap_salted_md5.hash(password),
        libpass.ldap_salted_sha1.using(salt_size=16).hash(password),
        libpass.ldap_salted_sha256.hash(password),
        libpass.ldap_salted_sha512.hash(password),
        "{CRYPT}" + libpass.sha512_crypt.using(rounds=1000).hash(password),
        libpass.hex_sha512.hash(password),
    ]

    for text in texts:
        assert verify_password(password, stored(adopt(text))) == OLD
        assert not verify_password(password + "x", stored(adopt(text))).ok


@pytest.mark.parametrize("prefix", ["$2a$", "$2b$", "$2y$"])
def test_bcrypt_ignores_what_is_behind_72_bytes_as_other_systems_do(prefix: str) -> None:
    password = "\u00fc" * 40
    text = libpass.bcrypt.using(rounds=4, ident="2b", truncate_error=False).hash(password.encode()[:72])

    found = adopt(text.replace("$2b$", prefix))

    assert isinstance(found, AdoptedHash)
    assert (found.stored, found.kind) == ("bcrypt$" + text.replace("$2b$", prefix), "bcrypt")
    assert verify_password(password, found.stored) == OLD
    assert verify_password("\u00fc" * 35, found.stored) == WRONG


def test_bcrypt_with_unused_bits_matches() -> None:
    # The same hash as PHP's, with other unused bits at the end of the salt and of the digest.
    assert_matches(adopt("$2y$07$BCryptRequires22Chrctf/VlQH0piJtjXl.0t1XkA8pw9dMXTpOr"), "rasmuslerdorf")


@each(
    "hasher",
    [
        hashers.PBKDF2PasswordHasher(),
        hashers.PBKDF2SHA1PasswordHasher(),
        hashers.Argon2PasswordHasher(),
        hashers.BCryptSHA256PasswordHasher(),
        hashers.BCryptPasswordHasher(),
        hashers.ScryptPasswordHasher(),
    ],
)
def test_the_default_hash_of_each_hasher_of_django_is_stored_as_it_is(hasher: hashers.BasePasswordHasher) -> None:
    text = hasher.encode("secret", hasher.salt())

    found = adopt(text)

    assert isinstance(found, AdoptedHash)
    assert found.stored == text


@pytest.mark.parametrize(
    ("algorithm", "iterations"), [("pbkdf2", 1_300_000), ("pbkdf2-sha256", 600_000), ("pbkdf2-sha512", 210_000)]
)
def test_the_defaults_of_keycloak_are_accepted(algorithm: str, iterations: int) -> None:
    found = adopt_keycloak(
        credential_data=json.dumps({"hashIterations": iterations, "algorithm": algorithm}),
        secret_data=json.dumps({"value": encoded(bytes(64)), "salt": encoded(bytes(16))}),
    )

    assert isinstance(found, AdoptedHash)


LDAP_WORDS = {"md5": "SMD5", "sha1": "SSHA", **{f"sha{bits}": f"SSHA{bits}" for bits in (224, 256, 384, 512)}}


@each("algorithm", LDAP_WORDS)
@each(
    "salt, salt_is_before",
    [(b"", True), (b"~$", True), (b"x" * 36, True), (b"", False), (b"\x00\xff$", False), (b"x" * 36, False)],
)
def test_a_weak_digest_is_stored_only_inside_argon2id(algorithm: str, salt: bytes, salt_is_before: bool) -> None:
    digest = hashlib.new(algorithm, salt + b"secret" if salt_is_before else b"secret" + salt).digest()
    of_django = f"{algorithm}${salt.decode('latin-1')}${digest.hex()}"
    of_ldap = f"{{{LDAP_WORDS[algorithm]}}}{encoded(digest + salt)}"

    weak = adopt(of_django if salt_is_before else of_ldap)

    assert isinstance(weak, WeakHash)
    found = wrap(weak, costs=CHEAP)

    assert found.kind == weak.kind == f"{algorithm} in argon2id"
    assert_matches(found, "secret")
    assert encoded(digest)[:10] not in found.stored
    assert digest.hex() not in found.stored
    assert wrap(pickle.loads(pickle.dumps(weak)), costs=CHEAP) != found  # noqa: S301 - written in this line


def test_weak_digests_are_wrapped_by_several_threads_with_the_costs_of_new_hashes() -> None:
    weak = [adopt(hashlib.new("md5", bytes([n]), usedforsecurity=False).hexdigest()) for n in range(8)]
    costs = hashing.costs_of_new_hashes()

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda one: wrap(one, costs=costs), weak))

    assert all(verify_password(chr(n), one.stored) == OLD for n, one in enumerate(found))
    assert all(one.stored.startswith("foreign$md5$8,1,1$") for one in found)
    assert 0 < seconds_to_wrap(costs=costs) < seconds_to_wrap(costs=argon2id.Costs(memory=19456, passes=2, lanes=1)) < 1


A16, A43, A64 = "A" * 22, "A" * 43, "A" * 86 + "=="
TOO_COSTLY = {
    "4 GiB of Argon2": f"$argon2id$v=19$m=4194304,t=1,p=1${A16}${A43}",
    "300 passes of Argon2": f"$argon2id$v=19$m=65536,t=300,p=1${A16}${A43}",
    "4 GiB of scrypt": f"$scrypt$ln=22,r=8,p=1${A16}${A43}",
    "scrypt beyond all numbers": f"$scrypt$ln=999999999,r=8,p=1${A16}${A43}",
    "scrypt with many lanes": f"$scrypt$ln=14,r=8,p=4096${A16}${A43}",
    "4 GiB of scrypt of Django": f"scrypt$4194304$salt$8$1${A64}",
    "4 GiB of Firebase": f"$fbscrypt$v=1,n=22,r=8,p=1,ss=Bw==,sk={A64}${A16}${A64}",
    "bcrypt with cost 31": "$2b$31$" + "." * 53,
    "PBKDF2": f"$pbkdf2-sha512$i=900000000${A16}${A43}",
    "PBKDF2 of Django": f"pbkdf2_sha256$900000000$salt${A43}=",
    "SHA-crypt": "$6$rounds=999999999$salt$" + "." * 86,
    "phpass": "$P$S" + "." * 30,
    "own text": f"foreign$pbkdf2-sha1$900000000${A16}${A16}",
}


@each("name", TOO_COSTLY)
def test_a_hash_with_a_check_of_more_than_two_seconds_or_256_mib_is_refused_without_a_check(name: str) -> None:
    with pytest.raises(RefusedHash) as refused:
        adopt(TOO_COSTLY[name])

    sentence = refused.value.reason
    assert ("At most 256 MiB are allowed" in sentence) != ("At most 2 seconds are allowed" in sentence)
    assert SECONDS_MAX == 2


@pytest.mark.parametrize(
    "text", [f"$argon2id$v=19$m=262144,t=1,p=30000${A16}${A43}", f"foreign$md5$262144,1,256$${A16}${A16}"]
)
def test_a_hash_whose_check_starts_many_threads_is_refused(text: str) -> None:
    with pytest.raises(RefusedHash, match="more than 255 lanes"):
        adopt(text)


MALFORMED = [
    "",
    "secret",
    "!",
    "x" * 5_000,
    "88a434c88cca4e900f7874cd98123f4",
    "88a434c88cca4e900f7874cd98123f4\u0661",
    "88a434c88cca4e900f7874cd98123f43\n",
    "88a434c88cca4e900f7874cd98123f43\0",
    "=cmd|' /C calc'!A0",
    "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
    f"$argon2id$v=18$m=8,t=1,p=1${A16}${A43}",
    f"$argon2id$v=19$m=8,t=1,p=2${A16}${A43}",
    f"$argon2id$v=19$m=8,t=0,p=1${A16}${A43}",
    f"$argon2id$v=19$m=8,t=1,p=1$AAAA${A43}",
    f"$argon2id$v=19$m=8,t=1,p=1${A16}$AAAA",
    f"$argon2id$v=19$m=8,t=1,p=1${A16}${'A' * 86}",
    "$2b$03$" + "." * 53,
    "$2b$12$" + "." * 52,
    "$2x$12$" + "." * 53,
    f"$pbkdf2-md5$1000${A16}${A43}",
    f"$pbkdf2-sha256$0${A16}${A43}",
    f"$pbkdf2-sha256$1000${A16}$AAAA",
    f"$pbkdf2-sha256$1000${A16}$",
    f"$pbkdf2-sha256$1000${'A' * 100}${A43}",
    f"pbkdf2_sha256$1000$salt${A43}",
    f"$scrypt$r=8,ln=14,p=1${A16}${A43}",
    f"$scrypt$ln=14,r=8,p=1${A16}$AAAA",
    "scrypt$3$salt$8$1$" + "A" * 86 + "==",
    f"$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA${A16}${A43}",
    "$6$rounds=999$salt$" + "." * 86,
    "$6$rounds=5000$longer than sixteen$" + "." * 86,
    "$6$salt$" + "." * 85,
    "$P$B" + "." * 29,
    "$P$." + "." * 30,
    "md5$salt$88a434c88cca4e900f7874cd98123f",
    "sha256$" + "x" * 60 + "$" + "0" * 64,
    "{SSHA}AAAA",
    "{MD5}" + "A" * 40,
    "{NTLM}" + "A" * 32,
    "{CRYPT}{CRYPT}88a434c88cca4e900f7874cd98123f43",
    "{CRYPT}" * 580,
    "foreign$",
    "foreign$md5$8,1,1",
    f"foreign$md5$8,1$${A16}${A16}",
    f"foreign$md4$8,1,1$${A16}${A16}",
    f"foreign$md5$8,1,1$${A16}$AAAA",
    f"foreign$md5$8,1,2$${A16}${A16}",
]


@each("text", MALFORMED)
def test_a_malformed_hash_is_refused_and_matches_no_password(text: str) -> None:
    with pytest.raises(RefusedHash) as refused:
        adopt(text)

    assert len(text) < 4 or text not in refused.value.reason
    assert verify_password("secret", text) == WRONG


@each("text", ["", "[", "[" * 10_000, "null", "{}", '{"algorithm": "argon2", "hashIterations": "5"}'])
def test_a_malformed_credential_of_keycloak_is_refused(text: str) -> None:
    with pytest.raises(RefusedHash):
        adopt_keycloak(credential_data=text, secret_data='{"value": "AAAA", "salt": "AAAA"}')
    with pytest.raises(RefusedHash):
        adopt_keycloak(credential_data='{"algorithm": "pbkdf2", "hashIterations": 1}', secret_data=text)


@each("parameters", [{"type": ["x"]}, {"version": ["1.4"]}])
def test_unknown_parameters_of_keycloak_are_refused(parameters: dict[str, list[str]]) -> None:
    known = {"memory": ["7168"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}
    credential = {"hashIterations": 5, "algorithm": "argon2", "additionalParameters": known | parameters}
    secret = {"value": encoded(b"x" * 32), "salt": encoded(b"x" * 16)}

    with pytest.raises(RefusedHash):
        adopt_keycloak(credential_data=json.dumps(credential), secret_data=json.dumps(secret))


@hypothesis.settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_mutilated_hash_is_refused_or_matches_no_password(data: st.DataObject) -> None:
    password, text = data.draw(st.sampled_from([pair for name, pair in VECTORS.items() if "argon2" not in name]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    text = text[:start] + data.draw(st.text(alphabet="$=,.{}!\u00e9\x00 A1", max_size=3)) + text[end:]

    try:
        found = adopt(text)
    except RefusedHash:
        return

    assert len(stored(found)) <= 128
    assert not verify_password(password + "x", stored(found)).ok


def test_a_long_password_matches_no_hash_that_hashes_the_password_in_each_round() -> None:
    long = "x" * 257
    for text in (libpass.sha512_crypt.using(rounds=1000).hash(long), libpass.phpass.using(rounds=7).hash(long)):
        assert verify_password(long, stored(adopt(text))) == WRONG
    assert measure("foreign$6$200000$................$" + "." * 86) > measure(
        "foreign$6$1000$................$" + "." * 86
    )


@each("name", VECTORS)
def test_a_kind_has_the_costs_but_nothing_of_the_hash_and_can_be_measured(name: str) -> None:
    found = adopted(VECTORS[name][1])
    kind = kind_of(found.stored)

    assert kind is not None
    assert kind_of(kind) == kind
    assert kind != found.stored
    assert hashing.name_of(kind) == found.kind
    assert hashing.cost_of(kind) > 0
    assert measure(kind) > 0


def test_djangos_own_check_takes_a_foreign_hash_for_a_wrong_password(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]

    for name in ("phpass", "SSHA", "firebase"):
        password, text = VECTORS[name]
        assert hashers.check_password(password, stored(adopt(text))) is False
        assert hashers.is_password_usable(stored(adopt(text)))


def test_the_hasher_for_the_pages_of_a_site_verifies_foreign_hashes_and_rewrites_them(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.Argon2PasswordHasher",
        "accounts.passwords.foreign.site_hasher.ForeignPasswordHasher",
    ]
    password, text = VECTORS["phpass"]
    rewritten: list[str] = []

    assert not hashers.check_password(password + "x", stored(adopt(text)), rewritten.append)
    assert not hashers.check_password(password, "foreign$phpass$13$short", rewritten.append)
    assert not rewritten
    assert hashers.check_password(password, stored(adopt(text)), rewritten.append)
    assert rewritten == [password]
    assert hashers.identify_hasher(stored(adopt(text))).safe_summary(stored(adopt(text))) == {"algorithm": "phpass"}


def adopted(text: str) -> AdoptedHash:
    """Return the hash as it is stored."""
    found = adopt(text)
    return wrap(found, costs=CHEAP) if isinstance(found, WeakHash) else found


def stored(found: AdoptedHash | WeakHash) -> str:
    return (wrap(found, costs=CHEAP) if isinstance(found, WeakHash) else found).stored


def assert_matches(found: AdoptedHash | WeakHash, password: str) -> None:
    """Assert that only the password matches, and that an export of the stored text can be imported again."""
    assert isinstance(found, AdoptedHash)
    assert len(found.stored) <= 128
    assert verify_password(password, found.stored) == OLD
    assert verify_password(password + "x", found.stored) == WRONG
    assert verify_password("", found.stored) == WRONG
    assert adopt(found.stored) == found


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
