"""The events of the demo's ordinary days."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from events.models import Event
from events.vocabulary import EventType
from mfa.passkeys.authenticators import name_of
from sessions_app.detection.signals import Signal
from sessions_app.logins.login import LoginMethod

from . import authenticator_app
from .residents import Place, Resident, foreign_place, id_at

DAYS = 90
ONE_DAY = timedelta(days=1)

AAGUIDS = tuple(
    map(
        UUID,
        (
            "fbfc3007-154e-4ecc-8c0b-6e020557d7bd",
            "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4",
            "bada5566-a7aa-401f-bd96-45619a55120d",
        ),
    )
)
_WEEK = (1.0, 1.0, 1.0, 0.95, 0.85, 0.4, 0.35)
"""The activity of each day of the week, from Monday."""


@dataclass(slots=True, kw_only=True)
class Standing:
    """The state of a user at the end of the history.

    `sessions` holds the times of each place's latest login and latest use. `passkeys` holds the authenticators.
    """

    sessions: dict[Place, tuple[datetime, datetime]] = field(default_factory=dict)
    is_upgraded: bool = False
    app_since: datetime | None = None
    passkeys: list[tuple[datetime, UUID]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class History:
    """The events so far, in no order, and the standing of each user."""

    since: datetime
    now: datetime
    random: Random
    events: list[Event] = field(default_factory=list)
    standings: dict[UUID, Standing] = field(default_factory=dict)

    def record(
        self, event: EventType, /, *, at: datetime, place: Place, user: Resident | None, **metadata: Any
    ) -> None:
        """Add an event, unless it would lie outside the history."""
        if self.since <= at <= self.now:
            self.events.append(
                Event(
                    id=id_at(at, self.random),
                    type=event,
                    user_id=str(user.id) if user else None,
                    ip=place.ip,
                    user_agent=place.user_agent,
                    metadata=metadata,
                    created_at=at,
                )
            )

    def standing(self, user: Resident) -> Standing:
        """Return the standing of the user, which the caller may change."""
        return self.standings.setdefault(user.id, Standing())

    def days(self) -> Iterator[datetime]:
        """Yield the start of each day, the last day included."""
        midnight = self.since.replace(hour=0, minute=0, second=0, microsecond=0)
        while midnight <= self.now:
            yield midnight
            midnight += ONE_DAY


def live(history: History, residents: Sequence[Resident]) -> None:
    """Add the events of all days: sign-ups, visits, changes of credentials, and some suspicious logins."""
    for resident in residents:
        history.record(EventType.SIGNUP_SUCCESS, at=resident.created_at, place=resident.places[0], user=resident)
    for day in history.days():
        present = [one for one in residents if one.created_at < day + ONE_DAY]
        for resident in present:
            if history.random.random() < resident.activity * _WEEK[day.weekday()]:
                _visit(history, resident, at=_moment_of(day, history.random))
        _change_factors(history, present, day=day)
        _change_credentials(history, present, day=day)
        _raise_suspicion(history, present, day=day)


def _moment_of(day: datetime, random: Random) -> datetime:
    """Return a moment of the day, most often in the late morning or in the afternoon."""
    hour = random.gauss(*random.choice(((9.5, 1.8), (14.5, 2.2), (20.0, 1.8))))
    return day + timedelta(hours=hour % 24)


def _visit(history: History, user: Resident, *, at: datetime) -> None:
    random, standing = history.random, history.standing(user)
    # A user never visits before the sign-up.
    at = max(at, user.created_at + timedelta(seconds=30))
    place = random.choice(user.places)
    if at > history.now:
        return
    if place not in standing.sessions or random.random() < 0.35:
        _log_in(history, user, standing, place, at=at)
    began, _ = standing.sessions[place]
    last = at
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        last += timedelta(minutes=random.randrange(16, 50))
        history.record(EventType.TOKEN_ROTATED, at=last, place=place, user=user)
    standing.sessions[place] = (began, min(last, history.now))
    if random.random() < 0.08:
        history.record(EventType.LOGOUT, at=last + timedelta(minutes=4), place=place, user=user)
        del standing.sessions[place]


def _log_in(history: History, user: Resident, standing: Standing, place: Place, *, at: datetime) -> None:
    random = history.random
    mistakes = random.choices((0, 1, 2, 5), (92, 6, 1.6, 0.4))[0]
    for number in range(mistakes):
        moment = at - timedelta(seconds=12 * (mistakes - number))
        history.record(EventType.LOGIN_FAILED, at=moment, place=place, user=user)
    if mistakes == 5:
        history.record(EventType.ACCOUNT_LOCKED, at=at - timedelta(seconds=12), place=place, user=user)
        at += timedelta(minutes=16)
    method = random.choices(("password", "magic_link", "passkey"), (88, 5, 7 if standing.passkeys else 0))[0]
    if method == "magic_link":
        asked = at - timedelta(seconds=random.randrange(20, 200))
        history.record(EventType.MAGIC_LINK_REQUESTED, at=asked, place=place, user=user)
    metadata = {"method": method}
    if user.provider and method == "password":
        method = LoginMethod.OAUTH
        metadata = {"method": method, "provider": user.provider}
    if standing.app_since and standing.app_since < at and method != "passkey":
        metadata["second_factor"] = authenticator_app.NAME
        if random.random() < 0.03:
            history.record(
                authenticator_app.FAILED,
                at=at - timedelta(seconds=9),
                place=place,
                user=user,
                reason="wrong_code",
            )
    history.record(EventType.LOGIN_SUCCESS, at=at, place=place, user=user, **metadata)
    standing.sessions[place] = (at, at)
    # The users from before the history have hashes of an earlier system, which a login replaces.
    if user.created_at < history.since and not standing.is_upgraded and method == "password":
        history.record(EventType.PASSWORD_HASH_UPGRADED, at=at, place=place, user=user)
        standing.is_upgraded = True


def _change_factors(history: History, present: Sequence[Resident], *, day: datetime) -> None:
    """Add the day's enrolments and removals of factors. The rate of enrolments grows with the days."""
    random = history.random
    progress = (day - history.since) / (history.now - history.since)
    for user, at in _chosen(history, present, day=day, rate=1.2 + 2.4 * progress):
        if not history.standing(user).app_since:
            history.standing(user).app_since = at
            history.record(authenticator_app.ENROLLED, at=at, place=user.places[0], user=user)
            if random.random() < 0.7:
                history.record(EventType.RECOVERY_CODES_GENERATED, at=at, place=user.places[0], user=user)
    for user, at in _chosen(history, present, day=day, rate=max(0, 0.4 + 3.2 * progress**2)):
        aaguid = random.choice(AAGUIDS)
        history.standing(user).passkeys.append((at, aaguid))
        name = name_of(aaguid)
        history.record(EventType.PASSKEY_REGISTERED, at=at, place=user.places[0], user=user, authenticator=name)
    for user, at in _chosen(history, present, day=day, rate=2.0):
        standing = history.standing(user)
        if standing.app_since and standing.app_since < at:
            standing.app_since = None
            history.record(authenticator_app.REMOVED, at=at, place=user.places[0], user=user)
        elif standing.passkeys and standing.passkeys[-1][0] < at:
            name = name_of(standing.passkeys.pop()[1])
            history.record(EventType.PASSKEY_REMOVED, at=at, place=user.places[0], user=user, authenticator=name)


