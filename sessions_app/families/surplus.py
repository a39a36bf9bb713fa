"""The end of sessions beyond MAX_SESSIONS."""

from datetime import datetime
from typing import Any
from uuid import UUID

from core.db.transactions import transaction_required

from ..conf import settings
from ..models import Family
from .client_sessions import client_sessions
from .revocation import Cause, revoke_families


@transaction_required
def end_surplus_sessions(*, account_id: Any, newest: UUID, now: datetime) -> None:
    """End the account's sessions beyond MAX_SESSIONS, the oldest logins first.

    Every login calls this function after it opened its session `newest`, which stays. The clock of another machine can
    be ahead, so the times alone do not show which session is the newest. The login holds the lock on the account's row, so that
    of several logins each counts the sessions of all before it. Needs a transaction.
    """
    most = settings().max_sessions
    if most is None:
        return
    others = Family.objects.filter(account_id=account_id).live(now).exclude(pk=newest)
    for one in client_sessions:
        # The session of an application ends with the session of the login that it belongs to.
        others = others.exclude(pk__in=one.families(account_id=account_id))
    if surplus := list(others.order_by("-started_at", "-pk").values_list("pk", flat=True)[most - 1 :]):
        revoke_families(account_id=account_id, family_ids=surplus, cause=Cause.MAX_SESSIONS, now=now)
