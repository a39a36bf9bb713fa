"""Attacks in plain words. The functions are pure."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from ..wording.lists import all_of
from ..wording.numbers import at_least, number
from .definition import Ground
from .finding import COUNTED_MAX, Attack
from .incident import FAILURES_MAX, OTHERS_MAX, Incident, Outcome


def headline(attack: Attack) -> str:
    """Return a sentence on the most urgent ground of the attack: what it reached, or what it tried."""
    reached = reach(signed_in=attack.signed_in_accounts, stopped=attack.stopped_accounts)
    if reached:
        return gettext("%(network)s %(reached)s") % {"network": attack.network, "reached": reached}
    if Ground.SEVERAL_ACCOUNTS in attack.grounds:
        return gettext("%(network)s guesses passwords of several accounts") % {"network": attack.network}
    return gettext("%(network)s guesses passwords at an unusual rate") % {"network": attack.network}


def reach(*, signed_in: int, stopped: int) -> str:
    """Return what an attack reached, such as `signed in to 1 account`; "" when it reached no account."""
    opened = ngettext("signed in to %(number)s account", "signed in to %(number)s accounts", signed_in)
    known = ngettext(
        "had the right password of %(number)s account and stopped at the second factor",
        "had the right password of %(number)s accounts and stopped at the second factor",
        stopped,
    )
    parts = [text % {"number": number(count)} for text, count in ((opened, signed_in), (known, stopped)) if count]
    if len(parts) > 1:
        return gettext("%(first)s, and %(second)s") % {"first": parts[0], "second": parts[1]}
    return "".join(parts)


def figures(attack: Attack) -> str:
    """Return the numbers of the attack, such as `25 failed logins, 3 reports`."""
    reports = ngettext("%(number)s report", "%(number)s reports", attack.reports) % {"number": number(attack.reports)}
    logins = failed_logins(attack.failed_logins, limit=COUNTED_MAX)
    return gettext("%(logins)s, %(reports)s") % {"logins": logins, "reports": reports}


def story(incident: Incident) -> Sequence[str]:
    """Return the story of the attack in sentences, the farthest that it came first."""
    outcomes = [target.outcome for target in incident.targets]
    signed_in, stopped = outcomes.count(Outcome.SIGNED_IN), outcomes.count(Outcome.STOPPED_AT_FACTOR)
    sentences = []
    if signed_in and not incident.grounds:
        text = ngettext(
            "%(number)s account signed in from this network for the first time.",
            "%(number)s accounts signed in from this network for the first time.",
            signed_in,
        )
        sentences.append(text % {"number": number(signed_in)})
    elif signed_in:
        text = ngettext(
            "It signed in to %(number)s account that never signed in from this network before.",
            "It signed in to %(number)s accounts that never signed in from this network before.",
            signed_in,
        )
        sentences.append(text % {"number": number(signed_in)})
    if stopped:
        text = ngettext(
            "It had the right password of %(number)s account and stopped at the second factor. "
            "The account was not opened.",
            "It had the right password of %(number)s accounts and stopped at the second factor. "
            "These accounts were not opened.",
            stopped,
        )
        sentences.append(text % {"number": number(stopped)})
    if not incident.reached:
        sentences.append(gettext("It reached no account: no password was right."))
    sentences.append(_tried(incident))
    if len(incident.failures_at) == FAILURES_MAX:
        text = gettext("Only the latest %(number)s are read, so there may be more accounts and addresses.")
        sentences.append(text % {"number": number(FAILURES_MAX)})
    if locks := len(incident.locks):
        text = ngettext(
            "The service locked accounts %(number)s time.", "The service locked accounts %(number)s times.", locks
        )
        sentences.append(text % {"number": counted(locks, limit=OTHERS_MAX)})
    return sentences


def failed_logins(count: int, *, limit: int) -> str:
    """Return the number of failed logins with the noun. A number that reached the limit of its count gets `or more`."""
    text = ngettext("%(number)s failed login", "%(number)s failed logins", count)
    return text % {"number": counted(count, limit=limit)}


def counted(count: int, *, limit: int) -> str:
    """Return the number. A number that reached the limit of its count gets `or more`."""
    return at_least(count) if count >= limit else number(count)


def _tried(incident: Incident) -> str:
    """Return the sentence about the failed logins and their targets."""
    failed = failed_logins(len(incident.failures_at), limit=FAILURES_MAX)
    known = len({target.user_id for target in incident.targets if target.failed_logins})
    unknown = incident.unknown_addresses
    accounts = ngettext("%(number)s account", "%(number)s accounts", known) % {"number": number(known)}
    addresses = ngettext(
        "%(number)s address without an account", "%(number)s addresses without an account", unknown
    ) % {"number": number(unknown)}
    targets = [text for text, count in ((accounts, known), (addresses, unknown)) if count]
    if not targets:
        return gettext("%(failed)s.") % {"failed": failed}
    return gettext("%(failed)s at %(targets)s.") % {"failed": failed, "targets": all_of(targets)}
