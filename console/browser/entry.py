"""The entry of a browser's session to the console: the demands on it, and the lifetimes that the console gives it.

The session of a browser also opens the pages of the account, with other lifetimes and without these demands.
"""

from datetime import datetime
from typing import ClassVar

from accounts.errors import ReauthenticationRequired
from core.conf import core_settings
from core.db.transactions import write
from core.errors import InvalidAccessToken
from core.http.client import Client
from events.vocabulary import EventType
from pages.frame.sessions import LiveSession
from pages.models import BrowserSession
from sessions_app.families.lifetimes import limit_lifetimes
from sessions_app.logins.second_factors import enrolled_factors

from ..conf import browser_settings
from ..operators.acts import record_act
from ..operators.grants import find_rights
from ..roles import Right


class NotAdmitted(Exception):
    """The console does not admit the session. `template` is the page that states what to do."""

    template: ClassVar[str]


class NotOperator(NotAdmitted):
    """The account is no operator."""

    template = "authsvc_console/not_operator.html"


class FactorUnproven(NotAdmitted):
    """A second factor is required, and the account got it outside this session.

    So the session has not proven the factor, and an attacker with the password may have opened it.
    """

    template = "authsvc_console/factor_unproven.html"


class FactorImpossible(NotAdmitted):
    """A second factor is required, but the deployment cannot store one."""

    template = "authsvc_console/factor_impossible.html"


class FactorMissing(Exception):
    """OPERATOR_SECOND_FACTOR demands a second factor that the operator does not have."""


def admit(*, session: LiveSession) -> frozenset[Right]:
    """Return the present rights of the operator. One query reads the operator's row, so a revocation holds at once.

    The session remembers a factor, so a removal counts at the next sign-in. Raises FactorMissing or a NotAdmitted.
    """
    rights = find_rights(user_id=session.caller.user_id)
    if rights is None:
        raise NotOperator
    if browser_settings().needs_factor and not session.has_factor:
        if enrolled_factors(account_id=session.account_id):
            raise FactorUnproven
        raise FactorMissing if core_settings().encryption_keys else FactorImpossible
    return rights


def enter(*, session: LiveSession, client: Client, now: datetime) -> None:
    """Give the session the lifetimes of the console, and record the entry. Of concurrent calls only one does so.

    Raises ReauthenticationRequired when neither a login nor a confirmation happened within CONSOLE_IDLE_SECONDS. Raises
    InvalidAccessToken when the session has ended.
    """
    if session.authenticated_at < now - browser_settings().idle:
        raise ReauthenticationRequired
    _limit(session, client=client, now=now)


@write
def _limit(session: LiveSession, *, client: Client, now: datetime) -> None:
    settings = browser_settings()
    idle = min(session.idle, settings.idle)
    rows = BrowserSession.objects.filter(pk=session.family_id, is_limited=False)
    if not rows.update(is_limited=True, idle_seconds=int(idle.total_seconds())):
        return
    family_id = limit_lifetimes(
        caller=session.caller,
        idle_expires_at=now + idle,
        absolute_expires_at=now + settings.absolute,
        now=now,
    )
    if family_id is None:
        raise InvalidAccessToken
    record_act(act=EventType.OPERATOR_SIGNED_IN, operator_id=session.caller.user_id, client=client, now=now)
