"""Logout tokens (OpenID Connect Back-Channel Logout 1.0). A client gets one for each of its sessions that ends.

The queue of the webhooks delivers them, with its retries and its history. A row of the queue has the claims that do not
change. Each attempt makes a token of its own, because a token is valid for two minutes.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import orjson
from django.db.models import Q

from accounts.lifecycle import AccountListener
from core.db.ids import new_id
from events.webhooks.models import LOGOUT_TOKEN, Delivery
from events.webhooks.queue import put_message
from events.webhooks.senders import Message
from sessions_app.models import Token

from ..addresses import issuer
from ..models import Grant
from ..tokens.id_tokens import id_token_signer

EVENT = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_TOKEN_TYPE = "logout+jwt"  # noqa: S105 - the type of a header
LIFETIME = timedelta(minutes=2)


class TellClients(AccountListener):
    """Listener that queues a logout token for each session of a client that ends with these sessions.

    It covers every act that ends sessions, because each of them calls `session_ended`.
    """

    def session_ended(self, *, account_id: Any, session_ids: Sequence[str], cause: str, now: datetime) -> None:
        """Queue the logout tokens. The row of an ended family and the rows of the queue commit together.

        A client with `offline_access` gets one too when the session of the browser ends: the person signed out, and the
        client keeps its tokens.
        """
        ended = Token.objects.filter(pk__in=session_ids).values("family")
        kept = Q(browser_id__in=ended, is_offline=True, family__account_id=account_id, family__revoked_at=None)
        grants = Grant.objects.filter(Q(pk__in=ended) | kept).exclude(client__backchannel_logout_uri="")
        for grant in grants.select_related("client"):
            _queue(grant, account_id=account_id, now=now)


class LogoutSender:
    """Makes the request with a logout token for a delivery."""

    kind = Delivery.Kind.LOGOUT

    def message_of(self, *, payload: str, now: datetime) -> Message:
        """Return the form with a fresh token. `payload` is that of `_queue`."""
        stored = orjson.loads(payload)
        issued_at = int(now.timestamp())
        claims = {
            **stored["claims"],
            "jti": str(new_id()),
            "iat": issued_at,
            "exp": issued_at + int(LIFETIME.total_seconds()),
        }
        signer = id_token_signer(algorithm=stored["algorithm"], now=now)
        token = signer.sign(claims, type_=LOGOUT_TOKEN_TYPE)
        return Message(
            url=stored["url"],
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            body=urlencode({"logout_token": token}).encode(),
        )


def _queue(grant: Grant, *, account_id: Any, now: datetime) -> None:
    """Queue a logout token for the client. The delivery needs no row of the client, which may be deleted next."""
    client = grant.client
    claims = {
        "iss": issuer(),
        "aud": str(client.pk),
        "sub": str(account_id),
        "sid": str(grant.pk),
        "events": {EVENT: {}},
    }
    stored = {"url": client.backchannel_logout_uri, "algorithm": client.id_token_algorithm, "claims": claims}
    put_message(
        kind=Delivery.Kind.LOGOUT,
        name=LOGOUT_TOKEN,
        user_id=str(account_id),
        payload=orjson.dumps(stored).decode(),
        now=now,
    )
