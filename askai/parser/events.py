"""The events and facts that combinations of concepts name. The words of each language name the concepts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from events.vocabulary import ACCOUNT_EVENTS, EventType

from ..plans.plan import PlanInvalid

_NAMED = """
login_success: login, login success, login attempt success
login_failed: login|attempt|login+attempt|password|login+password fail, login|login+attempt reject
login_stopped_at_factor: login|login+attempt stop, login|login+attempt stop factor|twofactor
logout: logout
logout_all: logout everywhere
token_rotated: token rotate
token_reuse_detected: token reuse, token reuse detect
session_revoked: session revoke
reauthenticated: reauth, session|account reauth
account_locked: account lock
account_unlocked: account unlock
account_imported: account import
account_deleted: account remove
account_deactivated: account disable
account_reactivated: account reactivate
account_taken_over: account takeover
signup_success: account create
password_changed: password change
password_breach_rejected: password breach, password breach reject
password_hash_upgraded: hash upgrade
password_reset_requested: password reset request
email_changed: email change
email_change_requested: email change request
email_change_undone: email change undo
data_exported: data export, account data export
oauth_linked: oauth link|create
oauth_unlinked: oauth unlink|remove, oauth+link remove
application_signed_in: application login, application use
application_disconnected: application unlink|remove|end|revoke
magic_link_requested: magic_link request
recovery_codes_generated: recovery_code create
recovery_code_used: recovery_code use
recovery_code_failed: recovery_code fail|reject
recovery_started: recovery start|request
recovery_cancelled: recovery cancel
recovery_completed: recovery complete, account recovery_done
anomaly_detected: anomaly, anomaly detect, login anomaly, login anomaly detect
credential_stuffing_detected: stuffing, stuffing detect
api_key_created: api_key create
api_key_revoked: api_key revoke|remove|disable
api_key_rejected: api_key reject|fail
totp_enabled: totp|twofactor create|enable
totp_disabled: totp|twofactor remove|disable
totp_challenge_failed: totp|totp+code|twofactor+code fail
passkey_registered: passkey create|enable
passkey_removed: passkey remove|disable|revoke
passkey_challenge_failed: passkey fail, passkey attempt|login fail
totp_enabled passkey_registered second_factor_added: factor create|enable
totp_disabled passkey_removed second_factor_removed: factor remove|disable
totp_challenge_failed passkey_challenge_failed second_factor_failed: factor fail
: event, happen, event happen
"""
_FACTS = """
locked: account lock
address_proven: email verify
second_factor: twofactor|factor, twofactor|factor enable|create
totp: totp, totp enable|create
passkey: passkey, passkey enable|create
recovery_code: recovery_code, recovery_code create
api_keys: api_key, api_key create
"""


def _sets(table: str) -> Iterable[tuple[frozenset[str], str]]:
    """Yield each set of concepts with the names before the colon. `a|b c+d` has two sets, `a c d` and `b c d`."""
    for line in table.strip().splitlines():
        names, _, listed = line.partition(":")
        for words in listed.split(","):
            for chosen in product(*(word.split("|") for word in words.split())):
                yield frozenset("+".join(chosen).split("+")), names


EVENTS: Mapping[frozenset[str], tuple[EventType, ...]] = {
    **{concepts: tuple(map(EventType, names.split())) for concepts, names in _sets(_NAMED)},
    **{frozenset({str(event)}): (event,) for event in ACCOUNT_EVENTS},
}
"""The types that a set of concepts names. No types mean every event."""

FACTS: Mapping[frozenset[str], str] = dict(_sets(_FACTS))
"""The facts about the account's present state that a set of concepts names."""

_OBJECTS = """
    account api_key application code data email factor hash login logout magic_link oauth passkey password recovery recovery_code
    session token totp twofactor
"""
OBJECTS = frozenset(_OBJECTS.split())
"""The concepts that are things. The others are acts, which coordinated acts do not share: `2FA turned off and on`."""

_REVERSIBLE = "account_locked api_key_created oauth_linked passkey_registered totp_enabled totp_disabled"
REVERSIBLE = frozenset(map(EventType, _REVERSIBLE.split()))
"""The events whose effect can have ended since."""

_DROPPED = ("account", "event", "use", "happen")
"""Concepts that a phrase may contain beside an event, and that do not change it: `login events of my account`."""


def types_of(concepts: Iterable[str]) -> tuple[EventType, ...] | None:
    """Return the types that the concepts name; None when they name none."""
    rest = frozenset(concepts)
    found = EVENTS.get(rest)
    for name in _DROPPED:
        rest -= {name}
        if found is None and rest != {"happen"}:
            found = EVENTS.get(rest)
    return found


def resolve(groups: Sequence[set[str]]) -> list[tuple[EventType, ...]]:
    """Return the types of each group of concepts. Groups may share a thing or an act: `2FA turned off and on`."""
    resolved = []
    for index, names in enumerate(groups):
        before, after = (groups[at] if 0 <= at < len(groups) else set() for at in (index - 1, index + 1))
        choices = [names]
        if not names & OBJECTS:
            choices += [names | (before & OBJECTS), names | (after & OBJECTS)]
        elif not names - OBJECTS:
            choices += [names | (after - OBJECTS)]
        chosen, types = next(
            ((each, types) for each in choices if (types := types_of(each)) is not None), (names, None)
        )
        shared = types_of(choices[-1]) if names <= OBJECTS and not after & names else None
        if types is None or (shared is not None and shared != types):
            raise PlanInvalid
        names.update(chosen & OBJECTS)
        resolved.append(types)
    return resolved
