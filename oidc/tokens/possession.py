"""Tokens that are bound to a key of the client (RFC 9449)."""

import hmac

from ..errors import InvalidProof
from ..models import Client


def check_key(key: str, *, bound_to: str, client: Client) -> None:
    """Raise InvalidProof unless the request for tokens proves the key to which its code or its grant is bound.

    `key` is the thumbprint of the proven key, or "". A client with `needs_dpop` must prove one for each token.
    """
    if client.needs_dpop and not key:
        raise InvalidProof("The client must prove a key for each token. Send the header DPoP.")
    if bound_to and not hmac.compare_digest(key, bound_to):
        raise InvalidProof("The tokens are bound to another key. Sign the proof with the key of the first request.")
