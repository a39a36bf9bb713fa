"""The events that combinations of concepts name. The words of each language name the concepts."""

from collections.abc import Mapping

from events.vocabulary import ACCOUNT_EVENTS
from events.vocabulary import EventType as Type

_FACTORS_ADDED = (Type.TOTP_ENABLED, Type.PASSKEY_REGISTERED, Type.SECOND_FACTOR_ADDED)
_FACTORS_REMOVED = (Type.TOTP_DISABLED, Type.PASSKEY_REMOVED, Type.SECOND_FACTOR_REMOVED)
_FACTORS_FAILED = (Type.TOTP_CHALLENGE_FAILED, Type.PASSKEY_CHALLENGE_FAILED, Type.SECOND_FACTOR_FAILED)

_NAMED: Mapping[str, tuple[Type, ...]] = {
    "login": (Type.LOGIN_SUCCESS,),
    "login success": (Type.LOGIN_SUCCESS,),
    "login attempt success": (Type.LOGIN_SUCCESS,),
    "login fail": (Type.LOGIN_FAILED,),
    "login attempt fail": (Type.LOGIN_FAILED,),
    "attempt fail": (Type.LOGIN_FAILED,),
    "password fail": (Type.LOGIN_FAILED,),
    "login password fail": (Type.LOGIN_FAILED,),
    **{f"{name} reject": (Type.LOGIN_FAILED,) for name in ("login", "login attempt")},
    "recovery_code reject": (Type.RECOVERY_CODE_FAILED,),
    "login stop": (Type.LOGIN_STOPPED_AT_FACTOR,),
    "login attempt stop": (Type.LOGIN_STOPPED_AT_FACTOR,),
    "login stop factor": (Type.LOGIN_STOPPED_AT_FACTOR,),
    "login attempt stop factor": (Type.LOGIN_STOPPED_AT_FACTOR,),
    "login stop twofactor": (Type.LOGIN_STOPPED_AT_FACTOR,),
    "logout": (Type.LOGOUT,),
    "logout everywhere": (Type.LOGOUT_ALL,),
    "token rotate": (Type.TOKEN_ROTATED,),
    "token reuse": (Type.TOKEN_REUSE_DETECTED,),
    "token reuse detect": (Type.TOKEN_REUSE_DETECTED,),
    "session revoke": (Type.SESSION_REVOKED,),
    "reauth": (Type.REAUTHENTICATED,),
    "session reauth": (Type.REAUTHENTICATED,),
    "account reauth": (Type.REAUTHENTICATED,),
    "account lock": (Type.ACCOUNT_LOCKED,),
    "account unlock": (Type.ACCOUNT_UNLOCKED,),
    "account import": (Type.ACCOUNT_IMPORTED,),
    "account remove": (Type.ACCOUNT_DELETED,),
    "account disable": (Type.ACCOUNT_DEACTIVATED,),
    "account reactivate": (Type.ACCOUNT_REACTIVATED,),
    "account takeover": (Type.ACCOUNT_TAKEN_OVER,),
    "account create": (Type.SIGNUP_SUCCESS,),
    "password change": (Type.PASSWORD_CHANGED,),
    "password breach": (Type.PASSWORD_BREACH_REJECTED,),
    "password breach reject": (Type.PASSWORD_BREACH_REJECTED,),
    "hash upgrade": (Type.PASSWORD_HASH_UPGRADED,),
    "password reset request": (Type.PASSWORD_RESET_REQUESTED,),
    "email change": (Type.EMAIL_CHANGED,),
    "email change request": (Type.EMAIL_CHANGE_REQUESTED,),
    "email change undo": (Type.EMAIL_CHANGE_UNDONE,),
    "data export": (Type.DATA_EXPORTED,),
    "account data export": (Type.DATA_EXPORTED,),
    "oauth link": (Type.OAUTH_LINKED,),
    "oauth create": (Type.OAUTH_LINKED,),
    "oauth unlink": (Type.OAUTH_UNLINKED,),
    "oauth remove": (Type.OAUTH_UNLINKED,),
    "magic_link request": (Type.MAGIC_LINK_REQUESTED,),
    "recovery_code create": (Type.RECOVERY_CODES_GENERATED,),
    "recovery_code use": (Type.RECOVERY_CODE_USED,),
    "recovery_code fail": (Type.RECOVERY_CODE_FAILED,),
    "recovery start": (Type.RECOVERY_STARTED,),
    "recovery request": (Type.RECOVERY_STARTED,),
    "recovery cancel": (Type.RECOVERY_CANCELLED,),
    "recovery complete": (Type.RECOVERY_COMPLETED,),
    "account recovery_done": (Type.RECOVERY_COMPLETED,),
    "anomaly": (Type.ANOMALY_DETECTED,),
    "anomaly detect": (Type.ANOMALY_DETECTED,),
    "stuffing": (Type.CREDENTIAL_STUFFING_DETECTED,),
    "stuffing detect": (Type.CREDENTIAL_STUFFING_DETECTED,),
    "api_key create": (Type.API_KEY_CREATED,),
    **{f"api_key {act}": (Type.API_KEY_REVOKED,) for act in ("revoke", "remove", "disable")},
    "api_key reject": (Type.API_KEY_REJECTED,),
    "api_key fail": (Type.API_KEY_REJECTED,),
    **{f"{name} {act}": (Type.TOTP_ENABLED,) for name in ("totp", "twofactor") for act in ("create", "enable")},
    **{f"{name} {act}": (Type.TOTP_DISABLED,) for name in ("totp", "twofactor") for act in ("remove", "disable")},
    **{f"{name} fail": (Type.TOTP_CHALLENGE_FAILED,) for name in ("totp", "totp code", "twofactor code", "code")},
    **{f"passkey {act}": (Type.PASSKEY_REGISTERED,) for act in ("create", "enable")},
    **{f"passkey {act}": (Type.PASSKEY_REMOVED,) for act in ("remove", "disable", "revoke")},
    "passkey fail": (Type.PASSKEY_CHALLENGE_FAILED,),
    "passkey attempt fail": (Type.PASSKEY_CHALLENGE_FAILED,),
    "passkey login fail": (Type.PASSKEY_CHALLENGE_FAILED,),
    **{f"factor {act}": _FACTORS_ADDED for act in ("create", "enable")},
    **{f"factor {act}": _FACTORS_REMOVED for act in ("remove", "disable")},
    "factor fail": _FACTORS_FAILED,
    "event": (),
    "happen": (),
    "event happen": (),
}

