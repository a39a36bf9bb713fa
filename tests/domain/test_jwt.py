import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt as pyjwt
import pytest
from joserfc.jwk import ECKey
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from pytest_django import Settings

from core import clock
from core.errors import InvalidAccessToken
from core.keys import jwt, ring
from core.keys.jwt import Caller
from core.keys.key_pairs import KeyPair
from core.keys.ring_file import read_ring
from core.keys.signing_keys import SigningKey
from tests.rows import each

pytestmark = pytest.mark.once

NOW = datetime(2026, 11, 21, 12, 0, 0, 250_000, tzinfo=UTC)
START = NOW.replace(microsecond=0)
STAMP = int(START.timestamp())
SECOND = timedelta(seconds=1)
TICK = timedelta(microseconds=1)
ALGORITHMS = ["ES256", "Ed25519", "RS256"]
ISSUER = "https://id.example"
STRANGER = ECKey.generate_key("P-256")
STRANGER_JWK = STRANGER.as_dict(private=False)


@pytest.fixture(autouse=True)
def service(settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {"BASE_URL": ISSUER, "SIGNING_KEYS_FILE": str(tmp_path / "keys.json")}


@pytest.fixture
def pyjwt_algorithms() -> Iterator[dict[str, Any]]:
    """PyJWT's algorithms plus Ed25519, which PyJWT knows by the older name EdDSA."""
    pyjwt.register_algorithm("Ed25519", OKPAlgorithm())
    yield {"ES256": ECAlgorithm, "Ed25519": OKPAlgorithm, "RS256": RSAAlgorithm}
    pyjwt.unregister_algorithm("Ed25519")


def change(settings: Settings, **variables: Any) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


def issue(*, now: datetime = NOW, **claims: Any) -> str:
    return jwt.issue_access_token(user_id="alice", token_id="t", claims=claims, now=now)


def signing_key() -> SigningKey:
    return ring.current_ring(now=NOW).active_key(now=NOW)


def encode(part: object) -> str:
    raw = part if isinstance(part, bytes) else json.dumps(part, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(part: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(part + "=="))


def claims_of(**changes: Any) -> dict[str, Any]:
    claims = {
        "iss": ISSUER,
        "sub": "alice",
        "aud": "authsvc",
        "exp": STAMP + 900,
        "nbf": STAMP,
        "iat": STAMP,
        "jti": "j",
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not None}


def header_of(**changes: Any) -> dict[str, Any]:
    key = signing_key()
    header = {"alg": key.algorithm, "kid": key.kid, "typ": "at+jwt", **changes}
    return {name: value for name, value in header.items() if value is not None}


def signed(payload: object, header: object = None) -> str:
    """Sign the payload with the service's active key, under the service's header unless another is given."""
    unsigned = f"{encode(header_of() if header is None else header)}.{encode(payload)}"
    return f"{unsigned}.{encode(signing_key().sign(unsigned.encode()))}"


def is_valid(token: str, *, now: datetime = NOW) -> bool:
    try:
        jwt.verify_access_token(token, now=now)
    except InvalidAccessToken:
        return False
    return True


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The messages whose signatures were checked."""
    messages: list[bytes] = []
    original = SigningKey.has_signed

    def counted(key: SigningKey, message: bytes, signature: bytes) -> bool:
        messages.append(message)
        return original(key, message, signature)

    monkeypatch.setattr(SigningKey, "has_signed", counted)
    return messages


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_another_library_verifies_a_token_with_only_the_key_set(
    settings: Settings, pyjwt_algorithms: dict[str, Any], algorithm: str
) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)
    now = clock.now()  # the value as the other library reads it
    token = jwt.issue_access_token(user_id="alice", token_id="t", claims={"plan": "pro", "role": "admin"}, now=now)
    published = json.loads(json.dumps(jwt.jwks(now=now)))

    header = pyjwt.get_unverified_header(token)
    (jwk,) = [key for key in published["keys"] if key["kid"] == header["kid"]]
    claims = pyjwt.decode(
        token,
        key=pyjwt_algorithms[jwk["alg"]].from_jwk(jwk),
        algorithms=[jwk["alg"]],
        audience="authsvc",
        issuer=ISSUER,
        options={"require": ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]},
    )

    stamp = int(now.timestamp())
    assert header == {"alg": algorithm, "kid": jwk["kid"], "typ": "at+jwt"}
    assert claims == {
        "iss": ISSUER,
        "sub": "alice",
        "aud": "authsvc",
        "exp": stamp + 900,
        "nbf": stamp,
        "iat": stamp,
        "jti": claims["jti"],
        "plan": "pro",
        "role": "admin",
    }


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_names_its_user(settings: Settings, algorithm: str) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)

    assert jwt.verify_access_token(issue(), now=NOW) == Caller(user_id="alice", token_id="t", is_operator=False)
    assert jwt.verify_access_token(issue(role="admin"), now=NOW) == Caller(
        user_id="alice", token_id="t", is_operator=True
    )


@pytest.mark.parametrize("role", ["superadmin", "Admin", ["admin"], True, None])
def test_only_the_operator_roles_make_an_operator(role: object) -> None:
    assert not jwt.verify_access_token(issue(role=role), now=NOW).is_operator


@pytest.mark.parametrize(
    ("algorithm", "members"),
    [("ES256", {"crv", "x", "y"}), ("Ed25519", {"crv", "x"}), ("RS256", {"n", "e"})],
)
def test_the_key_set_contains_only_public_members(settings: Settings, algorithm: str, members: set[str]) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)

    (key,) = jwt.jwks(now=NOW)["keys"]

    assert set(key) == members | {"kty", "kid", "use", "alg"}
    assert (key["use"], key["alg"], key["kid"]) == ("sig", algorithm, signing_key().kid)


def test_the_key_set_contains_exactly_the_published_keys() -> None:
    ring.ensure_ring(now=NOW)
    old, new = ring.rotate(now=NOW).keys

    def published(now: datetime) -> list[str]:
        return [key["kid"] for key in jwt.jwks(now=now)["keys"]]

    assert published(NOW + SECOND) == [old.kid, new.kid]
    assert published(START + 1559 * SECOND) == [old.kid, new.kid]
    assert published(START + 1560 * SECOND) == [new.kid]


def test_registered_claims_take_precedence_over_metadata() -> None:
    evil = dict.fromkeys(("iss", "sub", "aud", "exp", "nbf", "iat", "jti"), "evil")

    token = jwt.issue_access_token(user_id="alice", token_id="t", claims=evil, now=NOW)

    claims = decode(token.split(".")[1])
    assert "evil" not in claims.values()
    assert claims == claims_of(jti=claims["jti"])


def test_the_id_of_an_access_token_is_the_id_of_its_refresh_token() -> None:
    token = jwt.issue_access_token(user_id="alice", token_id="01a1fd7f", claims={}, now=NOW)

    assert decode(token.split(".")[1])["jti"] == "01a1fd7f"
    assert jwt.verify_access_token(token, now=NOW).token_id == "01a1fd7f"


def test_metadata_of_any_kind_and_of_the_largest_size_is_accepted() -> None:
    metadata = {"big": 10**40, "small": 1e-300, "none": None, "deep": {"a": [1, {"b": True}]}, "name": "Zoë 🐈"}
    full = {f"key{number}": "🐈" * 250 for number in range(4)}

    for claims in (metadata, full):
        token = issue(**claims)
        assert jwt.verify_access_token(token, now=NOW).user_id == "alice"
        assert decode(token.split(".")[1]).items() >= claims.items()


def test_issuer_audience_and_lifetime_come_from_the_settings(settings: Settings) -> None:
    change(settings, TOKEN_ISSUER="urn:gatehouse", TOKEN_AUDIENCE="shop", ACCESS_TOKEN_SECONDS=60)

    claims = decode(issue().split(".")[1])

    assert claims == claims_of(iss="urn:gatehouse", aud="shop", exp=STAMP + 60, jti=claims["jti"])


def test_a_token_is_valid_from_its_nbf_with_five_seconds_of_leeway_to_its_exp_with_none(checks: list[bytes]) -> None:
    token = issue()
    bounds = {
        START - 5 * SECOND - TICK: False,
        START - 5 * SECOND: True,
        START + 900 * SECOND - TICK: True,
        START + 900 * SECOND: False,
    }

    for _ in ("at first sight", "remembered"):
        assert {moment: is_valid(token, now=moment) for moment in bounds} == bounds
    assert len(checks) == 1


@pytest.mark.parametrize("depth", [1500, 5000])
def test_claims_nested_too_deeply_for_the_parser_are_refused(depth: int) -> None:
    assert not is_valid(signed(b"[" * depth))
    assert not is_valid(signed(b"[" * depth + b"]" * depth))


@each(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"iss": f"{ISSUER}/"},
        {"iss": None},
        {"aud": "other"},
        {"aud": ["authsvc"]},
        {"aud": None},
        {"sub": None},
        {"sub": 7},
        {"exp": None},
        {"exp": str(STAMP + 900)},
        {"exp": STAMP + 900.5},
        {"exp": True},
        {"exp": STAMP},
        {"nbf": None},
        {"nbf": True},
        {"nbf": float(STAMP)},
        {"nbf": STAMP + 6},
        {"iat": None},
        {"iat": str(STAMP)},
        {"iat": False},
    ],
)
def test_foreign_claims_are_refused_even_under_the_services_signature(changes: dict[str, Any]) -> None:
    assert is_valid(signed(claims_of()))

    assert not is_valid(signed(claims_of(**changes)))


@each("payload", [b"", b"[]", b"null", b'"alice"', b"{", b"\xff"])
def test_a_payload_that_is_not_an_object_is_refused(payload: bytes) -> None:
    assert not is_valid(signed(payload))


@each(
    "changes",
    [
        {"typ": "JWT"},
        {"typ": "application/at+jwt"},
        {"typ": "AT+JWT"},
        {"typ": None},
        {"alg": "none"},
        {"alg": "HS256"},
        {"alg": "ES384"},
        {"alg": "EdDSA"},
        {"alg": None},
        {"kid": None},
        {"kid": "another"},
        {"kid": ["a"]},
        {"crit": ["exp"]},
        {"crit": ["b64"], "b64": False},
        {"jwk": STRANGER_JWK},
        {"jku": "https://evil.example/jwks.json"},
        {"x5c": ["MIIB"]},
        {"x5u": "https://evil.example/cert"},
        {"zip": "DEF"},
        {"cty": "JWT"},
    ],
)
def test_a_foreign_header_is_refused_even_under_the_services_signature(changes: dict[str, Any]) -> None:
    assert is_valid(signed(claims_of(), header_of()))

    assert not is_valid(signed(claims_of(), header_of(**changes)))


@pytest.mark.parametrize(
    "header", [{}, {"typ": "at+jwt"}, {"jwk": STRANGER_JWK}, {"jwk": STRANGER_JWK, "kid": None}, {"kid": "theirs"}]
)
def test_a_token_signed_by_an_unknown_key_is_refused(header: dict[str, Any]) -> None:
    theirs = SigningKey(
        kid="theirs",
        algorithm="ES256",
        pair=KeyPair(algorithm="ES256", jwk=STRANGER),
        published_at=START,
        active_at=START,
        retires_at=None,
    )
    unsigned = f"{encode(header_of(**header))}.{encode(claims_of())}"

    assert not is_valid(f"{unsigned}.{encode(theirs.sign(unsigned.encode()))}")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_signed_with_the_public_key_by_hs256_is_refused(settings: Settings, algorithm: str) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)
    key = signing_key()
    jwk = jwt.jwks(now=NOW)["keys"][0]
    secrets = [key.pair.jwk.as_pem(private=False), key.pair.jwk.as_der(private=False), json.dumps(jwk).encode(), b""]

    for header in (header_of(), header_of(alg="HS256")):
        unsigned = f"{encode(header)}.{encode(claims_of())}"
        for secret in secrets:
            mac = hmac.new(secret, unsigned.encode(), hashlib.sha256).digest()
            assert not is_valid(f"{unsigned}.{encode(mac)}")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_key_verifies_only_under_its_own_algorithm(settings: Settings, algorithm: str) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)
    mine = signing_key()

    for other in ALGORITHMS:
        assert is_valid(signed(claims_of(), header_of(alg=other))) == (other == mine.algorithm)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_with_a_changed_signature_is_refused(settings: Settings, algorithm: str) -> None:
    change(settings, TOKEN_ALGORITHM=algorithm)
    head, payload, signature = issue().split(".")
    other_payload = issue(role="admin").split(".")[1]
    size = len(base64.urlsafe_b64decode(signature + "=="))

    assert is_valid(f"{head}.{payload}.{signature}")
    for forged in (
        f"{head}.{other_payload}.{signature}",
        f"{head}.{payload}.",
        f"{head}.{payload}",
        f"{head}.{payload}.{signature}.",
        f"{head}.{payload}.{signature}.{signature}",
        f"{head}.{payload}.{encode(bytes(size))}",
        f"{head}.{payload}.{encode(bytes([255]) * size)}",
        f"{head}.{payload}.{encode(bytes(size * 2))}",
        f"{head}.{payload}.{signature[:-4]}",
        f"{head}.{payload}.{signature}AAAA",
        f".{payload}.{signature}",
        f"{head}..{signature}",
    ):
        assert not is_valid(forged)


@each("tail", ["=", "==", "\n", " ", "!", "%3D"])
def test_a_token_has_only_one_valid_spelling(tail: str) -> None:
    token = issue()
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    # The last of the 86 characters of an ES256 signature has four unused bits.
    sloppy = token[:-1] + alphabet[alphabet.index(token[-1]) ^ 1]

    assert is_valid(token)
    assert not is_valid(sloppy)
    assert not is_valid(token + tail)
    assert not is_valid(tail + token)


@each(
    "junk",
    ["", ".", "..", "...", "a", "e30.e30.e30", "spt_" + "a" * 43, "srt_x", "ak_12345678_x", "é.é.é", "\ud800", "\0"],
)
def test_junk_is_refused(junk: str) -> None:
    assert not is_valid(junk)


def test_a_token_that_is_too_long_is_refused_without_parsing(checks: list[bytes]) -> None:
    padding = "x" * 20_000

    assert not is_valid(issue(padding=padding))
    assert not is_valid("." * 20_000_000)
    assert checks == []


def test_the_signature_of_a_token_is_checked_only_once(checks: list[bytes]) -> None:
    first, second = issue(), issue()

    identities = [jwt.verify_access_token(token, now=NOW) for token in (first, second, first, second, first)]

    assert identities == [Caller(user_id="alice", token_id="t", is_operator=False)] * 5
    assert len(checks) == 2


def test_a_cached_token_does_not_validate_another_token_with_its_payload_or_signature(checks: list[bytes]) -> None:
    token = issue()
    assert is_valid(token)
    head, payload, signature = token.split(".")

    assert not is_valid(f"{head}.{payload}.{encode(bytes(64))}")
    assert not is_valid(f"{head}.{encode(claims_of(role='admin'))}.{signature}")
    assert len(checks) == 3


def test_a_refused_token_is_not_cached(checks: list[bytes]) -> None:
    forged = issue()[:-8] + "AAAAAAAA"

    assert [is_valid(forged), is_valid(forged)] == [False, False]
    assert len(checks) == 2


def test_a_full_cache_drops_the_oldest_token(monkeypatch: pytest.MonkeyPatch, checks: list[bytes]) -> None:
    monkeypatch.setattr(jwt, "REMEMBERED_MAX", 3)
    tokens = [issue() for _ in range(4)]

    for token in [*tokens, *tokens[1:], tokens[0]]:
        assert is_valid(token)

    assert len(checks) == 5
    assert len(jwt._verifier_of(ring.current_ring(now=NOW)).verified) == 3


def test_the_cache_holds_at_most_ten_thousand_tokens() -> None:
    assert jwt.REMEMBERED_MAX == 10_000


@pytest.mark.parametrize("variable", ["TOKEN_ISSUER", "TOKEN_AUDIENCE"])
def test_a_cached_token_of_another_issuer_or_audience_is_refused(settings: Settings, variable: str) -> None:
    token = issue()
    assert is_valid(token)

    change(settings, **{variable: "changed"})

    assert not is_valid(token)


def test_a_changed_ring_empties_the_cache(checks: list[bytes]) -> None:
    token = issue()
    assert is_valid(token)

    ring.rotate(now=NOW)

    assert is_valid(token, now=NOW + SECOND)
    assert is_valid(token, now=NOW + SECOND)
    assert len(checks) == 2


def test_a_cached_token_of_an_unpublished_key_is_refused(settings: Settings) -> None:
    ring.ensure_ring(now=NOW)
    ring.rotate_at_once(now=NOW)
    change(settings, ACCESS_TOKEN_SECONDS=90_000)
    old = read_ring().keys[0]
    unsigned = f"{encode({'alg': 'ES256', 'kid': old.kid, 'typ': 'at+jwt'})}.{encode(claims_of(exp=STAMP + 90_000))}"
    token = f"{unsigned}.{encode(old.sign(unsigned.encode()))}"

    assert is_valid(token, now=START + 1199 * SECOND)
    assert not is_valid(token, now=START + 1200 * SECOND)


def test_keys_of_different_algorithms_verify_side_by_side(settings: Settings) -> None:
    tokens: list[str] = []
    for algorithm in ALGORITHMS:
        change(settings, TOKEN_ALGORITHM=algorithm)
        ring.rotate_at_once(now=NOW)
        tokens.append(
            jwt.issue_access_token(user_id=algorithm, token_id="t", claims={}, now=NOW + len(tokens) * SECOND)
        )

    assert [decode(token.split(".")[0])["alg"] for token in tokens] == ALGORITHMS
    assert [jwt.verify_access_token(token, now=NOW + 3 * SECOND).user_id for token in tokens] == ALGORITHMS


def test_threads_issue_and_verify_tokens_without_refusals_during_rotations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jwt, "REMEMBERED_MAX", 5)

    def work(worker: int) -> int:
        verified = 0
        for turn in range(60):
            moment = NOW + turn * SECOND
            if worker == 0 and turn % 10 == 0:
                ring.rotate_at_once(now=moment)
            user_id = f"user-{worker}-{turn}"
            token = jwt.issue_access_token(user_id=user_id, token_id="t", claims={}, now=moment)
            verified += jwt.verify_access_token(token, now=moment).user_id == user_id
        return verified

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [60] * 8
