"""The events of an account in plain words, for its owner."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop

from events.vocabulary import EventType
from sessions_app.families.revocation import Cause
from sessions_app.oauth.providers import label_of

HIDDEN = frozenset({EventType.TOKEN_ROTATED, EventType.PASSWORD_HASH_UPGRADED, EventType.CREDENTIAL_STUFFING_DETECTED})
"""The types that say nothing to the owner. An application refreshes its session many times a day."""

WORTH_A_LOOK = frozenset(
    {
        EventType.LOGIN_FAILED,
        EventType.LOGIN_STOPPED_AT_FACTOR,
        EventType.TOKEN_REUSE_DETECTED,
        EventType.ACCOUNT_LOCKED,
        EventType.ACCOUNT_TAKEN_OVER,
        EventType.TOTP_CHALLENGE_FAILED,
        EventType.PASSKEY_CHALLENGE_FAILED,
        EventType.SECOND_FACTOR_FAILED,
        EventType.RECOVERY_CODE_FAILED,
        EventType.RECOVERY_STARTED,
        EventType.ANOMALY_DETECTED,
        EventType.API_KEY_REJECTED,
    }
)
"""The types that can be the work of another person."""

_SENTENCES: Mapping[EventType, str] = {
    EventType.SIGNUP_SUCCESS: gettext_noop("The account was created."),
    EventType.ACCOUNT_IMPORTED: gettext_noop("The account moved to this service from another one."),
    EventType.LOGIN_SUCCESS: gettext_noop("Sign-in."),
    EventType.LOGIN_FAILED: gettext_noop("Sign-in refused: the password was wrong."),
    EventType.LOGIN_STOPPED_AT_FACTOR: gettext_noop(
        "Sign-in stopped at two-step verification. The password was right."
    ),
    EventType.LOGOUT: gettext_noop("Sign-out."),
    EventType.LOGOUT_ALL: gettext_noop("Signed out on all devices."),
    EventType.TOKEN_ROTATED: gettext_noop("An application refreshed its session."),
    EventType.TOKEN_REUSE_DETECTED: gettext_noop(
        "A copy of a session was used, so the session was ended. Another person may have had it."
    ),
    EventType.SESSION_REVOKED: gettext_noop("A device was signed out from the list of devices."),
    # The act that ends a session has an event of its own, except for the causes in `_ENDS`.
    EventType.SESSION_ENDED: "",
    EventType.REAUTHENTICATED: gettext_noop("You confirmed that it is you."),
    EventType.ACCOUNT_LOCKED: gettext_noop("The account was locked for a while, after too many failed attempts."),
    EventType.ACCOUNT_UNLOCKED: gettext_noop("Support ended the lock of the account."),
    EventType.PASSWORD_CHANGED: gettext_noop("The password was changed."),
    EventType.PASSWORD_BREACH_REJECTED: gettext_noop(
        "A new password was refused, because it is known from data breaches."
    ),
    EventType.PASSWORD_HASH_UPGRADED: gettext_noop("The stored form of the password was renewed."),
    EventType.EMAIL_CHANGE_REQUESTED: gettext_noop("A change of the e-mail address was requested."),
    EventType.EMAIL_CHANGED: gettext_noop("The e-mail address was changed."),
    EventType.EMAIL_CHANGE_UNDONE: gettext_noop("The change of the e-mail address was undone."),
    EventType.DATA_EXPORTED: gettext_noop("The data of the account were downloaded."),
    EventType.ACCOUNT_DELETED: gettext_noop("The account was deleted."),
    EventType.ACCOUNT_DEACTIVATED: gettext_noop("Support switched the account off."),
    EventType.ACCOUNT_REACTIVATED: gettext_noop("Support switched the account on again."),
    EventType.ACCOUNT_TAKEN_OVER: gettext_noop(
        "The owner of the mailbox proved the address. All earlier ways to sign in ended."
    ),
    EventType.OAUTH_LINKED: gettext_noop("%(provider)s was connected."),
    EventType.OAUTH_UNLINKED: gettext_noop("%(provider)s was disconnected."),
    EventType.APPLICATION_SIGNED_IN: gettext_noop("Sign-in to the application %(application)s."),
    EventType.APPLICATION_DISCONNECTED: gettext_noop("The access of the application %(application)s was ended."),
    EventType.TOTP_ENABLED: gettext_noop("An authenticator app was added."),
    EventType.TOTP_DISABLED: gettext_noop("The authenticator app was removed."),
    EventType.TOTP_CHALLENGE_FAILED: gettext_noop("A code of the authenticator app was wrong."),
    EventType.PASSKEY_REGISTERED: gettext_noop("A passkey was added."),
    EventType.PASSKEY_REMOVED: gettext_noop("A passkey was removed."),
    EventType.PASSKEY_CHALLENGE_FAILED: gettext_noop("A passkey was refused."),
    EventType.SECOND_FACTOR_ADDED: gettext_noop("A way of two-step verification was added."),
    EventType.SECOND_FACTOR_REMOVED: gettext_noop("A way of two-step verification was removed."),
    EventType.SECOND_FACTOR_FAILED: gettext_noop("A proof of two-step verification was wrong."),
    EventType.MAGIC_LINK_REQUESTED: gettext_noop("A link to sign in was requested by mail."),
    EventType.PASSWORD_RESET_REQUESTED: gettext_noop("A link to reset the password was requested by mail."),
    EventType.RECOVERY_CODES_GENERATED: gettext_noop("New recovery codes were made."),
    EventType.RECOVERY_CODE_USED: gettext_noop("A recovery code was used to sign in."),
    EventType.RECOVERY_CODE_FAILED: gettext_noop("A recovery code was wrong."),
    EventType.RECOVERY_STARTED: gettext_noop("The recovery of the account was started."),
    EventType.RECOVERY_CANCELLED: gettext_noop("The recovery of the account was cancelled."),
    EventType.RECOVERY_COMPLETED: gettext_noop(
        "The recovery of the account was completed. It removed two-step verification."
    ),
    EventType.ANOMALY_DETECTED: gettext_noop("A sign-in looked unusual."),
    EventType.CREDENTIAL_STUFFING_DETECTED: gettext_noop("One place tried many accounts."),
    EventType.API_KEY_CREATED: gettext_noop("The API key %(prefix)s was created."),
    EventType.API_KEY_REVOKED: gettext_noop("The API key %(prefix)s was revoked."),
    EventType.API_KEY_REJECTED: gettext_noop("A request with the API key %(prefix)s was refused."),
}

_SIGN_INS: Mapping[str, str] = {
    "password": gettext_noop("Sign-in with the password."),
    "magic_link": gettext_noop("Sign-in with a link or a code from a mail."),
    "passkey": gettext_noop("Sign-in with a passkey."),
    "oauth": gettext_noop("Sign-in with %(provider)s."),
    "invitation": gettext_noop("First sign-in, by an invitation."),
    "django_session": gettext_noop("Sign-in through the site."),
}

_REFUSALS: Mapping[str, str] = {
    "locked": gettext_noop("Sign-in refused: the account was locked for a while."),
    "email_not_verified": gettext_noop("Sign-in refused: the e-mail address is not confirmed."),
    "account_deactivated": gettext_noop("Sign-in refused: the account was switched off."),
    "password_reset_required": gettext_noop("Sign-in refused: support asked for a new password."),
    "wrong_code": gettext_noop("Sign-in refused: the code from a mail was wrong."),
}

_ENDS: Mapping[str, str] = {
    Cause.MAX_SESSIONS: gettext_noop("The oldest session was ended, because there were too many."),
    Cause.OPERATOR_SIGNED_OUT: gettext_noop("Support signed the account out on all devices."),
    Cause.PASSWORD_RESET_REQUIRED: gettext_noop("Support asked for a new password, and signed the account out."),
    Cause.OPERATOR_REVOKED: gettext_noop("The rights in the console ended."),
    Cause.APPLICATION_ENDED: gettext_noop("An application was taken out of the service, and its sessions ended."),
    Cause.DATABASE_RESTORED: gettext_noop("All sessions were ended after a restore of the service."),
}
"""The ends of sessions without another event that the owner reads."""


def sentence(event: EventType, metadata: Mapping[str, Any]) -> str:
    """Return the event in one sentence; "" when another line already states it."""
    text = _SENTENCES[event]
    if event in _DETAILS:
        name, texts = _DETAILS[event]
        text = texts.get(str(metadata.get(name)), text)
    if not text:
        return ""
    return gettext(text) % {
        "provider": label_of(str(metadata.get("provider", ""))),
        "prefix": str(metadata.get("prefix", "")),
        "application": str(metadata.get("client_name", "")),
    }


_DETAILS: Mapping[EventType, tuple[str, Mapping[str, str]]] = {
    EventType.LOGIN_SUCCESS: ("method", _SIGN_INS),
    EventType.LOGIN_FAILED: ("reason", _REFUSALS),
    EventType.SESSION_ENDED: ("cause", _ENDS),
}
"""The member of the metadata that chooses another sentence."""
