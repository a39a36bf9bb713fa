"""The words that the parser knows. Each pattern stands for one thing alone; what might mean two stands in none."""

from collections.abc import Sequence

from accounts.events.vocabulary import EventType as Type

from .entities import Column
from .periods import MONTHS, WEEKDAYS
from .plan import By

_BE = r"(?:was |were |is |has been |been |gets? |got |being )?"
_A = r"(?:an? |any |my |the |all |all my |new |all of my |a new |any new |my new |the new )?"
_TOTP = r"(?:totp|(?:an |my |the )?authenticator(?: app)?|(?:two|2)[- ]?factor(?: authentication| auth)?|2fa)"
_LOG_IN = r"(?:log[- ]?ins?|sign[- ]?ins?)"
_ON = r"(?:enabled|activated|turned on|switched on|set up)"
_OFF = r"(?:disabled|deactivated|turned off|switched off|removed)"
_MAIL = r"e-?mail(?: address)?"

EVENTS: Sequence[tuple[str, Type]] = (
    *((rf"{event}(?: events?)?", event) for event in Type),
    (rf"(?:failed|unsuccessful|rejected) {_LOG_IN}(?: attempts?)?", Type.LOGIN_FAILED),
    (rf"{_LOG_IN} failures?|(?:failed|unsuccessful) attempts?(?: to (?:log|sign) in)?", Type.LOGIN_FAILED),
    (
        rf"(?:fail(?:ed)?) to (?:log|sign) in|{_LOG_IN}(?: attempts?)? (?:have |has )?{_BE}(?:fail(?:ed)?|rejected)",
        Type.LOGIN_FAILED,
    ),
    (r"failed passkey (?:log[- ]?ins?|challenges?|attempts?)|passkey failures?", Type.PASSKEY_CHALLENGE_FAILED),
    (
        rf"(?:wrong|failed|incorrect|invalid) {_TOTP} (?:codes?|challenges?|attempts?)",
        Type.TOTP_CHALLENGE_FAILED,
    ),
    (rf"(?:oauth|social) accounts? {_BE}linked|link(?:ed)? {_A}(?:oauth|social) accounts?", Type.OAUTH_LINKED),
    (
        rf"(?:successful )?{_LOG_IN}|(?:success\w* )?(?:logged|signed) (?:in|on)(?:to)?(?: successfully)?",
        Type.LOGIN_SUCCESS,
    ),
    (
        r"(?:log|sign)(?:ged|ed)?[- ]?outs? (?:everywhere|(?:of|from|on) (?:all|every)(?: of)?(?: my)? (?:devices?|sessions?))",
        Type.LOGOUT_ALL,
    ),
    (r"(?:log|sign)(?:ged|ed)?[- ]?outs?", Type.LOGOUT),
    (r"(?:refresh )?tokens? (?:re-?us(?:ed|es?)|replay(?:ed|s)?)(?: detected)?", Type.TOKEN_REUSE_DETECTED),
    (rf"tokens? {_BE}(?:refresh(?:es|ed)?|rotat(?:ed|ions?))|rotated tokens?", Type.TOKEN_ROTATED),
    (rf"revoked sessions?|sessions? (?:{_BE}revoked|revocations?)|revoked? {_A}sessions?", Type.SESSION_REVOKED),
    (
        rf"account {_BE}locked(?: out)?|(?:account )?lock-?outs?|account locks?|locked out(?: of my account)?",
        Type.ACCOUNT_LOCKED,
    ),
    (rf"(?:breached|leaked|compromised) passwords? {_BE}(?:rejected|refused)", Type.PASSWORD_BREACH_REJECTED),
    (rf"password hash(?:es)? {_BE}(?:upgraded|upgrades?)", Type.PASSWORD_HASH_UPGRADED),
    (
        rf"password (?:changes?|updates?)|password {_BE}(?:changed|updated)|(?:chang|updat)(?:ed?|ing) {_A}password",
        Type.PASSWORD_CHANGED,
    ),
    (
        rf"{_MAIL} change requests?|{_MAIL} change {_BE}requested|request(?:ed)? {_A}{_MAIL} changes?",
        Type.EMAIL_CHANGE_REQUESTED,
    ),
    (rf"{_MAIL} changes?|{_MAIL} {_BE}changed|chang(?:ed?|ing) {_A}{_MAIL}", Type.EMAIL_CHANGED),
    (rf"{_TOTP} {_BE}{_ON}|(?:enabled?|activated?|turn(?:ed)? on|switch(?:ed)? on|set up) {_TOTP}", Type.TOTP_ENABLED),
    (
        rf"{_TOTP} {_BE}{_OFF}|(?:disabled?|deactivated?|turn(?:ed)? off|switch(?:ed)? off|removed?) {_TOTP}",
        Type.TOTP_DISABLED,
    ),
    (
        rf"passkeys? {_BE}(?:registered|added|created)|(?:register|add|create)(?:e?d)? {_A}passkeys?|new passkeys?",
        Type.PASSKEY_REGISTERED,
    ),
    (rf"passkeys? {_BE}(?:removed|deleted)|(?:remove|delete)d? {_A}passkeys?", Type.PASSKEY_REMOVED),
    (
        rf"(?:request(?:ed)?|ask(?:ed)? for) {_A}magic links?|magic links? {_BE}requested|magic link requests?",
        Type.MAGIC_LINK_REQUESTED,
    ),
    (
        rf"recovery codes? {_BE}(?:generated|created)|(?:generate|create)d? {_A}recovery codes?",
        Type.RECOVERY_CODES_GENERATED,
    ),
    (
        rf"(?:wrong|failed|incorrect|invalid) recovery codes?|recovery codes? {_BE}fail(?:ed)?",
        Type.RECOVERY_CODE_FAILED,
    ),
    (rf"recovery codes? {_BE}used|used? {_A}recovery codes?", Type.RECOVERY_CODE_USED),
    (rf"anomal(?:y|ies)(?: {_BE}detected)?", Type.ANOMALY_DETECTED),
    (
        rf"api keys? {_BE}(?:created|made|added)|(?:create|make|made|add)d? {_A}api keys?|new api keys?",
        Type.API_KEY_CREATED,
    ),
    (rf"api keys? {_BE}(?:revoked)|revoked? {_A}api keys?", Type.API_KEY_REVOKED),
    (rf"api keys? {_BE}(?:rejected)|rejected api keys?", Type.API_KEY_REJECTED),
    (rf"sign(?:ed)?[- ]?ups?|(?:create|open)(?:e?d)? (?:my |the )?account|account {_BE}created", Type.SIGNUP_SUCCESS),
)
"""What happened; the longer phrase stands before the shorter one that it holds."""

