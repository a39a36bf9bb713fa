"""Groups of flagged events: those of one attack, and those about one user."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from events.networks import network_of

from ..reviews.queue import FlaggedColumns, Status, flagged
from ..reviews.subjects import EVERYTHING, Subject
from .definition import Ground, grounds_of, is_about_passwords, signed_in, stopped
from .wording import reach

READ_MAX = 1000
"""The number of events from which groups are made, and the number at which the count of a list stops."""
GROUPS_MAX = 10
OF_USER_MIN = 2
"""The number of events from which on those about one user are a group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Events with a common subject. `network` or `user` is set. `flags` are the events, the newest first."""

    subject: Subject
    flags: Sequence[FlaggedColumns]

    @property
    def reach(self) -> str:
        """The number of accounts that the attack reached, in words; "" when it reached none."""
        return reach(signed_in=len(signed_in(self.flags)), stopped=len(stopped(self.flags)))

    @property
    def newest_at(self) -> datetime:
        """The time of the newest event."""
        return self.flags[0].created_at


def find_groups(*, status: Status | None) -> list[Group]:
    """Return the largest groups among the newest READ_MAX events with this status. None means every status.

    The events of an attack form one group. The others are grouped by their user. At most GROUPS_MAX groups, the attacks
    first, and the most urgent attack before the others.
    """
    columns = ("type", "user_id", "ip", "metadata", "created_at")
    rows = flagged(status).order_by("-created_at", "-id").values_list(*columns)[:READ_MAX]
    flags = [
        FlaggedColumns(type=event, user_id=user_id, ip=ip, metadata=metadata, created_at=at)
        for event, user_id, ip, metadata, at in rows
    ]
    by_network: dict[str, list[FlaggedColumns]] = {}
    for flag in flags:
        if (network := network_of(flag.ip)) is not None:
            by_network.setdefault(str(network), []).append(flag)
    attacks = {
        network: of_network
        for network, of_network in by_network.items()
        if grounds_of([flag for flag in of_network if is_about_passwords(flag)])
    }
    by_user: dict[str, list[FlaggedColumns]] = {}
    for flag in flags:
        if flag.user_id and str(network_of(flag.ip)) not in attacks:
            by_user.setdefault(flag.user_id, []).append(flag)
    found = [Group(subject=Subject(network=network), flags=found) for network, found in _most_urgent(attacks)]
    users = {user: of_user for user, of_user in by_user.items() if len(of_user) >= OF_USER_MIN}
    found += [Group(subject=Subject(user=user), flags=of_user) for user, of_user in _largest(users)]
    return found[:GROUPS_MAX]


def count_flagged(*, status: Status | None, subject: Subject = EVERYTHING) -> int:
    """Return the number of flagged events with this status, at most READ_MAX."""
    return subject.narrow(flagged(status)).order_by("-created_at", "-id").values("pk")[:READ_MAX].count()


def _most_urgent(attacks: dict[str, list[FlaggedColumns]]) -> list[tuple[str, list[FlaggedColumns]]]:
    order = list(Ground)
    worst = {
        network: order.index(grounds_of([flag for flag in flags if is_about_passwords(flag)])[0])
        for network, flags in attacks.items()
    }
    return sorted(_largest(attacks), key=lambda item: worst[item[0]])


def _largest(groups: dict[str, list[FlaggedColumns]]) -> list[tuple[str, list[FlaggedColumns]]]:
    return sorted(groups.items(), key=lambda item: -len(item[1]))
