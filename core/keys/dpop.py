"""Proofs of possession of a key (DPoP, RFC 9449). A proof is a JWT that a client signs anew for each request.

Its header contains the public key. The thumbprint of this key (RFC 7638) is what tokens are bound to.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson
from django.utils.crypto import salted_hmac
from joserfc.errors import JoseError, UnsupportedAlgorithmError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey
from joserfc.jws import JWSRegistry, deserialize_compact, extract_compact

from ..errors import PROOF_ALGORITHMS, InvalidDpopProof, UseDpopNonce

PROOF_MAX = 6_000
TEXT_MAX = 500
RSA_LENGTHS = range(342, 684)
"""The length of the text of an RSA modulus with 2048 to 4096 bits. A longer one would cost time."""

EXPONENT_MAX = 8
NONCE_SECONDS = 60
"""A nonce is valid in the period of its issue and in the next one."""

_PORTS = {"http": 80, "https": 443}
_CURVES = {"ES256": "P-256", "EdDSA": "Ed25519", "Ed25519": "Ed25519"}
_PRIVATE_MEMBERS = frozenset(("d", "p", "q", "dp", "dq", "qi", "oth", "k"))


class _Algorithms(JWSRegistry):
    """The algorithms of proofs. The library would warn of EdDSA, the name of Ed25519 that most clients still use."""

    # The header contains the key, and an RSA key alone has more than the library's 512 bytes.
    max_header_length = PROOF_MAX

    def get_alg(self, name: str) -> Any:
        if name not in PROOF_ALGORITHMS:
            raise UnsupportedAlgorithmError
        return self.algorithms[name]


_registry = _Algorithms(strict_check_header=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyProof:
    """A valid proof. `thumbprint` is that of its key. `digest` names the proof: 32 bytes of its key and its `jti`."""

    thumbprint: str
    digest: bytes


def read_proof(raw: str, *, method: str, url: str, access_token: str, now: datetime) -> KeyProof:
    """Return the proof for this request, by the checks of RFC 9449, section 4.3. `access_token` is "" without one.

    `url` is the address of the request without a query, whose path is decoded. The caller checks that the proof was not
    used before, and that a token is bound to its key. Raises InvalidDpopProof when the proof is not valid, and UseDpopNonce
    when it lacks a valid nonce. A valid nonce shows when the proof was made, whatever the clock of the client says.
    """
    header, claims = _open(raw)
    thumbprint = _thumbprint_of_signer(raw, header)
    jti = claims.get("jti")
    if not isinstance(jti, str) or not 1 <= len(jti) <= TEXT_MAX or not _is_number(claims.get("iat")):
        raise InvalidDpopProof(f"The proof needs iat, and a jti of at most {TEXT_MAX} characters.")
    if claims.get("htm") != method:
        raise InvalidDpopProof("The htm of the proof must be the method of the request.")
    if not _is_same_address(claims.get("htu"), url):
        raise InvalidDpopProof(f"The htu of the proof must be the address of the request: {url}")
    if access_token and not _is_equal(claims.get("ath"), _encode(hashlib.sha256(access_token.encode()).digest())):
        raise InvalidDpopProof("The ath of the proof must be the hash of the access token.")
    if not any(_is_equal(claims.get("nonce"), nonce) for nonce in _nonces(now)):
        raise UseDpopNonce(nonce=current_nonce(now=now))
    return KeyProof(thumbprint=thumbprint, digest=hashlib.sha256(f"{thumbprint} {jti}".encode()).digest())


def current_nonce(*, now: datetime) -> str:
    """Return the nonce for the next proof. All processes of a deployment know it, and nothing is stored."""
    return _nonce(int(now.timestamp()) // NONCE_SECONDS)


def _nonces(now: datetime) -> list[str]:
    """Return the valid nonces. The clock of the machine that issued one can be ahead."""
    period = int(now.timestamp()) // NONCE_SECONDS
    return [_nonce(one) for one in (period, period - 1, period + 1)]


def _nonce(period: int) -> str:
    return _encode(salted_hmac("authsvc.dpop", str(period), algorithm="sha256").digest()[:16])


def _open(raw: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the claims. No signature is checked yet."""
    if not raw.isascii() or len(raw) > PROOF_MAX:
        raise InvalidDpopProof("The proof must be a signed JWT, and the header DPoP must occur once.")
    try:
        token = extract_compact(raw.encode(), registry=_registry)
        header: Any = token.headers()
        claims = orjson.loads(token.payload)
    except (JoseError, ValueError):
        raise InvalidDpopProof("The proof must be a signed JWT, and the header DPoP must occur once.") from None
    if not isinstance(header, dict) or not isinstance(claims, dict) or header.get("typ") != "dpop+jwt":
        raise InvalidDpopProof("The typ of the proof must be dpop+jwt.")
    return header, claims


def _thumbprint_of_signer(raw: str, header: dict[str, Any]) -> str:
    """Return the thumbprint of the public key in the header, which has signed the proof."""
    algorithm, entry = header.get("alg"), header.get("jwk")
    if algorithm not in PROOF_ALGORITHMS:
        raise InvalidDpopProof(f"The alg of the proof must be one of {', '.join(PROOF_ALGORITHMS)}.")
    if not isinstance(entry, dict) or not _PRIVATE_MEMBERS.isdisjoint(entry) or not _is_bounded(entry):
        raise InvalidDpopProof("The jwk of the proof must be a public key. An RSA key has 2048 to 4096 bits.")
    try:
        key = JWKRegistry.import_key(entry)
        is_suitable = _suits(key, str(algorithm))
        thumbprint = key.thumbprint()
        if is_suitable:
            deserialize_compact(raw, key, registry=_registry)
    except (JoseError, ValueError, TypeError, KeyError):
        raise InvalidDpopProof("The key in the proof did not sign the proof.") from None
    if not is_suitable:
        raise InvalidDpopProof("The alg of the proof does not belong to its jwk.")
    return str(thumbprint)


def _is_bounded(entry: dict[str, Any]) -> bool:
    """Return whether a check with the key costs little. The library would only warn of a short RSA key."""
    if entry.get("kty") != "RSA":
        return True
    modulus, exponent = entry.get("n"), entry.get("e")
    if not isinstance(modulus, str) or not isinstance(exponent, str):
        return False
    return len(modulus) in RSA_LENGTHS and len(exponent) <= EXPONENT_MAX


def _suits(key: object, algorithm: str) -> bool:
    if isinstance(key, RSAKey):
        return algorithm == "PS256"
    return isinstance(key, ECKey | OKPKey) and _CURVES.get(algorithm) == key.as_dict(private=False)["crv"]


def _is_same_address(stated: object, url: str) -> bool:
    """Return whether both are the same address, without query and fragment (RFC 3986, sections 6.2.2 and 6.2.3)."""
    return isinstance(stated, str) and len(stated) <= TEXT_MAX and _address(stated, is_decoded=False) == _address(url)


def _address(url: str, *, is_decoded: bool = True) -> tuple[str, str | None, int | None, str] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return parts.scheme, parts.hostname, port, parts.path if is_decoded else unquote(parts.path)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_equal(stated: object, wanted: str) -> bool:
    return isinstance(stated, str) and hmac.compare_digest(stated.encode(errors="replace"), wanted.encode())


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
