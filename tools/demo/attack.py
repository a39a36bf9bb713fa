"""The attack in the demo: one network stuffs credentials for an hour, and a password fits."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

from . import authenticator_app
from .history import ONE_DAY, History
from .residents import Place, Resident

DAYS_AGO = 3
NETWORK = "203.0.113.0/24"
_ADDRESSES = tuple(f"203.0.113.{number}" for number in (17, 24, 58, 91, 133, 200))
_TRIES_PER_ADDRESS = 300
_LOCK_AFTER = 5


def strike(history: History, residents: Sequence[Resident]) -> Resident:
    """Add the attack and the events of its victim, and return the victim.

    Most tries are for addresses without an account. The victim's second factor stops the attacker.
    """
    random = history.random
    start = (history.now - DAYS_AGO * ONE_DAY).replace(hour=14, minute=5, second=0, microsecond=0)
    targets = [one for one in residents if one.created_at < start][-400:]
    for ip in _ADDRESSES:
        place = Place(ip=ip, user_agent="python-requests/2.32.4")
        for _ in range(_TRIES_PER_ADDRESS):
            at = start + timedelta(seconds=random.uniform(0, 3600))
            if random.random() < 0.7:
                history.record(
                    EventType.LOGIN_FAILED, at=at, place=place, user=None, email_hmac=f"{random.getrandbits(128):032x}"
                )
            else:
                history.record(EventType.LOGIN_FAILED, at=at, place=place, user=random.choice(targets))
        for minute in range(4, 60, 15):
            history.record(
                EventType.CREDENTIAL_STUFFING_DETECTED,
                at=start + timedelta(minutes=minute, seconds=random.randrange(50)),
                place=place,
                user=None,
                signals=[Signal.ACCOUNT_SPRAY, Signal.UNKNOWN_ACCOUNT_SPRAY],
                window_minutes=60,
                accounts=random.randrange(10, 60),
                unknown_accounts=random.randrange(30, 150),
            )
    for user in random.sample(targets, min(38, len(targets) // 3)):
        _lock(history, user, at=start + timedelta(seconds=random.uniform(300, 3500)))
    victim = next((one for one in targets if _has_app(history, one, start)), targets[0])
    _take_over(history, victim, at=start + timedelta(minutes=41))
    return victim


def _has_app(history: History, user: Resident, moment: datetime) -> bool:
    since = history.standing(user).app_since
    return since is not None and since < moment


def _lock(history: History, user: Resident, *, at: datetime) -> None:
    place = Place(ip=history.random.choice(_ADDRESSES), user_agent="python-requests/2.32.4")
    for number in range(_LOCK_AFTER):
        history.record(EventType.LOGIN_FAILED, at=at + timedelta(seconds=7 * number), place=place, user=user)
    end = at + timedelta(seconds=7 * _LOCK_AFTER)
    history.record(EventType.ACCOUNT_LOCKED, at=end, place=place, user=user)
    history.record(
        EventType.ANOMALY_DETECTED,
        at=end,
        place=place,
        user=user,
        signals=[Signal.USER_FAILURE_VELOCITY],
        window_minutes=15,
        user_failures=_LOCK_AFTER,
        event=EventType.LOGIN_FAILED,
    )


def _take_over(history: History, victim: Resident, *, at: datetime) -> None:
    """Let the attacker pass the password and fail at the second factor. The owner then changes the password."""
    attacker = Place(ip=_ADDRESSES[0], user_agent="python-requests/2.32.4")
    for number in range(4):
        history.record(
            authenticator_app.FAILED,
            at=at + timedelta(seconds=20 * number),
            place=attacker,
            user=victim,
            reason="wrong_code",
        )
    history.record(
        EventType.ANOMALY_DETECTED,
        at=at + timedelta(seconds=90),
        place=attacker,
        user=victim,
        signals=[Signal.USER_FAILURE_VELOCITY, Signal.IP_FAILURE_VELOCITY],
        window_minutes=15,
        user_failures=_LOCK_AFTER,
        ip_failures=_TRIES_PER_ADDRESS,
        event=authenticator_app.FAILED,
    )
    home, next_morning = victim.places[0], at.replace(hour=7) + ONE_DAY
    standing = history.standing(victim)
    if not _has_app(history, victim, at):
        standing.app_since = at - ONE_DAY
        history.record(authenticator_app.ENROLLED, at=standing.app_since, place=home, user=victim)
    history.record(
        EventType.LOGIN_SUCCESS,
        at=next_morning,
        place=home,
        user=victim,
        method="password",
        second_factor=authenticator_app.NAME,
    )
    history.record(EventType.PASSWORD_CHANGED, at=next_morning + timedelta(minutes=3), place=home, user=victim)
    standing.sessions = {home: (next_morning, history.now)}