ANY_EVENT = (
    r"(?:account |security |audit )?(?:events?|activity)|(?:audit|activity|event) (?:log|history|trail)|happened|happen"
)

SIGNED_IN = r"(?:am i|i am|are|is) (?:currently |still |now |right now )?(?:logged|signed)[- ]in(?:to)?"
"""In the present: a session. In the past it is an event."""

SESSIONS = (
    r"(?:(?:active|live|open|current) )?(?:(?:logged|signed)[- ]in )?sessions?"
    r"(?: (?:are|is) (?:currently )?(?:active|live|open))?"
)

POLITE = r"^(?:(?:please|hello|hi|(?:can|could|would) you|tell me|let me know) )+"

COMMAND = (
    r"^(?:activate|add|ask|change|create|deactivate|delete|disable|enable|end|generate|link|log|make|register|remove"
    r"|request|revoke|rotate|set|sign|switch|turn|update|use)"
)
"""What asks for something to be done, which may sound like asking whether it was."""

STATE = r"^(?:is|are)(?! there)|do i have|do i still have|have i got"
"""What asks how things stand; events tell what happened."""

ENUMERATION = r"and|or"

SHAPES: Sequence[tuple[str, By]] = (
    (r"(?:per|by|each|every|for each|for every) day|daily|day by day|(?:on )?(?:which|what) days", By.DAY),
    (r"(?:per|by|of each|for each|of every) (?:event )?(?:type|kind)|(?:which|what) (?:types|kinds) of", By.TYPE),
    (
        r"(?:per|by|for each|grouped by) device|(?:(?:on|from|with) )?(?:which|what) (?:of my )?(?:different )?devices?",
        By.DEVICE,
    ),
    (r"(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my)? devices(?! and| of)", By.DEVICE),
    (r"(?:per|by|for each|grouped by) ip(?: address)?", By.IP),
    (r"(?:(?:on|from|with) )?(?:which|what) (?:different )?(?:ip addresses|ips?|ip address|addresses)", By.IP),
    (r"(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my)? (?:ip addresses|ips)(?! and| of)", By.IP),
)

COUNTS = r"how many(?: times| of)?|how often|(?:total )?number of|count(?: of)?"

COLUMNS: Sequence[tuple[str, Column]] = (
    (r"times?|dates?", Column.CREATED_AT),
    (r"types?", Column.TYPE),
    (r"ips?|ip address(?:es)?", Column.IP),
    (r"locations?|places?|countr(?:y|ies)", Column.LOCATION),
    (r"devices?", Column.DEVICE),
    (r"browsers?", Column.BROWSER),
    (r"operating systems?|os", Column.OS),
    (r"user agents?", Column.USER_AGENT),
    (r"ids?", Column.ID),
)

BROWSERS = ("Chrome", "Firefox", "Safari", "Edge", "Opera", "Vivaldi", "Samsung Internet", "Internet Explorer")
SYSTEMS: Sequence[tuple[str, str]] = (
    (r"chrome ?os|(?:my |a )?chromebook", "ChromeOS"),
    (r"windows(?: pc| computer| machine| laptop)?", "Windows"),
    (r"mac ?os|(?:my |a )mac|macs", "macOS"),
    (r"ios", "iOS"),
    *((name.lower(), name) for name in ("Linux", "Ubuntu", "Android")),
)

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DAYS = "|".join(WEEKDAYS)
MONTH_NAMES = "|".join(MONTHS)

CONTRACTIONS = {"i'm": "i am", "i've": "i have", "what's": "what is", "when's": "when is", "where's": "where is"}

_FILLERS = """
    a about account all am an and any anything are at been came come currently date did do does during ever far for from
    give had has have hello hi i in into is it list me my now occur occurred of on or over please recorded right
    see seen show so some start started tell that the there these time times total use used using via was were
    what when where which with within
"""
FILLERS = frozenset(_FILLERS.split())
"""What may be left over once everything else is understood: it names nobody, denies nothing and chooses nothing."""
