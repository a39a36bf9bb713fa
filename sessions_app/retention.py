"""Retention of sessions, refresh tokens, idempotency keys, pending logins and OAuth flows."""

from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from core.conf import core_settings
from core.db.ids import first_id

from .conf import settings
from .models import REPEAT_PERIOD, Family, KeyedRotation, OauthFlow, PendingLogin, Token

STOP_REPORT_PERIOD = timedelta(days=1)
"""The time after its expiry in which a worker can still report a pending login."""


def prunable_pending_logins(now: datetime) -> QuerySet[PendingLogin]:
    """Return the pending logins to delete: those that expired longer ago than STOP_REPORT_PERIOD.

    The worker deletes them at their expiry, after it has reported suspicious ones. This rule deletes what no worker did.
    """
    return PendingLogin.objects.filter(expires_at__lt=now - STOP_REPORT_PERIOD)


def prunable_flows(now: datetime) -> QuerySet[OauthFlow]:
    """Return the flows to delete: those that have expired. An expired flow gets the same error as an unknown one."""
    return OauthFlow.objects.filter(expires_at__lt=now)


def prunable_keyed_rotations(now: datetime) -> QuerySet[KeyedRotation]:
    """Return the keyed rotations to delete: those whose successor is so old that they have expired."""
    return KeyedRotation.objects.filter(pk__lt=first_id(now - REPEAT_PERIOD))


def prunable_tokens(now: datetime) -> QuerySet[Token]:
    """Return the tokens to delete.

    The cutoff is one idle lifetime of a refresh token ago. A longer lifetime of access tokens takes its place. A token
    is deleted when it was rotated before the cutoff. It is also deleted when its family was last used or ended before
    the cutoff. Until then, a second use of a rotated token is recognized as reuse. The current token of a live family
    stays.
    """
    cutoff = _cutoff(now)
    successors = Token.objects.filter(family=OuterRef("family"), created_at__gt=OuterRef("created_at"))
    was_rotated = Exists(successors.filter(created_at__lt=cutoff)) & ~Q(pk=F("family__current_token_id"))
    ended = Exists(Family.objects.filter(_ended(now), pk=OuterRef("family")))
    return Token.objects.filter(Q(was_rotated) | Q(ended), pk__lt=first_id(cutoff))


def prunable_families(now: datetime) -> QuerySet[Family]:
    """Return the families to delete: those last used or ended longer ago than the idle lifetime of a token.

    The deletion cascades to the tokens that they still have.
    """
    return Family.objects.filter(_ended(now), pk__lt=first_id(_cutoff(now)))


def _ended(now: datetime) -> Q:
    cutoff = _cutoff(now)
    # A family that expired unused was last used one idle lifetime before. So all its tokens were made before the cutoff.
    last_expiry = cutoff + timedelta(seconds=settings().refresh_idle_seconds)
    return Q(revoked_at__lt=cutoff) | Q(idle_expires_at__lt=last_expiry) | Q(absolute_expires_at__lt=cutoff)


def _cutoff(now: datetime) -> datetime:
    # The end of a session names its valid access tokens by the rows that were issued with them.
    return now - timedelta(seconds=max(settings().refresh_idle_seconds, core_settings().access_token_seconds))
