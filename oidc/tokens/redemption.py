"""The redemption of codes. The first redemption of a code opens the session of its client, and a second one ends it."""

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import hold_signed_in_account
from core.db.transactions import write
from core.errors import InvalidAccessToken
from core.http.client import Client as HttpClient
from core.keys import jwt
from core.keys.opaque import find_digest
from events.audit import record
from events.vocabulary import EventType
from sessions_app.families.issuing import NewToken, new_refresh_token, open_family
from sessions_app.families.revocation import Cause, revoke_suspect_family
from sessions_app.models import Family

from ..errors import InvalidGrant, OauthError
from ..models import Client, Code, Grant
from ..resources import audience_of
from .id_tokens import id_token_signer
from .issued import REFRESH_PREFIX, answer_of
from .possession import check_key

CODE_PREFIX = "oac_"
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


def redeem_code(*, client: Client, form: Mapping[str, str], http: HttpClient, now: datetime) -> dict[str, Any]:
    """Redeem the code and return the tokens of the session that it opens.

    Raises InvalidGrant when the code is unknown, expired or another client's, or when its redirect URI or its verifier
    is wrong. Raises it also when the browser's session has ended, or the account's credentials changed, since the
    person signed in. A second redemption raises it too, and ends the session of the first one. Raises OauthError for a
    `resource` that the person did not permit, and InvalidProof when `http` does not prove the key of the code.
    """
    raw, redirect_uri = form.get("code"), form.get("redirect_uri")
    if raw is None or redirect_uri is None:
        raise OauthError("invalid_request", "The request needs code and redirect_uri.")
    digest = find_digest(raw, prefix=CODE_PREFIX)
    code = Code.objects.filter(digest=digest, client=client).select_related("client").first() if digest else None
    if code is None or code.redirect_uri != redirect_uri:
        raise InvalidGrant
    _check_verifier(form.get("code_verifier"), code.challenge)
    return redeem(code, client=client, form=form, http=http, now=now)


def redeem(code: Code, *, client: Client, form: Mapping[str, str], http: HttpClient, now: datetime) -> dict[str, Any]:
    """Redeem a code of the client, whose proof the caller has checked. Return the tokens of the session that it opens.

    `code.client` is loaded. Raises as `redeem_code` does. Opens its own transaction.
    """
    check_key(http.key, bound_to=code.key_thumbprint, client=client)
    audience = audience_of(form.get("resource", ""), granted=code.resources, registered=client.resources)
    token = new_refresh_token(now=now, prefix=REFRESH_PREFIX)
    id_signer = id_token_signer(algorithm=client.id_token_algorithm, now=now)
    try:
        opened = _open(code, client=client, token=token, http=http, now=now)
    except InvalidAccessToken:
        opened = None
    if opened is None:
        _end_replayed(code, http=http, now=now)
        raise InvalidGrant
    grant, account = opened
    return answer_of(
        token=token,
        id_signer=id_signer,
        grant=grant,
        account_id=account.pk,
        scopes=grant.scopes,
        audience=audience,
        key=http.key,
        nonce=code.nonce,
    )


def _check_verifier(verifier: str | None, challenge: str) -> None:
    """Raise InvalidGrant unless the verifier belongs to the challenge (RFC 7636, section 4.6).

    A code without a challenge permits no verifier. Otherwise an attacker could remove the challenge from a request, and
    the client would not notice (RFC 9700, section 4.8.2).
    """
    if not challenge and verifier is None:
        return
    if not challenge or verifier is None or not _VERIFIER.fullmatch(verifier):
        raise InvalidGrant("The code_verifier is missing, malformed, or the code was requested without a challenge.")
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    if not hmac.compare_digest(digest, challenge.encode()):
        raise InvalidGrant("The code_verifier does not belong to the code_challenge.")


@write
def _open(
    code: Code, *, client: Client, token: NewToken, http: HttpClient, now: datetime
) -> tuple[Grant, Account] | None:
    """Open the family of the code, and return its grant and the account. Return None when the code cannot be used.

    The lock order is account, family, code. A withdrawal of the consent locks the account's row first too. Raises
    InvalidAccessToken when the session in which the person agreed has ended.
    """
    account = hold_signed_in_account(
        caller=jwt.Caller(user_id=str(code.account_id), token_id=str(code.session_id), is_operator=False),
        epoch=CredentialsEpoch(account_id=code.account_id, number=code.epoch),
        now=now,
    )
    # The condition is on the updated row itself. Of several calls with one code, exactly one finds it true.
    if not Code.objects.filter(pk=code.pk, consumed_at=None, expires_at__gt=now).update(consumed_at=now):
        return None
    browser_ends_at = Family.objects.values_list("absolute_expires_at", flat=True).get(pk=code.browser_id)
    open_family(
        family_id=code.pk,
        account_id=account.pk,
        token=token,
        authenticated_at=code.authenticated_at,
        amr=code.amr,
        ends_by=None if code.is_offline else browser_ends_at,
        client=http,
        now=now,
    )
    grant = Grant.objects.create(
        family_id=code.pk,
        client=client,
        scope=code.scope,
        resource=code.resource,
        user_claims=code.user_claims,
        token_claims=code.token_claims,
        authenticated_at=code.authenticated_at,
        amr=code.amr,
        browser_id=code.browser_id,
        # A client that authenticates may change its key. Nobody else can use its refresh tokens.
        key_thumbprint=http.key if client.is_public else "",
        is_offline=code.is_offline,
    )
    record(
        event=EventType.APPLICATION_SIGNED_IN,
        user_id=str(account.pk),
        client=http,
        now=now,
        metadata={"client_id": str(code.client_id), "client_name": code.client.name},
    )
    return grant, account


@write
def _end_replayed(code: Code, *, http: HttpClient, now: datetime) -> None:
    """End the family that an earlier redemption of the code opened. Do nothing when there is none.

    The family has the id of the code. The earlier redemption has committed, because this call waited for its locks.
    """
    family = Family.objects.filter(pk=code.pk).first()
    if family is not None and revoke_suspect_family(
        account_id=family.account_id, family_id=family.pk, cause=Cause.TOKEN_REUSED, now=now
    ):
        record(
            event=EventType.TOKEN_REUSE_DETECTED,
            user_id=str(family.account_id),
            client=http,
            now=now,
            metadata={"client_id": str(code.client_id)},
        )
