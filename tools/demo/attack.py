"""The attacks in the demo. One is stopped by a second factor. The other one, by night, signs in to an account."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.clock import rfc3339
from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

from . import authenticator_app
from .history import ONE_DAY, History
from .residents import Place, Resident

DAYS_AGO = 3
NETWORK = "203.0.113.0/24"
NIGHT_NETWORK = "2001:db8:bad:cafe::/64"
_ADDRESSES = tuple(f"203.0.113.{number}" for number in (17, 24, 58, 91, 133, 200))
_TRIES_PER_ADDRESS = 300
_LOCK_AFTER = 5
_WRONG_CODES = 4
_NIGHT_TRIES = 160
_NIGHT_ENDS = timedelta(hours=4)
"""The time of the day at which the attack by night is over."""
_SCRIPT = "python-requests/2.32.4"


def strike(history: History, residents: Sequence[Resident]) -> Resident:
    """Add the attack and the events of its victim, and return the victim.

    Most tries are for addresses without an account. The victim's second factor stops the attacker.
    """
    random = history.random
    start = (history.now - DAYS_AGO * ONE_DAY).replace(hour=14, minute=5, second=0, microsecond=0)
    targets = [one for one in residents if one.created_at < start][-400:]
    for ip in _ADDRESSES:
        place = Place(ip=ip, user_agent=_SCRIPT)
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
    victim = next((one for one in targets if one.email.startswith("zoe.")), targets[0])
    _take_over(history, victim, at=start + timedelta(minutes=41))
    return victim


def _has_app(history: History, user: Resident, moment: datetime) -> bool:
    since = history.standing(user).app_since
    return since is not None and since < moment


def _lock(history: History, user: Resident, *, at: datetime) -> None:
    place = Place(ip=history.random.choice(_ADDRESSES), user_agent=_SCRIPT)
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
    """Let the attacker pass the password and stop at the second factor. The owner then changes the password."""
    attacker = Place(ip=_ADDRESSES[0], user_agent=_SCRIPT)
    stopped = at + timedelta(minutes=5)
    for number in range(_WRONG_CODES):
        history.record(
            authenticator_app.FAILED,
            at=at + timedelta(seconds=20 * number),
            place=attacker,
            user=victim,
            reason="wrong",
        )
    history.record(
        EventType.LOGIN_STOPPED_AT_FACTOR,
        at=stopped,
        place=attacker,
        user=victim,
        method="password",
        factors=[authenticator_app.NAME],
        wrong_codes=_WRONG_CODES,
        began_at=rfc3339(at),
    )
    history.record(
        EventType.ANOMALY_DETECTED,
        at=stopped,
        place=attacker,
        user=victim,
        signals=[Signal.STOPPED_AT_FACTOR],
        window_minutes=15,
        wrong_codes=_WRONG_CODES,
        event=EventType.LOGIN_STOPPED_AT_FACTOR,
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


def strike_by_night(history: History, residents: Sequence[Resident]) -> Resident:
    """Add the attack of the last night, and return the account that it reached.

    The account has no second factor. Its owner has not noticed the login yet.
    """
    random = history.random
    start = (history.now - _NIGHT_ENDS).replace(hour=2, minute=10, second=0, microsecond=0)
    targets = [one for one in residents if one.created_at < start - 30 * ONE_DAY]
    places = [Place(ip=f"2001:db8:bad:cafe::{number:x}", user_agent=_SCRIPT) for number in (5, 23, 0x1A7)]
    for place in places:
        for number in range(_NIGHT_TRIES):
            at = start + timedelta(seconds=15 * number + random.randrange(10))
            history.record(EventType.LOGIN_FAILED, at=at, place=place, user=random.choice(targets))
        history.record(
            EventType.CREDENTIAL_STUFFING_DETECTED,
            at=start + timedelta(minutes=6, seconds=random.randrange(50)),
            place=place,
            user=None,
            signals=[Signal.ACCOUNT_SPRAY],
            window_minutes=60,
            accounts=random.randrange(20, 60),
        )
    reached = next(one for one in targets if history.standing(one).app_since is None)
    at = start + timedelta(minutes=27)
    history.record(EventType.LOGIN_SUCCESS, at=at, place=places[0], user=reached, method="password")
    history.record(
        EventType.ANOMALY_DETECTED,
        at=at,
        place=places[0],
        user=reached,
        signals=[Signal.NEW_IP, Signal.NEW_DEVICE, Signal.IP_FAILURE_VELOCITY],
        window_minutes=15,
        known_logins=12,
        ip_failures=_NIGHT_TRIES // 4,
        event=EventType.LOGIN_SUCCESS,
    )
    history.standing(reached).sessions[places[0]] = (at, at + timedelta(minutes=16))
    return reached
