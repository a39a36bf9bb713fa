"""Suggestions for settings, from pure rules over the counts of events and the settings in force.

The report changes nothing. A finding states an observation, and a suggestion states a change to consider.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.utils.translation import gettext

from accounts.conf import settings as account_settings
from core.conf import core_settings
from core.http.examples import EARLIER, MOMENT
from core.ratelimit.conf import Limit
from core.ratelimit.conf import settings as limit_settings
from events.rollup import count_events
from events.vocabulary import ACCOUNT_EVENTS, EventType
from mail.compose import is_mail_on
from sessions_app.conf import detection_settings
from sessions_app.logins.second_factors import gating_factors

from .window import Window

EVENTS_MIN = 20
"""With fewer events than this, a rule draws no conclusion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """An observation in one area of the settings, and a change to consider."""

    area: str
    finding: str
    suggestion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedSettings:
    """The settings that the rules examine."""

    lockout_threshold: int
    is_login_limited: bool
    are_breached_refused: bool
    has_encryption_key: bool
    is_mail_on: bool
    is_detection_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigTuning:
    """Suggestions for settings, and the counts by event type on which they are based."""

    example: ClassVar = {
        "since": EARLIER,
        "until": MOMENT,
        "window_days": 7,
        "suggestions": [
            {
                "area": "passwords",
                "finding": "BREACHED_PASSWORDS is off: passwords known from breaches are accepted.",
                "suggestion": "Consider `offline`, which needs no network.",
            }
        ],
        "counts": {"login_success": 412, "login_failed": 30},
    }

    since: datetime
    until: datetime
    window_days: int
    suggestions: Sequence[Suggestion]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts on which the rules decide."""

    counts: Mapping[EventType, int]
    settings: ExaminedSettings


def report(*, window_days: int, now: datetime) -> ConfigTuning:
    """Return the report for the last `window_days` days."""
    window = Window.ending(now, days=window_days)
    counts = count_events(types=ACCOUNT_EVENTS, since=window.since, until=window.until)
    return ConfigTuning(
        since=window.since,
        until=window.until,
        window_days=window_days,
        suggestions=suggest(counts=counts, settings=examined_settings()),
        counts={str(event): count for event, count in counts.items()},
    )


def examined_settings() -> ExaminedSettings:
    """Return the settings of this deployment that the rules examine."""
    return ExaminedSettings(
        lockout_threshold=account_settings().lockout_threshold,
        is_login_limited=limit_settings().rate_limits[Limit.LOGIN_IP] is not None,
        are_breached_refused=account_settings().breached_passwords != "off",
        has_encryption_key=bool(core_settings().encryption_keys),
        is_mail_on=is_mail_on(),
        is_detection_on=detection_settings().is_on,
    )


def suggest(*, counts: Mapping[EventType, int], settings: ExaminedSettings) -> list[Suggestion]:
    """Return the suggestions of all rules. `counts` must have all of ACCOUNT_EVENTS."""
    facts = Facts(counts=counts, settings=settings)
    return [suggestion for rule in RULES for suggestion in rule(facts)]


def _locks(facts: Facts) -> Iterator[Suggestion]:
    locks, logins = facts.counts[EventType.ACCOUNT_LOCKED], facts.counts[EventType.LOGIN_SUCCESS]
    if locks >= EVENTS_MIN and locks * 20 >= logins:
        yield Suggestion(
            area="lockout",
            finding=gettext("%(locks)s locks against %(logins)s logins: at least one lock for every 20 logins.")
            % {"locks": locks, "logins": logins},
            suggestion=gettext(
                "Consider a higher LOCKOUT_THRESHOLD than %(threshold)s if typing errors caused most locks. "
                "Consider a lower `login_ip` in RATE_LIMITS if the failures come from few IP addresses."
            )
            % {"threshold": facts.settings.lockout_threshold},
        )


def _failures(facts: Facts) -> Iterator[Suggestion]:
    failed, logins = facts.counts[EventType.LOGIN_FAILED], facts.counts[EventType.LOGIN_SUCCESS]
    if failed >= EVENTS_MIN and failed > 2 * logins:
        yield Suggestion(
            area="rate limits",
            finding=gettext("%(failed)s failed logins against %(logins)s successful ones.")
            % {"failed": failed, "logins": logins},
            suggestion=gettext(
                "Consider a lower `login_ip` in RATE_LIMITS. With so many failures, most attempts are probably guesses."
            ),
        )
    if not facts.settings.is_login_limited:
        yield Suggestion(
            area="rate limits",
            finding=gettext("RATE_LIMITS turns `login_ip` off: an IP address can try to log in without limit."),
            suggestion=gettext("Consider turning it on. If you unset RATE_LIMITS, all limits have their defaults."),
        )


def _stuffing(facts: Facts) -> Iterator[Suggestion]:
    stuffing = facts.counts[EventType.CREDENTIAL_STUFFING_DETECTED]
    if stuffing:
        yield Suggestion(
            area="rate limits",
            finding=gettext("Credential stuffing was detected %(number)s times: one IP address tried many accounts.")
            % {"number": stuffing},
            suggestion=gettext(
                "Consider a lower `login_ip` in RATE_LIMITS, and consider blocking these IP addresses at your proxy."
            ),
        )


def _passwords(facts: Facts) -> Iterator[Suggestion]:
    if not facts.settings.are_breached_refused:
        yield Suggestion(
            area="passwords",
            finding=gettext("BREACHED_PASSWORDS is off: passwords that are known from data breaches are accepted."),
            suggestion=gettext("Consider `offline`, which needs no network."),
        )
    refused, signups = facts.counts[EventType.PASSWORD_BREACH_REJECTED], facts.counts[EventType.SIGNUP_SUCCESS]
    if refused >= EVENTS_MIN and refused > signups:
        yield Suggestion(
            area="passwords",
            finding=gettext("%(refused)s breached passwords were refused, against %(signups)s sign-ups.")
            % {"refused": refused, "signups": signups},
            suggestion=gettext(
                "Consider a note on your sign-up page that passwords from known data breaches are refused."
            ),
        )


def _factors(facts: Facts) -> Iterator[Suggestion]:
    if not facts.settings.has_encryption_key:
        yield Suggestion(
            area="second factors",
            finding=gettext("ENCRYPTION_KEY is unset: users cannot add a second factor."),
            suggestion=gettext("Consider setting it to 32 random bytes in base64."),
        )
    for factor in gating_factors():
        wrong, enrolled = facts.counts[factor.failed_event], facts.counts[factor.enrolled_event]
        if wrong >= EVENTS_MIN and wrong > facts.counts[EventType.LOGIN_SUCCESS]:
            yield Suggestion(
                area="second factors",
                finding=gettext("%(wrong)s wrong proofs of %(factors)s, more than the logins. %(added)s were added.")
                % {"wrong": wrong, "factors": gettext(factor.label_plural), "added": enrolled},
                suggestion=gettext("Consider checking the server's clock, because codes depend on the time."),
            )
    if facts.counts[EventType.RECOVERY_CODE_USED] >= EVENTS_MIN:
        yield Suggestion(
            area="second factors",
            finding=gettext("%(number)s recovery codes were used.")
            % {"number": facts.counts[EventType.RECOVERY_CODE_USED]},
            suggestion=gettext(
                "Consider offering passkeys to users who lose their authenticator app, because passkeys sync between "
                "devices."
            ),
        )


def _sessions(facts: Facts) -> Iterator[Suggestion]:
    reused, rotated = facts.counts[EventType.TOKEN_REUSE_DETECTED], facts.counts[EventType.TOKEN_ROTATED]
    if reused >= EVENTS_MIN and reused * 100 >= rotated:
        yield Suggestion(
            area="sessions",
            finding=gettext(
                "%(reused)s refresh tokens were used twice, against %(rotated)s refreshes: at least 1 in 100."
            )
            % {"reused": reused, "rotated": rotated},
            suggestion=gettext(
                "Consider checking your clients. The likely causes are parallel refreshes and lost responses, not stolen "
                "tokens."
            ),
        )


def _detection(facts: Facts) -> Iterator[Suggestion]:
    found, logins = facts.counts[EventType.ANOMALY_DETECTED], facts.counts[EventType.LOGIN_SUCCESS]
    if not facts.settings.is_detection_on:
        yield Suggestion(
            area="detection",
            finding=gettext("ANOMALY_DETECTION is off: suspicious logins are not reported."),
            suggestion=gettext("Consider turning it on. Detection reports logins and never blocks them."),
        )
    elif found >= EVENTS_MIN and found * 4 >= logins:
        yield Suggestion(
            area="detection",
            finding=gettext("%(found)s anomalies against %(logins)s logins: at least 1 in 4.")
            % {"found": found, "logins": logins},
            suggestion=gettext("Consider higher ANOMALY_ thresholds, so that operators can review every report."),
        )


def _mail(facts: Facts) -> Iterator[Suggestion]:
    if not facts.settings.is_mail_on:
        yield Suggestion(
            area="mail",
            finding=gettext(
                "EMAIL_URL is off: there are no magic links, and users who forgot their password cannot sign in."
            ),
            suggestion=gettext("Consider setting EMAIL_URL to your mail server."),
        )


RULES: Sequence[Callable[[Facts], Iterator[Suggestion]]] = (
    _locks,
    _failures,
    _stuffing,
    _passwords,
    _factors,
    _sessions,
    _detection,
    _mail,
)
