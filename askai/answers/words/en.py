"""The words of answers in English."""

from ...plans.entities import Column
from ...plans.plan import By, Form
from .table import Dates, Noun, Words, nouns

_EVENTS = nouns("""
signup_success|sign-up|sign-ups
login_success|login|logins
login_failed|failed login|failed logins
login_stopped_at_factor|login stopped at the second factor|logins stopped at the second factor
logout|logout|logouts
logout_all|logout everywhere|logouts everywhere
token_rotated|renewed token|renewed tokens
token_reuse_detected|reused token|reused tokens
session_revoked|session ended from the list|sessions ended from the list
session_ended|end of sessions|ends of sessions
reauthenticated|renewed proof of identity|renewed proofs of identity
account_locked|lock of the account|locks of the account
account_unlocked|unlock of the account|unlocks of the account
account_imported|import of the account|imports of the account
password_changed|password change|password changes
password_breach_rejected|refused password known from breaches|refused passwords known from breaches
password_hash_upgraded|stronger storage of the password|stronger storages of the password
email_change_requested|requested e-mail change|requested e-mail changes
email_changed|e-mail change|e-mail changes
email_change_undone|undone e-mail change|undone e-mail changes
data_exported|data export|data exports
account_deleted|deletion of the account|deletions of the account
account_deactivated|deactivation of the account|deactivations of the account
account_reactivated|reactivation of the account|reactivations of the account
account_taken_over|takeover of the account|takeovers of the account
oauth_linked|linked provider|linked providers
oauth_unlinked|unlinked provider|unlinked providers
application_signed_in|sign-in to an application|sign-ins to applications
application_disconnected|ended access of an application|ended accesses of applications
totp_enabled|added authenticator app|added authenticator apps
totp_disabled|removed authenticator app|removed authenticator apps
totp_challenge_failed|wrong authenticator code|wrong authenticator codes
passkey_registered|added passkey|added passkeys
passkey_removed|removed passkey|removed passkeys
passkey_challenge_failed|failed passkey check|failed passkey checks
second_factor_added|added other second factor|added other second factors
second_factor_removed|removed other second factor|removed other second factors
second_factor_failed|wrong other second factor|wrong other second factors
magic_link_requested|requested sign-in link|requested sign-in links
password_reset_requested|requested password reset|requested password resets
recovery_codes_generated|new set of recovery codes|new sets of recovery codes
recovery_code_used|used recovery code|used recovery codes
recovery_code_failed|wrong recovery code|wrong recovery codes
recovery_started|started recovery|started recoveries
recovery_cancelled|cancelled recovery|cancelled recoveries
recovery_completed|completed recovery|completed recoveries
anomaly_detected|suspicious event|suspicious events
credential_stuffing_detected|detected attack with many accounts|detected attacks with many accounts
api_key_created|created API key|created API keys
api_key_revoked|revoked API key|revoked API keys
api_key_rejected|rejected API key|rejected API keys
""")

