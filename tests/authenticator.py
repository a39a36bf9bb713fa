"""A software authenticator and its browser. It turns options into WebAuthn Level 3 JSON, with false values on request."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, Unpack
from uuid import UUID

import cbor2
import orjson
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

ORIGIN = "http://localhost:8000"
PRESENT, VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED, EXTENDED = 1, 4, 8, 16, 64, 128


class Key(Protocol):
    """A key pair that signs for a credential."""

    def cose(self) -> dict[int, Any]:
        """Return the public key (RFC 9053, section 7)."""

    def sign(self, data: bytes) -> bytes:
        """Sign the data."""


class Es256:
    """ECDSA on P-256, the algorithm of most authenticators."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def cose(self) -> dict[int, Any]:
        point = self._key.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, ec.ECDSA(SHA256()))


class EdDsa:
    """Ed25519."""

    def __init__(self) -> None:
        self._key = ed25519.Ed25519PrivateKey.generate()

    def cose(self) -> dict[int, Any]:
        return {1: 1, 3: -8, -1: 6, -2: self._key.public_key().public_bytes_raw()}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)


class Rs256:
    """RSA with PKCS #1 v1.5, the algorithm of older TPMs."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def cose(self) -> dict[int, Any]:
        public = self._key.public_key().public_numbers()
        return {1: 3, 3: -257, -1: public.n.to_bytes(256, "big"), -2: public.e.to_bytes(3, "big")}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, padding.PKCS1v15(), SHA256())


@dataclass
class Credential:
    """The data that the authenticator keeps of a registration."""

    key: Key
    user_handle: bytes
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    count: int = 0


class FalseValues(TypedDict, total=False):
    """False values for the members of an answer.

    `flags` replace all flags of the authenticator data. A `public_key` and `extensions` in bytes are CBOR already.
    """

    type: str
    challenge: bytes
    origin: str
    cross_origin: bool
    client_data: bytes
    rp_id: str
    flags: int
    count: int
    user_handle: bytes | None
    signature: bytes
    fmt: str
    statement: Any
    public_key: Any
    extensions: bytes
    raw_id: bytes
    id: str


@dataclass(kw_only=True)
class Authenticator:
    """Create and sign with credentials. The authenticator counts its signatures unless `counts` is off."""

    key: Callable[[], Key] = Es256
    aaguid: UUID = UUID(int=0)
    transports: tuple[str, ...] = ("internal",)
    counts: bool = True
    is_verifying: bool = True
    is_backup_eligible: bool = False
    is_backed_up: bool = False
    credentials: list[Credential] = field(default_factory=list)

    def create(
        self, options: dict[str, Any], credential: Credential | None = None, **false_values: Unpack[FalseValues]
    ) -> dict[str, Any]:
        """Create a credential, or return the given one as new, as `navigator.credentials.create()` does.

        The call appends the credential to `credentials`.
        """
        made = credential or Credential(key=self.key(), user_handle=base64url_to_bytes(options["user"]["id"]))
        self.credentials.append(made)
        public_key = false_values.get("public_key", made.key.cose())
        encoded = public_key if isinstance(public_key, bytes) else cbor2.dumps(public_key)
        attested = self.aaguid.bytes + len(made.id).to_bytes(2, "big") + made.id + encoded
        data = self._data(made, options["rp"]["id"], false_values, attested=attested)
        attestation: dict[str, Any] = {
            "fmt": false_values.get("fmt", "none"),
            "attStmt": false_values.get("statement", {}),
            "authData": data,
        }
        response = {
            "attestationObject": bytes_to_base64url(cbor2.dumps(attestation)),
            "authenticatorData": bytes_to_base64url(data),
            "publicKeyAlgorithm": made.key.cose()[3],
            "transports": list(self.transports),
        }
        return _credential(made, _client_data("webauthn.create", options, false_values), response, false_values)

    def get(self, options: dict[str, Any], **false_values: Unpack[FalseValues]) -> dict[str, Any]:
        """Sign with the newest credential that the options allow, as `navigator.credentials.get()` does.

        When the options allow none of the credentials, the newest of all signs.
        """
        allowed = {descriptor["id"] for descriptor in options["allowCredentials"]}
        known = [credential for credential in self.credentials if bytes_to_base64url(credential.id) in allowed]
        used = (known or self.credentials)[-1]
        used.count += self.counts
        client_data = _client_data("webauthn.get", options, false_values)
        data = self._data(used, options["rpId"], false_values)
        signature = false_values.get("signature", used.key.sign(data + hashlib.sha256(client_data).digest()))
        handle = false_values.get("user_handle", used.user_handle)
        response = {
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(signature),
            "userHandle": None if handle is None else bytes_to_base64url(handle),
        }
        return _credential(used, client_data, response, false_values)

    def _data(self, credential: Credential, rp_id: str, false_values: FalseValues, *, attested: bytes = b"") -> bytes:
        flags = (
            PRESENT
            | VERIFIED * self.is_verifying
            | BACKUP_ELIGIBLE * self.is_backup_eligible
            | BACKED_UP * self.is_backed_up
            | ATTESTED * bool(attested)
            | EXTENDED * ("extensions" in false_values)
        )
        rp_id_hash = hashlib.sha256(false_values.get("rp_id", rp_id).encode()).digest()
        count = false_values.get("count", credential.count).to_bytes(4, "big")
        return (
            rp_id_hash
            + bytes([false_values.get("flags", flags)])
            + count
            + attested
            + false_values.get("extensions", b"")
        )


def _client_data(kind: str, options: dict[str, Any], false_values: FalseValues) -> bytes:
    challenge = false_values.get("challenge", base64url_to_bytes(options["challenge"]))
    collected = {
        "type": false_values.get("type", kind),
        "challenge": bytes_to_base64url(challenge),
        "origin": false_values.get("origin", ORIGIN),
        "crossOrigin": false_values.get("cross_origin", False),
    }
    return false_values.get("client_data", orjson.dumps(collected))


def _credential(
    made: Credential, client_data: bytes, response: dict[str, Any], false_values: FalseValues
) -> dict[str, Any]:
    raw_id = bytes_to_base64url(false_values.get("raw_id", made.id))
    return {
        "id": false_values.get("id", raw_id),
        "rawId": raw_id,
        "type": "public-key",
        "authenticatorAttachment": "platform",
        "clientExtensionResults": {},
        "response": {"clientDataJSON": bytes_to_base64url(client_data), **response},
    }
