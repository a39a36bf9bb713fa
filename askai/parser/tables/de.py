"""The words of German."""

SLASH = "dm"

TABLE = """
fill: grad, mal eben, dürfte ich [erfahren], ob sie mir wohl sagen könnten, (gerade|derzeit|noch|aktuell|momentan) überall, überall noch, wissen, erfahren, bitte schön, ich hätte gern gewusst, ich (wüsste|würde) gern[e] [wissen], seien sie [doch] [bitte] so freundlich und, seien sie [doch] [bitte] so (gut|nett) und, wenn ich fragen darf, würden sie mir [bitte], würdest du mir [bitte], könnten sie mir [bitte] [sagen|zeigen|mitteilen], zeigen, sagen, mitteilen, hier, noch offen, wohl, jedoch, also, bloß, halt, eben, mir bitte, entschuldigung, aus, von wo aus, die von, denen von, derer, es war, ja, geschehen war, so, verraten sie mir, übersicht über, übersicht der, welche davon,
  bitte, hallo, hi, danke, guten tag, mal, denn, eigentlich, schon, überhaupt, gerade, aktuell, derzeit, momentan, zurzeit, im moment, jetzt, noch, auch, es, da, dann,
  insgesamt, genau, unterschiedlichen, unterschiedliche, verschiedenen, verschiedene, (kannst|könntest|würdest) du [mir] [bitte] [sagen|zeigen],
  (können|könnten|würden) sie [mir] [bitte] [sagen|zeigen], sag mir, sagen sie mir, ich (möchte|will|würde gerne|würde gern) (wissen|sehen), weißt du, ob, bisher, bislang, doch, nun, immer, je,
  heraus, vorhanden, sehen, details zu, geben, verzeichnet
prep: mitm, aufm, in, im, an, am, auf, bei, beim, mit, per, über, via, mittels, zu, zum, zur, um, ins, für, aus, durch, unter
from: von, vom, ab
to: bis
during: während, innerhalb, innerhalb von
ever: jemals, irgendwann, je einmal
recent: kürzlich, in letzter zeit, neulich, kürzliche
adj: neu, neue, neuen, neuer, neues
the: der, die, das, den, dem, des, diese, diesen, dieser, dieses
the my: mein, meine, meinen, meinem, meiner, meines
a: nen, ne, ein, eine, einen, einem, einer, eines, irgendwelche, irgendein, irgendeine, irgendeinen, irgendeinem, irgendeiner, irgendeines, irgendwelchen, welche der
all: alle, allen, aller, sämtliche, alle meine
me: ich, mich, mir, sich
anyone: jemand, irgendjemand, irgendwer, man, jemanden, irgend jemand
who: wer
mine: (in|auf|für|an) mein (konto|account|benutzerkonto), (in|bei|auf|mit|an|zu|von) meinem (konto|account|benutzerkonto), meines (kontos|accounts), mit meinen zugangsdaten, als ich
aux was: war, waren, gewesen
aux past: wurde, wurden, worden, hatte ich, hatte, hatten, wird
aux have: hat, haben, hast
aux ownhave: habe ich, ich habe, hab ich, ich hab, habe
aux be: ist, sind, bin ich, ich bin, bin
own: besitze ich, ich besitze, gibt es, es gibt
exist: gabs, gabs mal, gab es, es gab, gab
come: kam, kamen, kommt, kommen, stammt, stammen, stammten, erfolgte, erfolgten, erfolgt, stattgefunden, gekommen, fand statt, fanden statt, ausging, ausgingen
rel: die von
it: sie, ihnen, war das, das war, war das bitte
show: liste der, eine liste der, eine liste meiner, eine liste aller, zeig, zeige, zeigen sie, zeig mir, zeige mir, zeigen sie mir, liste, liste mir, auflisten, gib mir, nenne, nenne mir, nenn mir, anzeigen
when: wann, zu welcher zeit, um wie viel uhr, um wieviel uhr, an welchem datum
where: wo, woher, von wo, von wo aus, wo überall
which: welche, welcher, welches, welchen, welchem, was für
what: was
count: wie oft, wie viele, wieviele, wie viel, wie häufig, wie viele male, die anzahl der, anzahl der, anzahl, anzahl von, die anzahl meiner, anzahl meiner, zähle, zahl der, wie vielen, wievielen
compare: vergleiche, vergleich, im vergleich zu, im vergleich zum, im vergleich zur, verglichen mit, gegenüber, vs
more: mehr, weniger, häufiger, öfter
than: als
and: und, sowie
or: oder
but: aber, sondern
not: aber nicht, und nicht, jedoch nicht, nicht, keine, nicht von
except: außer, außer von, ohne, bis auf, abgesehen von, ausgenommen, mit ausnahme von, mit ausnahme der
only: nur, ausschließlich
per: pro, je, nach, gruppiert nach, aufgeschlüsselt nach, aufgeteilt nach, sortiert nach, für jeden, für jede, für jedes
each: jeder, jede, jedes, jeden, jedem
most most: am öftesten, am häufigsten, am meisten, meistgenutzte, meistgenutzter, meistgenutzten, meistgenutztes, meistverwendete, meistverwendeter, meistverwendeten, häufigste, häufigsten, häufigster, häufigstes,
  die meisten, den meisten, meist, meistens, meisten
most least: am seltensten, am wenigsten, seltenste, seltensten, die wenigsten
last newest: letzte, letzten, letzter, letztes, letztem, neueste, neuesten, neuester, neuestes, neuste, neusten, jüngste, jüngsten, jüngster, aktuellste, aktuellsten, allerletzte,
  zuletzt~, das letzte mal~, zum letzten mal~, am kürzesten zurück
last oldest: erste, ersten, erster, erstes, älteste, ältesten, älteste, ältester, frühesten, früheste, allererste, zum ersten mal~, das erste mal~, erstmals~, zuerst~
group day: täglich, täglichen, tägliche
group week: wöchentlich, wöchentlichen, wöchentliche
group month: monatlich, monatlichen, monatliche
group hour: stündlich
prop device: gerät, gerätes, geräte+, geräten+
prop browser: browser, browsern+, webbrowser
prop os: betriebssystem, betriebssysteme+, betriebssystemen+, system, systeme+, systemen+
prop form: geräteart, gerätetyp, gerätetypen+, geräteart, gerätearten+
prop place: ort, orte+, orten+, standort, standorte+, standorten+, stadt, städte+, städten+, land, länder+, ländern+
prop ip: ip, ips+, ip adresse, ip adressen+, adresse, adressen+
prop type: typ, typen+, art, arten+, art von ereignissen, arten von ereignissen+, ereignistyp, ereignistypen+, ereignisart, ereignisarten+, arten ereignisse+
prop hour: uhrzeit, uhrzeiten+, tageszeit, tageszeiten+, stunde des tages
prop weekday: wochentag, wochentage+, wochentagen+
prop time: zeit, zeiten+, zeitpunkt, zeitpunkte+, datum
unit minutes: minute, minuten+
unit hours: stunde, stunden+
unit days: tag, tage+, tagen+
unit weeks: woche, wochen+
unit months: monat, monate+, monaten+
unit years: jahr, jahre+, jahren+
h_unit: uhr, h
ago: vor
past: vergangenen, vergangene, vergangener, vorigen, vorige
since: seit (anfang|beginn), seit dem (anfang|beginn), seit, seit dem, seitdem, ab dem
before: früher als
after: nach, später als
until: bis, bis zum, bis zu, bis einschließlich, bis gegen
between: zwischen
num 2: zwei, beiden
num 3: drei
num 4: vier
num 5: fünf
num 6: sechs
num 7: sieben
num 8: acht
num 9: neun
num 10: zehn
num 11: elf
num 12: zwölf
num 20: zwanzig
num 30: dreißig
clock 12.0: mittag
clock 0.0: mitternacht
named today: heute, heutigen, heutige, von heute
named yesterday: gestern, gestrigen, gestrige
named day_before_yesterday: vorgestern
named this_week: diese woche, dieser woche, der aktuellen woche, der laufenden woche
named last_week: letzte woche, letzter woche, vergangene woche, vergangener woche, vorige woche, voriger woche, der vergangenen woche, der vorigen woche
named this_month: diesen monat, diesem monat, dieses monats, dem laufenden monat
named last_month: letzten monat, letzter monat, letztem monat, vergangenen monat, vergangenem monat, vorigen monat, letzten monats, vormonat
named this_year: dieses jahr, diesem jahr, dieses jahres, dem laufenden jahr
named last_year: letztes jahr, letzten jahr, letztem jahr, vergangenes jahr, vergangenen jahr, voriges jahr, letzten jahres, vorjahr
named this_weekend: [am|dieses] wochenende, diesem wochenende
named last_weekend: letztes wochenende, [am] letzten wochenende, vergangenes wochenende, [am] vergangenen wochenende
named today.morning: heute morgen, heute früh, heute vormittag
named today.afternoon: heute nachmittag
named today.evening: heute abend
named yesterday.night: letzte nacht, letzter nacht, [in] der letzten nacht, gestern nacht, vergangene nacht, der vergangenen nacht
named yesterday.evening: gestern abend
named yesterday.morning: gestern morgen, gestern früh, gestern vormittag
named last.1.hours: der letzten stunde, letzte stunde, letzten stunde
named last.14.days: [den] letzten vierzehn tagen
named ago.1.days: vor einem tag
named ago.1.weeks: vor einer woche
named ago.1.months: vor einem monat
named ago.1.years: vor einem jahr
named ago.2.weeks: vorletzte woche, vorletzter woche
named ago.2.months: vorletzten monat, vorletztem monat
named since.this_month: seit (monatsbeginn|monatsanfang|anfang des monats|beginn des monats|anfang dieses monats)
named since.this_week: seit (wochenbeginn|wochenanfang|anfang der woche|beginn der woche)
named since.this_year: seit (jahresbeginn|jahresanfang|anfang des jahres|beginn des jahres|anfang dieses jahres)
what event: was habe ich gemacht, was habe ich getan
bad: heute nacht, in der letzten woche, der letzten woche, der letzte tag, der letzte monat, die letzte woche, das letzte jahr, letzter tag
month january: januar, jänner, jan
month february: februar, feber, feb
month march: märz
month april: april, apr
month may: mai
month june: juni, jun
month july: juli, jul
month august: august, aug
month september: september, sep, sept
month october: oktober, okt
month november: november, nov
month december: dezember, dez
weekday monday: montag, diesen montag
weekday tuesday: dienstag, diesen dienstag
weekday wednesday: mittwoch, diesen mittwoch
weekday thursday: donnerstag, diesen donnerstag
weekday friday: freitag, diesen freitag
weekday saturday: samstag, sonnabend, diesen samstag
weekday sunday: sonntag, diesen sonntag
weekdays monday: montags, montagen
weekdays tuesday: dienstags
weekdays wednesday: mittwochs
weekdays thursday: donnerstags
weekdays friday: freitags
weekdays saturday: samstags
weekdays sunday: sonntags
weekdays weekend: wochenenden, an wochenenden, an den wochenenden
weekdays workday: werktags, an werktagen, werktagen, wochentags, unter der woche
part morning: morgen, vormittag, früh
part afternoon: nachmittag
part evening: abend
part night: nacht
parts morning: morgens, am morgen, vormittags, am vormittag
parts afternoon: nachmittags, am nachmittag
parts evening: abends, am abend
parts night: nachts, in der nacht, bei nacht
systems Windows: windows (pc|computer|rechner|gerät|laptop)
systems macOS: mac (computer|rechner|gerät)
systems Linux: linux (pc|computer|rechner|gerät|laptop)
forms android_phone: android (handy|telefon|smartphone|handys)
forms android_tablet: android tablet
systems Android: android (gerät|geräte|geräten)
forms phone: handy, handys, telefon, smartphone, smartphones, mobiltelefon, mobilgerät, mobilgeräte, mobilgeräten, mobil, telefons
forms tablet: tablet, tablets
forms desktop: desktop, desktop rechner, laptop, laptops, computer, computern, rechner, pc, pcs, notebook
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: sitzung, sitzungen+, session, sessions+, (anmelde|login) sitzungen+
con session live: (aktive|offene|laufende|aktiven|offenen|laufenden|aktueller|aktiver) (sitzung|session), (aktive|offene|laufende|aktiven|offenen|laufenden|aktuellen|aktuelle) (sitzungen|sessions)+
con session over: (beendete|beendeten|abgelaufene|abgelaufenen|frühere|früheren|alte|alten|geschlossene|geschlossenen|vergangene|vergangenen|ehemalige) (sitzung|session),
  (beendete|beendeten|abgelaufene|abgelaufenen|frühere|früheren|alte|alten|geschlossene|geschlossenen|vergangene|vergangenen) (sitzungen|sessions)+
con session this_one: (diese|dieser|aktuelle|aktuellen|jetzige|jetzigen|gegenwärtige|derzeitige) (sitzung|session)
con session other: (andere|anderen|weitere|weiteren|sonstige|sonstigen|übrigen|anderer) (sitzung|session), (andere|anderen|weitere|weiteren|sonstige|sonstigen|übrigen) [aktive|aktiven|offene|offenen] (sitzungen|sessions)+
con live: aktiv, aktive, offen, laufen, läuft, laufend, bestehen
con any: auch [die] [schon|bereits] (beendete|beendeten|alte|alten|abgelaufene|abgelaufenen|geschlossene|geschlossenen), einschließlich [der] beendeten, inklusive [der] (beendeten|beendete|alten), (aktive|aktiven|offene|offenen|laufende|laufenden) und (beendete|beendeten)
con other: (außer|ohne|bis auf) (dieser|diese|der aktuellen|hier|dieser hier|diese hier|dem hier), außer dieser sitzung, anderswo, woanders, sonst noch wo, sonst irgendwo, sonst noch irgendwo, anderen geräten, einem anderen gerät
con start: gestartet~, begonnen~, begann~, begannen~, eröffnet~, geöffnet~, gestartete, gestarteten
con login: zum (anmelden|einloggen), um mich (anzumelden|einzuloggen), anmeldung, anmeldungen+, login, logins+, einloggen, log in, angemeldet~, eingeloggt~, eingewählt~, melde ich mich, logge ich mich ein, logge ich mich, ich mich anmelde, ich mich einlogge, zugriff, zugriffe+, zugegriffen~,
  einlogvorgang, einlogvorgänge+, anmelde, einlogge, anmeldevorgang, anmeldevorgänge+
con success: erfolgreich, erfolgreiche, erfolgreichen, erfolgreicher, geglückt, geglückte
con fail: fehlgeschlagen~, fehlgeschlagene, fehlgeschlagenen, fehlgeschlagener, gescheitert~, gescheiterte, gescheiterten, gescheiterter, erfolglos, erfolglose, erfolglosen, erfolgloser, misslungen~, misslungene, misslungenen, schlug fehl~, schlugen fehl~,
  scheiterte~, scheiterten~, schiefgegangen~, falsche, falschen, falscher, falsches, falsch, ungültige, ungültigen, ungültiger, fehlerhafte, fehlerhaften, missglückt~, missglückte, missglückten
con reject: abgelehnt~, abgelehnte, abgelehnten, zurückgewiesen~, zurückgewiesene, zurückgewiesenen, abgewiesen~, abgewiesene, abgewiesenen, verweigert~
con attempt: versuch, versuche+, versuchen+
con login attempt: anmeldeversuch, anmeldeversuche+, anmeldeversuchen+, loginversuch, loginversuche+, loginversuchen+, login versuch, login versuche+, login versuchen+, einlogversuch, einlogversuche+
con login fail: fehlanmeldung, fehlanmeldungen+, fehlversuch, fehlversuche+, fehlversuchen+, loginfehler, anmeldefehler, versucht mein passwort zu erraten
con stop: angehalten~, gestoppt~, gestoppte, gestoppten
con logout: abmeldung, abmeldungen+, logout=, logouts+, abgemeldet~, ausgeloggt~
con login & logout: (ein und|an und) (ausgeloggt|abgemeldet)~
con logout & login: (ab und|aus und) (angemeldet|eingeloggt)~
con everywhere: überall, (von|auf|an) allen [meinen] geräten, auf sämtlichen geräten, aus allen sitzungen, allen geräten
con token: token, tokens+, refresh token, refresh tokens+
con rotate: erneuert~, rotiert~, erneuerungen+, erneuerung
con reuse: wiederverwendet~, wiederverwendung, wiederverwendungen+, erneut verwendet~, zweimal verwendet~, mehrfach verwendet~
con revoke: widerrufen~, widerruf, widerrufe+, widerrufene, widerrufenen
con end: zu ende gegangen~, zu ende gingen~, endete~, endeten~, beendet~, geschlossen~
con reauth: (reauthentifizierung|reauthentisierung), reauthentifizierungen+, erneut authentifiziert~, erneut angemeldet~, erneute authentifizierung, erneute authentifizierungen+
con account: konto, account, benutzerkonto
con lock: gesperrt~, sperre, sperren+, sperrung, sperrungen+, blockiert~
con account lock: kontosperrung, kontosperrungen+, kontosperre, kontosperren+, ausgesperrt~, accountsperrung, accountsperrungen+
con unlock: entsperrt~, entsperrung, entsperrungen+, freigeschaltet~
con account unlock: kontoentsperrung, kontoentsperrungen+
con enable: aktiviert~, eingeschaltet~, angeschaltet~, aktivierung, aktivierungen+, angestellt~, angemacht~
con disable: deaktiviert~, ausgeschaltet~, abgeschaltet~, deaktivierung, deaktivierungen+, abgestellt~
con disable & enable: (aus|ab) und (wieder|) (eingeschaltet|angeschaltet)~
con enable & disable: (ein|an) und (wieder|) (ausgeschaltet|abgeschaltet)~
con reactivate: reaktiviert~, wieder aktiviert~, reaktivierung
con create: hinzugefügt~, erstellt~, angelegt~, registriert~, erzeugt~, generiert~, eingerichtet~, erstellung, registrierung, hinzugefügte, hinzugefügten, erstellte, erstellten, registrierte, registrierten, einrichtung
con account create: mich registriert~, kontoerstellung, konto eröffnet~, kontoeröffnung, registrierung meines kontos
con remove: entfernt~, gelöscht~, löschung, löschungen+, entfernung, entfernte, entfernten, gelöschte, gelöschten
con takeover: übernommen~, gekapert~
con account takeover: kontoübernahme, kontoübernahmen+
con import: importiert~, import, importe+
con export: exportiert~, export, exporte+, heruntergeladen~
con data export: datenexport, datenexporte+, datenexports+
con data: daten
con password: passwort, kennwort, passwörter+, passworts, passwortes
con change: geändert~, gewechselt~, aktualisiert~, änderung, änderungen+, wechsel, geänderte, geänderten, verändert~
con password change: (passwortänderung|kennwortänderung|passwortwechsel|passwort änderung), (passwortänderungen|kennwortänderungen|passwort änderungen|passwortwechseln)+
con email change: (e mail änderung|emailänderung|adressänderung|änderung der e mail adresse), (e mail änderungen|emailänderungen|änderungen der e mail adresse)+
con reset: zurückgesetzt~, zurücksetzung, zurücksetzungen+, zurücksetzen, reset, resets+
con password reset: passwortzurücksetzung, passwortzurücksetzungen+, passwort reset, passwort resets+
con request: angefordert~, beantragt~, anforderung, anforderungen+, anfrage, anfragen+, angefragt~, angeforderte, angeforderten, verlangt~
con undo: rückgängig gemacht~, rückgängig~
con breach: weil es in einem datenleck (war|auftauchte|vorkam), wegen eines datenlecks, geleakt, geleakte, geleakten, geleaktes, kompromittiert, kompromittierte, kompromittiertes, kompromittierten
con email: [e] mail [adresse], email, emailadresse, mailadresse, e mails+, e mail adressen+
con verify: bestätigt~, verifiziert~
con twofactor: (zwei|2) faktor (authentifizierung|authentisierung|anmeldung|auth), zwei faktor, zweistufige (anmeldung|bestätigung|verifizierung), mehrfaktor authentifizierung
con factor: (zweiter|zweiten|zweite|2) faktor, (zweiten|zweite) faktoren+
con totp: authenticator [app], authentifizierungs app, authentifizierungsapp, authentikator [app]
con code: code, codes+
con recovery_code: wiederherstellungscode, wiederherstellungscodes+, (recovery|backup) code, (recovery|backup) codes+, notfallcode, notfallcodes+, backupcode, backupcodes+
con recovery: kontowiederherstellung, kontowiederherstellungen+, wiederherstellung, wiederherstellungen+
con recovery_done: wiederhergestellt~
con cancel: abgebrochen~, storniert~, abbruch
con complete: abgeschlossen~, abschluss
con magic_link: magic link, magic links+, magischer link, magischen link, magische links+, magischen links+, anmeldelink, anmeldelinks+, login link, login links+
con oauth: (social|oauth|externes|soziales) (account|konto|login), (externe|soziale|social|oauth) (konten|accounts|logins)+
con link: verknüpft~, verbunden~, verknüpfung, verknüpfungen+
con unlink: getrennt~, entkoppelt~
con api_key: api (schlüssel|key), api (schlüsseln|keys)+
con anomaly: anomalie, anomalien+, (verdächtige|verdächtigen|verdächtiger) (anmeldung|aktivität|aktivitäten|anmeldungen|ereignisse|warnungen|vorgänge)+, auffälligkeit, auffälligkeiten+, ungewöhnliche (aktivität|aktivitäten)
con stuffing: credential stuffing [angriff|angriffe]
con detect: erkannt~, entdeckt~, festgestellt~, gefunden~
con use: benutzt~, verwendet~, genutzt~, nutze ich, benutze ich, verwende ich, ich nutze, ich benutze, ich verwende, eingesetzt~, nutze, verwende, benutze
con event: ereignis, ereignisse+, ereignissen+, aktivität, aktivitäten+, protokoll, kontoaktivität, kontoaktivitäten+, vorgang, vorgänge+, vorgängen+, etwas, alles, sicherheitsereignis, sicherheitsereignisse+, verlauf
con happen: passiert~, geschehen~, los, vorgefallen~, passierte~, ereignet~
"""
