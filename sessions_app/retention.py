"""Which sessions, and what was left of them, are kept no longer."""

from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.core.db.ids import first_id
from accounts.retention import Prunable, prunables

from .conf import conf
from .models import Family, PendingLogin, Token


def register_own() -> None:
    """Let the sweep delete what is this app's; a family after its tokens, which may be many more than a batch."""
    prunables.register(Prunable(name="pending logins", doomed=doomed_pending_logins))
    prunables.register(Prunable(name="refresh tokens", doomed=doomed_tokens))
    prunables.register(Prunable(name="session families", doomed=doomed_families))


def doomed_pending_logins(now: datetime) -> QuerySet[PendingLogin]:
    """Return the pending logins that expired; they are answered as unknown ones are."""
    return PendingLogin.objects.filter(expires_at__lt=now)


def doomed_tokens(now: datetime) -> QuerySet[Token]:
    """Return the tokens that were rotated, or whose family was used or ended, longer ago than a token lives unused.

    Until then a rotated token that comes back is known for what it is. The current token of a family that lives stays.
    """
    cutoff = _cutoff(now)
    successors = Token.objects.filter(family=OuterRef("family"), created_at__gt=OuterRef("created_at"))
    was_rotated = Exists(successors.filter(created_at__lt=cutoff)) & ~Q(pk=F("family__current_token_id"))
    ended = Exists(Family.objects.filter(_ended(now), pk=OuterRef("family")))
    return Token.objects.filter(Q(was_rotated) | Q(ended), pk__lt=first_id(cutoff))


def doomed_families(now: datetime) -> QuerySet[Family]:
    """Return the families that were used or ended longer ago than a token lives unused.

    What tokens they still have go along.
    """
    return Family.objects.filter(_ended(now), pk__lt=first_id(_cutoff(now)))


def _ended(now: datetime) -> Q:
    cutoff = _cutoff(now)
    # One that expired unused has been without a use for that long already: all its tokens were made before the cutoff.
    return Q(revoked_at__lt=cutoff) | Q(idle_expires_at__lt=now) | Q(absolute_expires_at__lt=cutoff)


def _cutoff(now: datetime) -> datetime:
    return now - timedelta(seconds=conf().refresh_idle_seconds)
