"""A client's key, and the proofs that it signs with the key (RFC 9449)."""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import jwt as pyjwt
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc.jwk import ECKey, OKPKey, RSAKey

from core.clock import now
from core.keys.dpop import current_nonce

BASE_URL = "http://localhost:8000"


def encode(raw: bytes) -> str:
    """Return the bytes in base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class Prover:
    """A client with a key."""

    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    algorithm: str = "ES256"

    @property
    def jwk(self) -> dict[str, Any]:
        """The public key."""
        public: Any = self.key.public_key()
        kind: Any = {"ES256": ECKey, "PS256": RSAKey, "RS256": RSAKey}.get(self.algorithm, OKPKey)
        return dict(kind.import_key(public).as_dict(private=False))

    @property
    def thumbprint(self) -> str:
        """The thumbprint of the key, made without the service's code (RFC 7638)."""
        wanted = {"EC": ("crv", "kty", "x", "y"), "RSA": ("e", "kty", "n"), "OKP": ("crv", "kty", "x")}
        members = {name: self.jwk[name] for name in wanted[self.jwk["kty"]]}
        return encode(hashlib.sha256(json.dumps(members, separators=(",", ":"), sort_keys=True).encode()).digest())

    def proof(
        self, method: str, path: str, *, access: str = "", header: dict[str, Any] | None = None, **changed: Any
    ) -> str:
        """Return a proof for the request. A claim or a member of the header that is None is left out."""
        usual: dict[str, Any] = {
            "jti": uuid4().hex,
            "htm": method,
            "htu": BASE_URL + path,
            "iat": int(now().timestamp()),
            "nonce": current_nonce(now=now()),
        }
        if access:
            usual["ath"] = encode(hashlib.sha256(access.encode()).digest())
        claims = {name: value for name, value in {**usual, **changed}.items() if value is not None}
        given = {"typ": "dpop+jwt", "jwk": self.jwk, **(header or {})}
        headers = {name: value for name, value in given.items() if value is not None}
        if "typ" not in headers:
            headers["typ"] = None
        return pyjwt.encode(claims, self.key, algorithm=headers.pop("alg", self.algorithm), headers=headers)

    def headers(self, method: str, path: str, *, access: str = "", **changed: Any) -> dict[str, str]:
        """Return the headers of a request with a proof, and with the access token if there is one."""
        proof = {"DPoP": self.proof(method, path, access=access, **changed)}
        return {**proof, "Authorization": f"DPoP {access}"} if access else proof


def signed_by_secret(prover: Prover, secret: str) -> str:
    """Return a proof whose signature is an HMAC. PyJWT refuses to make it with a public key."""
    claims = prover.proof("POST", "/oauth2/token").split(".")[1]
    header = encode(json.dumps({"alg": "HS256", "typ": "dpop+jwt", "jwk": prover.jwk}).encode())
    signature = hmac.digest(secret.encode(), f"{header}.{claims}".encode(), "sha256")
    return f"{header}.{claims}.{encode(signature)}"
