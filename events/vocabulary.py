"""The types of audit events.

Never rename a type: the values are in the database, in reports and in webhooks.
"""

from enum import StrEnum


class EventType(StrEnum):
    """All types of audit events."""

    SIGNUP_SUCCESS = "signup_success"
    LOGIN_SUCCESS = "login_success"
    LOGIN_FAILED = "login_failed"
    LOGIN_STOPPED_AT_FACTOR = "login_stopped_at_factor"
    LOGOUT = "logout"
    LOGOUT_ALL = "logout_all"
    TOKEN_ROTATED = "token_rotated"  # noqa: S105 - an event's name
    TOKEN_REUSE_DETECTED = "token_reuse_detected"  # noqa: S105 - an event's name
    SESSION_REVOKED = "session_revoked"
    SESSION_ENDED = "session_ended"
    REAUTHENTICATED = "reauthenticated"
    ACCOUNT_LOCKED = "account_locked"
    ACCOUNT_UNLOCKED = "account_unlocked"
    ACCOUNT_IMPORTED = "account_imported"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - an event's name
    PASSWORD_BREACH_REJECTED = "password_breach_rejected"  # noqa: S105 - an event's name
    PASSWORD_HASH_UPGRADED = "password_hash_upgraded"  # noqa: S105 - an event's name
    EMAIL_CHANGE_REQUESTED = "email_change_requested"
    EMAIL_CHANGED = "email_changed"
    EMAIL_CHANGE_UNDONE = "email_change_undone"
    DATA_EXPORTED = "data_exported"
    ACCOUNT_DELETED = "account_deleted"
    ACCOUNT_DEACTIVATED = "account_deactivated"
    ACCOUNT_REACTIVATED = "account_reactivated"
    ACCOUNT_TAKEN_OVER = "account_taken_over"
    OAUTH_LINKED = "oauth_linked"
    OAUTH_UNLINKED = "oauth_unlinked"
    APPLICATION_SIGNED_IN = "application_signed_in"
    APPLICATION_DISCONNECTED = "application_disconnected"
    TOTP_ENABLED = "totp_enabled"
    TOTP_DISABLED = "totp_disabled"
    TOTP_CHALLENGE_FAILED = "totp_challenge_failed"
    PASSKEY_REGISTERED = "passkey_registered"
    PASSKEY_REMOVED = "passkey_removed"
    PASSKEY_CHALLENGE_FAILED = "passkey_challenge_failed"
    # A second factor that a host project registers.
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    SECOND_FACTOR_FAILED = "second_factor_failed"
    MAGIC_LINK_REQUESTED = "magic_link_requested"
    PASSWORD_RESET_REQUESTED = "password_reset_requested"  # noqa: S105 - an event's name
    RECOVERY_CODES_GENERATED = "recovery_codes_generated"
    RECOVERY_CODE_USED = "recovery_code_used"
    RECOVERY_CODE_FAILED = "recovery_code_failed"
    RECOVERY_STARTED = "recovery_started"
    RECOVERY_CANCELLED = "recovery_cancelled"
    RECOVERY_COMPLETED = "recovery_completed"
    ANOMALY_DETECTED = "anomaly_detected"
    CREDENTIAL_STUFFING_DETECTED = "credential_stuffing_detected"
    API_KEY_CREATED = "api_key_created"
    API_KEY_REVOKED = "api_key_revoked"
    API_KEY_REJECTED = "api_key_rejected"
    OPERATOR_SIGNED_IN = "operator_signed_in"
    OPERATOR_METADATA_CHANGED = "operator_metadata_changed"
    OPERATOR_EVENT_REVIEWED = "operator_event_reviewed"
    OPERATOR_SETTING_CHANGED = "operator_setting_changed"
    OPERATOR_GRANTED = "operator_granted"
    OPERATOR_REVOKED = "operator_revoked"
    OPERATOR_EXPORTED = "operator_exported"
    OPERATOR_COMMAND = "operator_command"
    OPERATOR_ACTED = "operator_acted"
    ALERT_RAISED = "alert_raised"


OPERATOR_ACTS = (
    EventType.OPERATOR_SIGNED_IN,
    EventType.OPERATOR_METADATA_CHANGED,
    EventType.OPERATOR_EVENT_REVIEWED,
    EventType.OPERATOR_SETTING_CHANGED,
    EventType.OPERATOR_GRANTED,
    EventType.OPERATOR_REVOKED,
    EventType.OPERATOR_EXPORTED,
    EventType.OPERATOR_COMMAND,
    EventType.OPERATOR_ACTED,
    EventType.ALERT_RAISED,
)
"""The types of operators' acts, and the alerts to operators. They describe the use of the console, and not the life of an account.

Therefore reports, a user's activity and ask-AI leave them out.
"""

ACCOUNT_EVENTS = tuple(event for event in EventType if event not in OPERATOR_ACTS)
"""All other types."""


WATCHED_EVENTS = (
    EventType.LOGIN_SUCCESS,
    EventType.LOGIN_FAILED,
    EventType.TOKEN_REUSE_DETECTED,
    EventType.ANOMALY_DETECTED,
)
"""The types that detection searches for in an account's past.

A partial index contains only these types. A change of the list needs a migration.
"""

INCIDENT_EVENTS = (
    EventType.LOGIN_SUCCESS,
    EventType.LOGIN_FAILED,
    EventType.LOGIN_STOPPED_AT_FACTOR,
    EventType.ACCOUNT_LOCKED,
    EventType.ANOMALY_DETECTED,
    EventType.CREDENTIAL_STUFFING_DETECTED,
)
"""The types from which the console tells the story of an attack from a network.

A partial index contains only these types. A change of the list needs a migration.
"""

FLAGGED_EVENTS = (EventType.ANOMALY_DETECTED, EventType.CREDENTIAL_STUFFING_DETECTED)
"""The types that operators should review.

A partial index contains only these types. A change of the list needs a migration.
"""

FACTOR_CHANGES = (
    EventType.TOTP_ENABLED,
    EventType.TOTP_DISABLED,
    EventType.PASSKEY_REGISTERED,
    EventType.PASSKEY_REMOVED,
    EventType.SECOND_FACTOR_ADDED,
    EventType.SECOND_FACTOR_REMOVED,
)
"""The types that report an added or a removed second factor."""

ALL_TIME_EVENTS = (EventType.PASSWORD_HASH_UPGRADED, *FACTOR_CHANGES)
"""The types that are never pruned: rewritten hashes, and factors that were added or removed.

Reports count these events over all time.
"""