WORDS = Words(
    dates=Dates(
        months=(
            *("January", "February", "March", "April", "May", "June"),
            *("July", "August", "September", "October", "November", "December"),
        ),
        weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        first_day="1",
        day="{d} {m} {y}",
        month="{m} {y}",
        week="week from {date}",
        moment="{date}, {time}",
        on="on {d} {m} {y}",
        since="since {a}",
        before="before {b}",
        from_to="from {a} to {b}",
        in_month="from {d1} to {d2} {m2} {y2}",
        in_year="from {d1} {m1} to {d2} {m2} {y2}",
        in_years="from {d1} {m1} {y1} to {d2} {m2} {y2}",
        hours="between {a} and {b}",
        hour="{a} to {b}",
    ),
    events=_EVENTS,
    any_event=Noun(one="event", many="events"),
    live_sessions=Noun(one="live session", many="live sessions"),
    ended_sessions=Noun(one="ended session", many="ended sessions"),
    any_sessions=Noun(one="live or ended session", many="live and ended sessions"),
    this_session=Noun(one="this session", many="this session"),
    others="without this session",
    ended_in="with their end {period}",
    except_types="events except {list}",
    columns={
        Column.ID: "ID",
        Column.CREATED_AT: "Time",
        Column.ENDED_AT: "End",
        Column.TYPE: "Event",
        Column.IP: "IP address",
        Column.LOCATION: "Place",
        Column.DEVICE: "Device",
        Column.BROWSER: "Browser",
        Column.OS: "System",
        Column.FORM: "Form",
        Column.USER_AGENT: "User agent",
    },
    by={
        By.TYPE: "event",
        By.IP: "IP address",
        By.PLACE: "place",
        By.DEVICE: "device",
        By.BROWSER: "browser",
        By.OS: "system",
        By.FORM: "form of device",
        By.HOUR: "hour",
        By.WEEKDAY: "weekday",
        By.DAY: "day",
        By.WEEK: "week",
        By.MONTH: "month",
    },
    place="place",
    weekday="weekday",
    forms={
        Form.PHONE: "phone",
        Form.TABLET: "tablet",
        Form.DESKTOP: "computer",
        Form.IPHONE: "iPhone",
        Form.IPAD: "iPad",
        Form.ANDROID_PHONE: "Android phone",
        Form.ANDROID_TABLET: "Android tablet",
        Form.BOT: "bot",
    },
    device="{browser} on {os}",
    unknown="unknown",
    count="Number",
    period="Period",
    comma=", ",
    last_comma=" or ",
    colon=": ",
    stop=".",
    space=" ",
    is_value="{name} {values}",
    is_not_value="{name} not {values}",
    grouped="{subject} by {by}",
    most="the most frequent",
    least="the rarest",
    zone=" ({zone})",
    number_of="{n} {noun}",
    at_least="{n} or more",
    none="none",
    total="{n} in all",
    yes="yes, {n}",
    no="no",
    newest_is="The latest: {record}",
    newest="latest {one}",
    oldest="earliest {one}",
    newest_of="the {n} latest of {total}",
    oldest_of="the {n} earliest of {total}",
    first_of="the first {n} of {total} values",
    more_values="and {n} more",
    partial="Only the {n} most frequent browsers or addresses were examined, so there can be more.",
    none_examined="none among those examined",
    ended_note="The service deletes ended sessions after {n} days.",
    events_note="The service keeps events for {n} days.",
    places_note="This service does not know places, so it shows IP addresses.",
    facts={
        "locked": ("Lock of your account", "Your account is locked until {until}.", "Your account is not locked."),
        "address_proven": (
            "Proof of your e-mail address",
            "Your e-mail address is confirmed.",
            "Your e-mail address is not confirmed yet.",
        ),
        "second_factor": (
            "Second factor of your account",
            "Yes, your account has a second factor.",
            "No, your account has no second factor.",
        ),
        "api_keys": (
            "API keys of your account",
            "Yes, working API keys of your account: {n}.",
            "No, your account has no working API key.",
        ),
        "totp": (
            "Authenticator app of your account",
            "Yes, your account has an authenticator app.",
            "No, your account has no authenticator app.",
        ),
        "passkey": (
            "Passkeys of your account",
            "Yes, passkeys of your account: {n}.",
            "No, your account has no passkey.",
        ),
        "recovery_code": (
            "Recovery codes of your account",
            "Yes, unused recovery codes of your account: {n}.",
            "No, your account has no unused recovery code.",
        ),
    },
    questions_on_sessions=(
        "Where am I signed in?",
        "Which devices am I signed in on?",
        "How many sessions do I have?",
        "Am I signed in on a phone?",
        "Which other sessions do I have?",
    ),
    questions_on_events=(
        "When did I last log in?",
        "Were there any failed logins this week?",
        "Is my account locked?",
        "Which browsers did I log in with this month?",
        "How many logins were there in the last 7 days?",
    ),
    other_fact=(
        "Second factor: {name}",
        "Yes, your account has this second factor: {name}.",
        "No, your account does not have this second factor: {name}.",
    ),
)
