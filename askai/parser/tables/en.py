"""The words of English."""

SLASH = ""

TABLE = """
fill: rn, were recorded, have been recorded, if you would be so kind, if you please, by any chance, would you mind telling me, may i ask, i should be glad to (learn|know|see), i (would|d) be glad to (learn|know|see), again, i was wondering, i just want to know, i need, pls, plz, kindly, i wonder, (would|could) you [please] be so kind as to [tell me|show me], please be so (good|kind) as to [tell me|show me], i (should|would) [very much] (like|love) to (know|see), if it is not too much trouble,
  forgive me for asking, excuse me, sorry, (might|could|would|can) you [kindly] (tell|show) me, would you kindly [tell me|show me], (might|may) i (know|ask|see|have), if i may ask, may i trouble you for, i am a little worried, i (am|m) worried, i would be [most|very] grateful for,
  i would like [to have], i d like, anywhere, successfully or not, on any day, those, the ones, that were recorded, the details of, of mine, who has, any time, some time, looking, quickly, real quick, i think, that i have, that i had, well, to date, in my name, ago or so, (could|can) you look up, help me see, and so, please tell me,
  please, hello, hi, hey, thanks, thank you, (can|could|would|will) you, [can|could|would] you [please] tell me, tell me,
  let me know, i (want|would like|d like|need) to (know|see), do you know, may i see, (can|could) i see, if, whether, just,
  also, then, there, now, right now, currently, at the moment, at present, still, so, ok, okay, exactly, actually,
  different, distinct, unique, separate, so far, very, total, in total, overall, altogether, yet, already, at all, myself,
  s, been, being, got, get, gotten, being, time, details of, up
prep: on, in, at, with, via, using, for, into, through, onto, about, by way of
from: from, of
to: to, through, thru, till
during: during, over, within, throughout
ever: ever, at any point, at any time, at some point
recent: the other day, recent, recently, in recent times, lately
adj: new, newly
the: the, these, those, its
the my: my, all of my, all my
a: a, an, any, some, any of the
a my: one of my, any of my
all: all, all of, all the, all of the, every single
me: i, me
anyone: anyone, anybody, someone, somebody, any one
who: who, whoever
mine: to mine, (to|in|into|on|at|of|for|with|from|about) my account, as me, with my (name|credentials|login)
aux did: d i, did, didn t
aux do: do i
aux was: was, were
aux past: has been, have been, had been, got
aux have: has, have, had, have i, ve
aux be: is, are, am i, i am, i m
own: do i [still|currently|now] have, have i [still|currently] got, i [still|currently] have, i ve got, do i own, (is|are) there [currently], there (is|are)
exist: (was|were) there, (have|has) there [ever] been, there (was|were|has been|have been)
come: come, came, coming, comes, occurred, occur, occurs, took place, take place, originate, originated, made, done
rel: that
it: it, they, them, this, was that, it was
show: show them, list them, show it, a list of, list of, every time, each time, show [me], pull up, list, display, give me, let me see, view, find, see, print, what about
when: when!, on what date, what date
when hour: at what time!, what time!
wprop hour: [at|in] what time of [the] day, [at|in|during] (what|which) hour [of the day]
where: where!, from where, where from
which: which, which of my, which of the
what event: what was done, what has been done, what did i do, what was i doing, what have i done, what has been happening
what: what!, whats~, what s~
count: how many [times], how many of my, how often, how much, [the] [total] number of, count [of], total, total number of, the count of, what (is|was) the [total] (number|count) of, how many different, in how many
compare: compare, compare (the|my), vs, versus, compared (to|with), comparison of, the difference between
more: more, fewer, less, more often, less often, as (many|often)
than: than, as
and: and, as well as, plus
or: or, nor
but: but
not: not, excluding, isn t, wasn t, weren t, aren t, werent, wasnt, arent, isnt, didnt, don t, but not, and not, that (is|are|was|were) not, other than, apart from, besides, outside, outside of
except: neither, except, except for, but not, everything but, anything but, with the exception of, aside from, excluding, all but
only: only, solely, exclusively
per: per, by, for each, for every, grouped by, group by, broken down by, split by, in each, on each, from each, sorted by
each: each, every, each of my
most most: do most [of] my, most of my, most, most often, most frequently, the most, most used, most common, most frequent, most popular, most active, usually,
  mostly, mainly, busiest, top, used most, used most often, i use most
most least: the least often, the least frequently, least, the least, least often, least used, least common, rarest, fewest, the fewest, least frequently
last newest: last, latest, newest, [the] most recent, very last, (most recently|the last time|for the last time|the very last time)~, most recent time~
last oldest: first, oldest, earliest, very first, (for the first time|the first time|the very first time)~
group day: daily, day by day, a day
group week: weekly, week by week
group month: monthly, month by month
group hour: hourly, hour by hour
prop device: device, devices+, machine, machines+, gadget, gadgets+
prop browser: browser, browsers+, web browser, web browsers+
prop os: operating system, operating systems+, os, platform, platforms+
prop form: device type, device types+, type of device, types of device+, types of devices+, kind of device, kinds of device+, kinds of devices+
prop place: location, locations+, place, places+, country, countries+, city, cities+
prop ip: ip, ips+, ip address, ip addresses+, address, addresses+
prop type: type, types+, kind, kinds+, event type, event types+, type of event, types of event+, types of events+, kinds of events+, kinds of event+, sort of event, sorts of events+
prop hour: hour of the day, hour of day, time of day, time of the day, hours of the day+, times of day+, times of the day+
prop weekday: weekday, day of the week, days of the week+, week day
prop time: time, times+, date, dates+, date and time, dates and times+, timestamp, timestamps+
unit minutes: minute, minutes+, min, mins+
unit hours: hour, hours+, hr, hrs+
unit days: day, days+, day s, days
unit weeks: week, weeks+
unit months: month, months+
unit years: year, years+
ago: ago, back
past: past, previous, preceding
since: since the (start|beginning) of, from the (start|beginning) of, as of, since, ever since, starting from, starting
before: before, prior to, earlier than
after: after, later than
until: until, up to, up until, through to, up to and including
between: between
ordinal: st, nd, rd, th
ampm am: am=, in the morning
ampm pm: pm, in the afternoon, in the evening
ampm 24: o clock
clock 12.0: noon, midday
clock 0.0: midnight
num 1: one
num 2: two
num 3: three
num 4: four
num 5: five
num 6: six
num 7: seven
num 8: eight
num 9: nine
num 10: ten
num 11: eleven
num 12: twelve
num 14: fourteen
num 15: fifteen
num 24: twenty four
num 48: forty eight
num 20: twenty
num 30: thirty
named today: today, today s, earlier today
named yesterday: yesterday, yesterday s
named day_before_yesterday: [the] day before yesterday
named this_week: this week, this week s, the current week, current week
named last_week: last week, last week s, previous week, the previous week
named this_month: this month, this month s, the current month, current month
named last_month: last month, last month s, previous month, the previous month
named this_year: this year, this year s, the current year, current year
named last_year: last year, last year s, previous year, the previous year
named this_weekend: this weekend, the weekend, this past weekend
named last_weekend: last weekend, last weekend s, the previous weekend
named today.morning: this morning
named today.afternoon: this afternoon
named today.evening: this evening
named today.night: tonight
named yesterday.night: last night, yesterday night
named yesterday.evening: yesterday evening, last evening
named last.1.hours: [in|over|within|during|for|from|of] the (last|past) hour, past hour
named last.1.days: (in|over|within|during|for|from|of) the (last|past) day
named last.1.weeks: (in|over|within|during|for|from|of|throughout) the (last|past) week, past week
named last.1.months: (in|over|within|during|for|from|of|throughout) the (last|past) month, past month
named last.1.years: (in|over|within|during|for|from|of|throughout) the (last|past) year, past year
named last.14.days: [the] (last|past) fortnight, [the] (last|past) two weeks
named last.12.months: [the] last twelve months
named ago.2.weeks: the week before last
named ago.2.months: the month before last
named ago.1.days: (a|one) day ago
named ago.1.weeks: (a|one) week ago
named ago.1.months: (a|one) month ago
named ago.1.years: (a|one) year ago
named since.this_month: since the (beginning|start) of (the|this) month
named since.this_week: since the (beginning|start) of (the|this) week
named since.this_year: since the (beginning|start) of (the|this) year
bad: the last (day|week|month|year|hour), the first (day|week|month|year|hour), this time
month january: january, jan
month february: february, feb
month march: march, mar
month april: april, apr
month may: may
month june: june, jun
month july: july, jul
month august: august, aug
month september: september, sep, sept
month october: october, oct
month november: november, nov
month december: december, dec
weekday monday: monday, mon, monday s, this monday
weekday tuesday: tuesday, tue, tues, tuesday s, this tuesday
weekday wednesday: wednesday, wed, wednesday s, this wednesday
weekday thursday: thursday, thu, thur, thurs, thursday s, this thursday
weekday friday: friday, fri, friday s, this friday
weekday saturday: saturday, sat, saturday s, this saturday
weekday sunday: sunday, sun, sunday s, this sunday
weekdays monday: mondays
weekdays tuesday: tuesdays
weekdays wednesday: wednesdays
weekdays thursday: thursdays
weekdays friday: fridays
weekdays saturday: saturdays
weekdays sunday: sundays
weekdays weekend: weekends, a weekend, the weekends
weekdays workday: weekdays, workdays, working days, week days, work days
part morning: morning
part afternoon: afternoon
part evening: evening
part night: night
parts morning: in the morning, mornings, in the mornings
parts afternoon: in the afternoon, afternoons, in the afternoons
parts evening: in the evening, evenings, in the evenings
parts night: at night, nights, by night, during the night, at nighttime, in the night
systems Windows: windows (pc|computer|machine|laptop|device|desktop)
systems macOS: mac (computer|laptop|machine), (macbook|mac) (pro|air|mini)
systems Linux: linux (pc|computer|machine|laptop|box|desktop)
forms iphone: (iphone|iphones|i phone)
forms ipad: (ipad|ipads|i pad)
forms android_phone: android (phone|phones|mobile|smartphone)
forms android_tablet: android (tablet|tablets)
systems Android: android (device|devices)
forms phone: [mobile|cell] phone, phones, mobile [device|devices], smartphone, smartphones, cellphone, handset, mobiles
forms tablet: tablet, tablets, tablet computer
forms desktop: desktop [computer], desktops, laptop, laptops, computer, computers, pc, pcs, notebook
con session: session, sessions+, login session, login sessions+
con session start: session start
con session live: (active|open|live|running|ongoing) session, (active|open|live|current|running|ongoing) sessions+
con session over: (ended|closed|past|previous|old|expired|inactive|former|terminated|finished) session, (ended|closed|past|previous|old|expired|inactive|former|terminated|finished) sessions+
con session this_one: (this|current|present|this very|the current) session, the session i (am|m) (using|in) [now]
con session other: sessions (except|other than|besides|apart from) (this|the current) [one|session]+, (another|the other) session, other [active|open|live] sessions+
con live: active, open, live, ongoing, running
con any: also the ones that are already over, also (those|the ones|the sessions) [that are|that have] [already] (over|ended|closed), including (those|the ones) [that have|that are] [already] (over|ended|closed), (including|and also|also|even) [the] [already] (ended|closed|old|expired|past) ones, including [the] (ended|closed|old|expired|past) [ones|sessions], (live|open|active) (and|or) (ended|closed|expired), (ended|closed) (and|or) (live|open|active), whether (live|open|active) or (ended|closed)
con other: (except|except for|other than|besides|apart from|but not|excluding|not) (this one|the current one|this session|the current session|here), other ones, anywhere else, elsewhere, [on] other devices, on another device, somewhere else
con start: started~, start=, starting, begun~, began~
con login: login, logins+, log in=, log ins+, sign in=, sign ins+, signin, signins+, logon, logons+, sign on=, (logged|signed) (in|on) [to]~, (logged|signed) into~,
  (logging|signing) in [to], (log|sign) into!, login to, access to, accessed~, access=, (get|got|gotten|getting) into~, log onto!, logged onto~, authenticated~
con login fail: (tried|trying|tries) to guess, failed to get in, couldn t get in
con reauth: (confirm|prove|confirmed|proved) my identity [again]~
con login success: successful (login|sign in|log in), successful (logins|sign ins|log ins)+
con success: successful, successfully, succeeded~, success, succeed!
con fail: failed~, fail=, failing, failure, failures+, unsuccessful, unsuccessfully, wrong, incorrect, invalid, wrongly entered, mistyped, bad
con reject: turned down~, rejected~, refused~, denied~, rejection, rejections+, reject!
con login fail: (tried|trying|tries) to (guess|break into|hack|hack into|crack|get into), (failed|fail|failing) to (log|sign) in [to], could not (log|sign) in [to], couldn t (log|sign) in [to],
  break in attempt, break in attempts+
con attempt: attempt, attempts+, attempt to (log|sign) in [to], attempts to (log|sign) in [to]+, try, tries+
con login attempt: login attempt, login attempts+, (sign in|log in) attempt, (sign in|log in) attempts+
con stop: stopped~, stop!, halted~
con logout: logout=, logouts+, log out=, log outs+, sign out=, sign outs+, (logged|signed) (out|off)~, (logging|signing) out, signout=, signouts+, log off=
con login & logout: (log|sign) in and out=, (logged|signed) in and out~, logins and outs
con everywhere: everywhere, (of|from|on) (all|every) [of] [my] [other] (devices|sessions|device|session), on all devices, all devices at once
con token: token, tokens+, refresh token, refresh tokens+, access token, access tokens+
con rotate: rotated~, rotate!, rotation, rotations+, refreshed~, refresh=, refreshes+, renewed~
con reuse: reused~, reuse=, reuses+, re used~, replayed~, replay=, replays+, used again~, used twice~
con revoke: revoked~, revoke!, revocation, revocations+, revoking
con end: ended~, end!, ending, closed~, close!, terminated~, terminate!
con reauth: (re authentication|reauthentication), (re authentications|reauthentications)+, (re authenticated|reauthenticated)~, (re authenticate|reauthenticate)!
con account: account, accounts settings
con lock: locked~, lock=, locks+, blocked~
con account lock: (lockout|lock out), (lockouts|lock outs)+, locked out [of]~, account lock, account locks+
ord 2: second
ord 3: third
ord 4: fourth
ord 5: fifth
ord 6: sixth
ord 7: seventh
ord 8: eighth
ord 9: ninth
ord 10: tenth
ord 11: eleventh
ord 12: twelfth
ord 13: thirteenth
ord 14: fourteenth
ord 15: fifteenth
ord 16: sixteenth
ord 17: seventeenth
ord 18: eighteenth
ord 19: nineteenth
ord 20: twentieth
ord 21: twenty first
ord 22: twenty second
ord 23: twenty third
ord 24: twenty fourth
ord 25: twenty fifth
ord 26: twenty sixth
ord 27: twenty seventh
ord 28: twenty eighth
ord 29: twenty ninth
ord 30: thirtieth
ord 31: thirty first
con unlock: unlocked~, unlock=, unlocks+
con disable: disabled~, disable!, deactivated~, deactivate!, deactivation, deactivations+, suspended~, suspension, (turned|switched) off~, (turn|switch) off!, turning off
con enable: enabled~, enable!, activated~, activate!, activation, activations+, (turned|switched) on~, (turn|switch) on!, turning on
con disable & enable: (turned|switched) off and on~
con enable & disable: (turned|switched) on and off~
con reactivate: reactivated~, reactivate!, reactivation, reactivations+, (switched|turned) on again~, re enabled~
con create: created~, create!, creation, creations+, added~, add!, addition, additions+, registered~, register!, registration, registrations+, generated~, generate!, generation,
  set up=, newly (added|created), opened~, creating, adding, enrolled~, enroll!
con account create: (sign up|signup)=, (sign ups|signups)+, signed up~, joined~
con remove: removed~, remove!, removal, removals+, deleted~, delete!, deletion, deletions+, removing, deleting
con takeover: taken over~, took over~, hijacked~
con account takeover: (take over|takeover), (take overs|takeovers)+, account (take over|takeover), account (take overs|takeovers)+
con import: imported~, import=, imports+
con export: exported~, export=, exports+, downloaded~, download=, downloads+
con data: data, all [of] my data
con password: password, passwords+, pass word, passphrase
con change: changed~, change=, changes+, changing, updated~, update=, updates+, modified~, modify!, altered~
con reset: reset=, resets+, resetting
con request: requested~, request=, requests+, asked for~, ask for!, requesting
con undo: undone~, undo!, undid~, reverted~, revert!, reverted~, reversed~
con breach: because it was (in|known from|part of) a [data] breach, because it (was|had been) (leaked|breached), because of a [data] breach, in a [data] breach, breached, leaked, compromised, pwned
con hash: password hash, password hashes+
con upgrade: upgraded~, upgrade=, upgrades+
con email: (email|e mail) [address], mail address, emails+, e mails+, (email|e mail) addresses+
con verify: verified~, confirmed~, proven~, validated~
con twofactor: (two|2) (factor|step) [authentication|auth|verification|login], multi factor authentication, multifactor authentication, mfa
con factor: second factor, second factors+
con totp: [the|an|my] authenticator [app|application], authentication app, authenticator apps+
con code: code, codes+
con totp code: authenticator code, authenticator codes+, (one time|onetime) code, (one time|onetime) codes+
con passkey: pass key, pass keys+
con recovery_code: (recovery|backup) code, (recovery|backup) codes+
con recovery: [account] recovery, [account] recoveries+
con recovery_done: recovered~, recover!
con cancel: cancelled~, canceled~, cancel!, cancellation, cancellations+, aborted~
con complete: completed~, complete!, completion, completions+, finished~
con magic_link: (magic|login|sign in) link by e[ ]mail, (magic|login|sign in) link, (magic|login|sign in) links+
con oauth: [linked|connected] (oauth|social|external|third party|outside) (account|login|provider|login provider|sign in provider|identity), linked (login provider|account|login|provider), login provider, (oauth|social|external|third party) (accounts|logins)+
con link: linked~, link=, connected~, connect!
con unlink: unlinked~, unlink!, disconnected~, disconnect!
con api_key: api key, api keys+, apikey, apikeys+
con anomaly: anomaly, anomalies+, suspicious (activity|event|login|sign in|warning|login warning), suspicious (activities|events|logins|sign ins|warnings|login warnings)+, (security|login) warning, (security|login) warnings+, unusual activity
con stuffing: credential stuffing [attack], credential stuffing attacks+
con detect: detected~, detect!, found~
con use: used~, use=, using my
con event: event, events+, activity, activities+, [account|audit|activity|event|security] (log|history|trail), (account|security|audit) event, (account|security|audit) events+, account activity, security activity,
  anything, thing, things+, everything, action, actions+
con happen: happened~, happen!, going on, happening, went on~
"""
