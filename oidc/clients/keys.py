"""The public keys of clients (RFC 7517)."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from ..errors import RegistrationRefused

ALGORITHMS = ("ES256", "PS256", "RS256", "EdDSA", "Ed25519")
"""The algorithms by which a client can sign. None of them works with a shared secret."""

KEYS_MAX = 10
RSA_MIN_BITS = 2048

_ALGORITHMS_OF_CURVE = {"P-256": ("ES256",), "Ed25519": ("EdDSA", "Ed25519")}
_PRIVATE_MEMBERS = frozenset(("d", "p", "q", "dp", "dq", "qi", "oth", "k"))


def read_key_set(text: str) -> dict[str, Any]:
    """Return the key set with public members only. Raises RegistrationRefused when the text is no such set."""
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise RegistrationRefused("The file with the keys is not JSON.") from None
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list) or not 1 <= len(entries) <= KEYS_MAX:
        raise RegistrationRefused(f'The file must be a JWK set: {{"keys": […]}} with 1 to {KEYS_MAX} keys.')
    keys = [_read_key(entry, number=number) for number, entry in enumerate(entries, start=1)]
    if len({key.get("kid") for key in keys}) < len(keys):
        raise RegistrationRefused("Each key needs a kid of its own.")
    return {"keys": keys}


def keys_for(jwks: Mapping[str, Any], *, kid: object, algorithm: object) -> Sequence[Any]:
    """Return the keys of the set that may have made a signature with this header.

    A key signs with the algorithms of its own type and curve only. A header without a `kid` leaves the choice open.
    """
    return [
        JWKRegistry.import_key(entry)
        for entry in jwks["keys"]
        if algorithm in _algorithms_of(entry) and (kid is None or kid == entry.get("kid"))
    ]


def _algorithms_of(entry: Mapping[str, Any]) -> Sequence[str]:
    usable = ("PS256", "RS256") if entry["kty"] == "RSA" else _ALGORITHMS_OF_CURVE.get(entry["crv"], ())
    return [name for name in usable if entry.get("alg", name) == name]


def _read_key(entry: object, *, number: int) -> dict[str, Any]:
    if not isinstance(entry, dict) or not _PRIVATE_MEMBERS.isdisjoint(entry):
        raise RegistrationRefused(f"Key {number} must be a public key. Keep the private key in the client alone.")
    try:
        key = JWKRegistry.import_key(entry)
    except (JoseError, ValueError, TypeError, KeyError):
        raise RegistrationRefused(f"Key {number} is not a valid JWK.") from None
    is_long = not isinstance(key, RSAKey) or key.raw_value.key_size >= RSA_MIN_BITS
    if not isinstance(key, ECKey | OKPKey | RSAKey) or not is_long or not _algorithms_of(entry):
        raise RegistrationRefused(f"Key {number} cannot sign with any of {', '.join(ALGORITHMS)}.")
    public = {name: entry[name] for name in ("kty", "crv", "x", "y", "n", "e", "kid", "alg", "use") if name in entry}
    if not all(isinstance(value, str) for value in public.values()):
        raise RegistrationRefused(f"Key {number} is not a valid JWK.")
    return public
