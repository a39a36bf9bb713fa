"""The words that the parser knows. Each pattern has one meaning; no pattern matches an ambiguous phrase."""

from collections.abc import Sequence

from events.vocabulary import ACCOUNT_EVENTS
from events.vocabulary import EventType as Type

from .plans.entities import Column
from .plans.periods import MONTHS, WEEKDAYS
from .plans.plan import By

_BE = r"(?:was |were |is |has been |been |gets? |got |being )?"
_A = r"(?:an? |any |my |the |all |all my |new |all of my |a new |any new |my new |the new )?"
_TOTP = r"(?:totp|(?:an |my |the )?authenticator(?: app)?|(?:two|2)[- ]?factor(?: authentication| auth)?|2fa)"
_LOG_IN = r"(?:log[- ]?ins?|sign[- ]?ins?)"
_ON = r"(?:enabled|activated|turned on|switched on|set up)"
_OFF = r"(?:disabled|deactivated|turned off|switched off|removed)"
_MAIL = r"e-?mail(?: address)?"

EVENTS: Sequence[tuple[str, Type]] = (
    *((rf"{event}(?: events?)?", event) for event in ACCOUNT_EVENTS),
    (
        rf"(?:{_LOG_IN}(?: attempts?)? {_BE}stopped|stopped {_LOG_IN}(?: attempts?)?)(?: at (?:my |the )?second factor)?",
        Type.LOGIN_STOPPED_AT_FACTOR,
    ),
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
    (rf"ended sessions?|sessions? {_BE}ended", Type.SESSION_ENDED),
    (rf"re-?authentications?|sessions? {_BE}re-?authenticated|re-?authenticat(?:ed?|ing)", Type.REAUTHENTICATED),
    (
        rf"account {_BE}taken over|(?:account )?take-?overs?|(?:take|took) over {_A}account",
        Type.ACCOUNT_TAKEN_OVER,
    ),
    (rf"data {_BE}exported|(?:data |account )?exports?|export(?:ed)? {_A}data", Type.DATA_EXPORTED),
    (rf"account {_BE}imported|(?:account )?imports?|import(?:ed)? {_A}account", Type.ACCOUNT_IMPORTED),
    (
        rf"account {_BE}(?:deactivated|disabled|suspended|switched off)|account deactivations?",
        Type.ACCOUNT_DEACTIVATED,
    ),
    (rf"account {_BE}(?:reactivated|switched on again)|account reactivations?", Type.ACCOUNT_REACTIVATED),
    (
        rf"account {_BE}locked(?: out)?|(?:account )?lock-?outs?|account locks?|locked out(?: of my account)?",
        Type.ACCOUNT_LOCKED,
    ),
    (rf"account {_BE}unlocked|account unlocks?|unlocked(?: my account)?", Type.ACCOUNT_UNLOCKED),
    (rf"(?:breached|leaked|compromised) passwords? {_BE}(?:rejected|refused)", Type.PASSWORD_BREACH_REJECTED),
    (rf"password hash(?:es)? {_BE}(?:upgraded|upgrades?)", Type.PASSWORD_HASH_UPGRADED),
    (
        rf"password reset requests?|password resets? {_BE}requested|(?:request(?:ed)?|ask(?:ed)? for) {_A}password resets?",
        Type.PASSWORD_RESET_REQUESTED,
    ),
    (
        rf"password (?:changes?|updates?)|password {_BE}(?:changed|updated)|(?:chang|updat)(?:ed?|ing) {_A}password",
        Type.PASSWORD_CHANGED,
    ),
    (
        rf"{_MAIL} change requests?|{_MAIL} change {_BE}requested|request(?:ed)? {_A}{_MAIL} changes?",
        Type.EMAIL_CHANGE_REQUESTED,
    ),
    (
        rf"{_MAIL} changes? {_BE}(?:undone|reverted)|(?:undo|undid|undone|revert(?:ed)?) {_A}{_MAIL} changes?",
        Type.EMAIL_CHANGE_UNDONE,
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
    (
        rf"(?:account )?recover(?:y|ies) {_BE}(?:started|requested)|(?:start|request)(?:ed)? {_A}recovery",
        Type.RECOVERY_STARTED,
    ),
    (
        rf"(?:account )?recover(?:y|ies) {_BE}(?:cancelled|canceled|stopped)|(?:cancel(?:l?ed)?|stop(?:ped)?) {_A}recovery",
        Type.RECOVERY_CANCELLED,
    ),
    (
        rf"(?:account )?recover(?:y|ies) {_BE}(?:completed|finished)|completed? {_A}recovery|account {_BE}recovered",
        Type.RECOVERY_COMPLETED,
    ),
    (rf"anomal(?:y|ies)(?: {_BE}detected)?", Type.ANOMALY_DETECTED),
    (
        rf"api keys? {_BE}(?:created|made|added)|(?:create|make|made|add)d? {_A}api keys?|new api keys?",
        Type.API_KEY_CREATED,
    ),
    (rf"api keys? {_BE}(?:revoked)|revoked? {_A}api keys?", Type.API_KEY_REVOKED),
    (rf"api keys? {_BE}(?:rejected)|rejected api keys?", Type.API_KEY_REJECTED),
    (rf"sign(?:ed)?[- ]?ups?|(?:create|open)(?:e?d)? (?:my |the )?account|account {_BE}created", Type.SIGNUP_SUCCESS),
)
"""The phrases for event types. A longer phrase comes before a shorter phrase that it contains."""

ANY_EVENT = (
    r"(?:account |security |audit )?(?:events?|activity)|(?:audit|activity|event) (?:log|history|trail)|happened|happen"
)

SIGNED_IN = r"(?:am i|i am|are|is) (?:currently |still |now |right now )?(?:logged|signed)[- ]in(?:to)?"
"""The present tense means a session. The past tense means an event."""

SESSIONS = (
    r"(?:(?:active|live|open|current) )?(?:(?:logged|signed)[- ]in )?sessions?"
    r"(?: (?:are|is) (?:currently )?(?:active|live|open))?"
)

POLITE = r"^(?:(?:please|hello|hi|(?:can|could|would) you|tell me|let me know) )+"

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER = rf"\d{{1,4}}|{'|'.join(NUMBERS)}"
DAYS = "|".join(WEEKDAYS)
MONTH_NAMES = "|".join(MONTHS)
# `last week` is the previous calendar week. `in the last week` means the past seven days.
NAMED = r"today|yesterday|this (?:week|month|year)|(?<!the )last (?:week|month|year)"

NEWEST = r"last|latest|newest|most recent(?:ly)?"
OLDEST = r"first|oldest|earliest"

_END = rf"(?:{NEWEST}|{OLDEST})"
_ENDS = rf"(?:(?:{NUMBER}) )?{_END}(?: (?:{NUMBER}))?"
_THE = r"(?:(?:all|my|of|the|these|those) )"
_ASIDE = r"(?:among|at|during|for|from|in|of|on|over|to|with|within)"

_BEING = r"(?:are|did|do|does|had|has|have|is|was|were)"
_OPENER = r"(?:count|give|how|list|number|see|show|what|when|where|which)"
YES_OR_NO = rf"^(?:(?!{_OPENER}\b)\S+ )*?(?:am|{_BEING})"
"""A yes-or-no question or a statement: no word such as `which` or `show` comes before the verb."""

_FAILING = rf"{_LOG_IN}(?: attempts?)? (?:\S+ ){{0,3}}(?:fail(?:ed)?|rejected)"

ABOUT_THE_LAST = "|".join(
    (
        YES_OR_NO,
        rf"{_END} .*\b{_BEING}",
        rf"{_END} of",
        rf"(?:{MONTH_NAMES}|{DAYS}|{NAMED}) (?:the )?{_END}",
        rf"{_ENDS} (?:account |audit |security )?(?:activity|events?) .*{_LOG_IN}",
        _FAILING,
    )
)
"""With a word such as `last`: asks whether something holds for the last record.

Such a question does not ask for the last record of which something holds.
"""

AMONG_THE_LAST = rf"{_ASIDE} (?:{_THE}+{_ENDS}|(?:{NUMBER}) {_END}|{_END} (?:{NUMBER}))(?! time)"
"""Selects among the last records. The parser tries it after it has taken out periods and `the time of`."""

LAST_CAME_FROM = rf"{_END} .*\b(?:came|come)"
LAST_THINGS = (
    rf"{_ENDS} (?:active |open )?(?:api keys?|e-?mails?(?: address)?|(?:magic )?links?|passkeys?|passwords?"
    r"|(?:recovery )?codes?|sessions?|(?:refresh )?tokens?)"
    r"(?! (?:attempts?|challenges?|changes?|change requests?|failures?|log[- ]?ins?|requests?|revocations?|updates?))"
)
"""Ambiguous: `my last passkey removed` may mean the last removal, or the removal of the last passkey."""

IS_THE_LAST = rf"(?:is|was) (?:(?:my|the) )*{_END}"
"""Asks for one record, even when its noun is plural."""

WHICH_OF = r"(?:any|one|some|what|which) of"

UNIVERSAL = "|".join(
    (
        rf"{YES_OR_NO} .*(?<!out of )(?<!out on )(?<!out from )\b(?:all|both|daily|each|every)",
        r"(?<!what )(?:are|were) all",
        rf"(?:sessions?|{_LOG_IN}) all",
        rf"^(?:(?!{_OPENER}\b)\S+ )*?(?:sessions?|{_LOG_IN}) (?:are|is|was|were)",
        rf"all (?:my |of |the )*{_FAILING}",
        rf"^(?:(?:and|now|or|right|so) )*{_BEING} (?:my|the|these|those) (?:\S+ ){{0,2}}?(?:sessions?|{_LOG_IN})",
    )
)
"""Asks whether something holds for every record. A list of the records for which it holds does not answer that."""

PAST = r"been|came|did|had|happened|has|have (?:i|there)|occurred|was|were"
"""Asks about past sessions. Sessions that have ended are no records, so no plan can find them."""

STARTED = r"start(?:ed)?"

_AT_FIRST = (
    rf"^(?:(?:all|and|any|at|do|from|hello|hi|in|it|me|my|now|of|on|or|over|please|right|so|the|then|to|via|with|{NAMED}"
    r"|\d+|chrome|firefox|safari|edge|windows|linux|android|macos|ios) )*"
)
_NOT_DID = r"^(?:(?!did )\S+ )*"
COMMAND = "|".join(
    (
        rf"{_AT_FIRST}(?:ask|change|end|link|log|make|request|set|sign|switch|turn|update|use)",
        rf"{_AT_FIRST}(?:log|sign)-?out(?! events?)",
        rf"{_NOT_DID}(?:activate|add|create|deactivate|delete|disable|enable|generate|register|remove|revoke|rotate)",
        rf"{_NOT_DID}(?:ask for|change|end|link|make|request|update|use) (?:an?|all|any|every|magic|my|recovery|the)",
        rf"{_NOT_DID}(?:switch|turn) (?:off|on)",
        r"give (?:me )?(?:an?|new)",
    )
)
"""Asks for an action. The words can resemble a question about whether the action happened."""

STATE = r"^(?:is|are)(?! there)|am|do i (?:still )?(?:have|use)|have i got"
"""Asks for the current state. Events record only what happened."""

REVERSIBLE = frozenset(
    {
        Type.ACCOUNT_LOCKED,
        Type.API_KEY_CREATED,
        Type.OAUTH_LINKED,
        Type.PASSKEY_REGISTERED,
        Type.RECOVERY_CODES_GENERATED,
        Type.TOTP_DISABLED,
        Type.TOTP_ENABLED,
    }
)
"""Changes that a later event may reverse."""

STATE_REACHED = r"^(?:(?:and|please|so|now) )*(?:has|have)"
"""`have I enabled 2FA` also asks for the current state, because a later event may have reversed the change."""

MEANING = (
    r"^(?:(?:and|now|please|so) )*what (?:are|is)(?! (?:all|last|latest|most|my|newest|of|recent|the|this|today)\b)"
    r"|(?:what|which) (?:(?:are|do|does|is|was|were) )?an?|what (?:\S+ )*(?:are|is)$|(?:are|is) recorded"
)
"""Asks for the meaning of a word."""

CLAUSE = (
    r"(?:are|did|do|does|had|has|have|how|is|was|were|what|where|which) (?:\S+ )*(?<!and )when"
    r"|when (?:\S+ )*(?<!and )(?<!from )(?<!on )(?:what|where|which)"
)
"""Asks about the moment at which something else happened."""

HAPPENED = r"(?:anything|what) (?:\S+ )?happen(?:ed)?"

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

WHICH_ONE = r"(?:which|what) (?:device|ip|ip address)"
"""With a word such as `last`: asks for one of the groups."""

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

CONTRACTIONS = {"i'm": "i am", "i've": "i have", "what's": "what is", "when's": "when is", "where's": "where is"}

_FILLERS = """
    a about account all am an and any anything are at been came come currently date did do does during ever far for from
    give had has have hello hi i in into is it list me my now occur occurred of on or over please recorded right
    see seen show so some start started tell that the there these time times total use used using via was were
    what when where which with within
"""
FILLERS = frozenset(_FILLERS.split())
"""Words that may be left after the parser has taken out all phrases. They name no person, negate nothing and select
nothing.
"""