EVENTS: Mapping[frozenset[str], tuple[Type, ...]] = {
    **{frozenset(names.split()): types for names, types in _NAMED.items()},
    **{frozenset({str(event)}): (event,) for event in ACCOUNT_EVENTS},
}
"""The types that a set of concepts names. No types mean every event."""

FACTS: Mapping[frozenset[str], str] = {
    frozenset(names.split()): fact
    for fact, listed in {
        "locked": ("account lock",),
        "address_proven": ("email verify",),
        "second_factor": (
            "twofactor",
            "twofactor enable",
            "twofactor create",
            "factor",
            "factor enable",
            "factor create",
        ),
        "totp": ("totp", "totp enable", "totp create"),
        "passkey": ("passkey", "passkey enable", "passkey create"),
        "recovery_code": ("recovery_code", "recovery_code create"),
        "api_keys": ("api_key", "api_key create"),
    }.items()
    for names in listed
}
"""The facts about the account's present state that a set of concepts names."""

_OBJECTS = """
    account api_key code data email factor hash login logout magic_link oauth passkey password recovery recovery_code
    session token totp twofactor
"""
OBJECTS = frozenset(_OBJECTS.split())
"""The concepts that are things. The others are acts, which coordinated acts do not share: `2FA turned off and on`."""

ALWAYS_DROPPED = ("account", "event", "use", "happen")
"""Concepts that a phrase may contain beside an event, and that do not change it: `login events of my account`."""


def types_of(concepts: frozenset[str]) -> tuple[Type, ...] | None:
    """Return the types that the concepts name; None when they name none."""
    if concepts in EVENTS:
        return EVENTS[concepts]
    rest = concepts
    for name in ALWAYS_DROPPED:
        rest -= {name}
        if rest and rest in EVENTS and rest != {"happen"}:
            return EVENTS[rest]
    return None
