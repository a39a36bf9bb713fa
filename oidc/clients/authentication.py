"""The authentication of clients at the endpoints (RFC 6749, section 2.3; RFC 7523; OpenID Connect Core, section 9)."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote_plus

import orjson
from joserfc.errors import JoseError
from joserfc.jws import JWSRegistry, deserialize_compact, extract_compact

from core.db import sql
from core.db.ids import new_id, parse_id
from core.db.transactions import write
from core.keys import opaque

from ..addresses import address_of, issuer
from ..errors import InvalidClient, OauthError
from ..models import Authentication, Client, UsedAssertion
from .keys import ALGORITHMS, keys_for

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTION_MAX = 8_000
LIFETIME_MAX = timedelta(hours=1)
LEEWAY = timedelta(seconds=10)
"""The accepted difference between the clocks of the service and a client."""

_registry = JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
_FIND_SQL = f"SELECT * FROM {Client._meta.db_table} WHERE id = %s AND deactivated_at IS NULL"  # noqa: S608 - the table's own name
_USE_SQL = f"""
    INSERT INTO {UsedAssertion._meta.db_table} (id, digest, expires_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING
"""  # noqa: S608 - the table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """The client that a request names, and the secret that it states. `secret` is None when it states none."""

    client_id: str
    secret: str | None

    def condition(self, *, now: datetime) -> tuple[str, Sequence[Any]]:
        """Return the SQL condition by which a client `c` is the active one that this proves, and its parameters.

        The database need not compare in constant time. A secret has 256 random bits, so an attacker cannot make secrets
        whose digests come closer to the stored one. Each lookup of a token compares digests in the same way.
        """
        common = "c.id = %s AND c.deactivated_at IS NULL AND c.authentication = %s"
        key = parse_id(self.client_id)
        if self.secret is None:
            return common, (key, Authentication.NONE)
        digest = opaque.digest(self.secret)
        return (
            f"{common} AND (c.secret_digest = %s OR c.former_digest = %s AND c.former_expires_at > %s)",
            (key, Authentication.SECRET, digest, digest, now),
        )


def read_stated(*, authorization: str, form: Mapping[str, str]) -> Stated | None:
    """Return the client that the request names without a signature, or None when it signs.

    Raises OauthError when the request uses two ways at once, and InvalidClient when its header is malformed.
    """
    ways = [bool(authorization), "client_secret" in form, "client_assertion" in form or "client_assertion_type" in form]
    if sum(ways) > 1:
        raise OauthError("invalid_request", "Authenticate in one way only.")
    if ways[2]:
        return None
    if not ways[0]:
        return Stated(client_id=form.get("client_id", ""), secret=form.get("client_secret"))
    client_id, secret = _read_basic(authorization)
    if form.get("client_id", client_id) != client_id:
        raise OauthError("invalid_request", "The client_id differs from that of the header Authorization.")
    return Stated(client_id=client_id, secret=secret)


def authenticate(*, authorization: str, form: Mapping[str, str], now: datetime) -> Client:
    """Return the active client that the request authenticates, by the header Authorization or the form.

    Raises as `read_stated` does. Raises InvalidClient when the client is unknown or deactivated, must authenticate in
    another way, or its proof is wrong.
    """
    stated = read_stated(authorization=authorization, form=form)
    if stated is None:
        return _by_assertion(form, now=now)
    client = find_client(stated.client_id)
    if client is None:
        raise InvalidClient
    wanted = Authentication.NONE if stated.secret is None else Authentication.SECRET
    if client.authentication != wanted or (
        stated.secret is not None and not _is_secret(stated.secret, client, now=now)
    ):
        raise InvalidClient
    return client


def find_client(client_id: str) -> Client | None:
    """Return the active client with this id, or None."""
    key = parse_id(client_id)
    return sql.fetch_object(Client, _FIND_SQL, (key,)) if key else None


def _read_basic(authorization: str) -> tuple[str, str]:
    scheme, _, encoded = authorization.partition(" ")
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode()
    except ValueError:
        raise InvalidClient from None
    client_id, separator, secret = text.partition(":")
    if scheme.lower() != "basic" or not separator:
        raise InvalidClient
    return unquote_plus(client_id), unquote_plus(secret)


def _is_secret(secret: str, client: Client, *, now: datetime) -> bool:
    digest = opaque.digest(secret)
    is_present = client.secret_digest is not None and hmac.compare_digest(digest, bytes(client.secret_digest))
    is_former = (
        client.former_digest is not None
        and client.former_expires_at is not None
        and now < client.former_expires_at
        and hmac.compare_digest(digest, bytes(client.former_digest))
    )
    return is_present or is_former


def _by_assertion(form: Mapping[str, str], *, now: datetime) -> Client:
    raw = form.get("client_assertion", "")
    if form.get("client_assertion_type") != ASSERTION_TYPE or not raw.isascii() or len(raw) > ASSERTION_MAX:
        raise InvalidClient
    try:
        token = extract_compact(raw.encode(), registry=_registry)
        header: Any = token.headers()
        stated = orjson.loads(token.payload)
    except (JoseError, ValueError):
        raise InvalidClient from None
    client_id = stated.get("sub") if isinstance(stated, dict) else None
    client = find_client(client_id) if isinstance(client_id, str) else None
    # The claims are only read to find the client. The keys of this client decide whether they are true.
    if client is None or client.authentication != Authentication.PRIVATE_KEY or not client.jwks:
        raise InvalidClient
    algorithm = header.get("alg")
    if not any(
        _is_signed(raw, key, algorithm=str(algorithm))
        for key in keys_for(client.jwks, kid=header.get("kid"), algorithm=algorithm)
    ):
        raise InvalidClient
    _check_claims(stated, client=client, stated_id=form.get("client_id"), now=now)
    if not _use(client, stated, now=now):
        raise InvalidClient("The assertion was used before. Sign a new one with another jti for each request.")
    return client


def _is_signed(raw: str, key: Any, *, algorithm: str) -> bool:
    try:
        deserialize_compact(raw, key, algorithms=[algorithm], registry=_registry)
    except (JoseError, ValueError, TypeError):
        return False
    return True


def _check_claims(claims: Mapping[str, Any], *, client: Client, stated_id: str | None, now: datetime) -> None:
    moment, client_id = now.timestamp(), str(client.pk)
    # A missing `nbf` or `iat` counts as 0, which is in the past.
    expires_at, not_before, issued_at = (_number(claims.get(name, 0)) for name in ("exp", "nbf", "iat"))
    if not expires_at or not_before is None or issued_at is None:
        raise InvalidClient("The times of the assertion must be numbers, and it needs an exp.")
    limit = moment + LEEWAY.total_seconds()
    is_in_time = (
        moment < expires_at <= moment + (LIFETIME_MAX + LEEWAY).total_seconds()
        and not_before <= limit
        and issued_at <= limit
    )
    if not is_in_time:
        raise InvalidClient("The assertion has expired, is not valid yet, or is valid for more than an hour.")
    if claims.get("iss") != client_id or claims.get("sub") != client_id or stated_id not in (None, client_id):
        raise InvalidClient("The claims iss and sub of the assertion must be the client_id.")
    if not _is_audience(claims.get("aud"), is_strict=client.needs_par):
        raise InvalidClient("The claim aud of the assertion must be the issuer.")
    if not isinstance(claims.get("jti"), str) or not 1 <= len(claims["jti"]) <= 500:  # noqa: PLR2004 - a bound of this claim alone
        raise InvalidClient("The assertion needs a jti of at most 500 characters.")


def _is_audience(audience: object, *, is_strict: bool) -> bool:
    """Return whether the assertion is for this service alone.

    A client that pushes its requests follows FAPI 2.0, where the issuer as a text is the only value. Older clients state
    the token endpoint, or a list. A list with another service in it could be sent on to that service, and from there to
    here.
    """
    if is_strict:
        return audience == issuer()
    audiences = audience if isinstance(audience, list) else [audience]
    return bool(audiences) and all(one in (issuer(), address_of("token")) for one in audiences)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


@write
def _use(client: Client, claims: Mapping[str, Any], *, now: datetime) -> bool:
    """Mark the assertion as used, and return False when it was used before. One atomic statement decides."""
    digest = hashlib.sha256(f"{client.pk} {claims['jti']}".encode()).digest()
    return bool(sql.execute(_USE_SQL, (new_id(), digest, now + LIFETIME_MAX + LEEWAY)))
