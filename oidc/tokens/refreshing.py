"""Refreshes of clients. The rotation is that of the sessions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.db import sql
from core.http.client import Client as HttpClient
from core.keys.opaque import find_digest
from sessions_app.errors import InvalidToken, TokenReused
from sessions_app.families.rotation import exchange
from sessions_app.models import Token

from ..errors import InvalidGrant, OauthError
from ..models import Client, Grant
from ..resources import audience_of
from .id_tokens import id_token_signer
from .issued import REFRESH_PREFIX, answer_of
from .possession import check_key

_FIND_SQL = f"""
    SELECT g.* FROM {Grant._meta.db_table} g JOIN {Token._meta.db_table} t ON t.family_id = g.family_id
    WHERE t.digest = %s AND g.client_id = %s
"""  # noqa: S608 - only names of our tables are interpolated


def refresh(
    *, client: Client, form: Mapping[str, str], idempotency_key: str | None, http: HttpClient, now: datetime
) -> dict[str, Any]:
    """Exchange the client's refresh token and return the new tokens. `scope` can name fewer scopes for the access token,
    and `resource` its audience.

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
    scopes = tuple(dict.fromkeys(form["scope"].split())) if "scope" in form else grant.scopes
    if not {*scopes} <= {*grant.scopes}:
        raise OauthError("invalid_scope", "A refresh cannot add scopes. Ask the person again.")
    check_key(http.key, bound_to=grant.key_thumbprint, client=client)
    audience = audience_of(form.get("resource", ""), granted=grant.resources)
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
