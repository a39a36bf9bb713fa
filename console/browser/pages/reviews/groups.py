"""The groups above the review queue: attacks and users with several events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from core.clock import rfc3339
from core.http.call import Call

from ....attacks.review_groups import Group
from ....people.users import find_emails
from ...explanations import reasons_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A group as the page shows it. `url` leads to its events, and `all_url` to one review for all of them."""

    label: str
    tone: str
    name: str
    number: int
    newest_at: datetime
    reasons: str
    url: str
    all_url: str
    attack_url: str


def group_rows(groups: Sequence[Group], call: Call) -> list[GroupRow]:
    """Return the groups as the page of the call shows them. One query finds all addresses."""
    emails = find_emails(user_ids=[group.subject.user for group in groups])
    return [_row(group, emails, call) for group in groups]


def _row(group: Group, emails: Mapping[str | None, str], call: Call) -> GroupRow:
    network, user = group.subject.network, group.subject.user
    query = {"status": call.query["status"], **({"network": network} if network else {"user": user or ""})}
    listed = urlencode({**query, "listed_at": rfc3339(call.now)})
    return GroupRow(
        label=gettext("Attack") if network else gettext("User"),
        tone="bad" if network else "info",
        name=network or emails.get(user, user or ""),
        number=len(group.flags),
        newest_at=group.newest_at,
        reasons=capfirst(group.reach) or reasons_of(group.flags[0].metadata),
        url=f"{reverse('authsvc-console-reviews')}?{urlencode(query)}",
        all_url=f"{reverse('authsvc-console-review-all')}?{listed}",
        attack_url=reverse("authsvc-console-attack", args=[network]) if network else "",
    )
