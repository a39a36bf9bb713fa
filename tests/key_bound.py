"""Callers of the API that prove a key in each request (RFC 9449)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jwt

from .answer import Answer
from .client import Api
from .people import Person, SignedIn
from .proofs import Prover


class ProvingApi(Api):
    """A caller with a key. Each request has a proof of the key, and its access token has the scheme DPoP."""

    def __init__(self, *, prover: Prover | None = None, **options: str) -> None:
        super().__init__(**options)
        self.prover = prover or Prover()

    def send(
        self,
        method: str,
        path: str,
        raw: bytes = b"",
        *,
        token: str | None = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send the bytes with a proof."""
        proven = self.prover.headers(method, path.partition("?")[0], access=token or "")
        return super().send(method, path, raw, content_type=content_type, headers={**proven, **(headers or {})})


class ProbingApi(ProvingApi):
    """A caller that sends each request to these routes three times: with an old nonce, rightly, and with a used proof.

    The first and the last attempt must change nothing. `probed` are the paths of such requests that succeeded.
    """

    def __init__(self, routes: set[str]) -> None:
        super().__init__()
        self.routes = routes
        self.probed: set[str] = set()

    def send(self, method: str, path: str, raw: bytes = b"", **options: Any) -> Answer:
        """Send the bytes, and check the refusals of wrong proofs."""
        if path not in self.routes:
            return super().send(method, path, raw, **options)
        others = options.pop("headers", None) or {}
        old = Api.send(self, method, path, raw, headers={**others, **self.prover.headers(method, path, nonce="old")})
        assert (old.status, old.code) == (401, "use_dpop_nonce")
        assert old.headers["WWW-Authenticate"].startswith('DPoP error="use_dpop_nonce"')
        proven = {**others, **self.prover.headers(method, path, nonce=old.headers["DPoP-Nonce"])}
        answer = Api.send(self, method, path, raw, headers=proven)
        replayed = Api.send(self, method, path, raw, headers=proven)
        assert (replayed.status, replayed.code) == (401, "invalid_dpop_proof")
        assert replayed.headers["WWW-Authenticate"].startswith('DPoP error="invalid_dpop_proof"')
        self.probed |= {path} if answer.status < 400 else set()
        return answer


def check_bound(pair: Mapping[str, str], api: ProvingApi) -> None:
    """Check that the tokens work with the key of the caller, and in no other way. The check uses the refresh token."""
    access, refresh = pair["access_token"], {"refresh_token": pair["refresh_token"]}
    assert pair["token_type"] == "DPoP"
    assert jwt.decode(access, options={"verify_signature": False})["cnf"] == {"jkt": api.prover.thumbprint}
    assert Api().get("/v1/verify", token=access).code == "invalid_access_token"
    assert ProvingApi().get("/v1/verify", token=access).code == "invalid_access_token"
    assert Api.get(api, "/v1/verify", token=access).status == 200
    for thief in (Api(), ProvingApi()):
        assert thief.post("/v1/refresh", refresh).code == "invalid_token"
    assert api.post("/v1/refresh", refresh).data["token_type"] == "DPoP"


def bound_session(person: Person, *, api: ProvingApi | None = None) -> SignedIn:
    """Log in by password with a caller that proves a key."""
    return replace(person, api=api or ProvingApi()).log_in()
