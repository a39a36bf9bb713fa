"""Settings of the alerts."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.addresses import normalize_email
from core.conf import WORDS, Kind, section, setting, whole

OPERATORS = "operators"
"""The word in ALERT_MAIL that stands for all operators."""

ADDRESSES_MAX = 20


def _read_recipients(value: Any) -> tuple[str, ...]:
    words = tuple(WORDS.read(value))
    if not words or len(words) > ADDRESSES_MAX:
        raise ValueError
    for word in words:
        if word != OPERATORS and normalize_email(word) != word:
            raise ValueError
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """The recipients of alerts, and the pause between two alerts of the same matter."""

    mail: tuple[str, ...] = setting(
        "ALERT_MAIL",
        (),
        Kind("operators, or a comma-separated list of addresses, or both", _read_recipients),
        "Recipients of mails about attacks, failed deliveries and late work: addresses, or `operators` for all operators. "
        "Unset: no such mail. The webhook gets the event `alert_raised` where WEBHOOK_EVENTS has it.",
    )
    pause_hours: int = setting(
        "ALERT_PAUSE_HOURS",
        6,
        whole(1, 168),
        "Hours in which a matter, such as the attack from one network, raises no second alert.",
    )

    @property
    def pause(self) -> timedelta:
        """The pause between two alerts of the same matter."""
        return timedelta(hours=self.pause_hours)


alert_settings = section(AlertSettings)