def _change_credentials(history: History, present: Sequence[Resident], *, day: datetime) -> None:
    """Add the day's changes of passwords, addresses and sessions."""
    for user, at in _chosen(history, present, day=day, rate=0.9):
        asked = at - timedelta(minutes=3)
        history.record(EventType.PASSWORD_RESET_REQUESTED, at=asked, place=user.places[0], user=user)
        history.record(EventType.PASSWORD_CHANGED, at=at, place=user.places[0], user=user, method="password_reset")
    for event, rate in (
        (EventType.PASSWORD_CHANGED, 1.1),
        (EventType.EMAIL_CHANGE_REQUESTED, 0.3),
        (EventType.SESSION_REVOKED, 0.8),
        (EventType.LOGOUT_ALL, 0.3),
        (EventType.PASSWORD_BREACH_REJECTED, 0.6),
        (EventType.TOKEN_REUSE_DETECTED, 0.05),
        (EventType.REAUTHENTICATED, 1.0),
    ):
        for user, at in _chosen(history, present, day=day, rate=rate):
            history.record(event, at=at, place=user.places[0], user=user)


def _chosen(
    history: History, present: Sequence[Resident], *, day: datetime, rate: float
) -> Iterator[tuple[Resident, datetime]]:
    """Yield random users with moments of the day, `rate` of a thousand users on a working day. No moment is later than now."""
    random = history.random
    for _ in range(_count(rate * len(present) / 1000 * _WEEK[day.weekday()], random)):
        user = random.choice(present)
        at = max(_moment_of(day, random), user.created_at + timedelta(minutes=2))
        if history.since < at < history.now:
            yield user, at


def _raise_suspicion(history: History, present: Sequence[Resident], *, day: datetime) -> None:
    """Add the day's logins from new places, as travellers cause them."""
    random = history.random
    for _ in range(_count(len(present) / 1600, random)):
        user, at = random.choice(present), _moment_of(day, random)
        place = foreign_place(random)
        signals = random.choice(([Signal.NEW_IP], [Signal.NEW_DEVICE], [Signal.NEW_IP, Signal.NEW_DEVICE]))
        history.record(EventType.LOGIN_SUCCESS, at=at, place=place, user=user, method="password")
        history.record(
            EventType.ANOMALY_DETECTED,
            at=at,
            place=place,
            user=user,
            signals=signals,
            window_minutes=15,
            known_logins=random.randrange(3, 50),
            event=EventType.LOGIN_SUCCESS,
        )


def _count(mean: float, random: Random) -> int:
    """Return a random whole number with this mean."""
    whole = math.floor(mean)
    return whole + (random.random() < mean - whole)
