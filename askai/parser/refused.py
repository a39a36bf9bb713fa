"""The forms of clauses that have no certain meaning. A clause in which one of them occurs is refused."""

REFUSED = (
    ("who | from me", "Who logged in?"),
    ("recent any* UNCERTAIN | UNCERTAIN any* recent", "How many recent logins?"),
    ("aux.be fill* come.past", "Which events are recorded?"),
    ("(which|what)(prep|from|the|fill)* con.password (con.use|(?!con))", "Which password was used?"),
    ("^any*(?!fill|comma)any any* but", "Logins but from Chrome"),
    ("(?=any*ne)^(?!any*nconds)any", "Connexions ne"),
    ("^(con|the|fill|prep|all)* con:either (the|fill|prep|all)*$", "パスワード変更"),
    # A weekday without `last` is the latest one, or every one. A night has two dates.
    ("GENERAL any* LATEST | LATEST any* GENERAL", "How often did I log in on Saturday in total?"),
    ("^(?=any*BRIEF)any*NIGHTLY", "Logins at night, on 9 November"),
    ("^(?!any*period)any* (hours:one_night|hours:definite)", "Logins in the night"),
    ("^(?!any*PAST)any* period:latest", "火曜日に失敗したログインを出して"),
    ("^YESNO(?!any*period)any* (hours:definite|hours:nights)", "Did I log in in the morning?"),
    ("^((?!con.event)(con|the|fill|prep|all))* fill.request fill*$", "ログインをお願いします"),
    # `ログインしている` is a state, and with a time perhaps an act.
    (
        "(con.session:verb|con.session:yesno)any* period | period any*(con.session:verb|con.session:yesno)",
        "昨日ログインしていますか",
    ),
    (
        "^(?!any*(tense|exist|aux.past))any* con.passkey GAP con.create:either GAP (?!count.often)count",
        "パスキーの登録数",
    ),
    (
        "^(?=any*aux.be)(?=any*(con.login:verb|con.login:either))(?!any*(aux.past|aux.have|aux.did))any* most",
        "Where am I signed in most?",
    ),
    ("count.often any* con.session | con.session any* count.often", "ハンブルクから何回ログインしていますか"),
    # A form that can be a command. An auxiliary or the place in a noun phrase excludes the command.
    ("^((?!aux.did|aux.do)any)* con:order (?!tense|ask|aux.be)", "Change my password"),
    (
        "^((?!aux|ASKED)any)* (?<!NOUN)(?<!con:either and)(?<!con:either or) con:either (?!tense|ask|aux.be|the con.event|any*(count|compare))",
        "Log out",
    ),
    # A question word inside the clause, and a question for the meaning of a word.
    ("con any* (when:order|where:order|what:order)(?!fill*$)", "What happened when I changed my password?"),
    (
        "ASKED (?!(prep|from|fill)*(and|comma)(and|comma|prep|from|fill)*ASKED)((?!ASKED)any)*ASKED",
        "Which device when?",
    ),
    (
        "^(?=any*(what|which.que any* a))(?=any*(aux.be|what:verb))(?!any*(the|top|cols|group|wgroup|con.happen:verb|period any* mine|mine any* period))any",
        "What is a login?",
    ),
    ("(where|when)any* count | count any* (where|when)", "昨日は何回、どこから"),
    ("^(it|aux.was|prep|from|fill)*which(it|aux.was|fill)*$", "I removed a passkey. Which one?"),
    (
        "(which|what)(the|fill)* (con.passkey:plain|con.api_key:plain|con.oauth:plain) (con:verb|(?!con))",
        "Which passkey did I remove?",
    ),
    # The thing itself, and no record of it.
    ("show(the|a|fill|top|adj)* SECRET(?!fill*con)", "Give me the API key I made in October"),
    ("SECRET fill* (show|fill.request)", "10月に作ったAPIキーを見せて"),
    ("(from.ab|prep.aus|a.ein) fill*$", "Wann läuft meine Sitzung ab?"),
    # An act of the user on a session, and no state of it.
    ("(me|own|con.session) any* con.end GAP tense.act", "リストからセッションを終了させました"),
    ("(?=any*con.session)(?=any*con.end)^any* (me|have)", "I ended one of my sessions"),
    ("^(con.twofactor|con.totp) fill* con.enable:plain fill*$", "2FAは有効"),
    # A word that hangs on nothing, or on another question.
    ("fill.elsewhere | fill.there fill*$ | fill.that (cols|conds|group|con)", "When did I log in there?"),
    ("comma (prep the me|the top fill*$) | ^(the|all|fill)* con.event (the|conds)* aux.did", "Everything my Mac did"),
    ("^(?!any*(PAST|what.event|con.happen))any* period:weekend", "Logins at the weekend"),
    # `zur Zeit` is the present, and no column.
    ("^(?!any*OPENER)fill* aux.be any* cols (?!fill*(conds|nconds))", "Ist mein Konto zum Zeitpunkt gesperrt?"),
    ("weekdays any* LATEST | LATEST any* weekdays", "Logins on workdays, Tuesday to Friday"),
    ("con.other (that|than|que|rel)", "Sessions elsewhere than in Berlin"),
    (
        "(?<!con)(?<!conds)(?<!period)(?<!weekdays)only(?!LINK(con|conds|nconds|period|hours|weekdays|top|adj))(?!fill*$)|(^|con|aux|own|exist|comma) only$",
        "Logins only",
    ),
    (
        "only any* (when|where|which|what|wgroup|compare) | (when|where|which|what|wgroup|compare) any* only",
        "When only did I log in?",
    ),
    ("(?<!con)(?<!con fill)adj (?!LINK con)", "New I changed my password"),
    ("(from|prep)(the|fill)* show", "When was a session ended from the list?"),
    ("which LINK group", "Which per browser?"),
    ("(period|hours|weekdays) fill* since_post", "10時から11時から"),
    ("(period|hours|weekdays) fill* (prep.on|prep.an|from|to) fill*$", "Logins from October on"),
    ("to (the|fill)* (period|hours|weekdays)", "Logins to 10 November"),
    ("(prep|from|since)(fill|the)* a (fill|the)* cols (?!fill*(conds|nconds))", "Logins from a different city"),
    ("top any* conds:and | conds:and any* top", "My last login from Berlin and Paris"),
    (
        "^(?!any*OPENER)((?!aux|own|exist|ask|does)any)* con:many any* (comma|that|rel|who|que) any* (aux|own)",
        "Sitzungen, die nicht aus Berlin sind",
    ),
    ("^fill* con.event aux.past", "Tout ce qui a été fait sur l'iPad"),
    # A question whether something holds for every record. A list or a number does not answer it.
    ("^CLAIM any* all | (?!con.this_one|con.other|con.any|con.live|con.over)con any* all", "Did all logins fail?"),
    ("^CLAIM any* (only|conds:and)", "Did I log in from Berlin and Paris?"),
    ("^CLAIM any* the (con|conds|nconds|fill|adj)* con:many", "Are my sessions from Chrome?"),
    # A plan filters first, and then takes the last. So only the words of its noun phrase restrict `my last login`.
    ("^YESNO any* top | top any*(most|compare) | (most|compare)any* top", "Did my last login fail?"),
    (
        "(^|(?!con|the|aux|me|fill|top|among|comma)any|(?<!among)comma) fill* top:plain ((?!con)any)*$",
        "Logins on Chrome last",
    ),
    ("(?!cols|wgroup|the)any the* (prep|from)(the|all|fill)* top:plain", "Failed logins of the last 2 events"),
    (
        "^fill*(from|among)(the|all|fill)* top:plain any* comma | top any* among",
        "Of my last 5 logins, which from Chrome?",
    ),
    ("ACT any* ADJECTIVE top:plain any* con", "Which logins are in my last 5 events?"),
    ("ADJECTIVE top:plain any*(aux|rel|come)any* CONDITION", "The last login that was from Chrome"),
    ("ADJECTIVE top:plain any* (?!con:verb)con any* ACTED", "My last login failed"),
    ("ADJECTIVE top:plain any* con any* (aux|rel|come)any* ACTABLE", "When did my last login fail?"),
    ("aux.did any* ADJECTIVE top:plain any* con any* ACTABLE", "When did my last login fail?"),
)
"""Patterns over the tokens of a clause, each with an example."""
