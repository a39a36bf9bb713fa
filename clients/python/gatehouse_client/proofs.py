"""Proofs of a key (DPoP, RFC 9449). The module needs the package `cryptography`."""

import base64
import hashlib
import json
import threading
import time
import uuid
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


class ProofKey:
    """A key that binds the tokens of a client: `Gatehouse(url, key=ProofKey())`. Threads and clients can share it.

    The key is in memory, and ends with the process. A bound session cannot go on without its key.
    """

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        numbers = self._key.public_key().public_numbers()
        x, y = (_encode(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        jwk = {"kty": "EC", "crv": "P-256", "x": x, "y": y}
        self._header = _encode_json({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk})
        self._nonces: dict[str, str] = {}
        self._lock = threading.Lock()

    def proof(self, method: str, url: str, *, token: str | None = None) -> str:
        """Return a proof for one request. `token` is the access token that the request contains."""
        claims = {
            "jti": uuid.uuid4().hex,
            "htm": method,
            "htu": url.partition("?")[0].partition("#")[0],
            "iat": int(time.time()),
            "nonce": self._nonces.get(_origin(url)),
            "ath": token and _encode(hashlib.sha256(token.encode()).digest()),
        }
        signed = f"{self._header}.{_encode_json({name: value for name, value in claims.items() if value})}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{_encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"

    def learn(self, response: httpx.Response) -> bool:
        """Keep the nonce of the response for later proofs, and return whether it is new."""
        nonce, origin = response.headers.get("DPoP-Nonce"), _origin(str(response.url))
        with self._lock:
            if not nonce or nonce == self._nonces.get(origin):
                return False
            self._nonces[origin] = nonce
            return True


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _encode_json(value: object) -> str:
    return _encode(json.dumps(value).encode())


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
