"""The issue of codes, and the consents of account owners."""

from datetime import datetime, timedelta
from typing import Any

from accounts.state.lookup import hold_signed_in_account
from core import ratelimit
from core.db.transactions import transaction_required, write
from core.keys.opaque import new_token
from core.ratelimit import Limit
from pages.frame.sessions import LiveSession
from sessions_app.models import Family

from ..models import Client, Code, Consent
from ..tokens.redemption import CODE_PREFIX
from .pushed import use
from .requests import AuthorizationRequest

LIFETIME = timedelta(seconds=60)


def issue_code(*, request: AuthorizationRequest, session: LiveSession, agrees: bool, now: datetime) -> str | None:
    """Return a code for the person of the session. With `agrees`, store that the person permits what the client asks.

    Returns None when the client was deactivated meanwhile. Raises RateLimited when the account got too many codes.
    Raises InvalidAccessToken when the session has ended, RequestRefused when a pushed request was used before. Opens its
    own transaction.
    """
    ratelimit.hit(Limit.AUTHORIZE, str(session.account_id), now=now)
    return _issue(request=request, session=session, agrees=agrees, now=now)


@write
def _issue(*, request: AuthorizationRequest, session: LiveSession, agrees: bool, now: datetime) -> str | None:
    account = hold_signed_in_account(caller=session.caller, now=now)
    if not Client.objects.active().filter(pk=request.client.pk).exists():
        return None
    use(request, now=now)
    if agrees:
        _store_consent(request, account_id=account.pk, now=now)
    family = Family.objects.get(pk=session.family_id)
    code = new_token(prefix=CODE_PREFIX)
    Code.objects.create(
        client=request.client,
        account=account,
        digest=code.digest,
        redirect_uri=request.destination.redirect_uri,
        scope=" ".join(request.scopes),
        resource=" ".join(request.resources),
        user_claims=" ".join(request.user_claims),
        token_claims=" ".join(request.token_claims),
        challenge=request.challenge,
        nonce=request.nonce,
        authenticated_at=family.authenticated_at,
        amr=family.amr,
        browser_id=family.pk,
        key_thumbprint=request.key_thumbprint,
        session_id=family.current_token_id,
        epoch=account.credentials_epoch,
        expires_at=now + LIFETIME,
    )
    return code.raw


@transaction_required
def _store_consent(request: AuthorizationRequest, *, account_id: Any, now: datetime) -> None:
    """Add the scopes, claims and resources of the request to the consent. The caller holds the lock on the account's row."""
    given = Consent.objects.filter(account_id=account_id, client=request.client).first()
    scopes = dict.fromkeys([*(given.scopes.split() if given else ()), *request.scopes])
    claims = dict.fromkeys([*(given.claims.split() if given else ()), *request.user_claims, *request.token_claims])
    resources = dict.fromkeys([*(given.resources.split() if given else ()), *request.resources])
    Consent.objects.update_or_create(
        account_id=account_id,
        client=request.client,
        defaults={
            "scopes": " ".join(scopes),
            "claims": " ".join(claims),
            "resources": " ".join(resources),
            "created_at": now,
        },
    )
