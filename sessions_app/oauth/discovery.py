"""Metadata and keys of OpenID Connect issuers, by discovery. Each process keeps them for an hour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from .connection import check_url, get_json, refusal, step
from .known import TENANT
from .providers import Provider

PATH = "/.well-known/openid-configuration"
LIFETIME = timedelta(hours=1)
REFETCH_INTERVAL = timedelta(minutes=1)
"""The shortest time between two fetches of an issuer's keys."""
ALGORITHMS = frozenset(f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)) | {
    "EdDSA",
    "Ed25519",
}
"""The algorithms of ID tokens that the service accepts. All of them sign with a private key."""

_TENANTS = ("common", "organizations")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of an issuer. `issuer` may contain TENANT.

    `algorithms` are the accepted ones. `states_issuer` is true when every authorization response has `iss` (RFC 9207).
    """

    issuer: str
    authorize_url: str
    token_url: str
    userinfo_url: str | None
    jwks_url: str
    algorithms: frozenset[str]
    takes_basic: bool
    states_issuer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    value: Any
    at: datetime


_metadata: dict[Provider, _Kept] = {}
_keys: dict[str, _Kept] = {}


def forget() -> None:
    """Forget all metadata and keys. Only tests call this function."""
    _metadata.clear()
    _keys.clear()


def get_metadata(provider: Provider, *, now: datetime) -> Metadata:
    """Return the issuer's metadata.

    Raises OauthFailed when the metadata are not valid, or belong to another issuer. Raises OauthUnavailable when the
    issuer does not answer.
    """
    kept = _metadata.get(provider)
    if kept is None or not now - LIFETIME < kept.at <= now:
        kept = _metadata[provider] = _Kept(value=_read_metadata(provider), at=now)
    found: Metadata = kept.value
    return found


def find_keys(provider: Provider, metadata: Metadata, *, kid: str | None, now: datetime) -> Sequence[Mapping[str, Any]]:
    """Return the issuer's keys with this id, or all its keys without an id.

    An unknown id makes the call fetch the keys again, at most once in REFETCH_INTERVAL. Raises OauthFailed and
    OauthUnavailable as `get_metadata` does.
    """
    url = metadata.jwks_url
    kept = _keys.get(url)
    if kept is None or not now - LIFETIME < kept.at <= now:
        kept = _keys[url] = _Kept(value=_read_keys(provider, url), at=now)
    found = _with_id(kept.value, kid)
    if not found and now - kept.at >= REFETCH_INTERVAL:
        kept = _keys[url] = _Kept(value=_read_keys(provider, url), at=now)
        found = _with_id(kept.value, kid)
    return found


def _with_id(keys: Sequence[Mapping[str, Any]], kid: str | None) -> Sequence[Mapping[str, Any]]:
    return keys if kid is None else [key for key in keys if key.get("kid") == kid]


@step("discovery")
def _read_metadata(provider: Provider) -> Metadata:
    given = get_json(provider, provider.base_url + PATH)
    if not isinstance(given, dict) or not _is_of(provider, given.get("issuer")):
        raise refusal(provider, "the metadata belong to another issuer")
    userinfo_url = given.get("userinfo_endpoint")
    algorithms = _texts(given.get("id_token_signing_alg_values_supported", ["RS256"]))
    methods = _texts(given.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]))
    return Metadata(
        issuer=given["issuer"],
        authorize_url=check_url(provider, given.get("authorization_endpoint")),
        token_url=check_url(provider, given.get("token_endpoint")),
        userinfo_url=check_url(provider, userinfo_url) if userinfo_url is not None else None,
        jwks_url=check_url(provider, given.get("jwks_uri")),
        algorithms=ALGORITHMS & algorithms,
        # An issuer that offers both can still accept only the standard's default of this client.
        takes_basic="client_secret_basic" in methods or "client_secret_post" not in methods,
        states_issuer=given.get("authorization_response_iss_parameter_supported") is True,
    )


def _is_of(provider: Provider, issuer: object) -> bool:
    """Return whether the metadata of the provider may state the issuer.

    The issuer is the configured one. The common addresses of a provider with `has_tenants` state a pattern for the
    issuers of all tenants.
    """
    if issuer == provider.issuer:
        return True
    patterns = {provider.issuer.replace(f"/{tenant}/", f"/{TENANT}/") for tenant in _TENANTS}
    return provider.facts.has_tenants and isinstance(issuer, str) and TENANT in issuer and issuer in patterns


@step("keys")
def _read_keys(provider: Provider, url: str) -> Sequence[Mapping[str, Any]]:
    given = get_json(provider, url)
    keys = given.get("keys") if isinstance(given, dict) else None
    if not isinstance(keys, list):
        raise refusal(provider, "the key set is not valid")
    return [key for key in keys if isinstance(key, dict)]


def _texts(value: object) -> frozenset[str]:
    return frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()
