"""The authorization code that a provider sends at the end of a flow."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """An authorization code, and the values of the flow that requested it."""

    code: str
    redirect_uri: str
    verifier: str
    nonce: str
