"""Refreshes of clients. The rotation is that of the sessions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from core.conf import core_settings
from core.db import sql
from core.http.client import Client as HttpClient
from core.keys.opaque import find_digest
from sessions_app.errors import InvalidToken, TokenReused
from sessions_app.families.rotation import exchange, exchange_current
from sessions_app.families.rotation_sql import Beside
from sessions_app.models import Token

from ..addresses import userinfo_audience
from ..clients.authentication import Stated
from ..errors import InvalidGrant, OauthError
from ..models import Client, Grant, scopes_within
from ..resources import audience_of
from .id_tokens import id_token_signer
from .issued import REFRESH_PREFIX, answer_of
from .possession import check_key

_FIND_SQL = f"""
    SELECT g.* FROM {Grant._meta.db_table} g JOIN {Token._meta.db_table} t ON t.family_id = g.family_id
    WHERE t.digest = %s AND g.client_id = %s
"""  # noqa: S608 - only names of our tables are interpolated


_BESIDE_COLUMNS = (
    *("g.client_id", "g.scope", "g.resource", "g.token_claims", "g.authenticated_at", "g.amr AS granted_amr"),
    "c.scopes AS registered",
)
_BESIDE_JOIN = f"""
    JOIN {Grant._meta.db_table} g ON g.family_id = f.id JOIN {Client._meta.db_table} c ON c.id = g.client_id
"""
_USUAL = """
    AND NOT c.needs_dpop AND c.id_token_algorithm = '' AND g.key_thumbprint = '' AND (g.resource = '' OR g.resource <> %s
    AND replace(CAST(c.resources AS text), '"' || g.resource || '"', '') <> CAST(c.resources AS text))
"""
"""The condition under which `refresh` would have nothing else to check, or to choose.

A single resource is among those of the client when the JSON of the list contains it with its quotation marks.
"""


def refresh_at_once(
    *, stated: Stated, form: Mapping[str, str], idempotency_key: str | None, http: HttpClient, now: datetime
) -> dict[str, Any] | None:
    """Do what `authenticate` and `refresh` do, in the one statement of the rotation. Most refreshes need no more.

    Returns None when the call changed nothing. The caller then calls both, which do the rest or say what is wrong.
    """
    if http.key or "refresh_token" not in form or "scope" in form or "resource" in form:
        return None
    condition, parameters = stated.condition(now=now)
    beside = Beside(
        columns=_BESIDE_COLUMNS,
        join=_BESIDE_JOIN,
        condition=f"{condition} {_USUAL}",
        parameters=(*parameters, core_settings().token_audience),
    )
    exchanged = exchange_current(
        refresh_token=form["refresh_token"],
        prefix=REFRESH_PREFIX,
        idempotency_key=idempotency_key,
        beside=beside,
        client=http,
        now=now,
    )
    if exchanged is None:
        return None
    used, token = exchanged
    client_id, scope, resource, token_claims, authenticated_at, amr, registered = used.beside
    grant = Grant(
        family_id=used.family_id,
        client_id=sql.to_uuid(client_id),
        scope=scope,
        token_claims=token_claims,
        authenticated_at=sql.to_datetime(authenticated_at),
        amr=amr,
    )
    return answer_of(
        token=token,
        id_signer=token.signer,
        grant=grant,
        account_id=used.account_id,
        scopes=scopes_within(scope, orjson.loads(registered)),
        audience=resource or userinfo_audience(),
        key="",
    )


def refresh(
    *, client: Client, form: Mapping[str, str], idempotency_key: str | None, http: HttpClient, now: datetime
) -> dict[str, Any]:
    """Exchange the client's refresh token and return the new tokens.

    `scope` of the form can name fewer scopes for the access token, and `resource` its audience.
    Raises InvalidGrant when the token is not valid, or another client's; the token of another client stays valid.
    Raises InvalidProof when `http` does not prove the key of the grant; the token stays valid.
    Raises OauthError when `scope` or `resource` names one that the grant lacks. Raises RateLimited as `exchange` does.
    """
    raw = form.get("refresh_token")
    if raw is None:
        raise OauthError("invalid_request", "The request needs refresh_token.")
    digest = find_digest(raw, prefix=REFRESH_PREFIX)
    # The client and the scopes of a family never change. So the lookup can come before the rotation.
    grant = sql.fetch_object(Grant, _FIND_SQL, (digest, client.pk)) if digest else None
    if grant is None:
        raise InvalidGrant
    grant.client = client
    scopes = tuple(dict.fromkeys(form["scope"].split())) if "scope" in form else grant.scopes
    if not {*scopes} <= {*grant.scopes}:
        raise OauthError("invalid_scope", "A refresh cannot add scopes. Ask the person again.")
    check_key(http.key, bound_to=grant.key_thumbprint, client=client)
    audience = audience_of(form.get("resource", ""), granted=grant.resources, registered=client.resources)
    id_signer = id_token_signer(algorithm=client.id_token_algorithm, now=now)
    repetition = idempotency_key or _repetition_of(client, http)
    try:
        used, token = exchange(
            refresh_token=raw, prefix=REFRESH_PREFIX, idempotency_key=repetition, client=http, now=now
        )
    except (InvalidToken, TokenReused) as error:
        raise InvalidGrant(str(error)) from None
    return answer_of(
        token=token,
        id_signer=id_signer,
        grant=grant,
        account_id=used.account_id,
        scopes=scopes,
        audience=audience,
        key=http.key,
    )


def _repetition_of(client: Client, http: HttpClient) -> str | None:
    """Return the key by which a client that sends proofs can repeat a refresh, or None for any other client.

    FAPI 2.0 demands that such a client gets tokens again, in case the answer was lost (Security Profile, section 5.3.2.1).
    The key of a public client's proof says that the same client asks. Another client proves that by its authentication.
    """
    if not http.key:
        return None
    return http.key if client.is_public else str(client.pk)
