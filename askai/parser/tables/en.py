"""The words of English."""

SLASH = ""

TABLE = """
fill: please, pls, plz, kindly, hello, hi, hey, thanks, thank you, cheers, ok, okay, so, well, and so, just, also, then, again, actually, exactly, quickly, real quick, rn, [right|just|as of] now, currently, presently, at (the moment|present|this (point|moment|time)), still, yet, already, at all, very, myself, s, being, got, get, gotten, time, times, up, out, if, whether, those, the ones, of mine, looking, well, alone, precisely, in detail, in particular, specifically, respectively, (can|could|would|will|might) you [please|kindly] [(tell|show) me|let me know|give me|look up|find out|check|help me see|say|remind me], (can|could|may|might) i [please|kindly] (ask|know|see|have|get|check|find out), i (would|d|should) [very much|really|just] like [to (know|see|have|check|find out|look at|learn)], i (want|need|wanted|wish|am trying|m trying|would love|d love) [to (know|see|check|find out|look at|learn)], i [just] (want|need|wanted) to (know|see|check|find out), i (am|m|was) [just|simply] (wondering|curious|asking|interested), i wonder, do you (know|happen to know), would you (mind|be so kind as to|be able to|be kind enough to|be so good as to) [tell me|show me|telling me|showing me|say], be so (kind|good) as to [tell me|show me], please be so (kind|good) as to [tell me|show me], let me (know|see), tell me, remind me, please tell me, if you (would be so kind|please|could|can|do not mind|don t mind), by any chance, forgive me for asking, excuse me, sorry, sorry to bother you, pardon me, if (i may ask|it is not too much trouble|possible), may i trouble you for, i (am|m) [a little|a bit] worried, i should be glad to (learn|know|see), i would be (glad|happy|interested) to (learn|know|see), i would be [most|very] grateful for, i would like [to have], i d like, hand on heart, quick question, one question, help me see, just curious, curious, out of curiosity, as far as you know, for me, that you know of, on record, in (the|my) (records|logs|account history), successfully or not, on any day, (were|was|have been|has been|had been) [ever] (recorded|noted|listed|on record), who has, any time, some time, i think, that i had, i have had, ago or so, details [of|about|on], the details (of|about|on), in my name, anywhere, any information (on|about), information (on|about), as a list, appear, appears, appeared, i (can t|cannot|can not|don t|do not) remember [any more], i (forgot|forget), i am not sure, i m not sure, (i got|i received|i have got|i ve got|i just got|got) (a|some) (strange|weird|odd|suspicious|funny) (email|mail|message|e mail) [about my account], quick one, quick question, just a quick (one|question), small question, one more thing, just to be (sure|safe), no rush, somewhere, anywhere, dear (me|service), yo, bro, good (morning|afternoon|evening), i (am|m) scared, yes or no, i would be [very|most] grateful if you could [tell me], inclusive, (newest|latest|most recent) first, both days (included|inclusive)
fill*: there there, until so far, until to date, until (until|up to|till) (now|today), until since then
fill total: total, in (total|all), overall, all in all, altogether, all told, always, at all times
prep*: onto into, on on
prep: in, at, with, via, using, for, through, onto, about, by way of, by means of, run on, running on, regarding, concerning, across, under, inside, behind
from from: from
from: of, out of, originating (from|in), based in, located in
among: among, amongst, out of
to: to, through, thru, till, \u2192
during: during, over, within, throughout, in the course of
ever: ever, at any point, at (any|some) (time|point), even once
recent: the other day, recent, recently, in recent times, lately, of late, not long ago
adj: new, newly, fresh
the: the, these, those, its, the (network|range|subnet)
the my: my, all of my, all my, my own, our
a: a, an, any, some, any of the
a my: one of my, any of my
all: all, all of, all the, all of the, every single, each and every, every one of
me: i, me
anyone: anyone, anybody, someone, somebody, any one
who: who, whoever
mine: (to|in|into|on|at|of|for|with|from|about|to access) (my|this) (account|profile), to mine, as me, with my (name|credentials|login), under my (name|account)
aux*: did (d i|did|didn t), do do i, was (was|were), been been, have (has|have|had|have i|ve|have i ever), be (is|are|am i|i am|i m|am|s my)
does: do, does
aux past: (has|have|had) [ever|already] been, got, (has|have) ever been
own: do i [still|currently|now|actually|already] (have|own|hold|possess|use), have i [still|currently|already] got, have i any, do i own, (is|are) there [still|currently], there (is|are), remain, remains, remaining, [are|is|do i have|have i got|i have] [still] left, does my account have, on my account now
have: (i|that i|which i) [still|currently|now|already] have, (i|that i|i still) ve got, i [still|currently] (own|hold), i have got, my account has
exist: (was|were) there, (have|has) there [ever] been, there (was|were|has been|have been), did there, did i (have|get) [any], did we have
come: come, came, coming, comes, occurred, occur, occurs, take place, (took|taken|takes) place, originate, originated, originates, made~, done, stem, stemmed, carried out, performed, using, exist, exists, entered, run, runs, ran, apply, belong, belongs, belong to, belongs to, made from
come past: recorded, noted, logged
rel: that, which were, which was, that were, that was, thats, that s
it: it, they, them, this, was that, it was, was it
show: show (them|it), show [me|us], list [out] [them|it], a list of, list of, the list of, a list, every time, each time, all (the|) times, pull up, bring up, display, give me [a list of|an overview of], an overview of, let me see, view, find, see, print, what about, how about, group, an overview, summarise, summarize, break down, get me, output, read me, enumerate, name [me], report, check
when: when!, since when!, when exactly!, how long ago!
when day: on (what|which) date[s], (what|which) date[s] [and time], what (was|is) the date of, the date of, what day [of the month]
when hour: at what time!, what time!, at which time!
wprop hour: [at|in] what time of [the] day, [at|in|during|around] (what|which) hour [of the day], at (what|which) hours
where: where!, where else!, from where, where from, whereabouts, (where|which place) in the world
which: which, which of (my|the), which ones of (my|the), which one, which ones
what event: what was done, what has been done, what did i do, what was i doing, what have i done, what has been (happening|going on), what was going on, what went on, what all
what: what!, whats~, what s~
count: how many [times], how many of (my|the), how often, how much, how frequently, [the] [total] number of, count [of|up], total, total number of, the count of, (what|whats|what s) (is|was|) the [total|overall] (number|count|amount) of, how many different, in how many, on how many, from how many, how many total, tally, the (amount|tally) of, on how many occasions
compare: compare [the|my], vs, versus, compared (to|with), in comparison (to|with), relative to, comparison of, the difference between, as opposed to
more: more [often|frequently], fewer, less [often|frequently], as (many|often), more of, a higher number of, a lower number of, a greater number of
than: than, as
and: and, as well as, plus, along with, together with, and also
or: or, nor, or else
but: but
not: not, (somewhere|anywhere|some place) other than, excluding, isn t, wasn t, weren t, aren t, werent, wasnt, arent, isnt, didnt, don t, but not, and not, that (is|are|was|were) not, other than, apart from, besides, outside [of], (is|are|was|were|did|do|does|have|has) not, that did not, that (didn|don|doesn|weren|aren|isn) t, which (is|are|was|were) not
except: neither, except [for], but not, everything but, anything but, with the exception of, aside from, excluding, all but, not counting, leaving (out|aside), ignoring, without counting, excepting, save for, minus
only: only, solely, exclusively, merely
apiece: of each, for each [of them], each of them, separately, in each case, apiece, each one
per: per, by, (for|in|on|from|of) each, (for|in|on|from) every, [grouped|group|broken down|split|counted|divided|summarised|arranged|separated|classified|categorised] [up] by, according to, depending on
each: each, every, each of my
most most: do most [of] my, most of my, [the] most, most (often|frequently|commonly|of all), the most often, most used, most (common|frequent|popular|active|recurring), usually, mostly, mainly, typically, normally, chiefly, predominantly, busiest, top, used most [often], i use most, favourite, favorite, (the|a) (largest|highest|greatest|biggest) (number|amount|share|count) of, (accounts|account|accounted) for the (largest|highest|greatest|most) [number of], responsible for the most, more often than any other, the highest, highest
most least: the least often, the least frequently, [the] least, least (often|used|common|frequent|frequently), rarest, [the] fewest, (the|a) (smallest|lowest) (number|amount|count) of, most rarely, the lowest
last newest: last, latest, newest, [the] most recent, very last, freshest, final, (most recently|the last time [that]|for the last time|the very last time|for the most recent time|lastly)~, most recent time~
last oldest: first, oldest, earliest, very first, initial, (for the first time|the first time [that]|the very first time|originally|first of all)~
group*: day daily, day day by day, day a day, day each day, week weekly, week week by week, month monthly, month month by month, hour hourly, hour hour by hour, weekday by day of the week
prop*: device (device|devices+|machine|machines+|gadget|gadgets+|equipment|hardware), browser [web] (browser|browsers+), os operating (system|systems+), os (os|platform|platforms+|system|systems+), form [device|hardware] (type|types+|kind|kinds+|sort|sorts+|category|form|forms+|class) of (device|devices), form (types+|kinds+|categories+) of devices, form device (type|types+|kind|kinds+|category|categories+|form|forms+|class|classes+), place (location|locations+|place|places+|city|cities+|town|towns+), country (country|countries+|region|regions+), place (city|country) or (city|country), ip (ip|ips+|address|addresses+) , ip ip (address|addresses+), ip network (address|addresses+), type (type|types+|kind|kinds+|category|categories+|sort|sorts+), type event (type|types+|kind|kinds+), type (type|types+|kind|kinds+|sort|sorts+|category|categories+) of (event|events|activity|activities), hour hour of [the] day, hour time of [the] day, hour (hours+|times+) of [the] day, weekday weekday, weekday week day, weekday (day|days+) of the week, time (time|times+|date|dates+|timestamp|timestamps+|moment), time (date|dates) and (time|times)
unit*: minutes (minute|minutes+|min|mins+), hours (hour|hours+|hr|hrs+), days (day|days+), days day s, weeks (week|weeks+), months (month|months+), years (year|years+)
ago: ago, back, earlier
past: past, previous, preceding
since: since [the (start|beginning) of], from the (start|beginning) of, as of, ever since, starting [from|on|with], beginning (with|on), from and including, from (start|beginning) of
before: before, prior to, earlier than, preceding, ahead of
after: after, later than, following
until: until, up to, up until, through to, up to and including, no later than, til
between: between, in between, anywhere between
ordinal: st, nd, rd, th
ampm*: am am=, am in the morning, am a m, pm pm, pm in the (afternoon|evening), pm at night, 24 o clock
clock*: 12.0 (noon|midday), 0.0 midnight
num*: 1 one, 2 two, 2 couple of, 2 a couple of, 3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, 11 eleven, 12 twelve, 12 a dozen, 13 thirteen, 14 fourteen, 15 fifteen, 16 sixteen, 17 seventeen, 18 eighteen, 19 nineteen, 20 twenty, 24 twenty four, 30 thirty, 36 thirty six, 40 forty, 48 forty eight, 50 fifty, 60 sixty, 72 seventy two, 90 ninety, 100 [a|one] hundred
ord*: 2 second, 3 third, 4 fourth, 5 fifth, 6 sixth, 7 seventh, 8 eighth, 9 ninth, 10 tenth, 11 eleventh, 12 twelfth, 13 thirteenth, 14 fourteenth, 15 fifteenth, 16 sixteenth, 17 seventeenth, 18 eighteenth, 19 nineteenth, 20 twentieth, 21 twenty first, 22 twenty second, 23 twenty third, 24 twenty fourth, 25 twenty fifth, 26 twenty sixth, 27 twenty seventh, 28 twenty eighth, 29 twenty ninth, 30 thirtieth, 31 thirty first
day*: today (today|today s|earlier today), yesterday (yesterday|yesterday s), day_before_yesterday [the] day before yesterday, this_week [the] (this|current) (week|week s), this_week the week so far, last_week (last week|last week s), last_week [the] previous (week|calendar week), this_month [the] (this|current) (month|month s), last_month (last month|last month s), last_month [the] previous (month|calendar month), this_year [the] (this|current) (year|year s), last_year (last year|last year s), last_year [the] previous year, this_weekend (this|this past) weekend, this_weekend [the|over the] weekend~, last_weekend (last weekend|last weekend s), last_weekend the previous weekend
day 2 weeks ago: [the] week before last
day 2 months ago: the month before last
day 2 years ago: the year before last
day 1 days ago: (a|one) day ago
day 1 weeks ago: (a|one) week ago
day 1 months ago: (a|one) month ago
day 1 years ago: (a|one) year ago
moment today morning: this morning, today in the morning
moment today afternoon: this afternoon
moment today evening: this evening
moment today night: tonight
moment yesterday night: last night, yesterday night, yesterday at night, the past night
moment yesterday evening: yesterday evening, last evening
moment yesterday morning: yesterday morning
moment yesterday afternoon: yesterday afternoon
span 1 hours: [in|over|within|during|for|from|of] the (last|past) hour, past hour, last hour
span 1 days: (in|over|within|during|for|from|of) the (last|past) day
span 1 weeks: (in|over|within|during|for|from|of|throughout) the (last|past) week, past week
span 1 months: (in|over|within|during|for|from|of|throughout) the (last|past) month, past month
span 1 years: (in|over|within|during|for|from|of|throughout) the (last|past) year, past year
span 14 days: [the] (last|past) fortnight, [the] (last|past) two weeks
span 12 months: [the] (last|past) twelve months
span 6 months: [the] (last|past) half year, [the] (last|past) six months
since_day*: this_month since the (beginning|start) of (the|this) month, this_week since the (beginning|start) of (the|this) week, this_year since the (beginning|start) of (the|this) year, this_year since new year
bad: the last (day|week|month|year|hour), the first (day|week|month|year|hour), this time, this (device|phone|computer|browser|ip|place)
month*: january (january|jan), february (february|feb), march (march|mar), april (april|apr), may may, june (june|jun), july (july|jul), august (august|aug), september (september|sep|sept), october (october|oct), november (november|nov), december (december|dec)
weekday*: monday [this] (monday|mon|monday s), tuesday [this] (tuesday|tue|tues|tuesday s), wednesday [this] (wednesday|wed|wednesday s), thursday [this] (thursday|thu|thur|thurs|thursday s), friday [this] (friday|fri|friday s), saturday [this] (saturday|sat|saturday s), sunday [this] (sunday|sun|sunday s)
weekdays*: monday mondays, monday (a|any|every|each) monday, tuesday tuesdays, tuesday (a|any|every|each) tuesday, wednesday wednesdays, wednesday (a|any|every|each) wednesday, thursday thursdays, thursday (a|any|every|each) thursday, friday fridays, friday (a|any|every|each) friday, saturday saturdays, saturday (a|any|every|each) saturday, sunday sundays, sunday (a|any|every|each) sunday, weekend [the] weekends, weekend (a|any|every|each) weekend, workday (weekdays|workdays|working days|week days|work days|business days), workday (a|any|every|each) (weekday|workday|working day)
part*: morning morning, afternoon afternoon, evening evening, night night
parts*: morning in the morning~, morning [in the] mornings, afternoon in the afternoon~, afternoon [in the] afternoons, evening in the evening~, evening [in the] evenings, night [at|by] (night|nighttime|nights), night (in the|during the|over) night~, night (in the middle of the night|overnight)~
browsers Chrome: chrome browser
systems Windows: windows (pc|computer|machine|laptop|device|desktop|box|notebook), windows pcs
systems macOS: mac (computer|laptop|machine|device), (macbook|mac) (pro|air|mini|book), apple computer, macs, macbooks
systems Linux: linux (pc|computer|machine|laptop|box|desktop|device|system)
systems Android: android (device|devices)
forms*: iphone (iphone|iphones|i phone|apple phone), ipad (ipad|ipads|i pad), android_phone android (phone|phones|mobile|smartphone|handset), android_tablet android (tablet|tablets), phone [mobile|cell|smart] phone, phone phones, phone mobile [phone|phones], phone (smartphone|smartphones|cellphone|cellphones|handset|mobiles|cell|cell phones), tablet [tablet] (tablet|tablets|computer tablet), tablet tablet (computer|computers), desktop desktop [computer|pc|machine|device], desktop (desktops|laptop|laptops|computer|computers|pc|pcs|notebook|notebooks|desktop computers)
con session: [login|sign in] (session|sessions+), (logged|signed) in state
con session start: session start
con session live: (active|open|live|current|running|ongoing|valid) sessions+, (active|open|live|running|ongoing|valid) session
con session over: (ended|closed|past|previous|old|expired|inactive|former|terminated|finished|dead|completed) (session|sessions+)
con session this_one: (this|current|present|this very|the current|this present) session, the session i (am|m) (using|in|on) [now|right now], the session (that|which) i am using
con session other: sessions (except|other than|besides|apart from|but) (this|the current) [one|session]+, (another|the other) session, other [active|open|live] sessions+, all sessions but this one+
con live: [(that|which) (is|are|s|re)|and (is|are)] still (active|open|live|running|going|valid), that (is|are) (active|open|live|running), active, open, live, ongoing, running, alive, in force, still going, valid
con unused: unused, unspent
con any: [and] also (the ones|those) that are already over, [and|,] also (those|the ones|the sessions) [that are|that have] [already] (over|ended|closed), (including|counting|with) (those|the ones) [that (have|are)] [already] (ended|closed|over), (including|and also|also|even|and|plus|counting) [the] [already] (ended|closed|old|expired|past|finished) (ones|sessions), (including|even) [the] (ended|closed|old|expired|past|finished), (ended|closed|old|past) ones (too|included|as well|also), (live|open|active) (and|or) (ended|closed|expired|past), (ended|closed|past) (and|or) (live|open|active), whether (live|open|active) or (ended|closed), both (live|open|active) and (ended|closed), open or not, live or not, past and present
con other: (that s|thats|that is|which is) not this one, (except|except for|other than|besides|apart from|but not|excluding|not|not counting|aside from|ignoring|in addition to) (this one|the current one|this session|the current session|here|mine here|this device|this computer|the device i am on|the one i (am|m) (using|on|in) [now|right now|at the moment]|this), other ones, (anywhere|somewhere|nowhere) else, elsewhere, [on] other devices, on another device, [on] (any|some) other device, (that|which) isn t this one, leaving out this one
con start: (start|begin)=, (start|begin)s, (started|begun|began|opened)~, starting, beginning, (start|starts) of
con login: login, logins+, (login|sign in) (history|log|record|records+), log ins+, sign ins+, signins+, logons+, (log|sign) (in|on) [to]=, (signin|logon)=, (logging|signing) (in|on|into|onto) [to], (logged|signed) (in|on|into|onto) [to]~, (log|sign) into!, login to, access [to]=, accesses+, accessed~, (get|got|gotten|getting) (into|in)~, log onto!, (authenticated|authenticating)~, authentication, authentications+, logs in, signs in, come online
con login success: successful (login|sign in|log in|access|authentication), successful (logins+|sign ins+|log ins+|accesses+|authentications+), succeeded in (logging|signing) in, (managed|manage) to (log|sign) in [successfully], able to (log|sign) in, successful (login|sign in) attempt, successful (login|sign in) attempts+
con success: successful, successfully, succeeded~, success, succeed!, went through, worked~
con fail: (failed|flunked)~, fail=, fails, failing, failure, failures+, unsuccessful, unsuccessfully, wrong, wrongly, incorrect, incorrectly, invalid, wrongly entered, mistyped, mistyped~, bad, error, errors+, went wrong~, did not (succeed|work), didn t (succeed|work), not successful, false, faulty, botched, missed, got wrong~, get wrong, without success, (enter|entered|type|typed) (a|the|an) (wrong|incorrect)
con reject: (turned down|rejected|refused|denied|declined)~, rejection, rejections+, refusal, refusals+, reject!, not accepted, was not accepted
con login fail: failed to (get|log|sign) in, couldn t (get|log|sign) in [to], could not (get|log|sign) in [to], (tried|trying|tries|attempted) to (guess|break into|hack|hack into|crack|get into) , (failed|fail|failing) to (log|sign) in [to], break in (attempt|attempts+), (failed|unsuccessful) login (attempt|attempts+), (couldn t|failed to|could not) authenticate, (login|sign in) (failure|failures+|error|errors+), (mistyped|wrong|incorrect) passwords+, i (mistype|mistyped) my password, type my password wrong, get my password wrong, got my password wrong, enter the wrong password, entered the wrong password, (tried|trying|tries) and failed to (log|sign|get) in [to], (tried|trying) to (log|sign|get) in and failed
con attempt: attempt, attempts+, attempt to (log|sign) in [to], attempts to (log|sign) in [to]+, try, tries+
con login attempt: (login|sign in|log in|logon|access) (attempt|attempts+)
con stop: (stopped|halted|stuck|interrupted|abandoned)~, stop!, stops
con stop factor: (stopped|halted|stuck|failed|ended|broken off|abandoned) at the second (factor|step), did not get past the second factor, not completed with the second factor
con logout: logout=, logouts+, (log|sign) outs+, (log|sign) (out|off)=, (logged|signed) (out|off)~, (logging|signing) (out|off), signout=, signouts+, logged myself out~
con login & logout: (log|sign) in and out=, (logged|signed) in and out~, logins and outs
con everywhere: everywhere, (of|from|on) (all|every) [of] [my] [other] (devices|sessions|device|session), on all devices, all devices at once, from everything, all over, all my (devices|sessions) at once
con token: [refresh|access|session] (token|tokens+)
con rotate: (rotated|refreshed|renewed|exchanged)~, rotate!, rotation, rotations+, refresh=, refreshes+, renew!, renewal, renewals+
con reuse: (reused|re used|replayed|used again|used twice|used a second time)~, (reuse|replay)=, (reuses|replays)+, reusing
con revoke: revoked~, revoke!, revocation, revocations+, revoking, (withdrawn|cancelled|invalidated)~, withdraw!
con session revoke: (ended|closed) (a|one|any) session (from|in|via) (my|the) (session list|list of sessions|list of my sessions|sessions list)~, (end|close) (a|one|any) session (from|in|via) (my|the) (session list|list of sessions|list of my sessions|sessions list)!
con end: (ended|closed|terminated|expired)~, (that are|which are|are|is|already) over~, (end|close|terminate|expire)!, ending, ends, expires, come to an end, came to an end~
con reauth: (re authentication|reauthentication|identity check|identity confirmation), (re authentications|reauthentications|identity checks|identity confirmations)+, (re authenticated|reauthenticated)~, (re authenticate|reauthenticate)!, (confirm|prove|verify|reconfirm) (my|the) identity [again]!, (confirmed|proved|proven|verified|reconfirmed) (my|the) identity [again]~, [asked to] (confirm|prove|verify) who i am, (confirmed|proved) who i am, my identity (confirmed|proven|verified) [again]~, identity (proven|confirmed) [again]~, (log|logged) in again
con account: account, accounts settings, this account, acct, profile
con lock: (locked|blocked|frozen)~, lock=, locks+, block=, blocks+, under lock
con account lock: (lockout|lock out), (lockouts|lock outs)+, locked out [of]~, account (lock|block|lockout), account (locks|lockouts|blocks)+
con unlock: (unlocked|unblocked)~, unlock=, unlocks+, unlocking, (lifted|removed) the lock [on|from|of]~, (lift|remove) the lock [on|from|of]!, the lock [on my account] lifted~, (unlocked|unblocked) by (an operator|the operator|operators|support)~, an operator (ever|) (unlocked|unblocked)~
con disable: (disabled|deactivated|suspended)~, (disable|deactivate|suspend)!, deactivation, deactivations+, suspension, (turned|switched|turning|switching) off~, (turn|switch) off!, disabling
con enable: (enabled|activated)~, (enable|activate)!, activation, activations+, (turned|switched) on~, (turn|switch) on!, turning on, (enabling|activating)
con disable & enable: (turned|switched) off and on [again]~
con enable & disable: (turned|switched) on and off [again]~
con reactivate: (reactivated|re activated|re enabled)~, reactivate!, reactivation, reactivations+, (switched|turned|activated) (on|) again~
con create: (created|added|registered|generated|opened|enrolled|issued|produced|configured)~, (create|add|register|generate|enroll|issue)!, creation, creations+, addition, additions+, registration, registrations+, generation, generations+, enrolment, enrollment, set up=, setup, setting up, newly (added|created), (creating|adding|generating|registering), make!
con account create: (sign up|signup|signed up|registered my account)=, (sign ups|signups)+, signed up [for this account]~, joined~, account (registration|creation), (opened|created) (my|this|the) account~, (open|create) (my|this|the) account!, signing up
con remove: (removed|deleted|erased|dropped|unregistered)~, (remove|delete|drop|erase)!, removal, removals+, deletion, deletions+, (removing|deleting), taken off~
con takeover: (taken over|took over)~, take over!
con account takeover: [account] (takeover|take over), [account] (take overs|takeovers)+
con import: (imported|migrated|brought over|transferred)~, (import|migrate)=, imports+, importing
con export: (exported|downloaded)~, (export|download)=, (exports|downloads)+, (exporting|downloading), a copy of
con data: [all [of]] [my] data, personal data, my information
con data export: data (export|download|exports+|downloads+), export my data=, exported my data~, (requested|got|downloaded) a copy of my data~, (request|get|download) a copy of my data!
con password: password, passwords+, pass word, passphrase, pw, passcode, pwd
con change: (changed|updated|modified|altered|replaced)~, (change|update)=, (changes|updates)+, (changing|updating), (modify|alter|replace)!, switch=, switched~, modification, modifications+
con reset: reset=, resets+, resetting
con request: (requested|asked for|applied for|ordered|sent|mailed)~, request=, requests+, (ask|asking|apply) for!, requesting, (for|) a request for
con password reset: (forgot|forgotten) (my|the) password, password reset (mail|email|link|e mail), password reset (mails|emails|links)+, (mail|email|link|e mail) to reset (my|the) password, reset (link|mail|email)
con email change request: (ask|asked|asking) to change (my|the) (email|e mail|mail) [address]
con undo: (undone|undid|reverted|reversed|rolled back|taken back|restored)~, (undo|revert|reverse)!, reversal, reversals+, undoing, rollback
con breach: because it (was|is|appeared|had been|has been|turned up) [found|known|listed] [in|from|part of|leaked|breached] [a] [known] [data] (breach|leak), because it (was|had been|has been) (leaked|breached|compromised|pwned), because of a [data] (breach|leak), (in|from) a [known] [data] (breach|leak), (breached|leaked|compromised|pwned|insecure|exposed), known from [a|] [data] (breach|breaches|leaks|leak), (for being|as) (leaked|breached|compromised)
con hash: password (hash|hashes+), [password] storage, stored [in a stronger way|more strongly]
con upgrade: (upgraded|strengthened)~, upgrade=, upgrades+
con email: (email|e mail) [address], mail address, (emails|e mails)+, (email|e mail) addresses+, mail, mailbox
con verify: (verified|confirmed|proven|validated)~
con twofactor: (two|2) (factor|step) [authentication|auth|verification|login|protection|security], (multi factor|multifactor) [authentication|auth], mfa, two fa
con factor: [a|my] (second|2nd) (factor|step), (second|2nd) factors+, second authentication factor
con totp: [the|an|my] authenticator [app|application], authenticator apps+, (authentication|2fa|totp) (app|apps+), (authenticator|authentication) applications+, code generator
con code: code, codes+
con totp code: (authenticator|authentication|verification|2fa|totp|one time|onetime) (code|codes+), (code|codes+) (from|of|for) (my|the|an) authenticator [app], authenticator app (code|codes+)
con passkey: pass key, pass keys+, security key, security keys+
con recovery_code: (recovery|backup|back up|rescue|emergency) (code|codes+), new set of recovery codes
con recovery: [account] (recovery|recoveries+), (recovery|recoveries+) of my account
con recovery_done: recovered~, recover!
con cancel: (cancelled|canceled|aborted|called off|broken off)~, cancel!, cancellation, cancellations+, abort!
con complete: (completed|finished|succeeded)~, complete!, completion, completions+, successfully completed~
con magic_link: (magic|login|sign in|signin|log in) (link|links+) [by email|by e mail|by mail|to my inbox], (link|links+) to (log|sign) in
con oauth: [linked|connected|external|third party] (oauth|social|external|third party|outside|google|identity|login|sign in) (account|login|provider|login provider|identity provider|sign in provider|identity|accounts+|logins+|providers+|identities+), linked (login provider|account|login|provider), identity provider, (a|an|the) (external|outside) account, (google|github|apple) account, external identity (provider|providers+), provider account
con link: (linked|connected|attached)~, link=, links+, (connect|attach)!, linking, connection
con unlink: (unlinked|disconnected|detached)~, (unlink|disconnect|detach)!, unlinking
con application: [connected|third party] (application|applications+), (connected|third party) (app|apps+)
con api_key: (api|access) (key|keys+), apikey, apikeys+
con anomaly: anomaly, anomalies+, (suspicious|unusual|strange|odd|fishy|anomalous|suspect) (activity|event|login|sign in|warning|login warning|thing|behaviour|access), (suspicious|unusual|strange|odd|fishy|anomalous|suspect) (activities+|events+|logins+|sign ins+|warnings+|login warnings+|things+), (security|login|suspicious login|suspicious) (warning|alert|warnings+|alerts+), anything (suspicious|unusual|strange|odd|fishy), something (suspicious|unusual|strange|odd|fishy), (flagged|considered|found|deemed|reported|marked|classed) [as] (suspicious|unusual)
con stuffing: credential stuffing [attack|attempt], credential stuffing (attacks+|attempts+)
con detect: (detected|found|noticed|spotted|flagged|discovered|raised)~, detect!, detection, detections+
con use: (used|utilised|employed|redeemed)~, use=, using my, usage, in use, redeem!
con event: event, events+, (activity|activities+), (account|audit|activity|event|security) (log|history|trail|records|record), history, (account|security|audit) (event|events+|activity|activities+), anything, something, thing, things+, stuff, everything, action, actions+, entries+, entry, incident, incidents+
con happen: (happened|transpired|been up)~, happen!, going on, happening, went on~, been going on, changed on~
count often: how often, how frequently, how many times, how many of the times, on how many occasions
"""
