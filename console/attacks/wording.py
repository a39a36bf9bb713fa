"""Attacks in plain words. The functions are pure."""

from collections.abc import Sequence

from .definition import Ground
from .finding import COUNTED_MAX, Attack
from .incident import FAILURES_MAX, OTHERS_MAX, Incident, Outcome


def headline(attack: Attack) -> str:
    """Return a sentence on the most urgent ground of the attack: what it reached, or what it tried."""
    reached = reach(signed_in=attack.signed_in_accounts, stopped=attack.stopped_accounts)
    if reached:
        return f"{attack.network} {reached}"
    if Ground.SEVERAL_ACCOUNTS in attack.grounds:
        return f"{attack.network} guesses passwords of several accounts"
    return f"{attack.network} guesses passwords at an unusual rate"


def reach(*, signed_in: int, stopped: int) -> str:
    """Return what an attack reached, such as `signed in to 1 account`; "" when it reached no account."""
    parts = []
    if signed_in:
        parts.append(f"signed in to {count(signed_in, 'account')}")
    if stopped:
        parts.append(f"had the right password of {count(stopped, 'account')} and stopped at the second factor")
    return ", and ".join(parts)


def figures(attack: Attack) -> str:
    """Return the numbers of the attack, such as `25 failed logins, 3 reports`."""
    return f"{count(attack.failed_logins, 'failed login', limit=COUNTED_MAX)}, {count(attack.reports, 'report')}"


def story(incident: Incident) -> Sequence[str]:
    """Return the story of the attack in sentences, the farthest that it came first."""
    outcomes = [target.outcome for target in incident.targets]
    signed_in, stopped = outcomes.count(Outcome.SIGNED_IN), outcomes.count(Outcome.STOPPED_AT_FACTOR)
    sentences = []
    if signed_in:
        sentences.append(
            f"It signed in to {count(signed_in, 'account')} that never signed in from this network before."
        )
    if stopped:
        sentences.append(
            f"It had the right password of {count(stopped, 'account')} and stopped at the second factor. "
            f"{'The account was' if stopped == 1 else 'These accounts were'} not opened."
        )
    if not incident.reached:
        sentences.append("It reached no account: no password was right.")
    failed = count(len(incident.failures_at), "failed login", limit=FAILURES_MAX)
    known = len({target.user_id for target in incident.targets if target.failed_logins})
    tried = [count(known, "account")] if known else []
    tried += (
        [count(incident.unknown_addresses, "address", plural="addresses") + " without an account"]
        if incident.unknown_addresses
        else []
    )
    sentences.append(f"{failed}{' at ' + ' and '.join(tried) if tried else ''}.")
    if len(incident.failures_at) == FAILURES_MAX:
        sentences.append(f"Only the latest {FAILURES_MAX:,} are read, so there may be more accounts and addresses.")
    if locks := len(incident.locks):
        sentences.append(f"The service locked accounts {count(locks, 'time', limit=OTHERS_MAX)}.")
    return sentences


def count(number: int, noun: str, *, plural: str = "", limit: int = 0) -> str:
    """Return the number with its noun. A number that reached the limit of its count gets `or more`."""
    more = " or more" if limit and number >= limit else ""
    return f"{number:,}{more} {noun if number == 1 else plural or f'{noun}s'}"
