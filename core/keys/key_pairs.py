"""The key pairs of the algorithms that sign tokens, by the library joserfc (RFC 7517, RFC 7518)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

Jwk: TypeAlias = ECKey | OKPKey | RSAKey

RSA_MIN_BITS = 2048

_TYPES: Mapping[str, type[Jwk]] = {"ES256": ECKey, "Ed25519": OKPKey, "RS256": RSAKey}
_GENERATORS: Mapping[str, Callable[[], Jwk]] = {
    "ES256": lambda: ECKey.generate_key("P-256"),
    "Ed25519": lambda: OKPKey.generate_key("Ed25519"),
    "RS256": lambda: RSAKey.generate_key(RSA_MIN_BITS),
}
_registry = JWSRegistry(algorithms=list(_TYPES))

ALGORITHMS = tuple(_TYPES)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A private key with its public key, and the only algorithm by which it signs."""

    algorithm: str
    jwk: Jwk = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """Return the signature in the format of a JWS (RFC 7518, section 3)."""
        return _registry.get_alg(self.algorithm).sign(message, self.jwk)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Return whether this pair made the signature."""
        return _registry.get_alg(self.algorithm).verify(message, signature, self.jwk)


def new_pair(algorithm: str) -> KeyPair:
    """Return a new pair for one of ALGORITHMS."""
    return KeyPair(algorithm=algorithm, jwk=_GENERATORS[algorithm]())


def parse_pair(entry: Mapping[str, Any], *, algorithm: str) -> KeyPair:
    """Return the pair of a private JWK. The other members of the entry have no effect.

    Raises ValueError, TypeError, LookupError or OverflowError when the entry is no private key for the algorithm, and when
    an RSA key has fewer than RSA_MIN_BITS.
    """
    kind = _TYPES[algorithm]
    if entry.get("kty") != kind.key_type:
        raise ValueError
    try:
        # Other members of the entry are dropped, because the service would publish them with the key.
        jwk = kind.import_key({name: entry[name] for name in ("kty", *kind.value_registry) if name in entry})
        _registry.get_alg(algorithm).check_key(jwk)
    except JoseError:
        raise ValueError from None
    if not jwk.is_private or (isinstance(jwk, RSAKey) and jwk.raw_value.key_size < RSA_MIN_BITS):
        raise ValueError
    return KeyPair(algorithm=algorithm, jwk=jwk)
