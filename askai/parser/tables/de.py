"""The words of German."""

SLASH = "dm"

TABLE = """
fill: grad, mal eben, dürfte ich [erfahren], ob sie mir wohl sagen könnten, (gerade|derzeit|noch|aktuell|momentan) überall, überall noch, wissen, erfahren, bitte schön, ich hätte gern gewusst, ich (wüsste|würde) gern[e] [wissen], seien sie [doch] [bitte] so freundlich und, seien sie [doch] [bitte] so (gut|nett) und, wenn ich fragen darf, würden sie mir [bitte], würdest du mir [bitte], könnten sie mir [bitte] [sagen|zeigen|mitteilen], zeigen, sagen, mitteilen, noch offen, wohl, jedoch, also, bloß, halt, mir bitte, entschuldigung, aus, von wo aus, die von, denen von, derer, es war, ja, geschehen war, so, verraten sie mir, übersicht über, übersicht der, welche davon, bitte, hallo, hi, danke, guten tag, mal, denn, eigentlich, schon, überhaupt, gerade, aktuell, derzeit, momentan, zurzeit, im moment, jetzt, noch, auch, es, genau, (kannst|könntest|würdest) du [mir] [bitte] [sagen|zeigen], (können|könnten|würden) sie [mir] [bitte] [sagen|zeigen], sag mir, sagen sie mir, ich (möchte|will|würde gerne|würde gern) (wissen|sehen), weißt du, ob, doch, nun, heraus, vorhanden, sehen, details zu, geben, verzeichnet, sag mal, sagt mal, schau mal, guck mal, bitte einmal, mal bitte, ich hätte gern[e], mich (würde|) interessiert, mich würde interessieren, mich interessiert, ich würde gern[e] (wissen|sehen|erfahren), ich möchte [gern[e]] (wissen|sehen|erfahren), ich frage mich, (kannst|könntest|würdest|magst) du [mir] [bitte] [mal|kurz|einmal] [sagen|zeigen|nachsehen|nachschauen|verraten], (können|könnten|würden) sie [mir] [bitte] [kurz|einmal] [sagen|zeigen|nachsehen|nachschauen|verraten|mitteilen|auflisten], nachsehen, nachschauen, verraten, zeigst du mir, würden sie so freundlich sein und mir, wären sie so (freundlich|nett|gut) und, wären sie so (freundlich|nett|gut), mir zu (sagen|zeigen), zu sagen, zu zeigen, im einzelnen, im detail, auf einen blick, zusammen, mit datum, genauer gesagt, gerne, gern, heutzutage, inzwischen, mittlerweile, selbst, eigenen, eigene, eigener, überhaupt schon, schon einmal, schon mal, einzeln, einzelnen, diverse, nochmal, noch einmal, wieder, tatsächlich, vielleicht, zufällig, kurz, falls möglich, wenn möglich, [und] zwar, moin, servus, grüß gott, guten (morgen|abend), vielen dank, danke (schön|sehr), dankeschön, grade, heute noch, (aufgezeichnet|verzeichnet|protokolliert|erfasst|festgehalten|vermerkt) (wurden|worden|sind|ist|wurde|haben), aufgezeichnet, protokolliert, erfasst, festgehalten, vermerkt, getätigt, auf, nach mir, um die, dabei, davon, ich weiß (es|das) [echt|leider|gerade] nicht [mehr|genau], ich bin [mir] [da] nicht [mehr] sicher, ich kann mich nicht [mehr] erinnern, ich hab[e] [da|gerade|heute|gestern] [so|] eine (komische|seltsame|merkwürdige|verdächtige) (mail|e mail|nachricht) (bekommen|gekriegt|erhalten), hab[e] eine (komische|seltsame) (mail|e mail) bekommen, kurze frage, nur kurz, nur so, eine frage, ich bräuchte, ich brauche, ich hätte gerne
fill elsewhere: dort, da
prep: mitm, aufm, in, im, an, am, bei, beim, mit, per, über, via, mittels, zur, um, ins, für, aus, durch, unter, innerhalb von, über den, über die, übers, im rahmen von, mithilfe, mithilfe von, mit hilfe von, mit dem, mit der, unterm
from: von, vom, ab, ausgehend von, stammend aus
to: bis
during: während, innerhalb, innerhalb von, im laufe [von|der|des], im verlauf [von|der|des]
ever: jemals, irgendwann, je einmal, je schon, jemals schon, irgendwann einmal, irgendwann mal
recent: kürzlich, in letzter zeit, neulich, kürzliche, in jüngster zeit, in der letzten zeit, die letzte zeit, unlängst, jüngst, vor kurzem
adj: neu, neue, neuen, neuer, neues, neuem
the: der, die, das, den, dem, des, diese, diesen, dieser, dieses
the my: mein, meine, meinen, meinem, meiner, meines
a: nen, ne, ein, eine, einen, einem, einer, eines, irgendwelche, irgendein, irgendeine, irgendeinen, irgendeinem, irgendeiner, irgendeines, irgendwelchen, welche der
all: alle, allen, aller, sämtliche, alle meine, jegliche, sämtlicher, allesamt, all meine, all meiner, gesamte, gesamten, komplette, ganzen, ganze, jede einzelne, jeden einzelnen
me: ich, mich, mir, sich
anyone: jemand, irgendjemand, irgendwer, man, jemanden, irgend jemand
who: wer, welche person, wem, wen
mine: (in|auf|für|an) mein (konto|account|benutzerkonto), (in|bei|auf|mit|an|zu|von) meinem (konto|account|benutzerkonto), meines (kontos|accounts), mit meinen zugangsdaten, als ich
aux stood: war, waren, gewesen
aux past: wurde, wurden, worden, hatte ich, hatte, hatten, wird, wurd, wurden denn, wurde denn, hatten wir
aux have: hat, haben, hast, haben wir
aux ownhave: habe ich, ich habe, hab ich, ich hab, habe, hab, habs
aux be: ist, sind, bin ich, ich bin, bin, is, seid, sin
own: besitze ich, ich besitze, gibt es, es gibt, besitzt mein konto, hat mein konto, habe ich (noch|aktuell|derzeit|momentan|gerade|zurzeit|jetzt), hab ich (noch|aktuell|derzeit|gerade), (sind|ist) [noch] (vorhanden|übrig), vorhanden, übrig, verbleiben, verbleiben mir, bleiben mir [noch], gibts, verfüge ich über, existieren, existiert
exist: gabs, gabs mal, gab es, es gab, gab, gab es (denn|schon|schon mal|jemals), kam es [jemals] zu, hat es [schon] gegeben, gegeben, gegeben hat, es gegeben, gab s, gab s mal
come: kam, kamen, kommt, kommen, stammt, stammen, stammten, erfolgte, erfolgten, erfolgt, stattgefunden, gekommen, fand statt, fanden statt, ausging, ausgingen, passierten, passierte, vorkamen, vorkam, vorgekommen, aufgetreten, auftraten, auftrat, durchgeführt, vorgenommen, gemacht, ausgeführt, stammte, herkommen, herkam, herkamen, kommend, eingegangen, ging, gingen, entfallen, entfällt, entfielen, erfolgt sind, erfolgt ist, eingegeben, läuft, laufen, lief, liefen, ausgelöst, abgegeben
rel: die von, das war, die waren, die (nicht|) mehr
it: sie, ihnen, war das, das war, war das bitte, das bitte, dies
show: liste der, eine liste der, eine liste meiner, eine liste aller, zeig, zeige, zeigen sie, zeig mir, zeige mir, zeigen sie mir, liste, liste mir, auflisten, gib mir, nenne, nenne mir, nenn mir, anzeigen, zeig her, zeigt mir, auflistung, auflistung der, auflistung aller, auflistung meiner, eine auflistung (der|meiner|aller), eine übersicht (der|meiner|aller|über), übersicht (meiner|aller), listen sie, listet, gib (mir|) [eine liste], nennen sie [mir], sage mir, aufführen, führe [mir], führen sie [mir], stelle dar, anzeige, zeige [mir] an, gruppiere, gruppieren sie, schlüssle, wie sehen, was ist mit, wie steht es um, wie siehts aus mit, auf der liste
when: wann, zu welcher zeit, um wie viel uhr, um wieviel uhr, an welchem datum, wann genau, wann denn, seit wann, wann eigentlich, um welche uhrzeit, um welche zeit, zu welchem zeitpunkt, wann ungefähr, wie lange ist es her
where: wo, woher, von wo, von wo aus, wo überall, von wo (aus|), von woher, wo genau, wo denn, von welchem ort aus, wohin
which: welche, welcher, welches, welchen, welchem, was für, welch, was für ein, was für eine, was für einen, welche davon, welche von, welcher von, welche meiner, welcher meiner, welches meiner, bei welchen, bei welcher
what: was, was alles, was genau, was denn
count: wie oft, wie viele, wieviele, wie viel, wie häufig, wie viele male, die anzahl der, anzahl der, anzahl, anzahl von, die anzahl meiner, anzahl meiner, zähle, zahl der, wie vielen, wievielen, wie oft insgesamt, wie viel mal, wieviel mal, wieviel, wie viele verschiedene, wie viele unterschiedliche, die (gesamtzahl|gesamtanzahl|zahl) (der|meiner|aller|von), gesamtzahl (der|meiner|aller), die anzahl (an|von|aller), anzahl (an|aller), menge an, wie zahlreich, wie viele davon, zähl, zählen sie, zähle mir, wie viele von, wie viele meiner, an wie vielen, von wie vielen, auf wie vielen, mit wie vielen, aus wie vielen
compare: vergleiche, vergleich, im vergleich zu, im vergleich zum, im vergleich zur, verglichen mit, gegenüber, vs, vergleiche (die|meine), vergleichen sie, im vergleich (mit|zu|zum|zur), vergleich (der|von|zwischen), verglichen (mit|zu|zum), gegenüber (dem|der), gegen
more: mehr, weniger, häufiger, öfter, seltener, öfters, eine höhere zahl, mehr von
than: als, wie
and: und, sowie, plus, und auch, wie auch, und zusätzlich
or: oder, bzw, beziehungsweise, oder auch
but: aber, sondern
not: aber nicht, und nicht, jedoch nicht, nicht, keine, nicht von, nich, net, kein, keinen, keinem, keiner, keines, nicht (mit|aus|über), also nicht, die nicht (von|aus|mit|über), die nicht
except: außer, außer von, ohne, bis auf, abgesehen von, ausgenommen, mit ausnahme von, mit ausnahme der, ausser, bis auf [die|den|das], abgesehen von [den|der], mit ausnahme (von|der|des), ohne die, ausgeschlossen, nicht mitgezählt, abzüglich, exklusive, neben
only: nur, ausschließlich, lediglich, bloß, einzig, alleinig
per: pro, je, nach, gruppiert nach, aufgeschlüsselt nach, aufgeteilt nach, für jeden, für jede, für jedes, gegliedert nach, unterteilt nach, nach [der|dem|den], in jedem, an jedem, in jeder, auf jedem, von jedem, von jeder, mit jedem, bei jedem, abhängig von, getrennt nach, verteilt auf, verteilt über
each: jeder, jede, jedes, jeden, jedem
most most: am öftesten, am häufigsten, am meisten, meistgenutzte, meistgenutzter, meistgenutzten, meistgenutztes, meistverwendete, meistverwendeter, meistverwendeten, häufigste, häufigsten, häufigster, häufigstes, die meisten, den meisten, meist, meistens, meisten, am öftersten, hauptsächlich, überwiegend, vorwiegend, (meistgenutzt|meistverwendet|meistbenutzt|häufigst|meist)(e|en|er|es), die (größte|höchste) (anzahl|zahl) (an|von|der), (größte|höchste) (anzahl|zahl) [an|von|der], größten (anzahl|zahl) [an|von|der], der meisten, mit den meisten, normalerweise, üblicherweise, in der regel, vor allem, bevorzugt, lieblings, aktivste, aktivsten
most least: am seltensten, am wenigsten, seltenste, seltensten, die wenigsten, am wenigsten oft, (seltenst|wenigst)(e|en|er|es), den wenigsten, die (geringste|kleinste|niedrigste) (anzahl|zahl) [an|von|der]
last newest: letzte, letzten, letzter, letztes, letztem, neueste, neuesten, neuester, neuestes, neuste, neusten, jüngste, jüngsten, jüngster, aktuellste, aktuellsten, allerletzte, zuletzt~, das letzte mal~, zum letzten mal~, am kürzesten zurück, letztes mal~, letztmals~, zum (allerletzten|jüngsten) mal~, letztmalig~, jüngstes, aktuellster, allerneueste, allerletzten, neuestem
last oldest: erste, ersten, erster, erstes, älteste, ältesten, ältester, frühesten, früheste, allererste, zum ersten mal~, das erste mal~, erstmals~, zuerst~, zum (allerersten|ersten) mal~, erstmalig~, zuallererst~, ursprünglich~, frühester, frühestes, allerersten, allererster, allererstes, ältestes, ältestem
group day: täglich, täglichen, tägliche
group week: wöchentlich, wöchentlichen, wöchentliche
group month: monatlich, monatlichen, monatliche
group hour: stündlich
prop device: gerät, gerätes, geräte+, geräten+
prop browser: browser, browsern+, webbrowser
prop os: betriebssystem, betriebssysteme+, betriebssystemen+, system, systeme+, systemen+
prop form: geräteart, gerätetyp, gerätetypen+, gerätearten+
prop place: ort, orte+, orten+, standort, standorte+, standorten+, stadt, städte+, städten+
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
past: vergangenen, vergangene, vergangener, vorigen, vorige, vergangen(en|e|er|em|es), vorig(en|e|er|em|es), zurückliegenden, vorherigen, vorherige
since: seit (anfang|beginn), seit dem (anfang|beginn), seit, seit dem, seitdem, ab dem, seit (anfang|beginn) [des|der], seit dem [anfang|beginn], seit der, ab, von (anfang|beginn) [des|der], beginnend (mit|ab|am)
before: früher als, vor dem, vor der, bevor, davor, zuvor
after: nach, später als, nach dem, nach der, ab nach
until: bis, bis zum, bis zu, bis einschließlich, bis gegen, bis zur, bis spätestens, bis hin zu
between: zwischen, zwischen dem, zwischen der
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
day today: heute, heutigen, heutige, von heute
day yesterday: gestern, gestrigen, gestrige
day day_before_yesterday: vorgestern
day this_week: diese woche, dieser woche, der aktuellen woche, der laufenden woche
day last_week: letzte woche, letzter woche, vergangene woche, vergangener woche, vorige woche, voriger woche, der vergangenen woche, der vorigen woche
day this_month: diesen monat, diesem monat, dieses monats, dem laufenden monat
day last_month: letzten monat, letzter monat, letztem monat, vergangenen monat, vergangenem monat, vorigen monat, letzten monats, vormonat
day this_year: dieses jahr, diesem jahr, dieses jahres, dem laufenden jahr
day last_year: letztes jahr, letzten jahr, letztem jahr, vergangenes jahr, vergangenen jahr, voriges jahr, letzten jahres, vorjahr
day this_weekend: dieses wochenende, diesem wochenende, [am|das|übers] wochenende~
day last_weekend: letztes wochenende, [am] letzten wochenende, vergangenes wochenende, [am] vergangenen wochenende
moment today morning: heute morgen, heute früh, heute vormittag, heut (morgen|früh|vormittag), heute morgens, heute in der früh
moment today afternoon: heute nachmittag, heut nachmittag, heute nachmittags
moment today evening: heute abend, heut abend, heute abends
moment yesterday night: letzte nacht, letzter nacht, [in] der letzten nacht, gestern nacht, vergangene nacht, der vergangenen nacht, gestern nachts, gestern in der nacht, in der vergangenen nacht
moment yesterday evening: gestern abend, gestern abends
moment yesterday morning: gestern morgen, gestern früh, gestern vormittag, gestern (vormittag|früh|morgen|in der früh)
span 1 hours: der letzten stunde, letzte stunde, letzten stunde, [innerhalb|während|in] der (letzten|vergangenen) stunde
span 14 days: [den] letzten vierzehn tagen, [den|der] (letzten|vergangenen) (vierzehn|14) tage[n]
day 1 days ago: vor einem tag
day 1 weeks ago: vor einer woche
day 1 months ago: vor einem monat
day 1 years ago: vor einem jahr
day 2 weeks ago: vorletzte woche, vorletzter woche, [in der] vorletzte[n] woche
day 2 months ago: vorletzten monat, vorletztem monat, [im] vorletzten monat
since_day this_month: seit (monatsbeginn|monatsanfang|anfang des monats|beginn des monats|anfang dieses monats)
since_day this_week: seit (wochenbeginn|wochenanfang|anfang der woche|beginn der woche)
since_day this_year: seit (jahresbeginn|jahresanfang|anfang des jahres|beginn des jahres|anfang dieses jahres)
what event: was habe ich gemacht, was habe ich getan, was (habe|hab) ich (so|alles|) (gemacht|getan), was (ist|war) (alles|so) (passiert|los), was geschah, was geschah alles, was tat sich, was war (so|alles|) los
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
parts morning: morgens, vormittags
parts afternoon: nachmittags
parts evening: abends
parts night: nachts, bei nacht
systems Windows: windows (pc|computer|rechner|gerät|laptop), windows[ ](pc|rechner|computer|gerät|laptop|notebook|kiste|maschine)
systems macOS: mac (computer|rechner|gerät), mac[ ](rechner|computer|book|gerät), macbook (pro|air), apple rechner, macs
systems Linux: linux (pc|computer|rechner|gerät|laptop), linux[ ](pc|rechner|computer|gerät|laptop|notebook|kiste|maschine)
forms android_phone: android (handy|telefon|smartphone|handys)
forms android_tablet: android tablet
systems Android: android (gerät|geräte|geräten), android[ ](gerät|geräte|geräten|geräts)
forms phone: handy, handys, telefon, smartphone, smartphones, mobiltelefon, mobil, telefons
forms tablet: tablet, tablets
forms desktop: desktop, desktop rechner, laptop, laptops, computer, computern, rechner, pc, pcs, notebook
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: sitzung, sitzungen+, session, sessions+, (anmelde|login) sitzungen+, (anmelde|login)[ ](sitzung|session), eingeloggt bleiben, angemeldeter zustand
con session live: (aktive|offene|laufende|aktiven|offenen|laufenden|aktueller|aktiver) (sitzung|session), (aktive|offene|laufende|aktiven|offenen|laufenden|aktuellen|aktuelle) (sitzungen|sessions)+, (aktiv|offen|laufend|bestehend|gültig)(e|en|er|es) (sitzung|session), (aktiv|offen|laufend|bestehend|gültig|aktuell)(e|en|er) (sitzungen+|sessions+)
con session over: (beendete|beendeten|abgelaufene|abgelaufenen|frühere|früheren|alte|alten|geschlossene|geschlossenen|vergangene|vergangenen|ehemalige) (sitzung|session), (beendete|beendeten|abgelaufene|abgelaufenen|frühere|früheren|alte|alten|geschlossene|geschlossenen|vergangene|vergangenen) (sitzungen|sessions)+, (beendet|abgelaufen|früher|alt|geschlossen|vergangen|ehemalig|abgeschlossen|inaktiv|erloschen)(e|en|er) (sitzung|session|sitzungen+|sessions+)
con session this_one: (diese|dieser|aktuelle|aktuellen|jetzige|jetzigen|gegenwärtige|derzeitige) (sitzung|session), (diese|dieser|meine jetzige|meiner jetzigen|meine aktuelle|meiner aktuellen|der gerade genutzten|die gerade genutzte) (sitzung|session)
con session other: (andere|anderen|weitere|weiteren|sonstige|sonstigen|übrigen|anderer) (sitzung|session), (andere|anderen|weitere|weiteren|sonstige|sonstigen|übrigen) [aktive|aktiven|offene|offenen] (sitzungen|sessions)+, (anderer|anderen|andere|weitere|übrige|übrigen|restlichen) [offene|offenen|aktive|aktiven|laufenden] (sitzungen+|sessions+), (sitzungen|sessions) außer dieser+
con live: aktiv, aktive, offen, laufen, läuft, laufend, bestehen, offene, offenen, aktiven, aktiver, eingeschaltet, gültig, besteht, noch am laufen, laufende, einsatzbereit
con any: auch [die] [schon|bereits] (beendete|beendeten|alte|alten|abgelaufene|abgelaufenen|geschlossene|geschlossenen), einschließlich [der] beendeten, inklusive [der] (beendeten|beendete|alten), (aktive|aktiven|offene|offenen|laufende|laufenden) und (beendete|beendeten), (auch|und auch|inklusive|inkl|einschließlich|samt|mitsamt|sowie|egal ob) [der|die] [schon|bereits] (beendet|alt|abgelaufen|geschlossen|vergangen|früher)(e|en|er), auch (beendete|alte|abgelaufene|geschlossene|frühere|die alten), (aktiv|offen|laufend)(e|en|er) (und|oder|wie|sowie) (beendet|abgelaufen|geschlossen|alt)(e|en|er), ob (offen|aktiv|laufend) oder (beendet|geschlossen), auch solche die [schon|bereits] beendet sind, (offen|aktiv) oder (beendet|nicht)
con other: (außer|ohne|bis auf) (dieser|diese|der aktuellen|hier|dieser hier|diese hier|dem hier), außer dieser sitzung, anderswo, woanders, sonst noch wo, sonst irgendwo, sonst noch irgendwo, anderen geräten, einem anderen gerät, (außer|ausser|ohne|bis auf|neben|abgesehen von) (dieser|diese|dieses|der aktuellen|der jetzigen|hier|dieser hier|diese hier|dem hier|diesem|diesem hier|diesem gerät|der hier), (anderswo|woanders|sonst|sonstwo|sonst wo|sonst irgendwo|sonst noch|sonst noch wo), (anderen|weiteren) geräten, (einem|noch einem) (anderen|weiteren) gerät, auf einem anderen gerät, die aktuelle ausgenommen, (die|diese) hier nicht mitgezählt, (außer|neben) (diesem|dem) (gerät|rechner) [hier]
con start: gestartet~, begonnen~, begann~, begannen~, eröffnet~, geöffnet~, gestartete, gestarteten, (gestartet|begonnen|begann|begannen|eröffnet|geöffnet|angefangen|fing an|fingen an|startete|starteten|anfing|anfingen|eröffnete)~, (gestartete|gestarteten|begonnene|begonnenen|eröffneten|eröffnete), beginn, start, (begonnen) worden~
con login: zum (anmelden|einloggen), um mich (anzumelden|einzuloggen), anmeldung, anmeldungen+, login, logins+, einloggen, log in, angemeldet~, eingeloggt~, eingewählt~, ich mich anmelde, ich mich einlogge, zugriff, zugriffe+, zugegriffen~, einlogvorgang, einlogvorgänge+, anmelde, einlogge, anmeldevorgang, anmeldevorgänge+, (anmelden|einloggen|reinkommen|einwählen)=, log ins+, (angemeldet|eingeloggt|eingewählt|reingekommen|zugegriffen|anmeldete|einloggte|angemeldet gewesen)~, zugriffen+, zugang, einwahl, einwahlen+, einloggvorgänge+, sign in, sign ins+, (anzumelden|einzuloggen)~, eingelogt~
con success: erfolgreich, erfolgreiche, erfolgreichen, erfolgreicher, geglückt, geglückte, erfolgreich[e|en|er|es], geglückt[e|en], gelungen[e|en], geklappt~, funktioniert~
con fail: fehlgeschlagen~, fehlgeschlagene, fehlgeschlagenen, fehlgeschlagener, gescheitert~, gescheiterte, gescheiterten, gescheiterter, erfolglos, erfolglose, erfolglosen, erfolgloser, misslungen~, misslungene, misslungenen, schlug fehl~, schlugen fehl~, scheiterte~, scheiterten~, schiefgegangen~, falsche, falschen, falscher, falsches, falsch, ungültige, ungültigen, ungültiger, fehlerhafte, fehlerhaften, missglückt~, missglückte, missglückten, (fehlgeschlagen|gescheitert|misslungen|misslang|missglückt|schiefgegangen|schiefgelaufen|danebengegangen|nicht geklappt|fehlschlug|fehlschlugen|scheiterte|scheiterten)~, (fehlgeschlagen|gescheitert|erfolglos|misslungen|missglückt|fehlerhaft|ungültig|inkorrekt|vergeblich|verpatzt)(e|en|er|es), falsch(e|en|er|es), fehlschläge+, fehlschlag, fehler, fehlern+, schlug[en] fehl~, nicht (erfolgreich|erfolgreiche|erfolgreichen|funktioniert), vertippt~, vertan~, falsch eingegeben~
con reject: abgelehnt~, abgelehnte, abgelehnten, zurückgewiesen~, zurückgewiesene, zurückgewiesenen, abgewiesen~, abgewiesene, abgewiesenen, verweigert~, (abgelehnt|zurückgewiesen|abgewiesen|verweigert|nicht akzeptiert)~, (abgelehnt|zurückgewiesen|abgewiesen|verweigert)(e|en|er), ablehnung, ablehnungen+, zurückweisung
con attempt: versuch, versuche+, versuchen+, versucht~
con login attempt: anmeldeversuch, anmeldeversuche+, anmeldeversuchen+, loginversuch, loginversuche+, loginversuchen+, login versuch, login versuche+, login versuchen+, einlogversuch, einlogversuche+, (anmelde|login|einlog|zugriffs)[ ](versuch|versuche+|versuchen+)
con login fail: fehlanmeldung, fehlanmeldungen+, fehlversuch, fehlversuche+, fehlversuchen+, loginfehler, anmeldefehler, versucht mein passwort zu erraten, (fehl)(anmeldung|anmeldungen+|versuch|versuche+|versuchen+|login|logins+), (login|anmelde)(fehler|fehlern+), (mein|das) passwort falsch eingegeben~, passwort vertippt~, beim passwort vertippt~, falsches passwort eingegeben~, versucht (mein passwort zu (erraten|knacken)|sich einzuloggen)
con stop: angehalten~, gestoppt~, gestoppte, gestoppten, (angehalten|gestoppt|abgebrochen|stecken geblieben|hängengeblieben|stehen geblieben)~, gestoppt(e|en)
con logout: abmeldung, abmeldungen+, logout=, logouts+, abgemeldet~, ausgeloggt~, (abgemeldet|ausgeloggt|abmeldete|ausloggte|rausgeloggt)~, (ausloggen|abmelden)=, ausloggvorgänge+, log outs+
con login & logout: (ein und|an und) (ausgeloggt|abgemeldet)~
con logout & login: (ab und|aus und) (angemeldet|eingeloggt)~
con everywhere: überall, (von|auf|an) allen [meinen] geräten, auf sämtlichen geräten, aus allen sitzungen, allen geräten, (von|auf|an|aus) (allen|sämtlichen) [meinen] (geräten|sitzungen), allen geräten [gleichzeitig], von allen geräten, komplett, auf allen geräten
con token: token, tokens+, refresh token, refresh tokens+, (refresh|access|sitzungs|zugriffs)[ ](token|tokens+)
con rotate: erneuert~, rotiert~, erneuerungen+, erneuerung, (erneuert|rotiert|ausgetauscht|aufgefrischt)~, rotation, rotationen+, tokenerneuerung, tokenerneuerungen+
con reuse: wiederverwendet~, wiederverwendung, wiederverwendungen+, erneut verwendet~, zweimal verwendet~, mehrfach verwendet~, (wiederverwendet|erneut verwendet|zweimal verwendet|doppelt verwendet|mehrfach verwendet|zweimal benutzt|doppelt benutzt|wiederbenutzt)~, doppelte verwendung
con revoke: widerrufen~, widerruf, widerrufe+, widerrufene, widerrufenen, (widerrufen|zurückgezogen|entzogen|gekündigt|annulliert)~, widerrufene[n], ungültig gemacht~
con end: zu ende gegangen~, zu ende gingen~, endete~, endeten~, beendet~, geschlossen~, (beendet|geschlossen|abgelaufen|geendet|endete|endeten|zu ende gegangen|zu ende gingen|lief ab|liefen ab|ablief|ausgelaufen|erloschen)~
con reauth: (reauthentifizierung|reauthentisierung), reauthentifizierungen+, erneut authentifiziert~, erneut angemeldet~, erneute authentifizierung, erneute authentifizierungen+, (reauthentifizierung|reauthentisierung|identitätsprüfung|identitätsbestätigung), (reauthentifizierungen|identitätsprüfungen|identitätsbestätigungen)+, [erneut|nochmals|wieder] meine identität [erneut|nochmals|noch einmal|nochmal] (bestätigt|nachgewiesen|bewiesen)~, (erneut|neu) (authentifiziert|ausgewiesen)~, erneute (authentifizierung|authentifizierungen+), identität bestätigt~, identität [erneut|nochmals] nachgewiesen~
con account: konto, account, benutzerkonto, kontos, accounts, benutzerkontos, profil
con lock: gesperrt~, sperre=, sperren+, sperrung, sperrungen+, blockiert~, (gesperrt|blockiert|zugesperrt)~
con account lock: kontosperrung, kontosperrungen+, kontosperre, kontosperren+, ausgesperrt~, accountsperrung, accountsperrungen+, (konto|account)(sperrung|sperrungen+|sperre|sperren+)
con unlock: entsperrt~, entsperrung, entsperrungen+, freigeschaltet~, (entsperrt|freigeschaltet|freigegeben|entriegelt)~, (entsperrung|freischaltung), sperre (aufgehoben|entfernt)~, sperre meines kontos aufgehoben~
con account unlock: kontoentsperrung, kontoentsperrungen+
con enable: aktiviert~, eingeschaltet~, angeschaltet~, aktivierung, aktivierungen+, angestellt~, angemacht~, (aktiviert|eingeschaltet|angeschaltet|angestellt|angemacht|eingerichtet|aktivierte|einschaltete)~
con disable: deaktiviert~, ausgeschaltet~, abgeschaltet~, deaktivierung, deaktivierungen+, abgestellt~, (deaktiviert|ausgeschaltet|abgeschaltet|abgestellt|ausgestellt|ausgemacht|stillgelegt|deaktivierte)~, abschaltung
con disable & enable: (aus|ab) und (wieder|) (eingeschaltet|angeschaltet)~
con enable & disable: (ein|an) und (wieder|) (ausgeschaltet|abgeschaltet)~
con reactivate: reaktiviert~, wieder aktiviert~, reaktivierung, (reaktiviert|wieder aktiviert|wiederaktiviert|erneut aktiviert)~, (reaktivierung|wiederaktivierung)
con create: hinzugefügt~, erstellt~, angelegt~, registriert~, erzeugt~, generiert~, eingerichtet~, erstellung, registrierung, hinzugefügte, hinzugefügten, erstellte, erstellten, registrierte, registrierten, einrichtung, (hinzugefügt|erstellt|angelegt|registriert|erzeugt|generiert|eingerichtet|ausgestellt|ausgegeben|beantragt neu|erstellte|hinzugekommen)~, (erstellung|anlage|hinzufügung|einrichtung|erzeugung|generierung), (erstellungen|hinzufügungen|registrierungen)+, (erstellt|registriert|hinzugefügt|angelegt)(e|en|er)
con account create: mich registriert~, kontoerstellung, konto eröffnet~, kontoeröffnung, registrierung meines kontos, (konto|account)[ ](erstellung|eröffnung|registrierung), (konto|account) (eröffnet|angelegt|erstellt)~, konto neu angelegt~, angelegt worden~
con remove: entfernt~, gelöscht~, löschung, löschungen+, entfernung, entfernte, entfernten, gelöschte, gelöschten, (entfernt|gelöscht|rausgeworfen|herausgenommen|abgemeldet worden)~, entfernungen+, (entfernt|gelöscht)(e|en|er)
con takeover: übernommen~, übernahme
con account takeover: kontoübernahme, kontoübernahmen+, (konto|account)(übernahme|übernahmen+)
con import: importiert~, import, importe+, (importiert|übertragen|übernommen aus|migriert)~
con export: exportiert~, export, exporte+, heruntergeladen~, (exportiert|heruntergeladen)~, exports+, download, downloads+
con data export: datenexport, datenexporte+, datenexports+, daten(export|exporte+|exports+|download)
con data: daten, meine daten
con password: passwort, kennwort, passwörter+, passworts, passwortes, passwörtern+, kennwörter+, passwd, pw
con change: geändert~, gewechselt~, aktualisiert~, änderung, änderungen+, wechsel, geänderte, geänderten, verändert~, (geändert|gewechselt|aktualisiert|verändert|umgestellt|getauscht|änderte|geupdatet)~, (geändert)(e|en|er), umstellung
con password change: (passwortänderung|kennwortänderung|passwortwechsel|passwort änderung), (passwortänderungen|kennwortänderungen|passwort änderungen|passwortwechseln)+, (passwort|kennwort)[ ](änderung|änderungen+|wechsel|wechseln+)
con email change: (e mail änderung|emailänderung|adressänderung|änderung der e mail adresse), (e mail änderungen|emailänderungen|änderungen der e mail adresse)+, (e mail|email|mail|adress)[ ](adressen)(änderung|änderungen+), (e mail|email|adress)[ ](änderung|änderungen+|wechsel), (änderung|änderungen+|wechsel) (der|meiner) (e mail|email|mail) [adresse]
con reset: zurückgesetzt~, zurücksetzung, zurücksetzungen+, zurücksetzen, reset, resets+, (zurückgesetzt|zurückzusetzen|neu gesetzt)~
con password reset: passwortzurücksetzung, passwortzurücksetzungen+, passwort reset, passwort resets+, passwort[ ](zurücksetzung|zurücksetzungen+|reset|resets+), passwort vergessen
con request: angefordert~, beantragt~, anforderung, anforderungen+, anfrage, anfragen+, angefragt~, angeforderte, angeforderten, verlangt~, (angefordert|beantragt|angefragt|verlangt|erbeten|bestellt|zugeschickt|geschickt|gesendet)~, (angefordert)(e|en|er), antrag, anträge+
con undo: rückgängig gemacht~, rückgängig~, rücknahme, (rückgängig gemacht|rückgängig|zurückgenommen|rückgängig zu machen)~
con breach: weil es in einem datenleck (war|auftauchte|vorkam), wegen eines datenlecks, geleakt, geleakte, geleakten, geleaktes, kompromittiert, kompromittierte, kompromittiertes, kompromittierten, weil es (in einem|aus einem|in bekannten|von einem) (datenleck|datenlecks|leak) (war|auftauchte|vorkam|bekannt war|stand|stammte|auftaucht), weil es (geleakt|kompromittiert) (war|wurde), wegen eines [bekannten] (datenlecks|leaks), (geleakt|kompromittiert|durchgesickert)(e|en|es|er), aus [einem] (datenleck|datenlecks|leak), in einem (datenleck|leak), datenleck, bekannt aus [einem] (datenleck|datenlecks), durchgesickert
con email: [e] mail [adresse], email, emailadresse, mailadresse, e mails+, e mail adressen+, email [adresse], adresse meiner e mail, postfach
con verify: bestätigt~, verifiziert~, (bestätigt|verifiziert|nachgewiesen|geprüft|validiert)~
con twofactor: (zwei|2) faktor (authentifizierung|authentisierung|anmeldung|auth), zwei faktor, zweistufige (anmeldung|bestätigung|verifizierung), mehrfaktor authentifizierung, (zwei|2)[ ]faktor[ ](authentifizierung|authentisierung|anmeldung|auth|schutz), (zwei|2) faktor, zweistufige (anmeldung|bestätigung|verifizierung|authentifizierung), (mehrfaktor|multi faktor|multifaktor) authentifizierung, zweifaktorauthentifizierung, zwei faktor verfahren
con factor: (zweiter|zweiten|zweite|2) faktor, (zweiten|zweite) faktoren+, (zweiter|zweiten|zweite|zweites|2) faktor, zweitfaktor, weiteren faktor
con totp: authenticator [app], authentifizierungs app, authentifizierungsapp, authentikator [app], authenticatorapp, code generator, (authenticator|authentifikator|authentikator)[ ][app|apps+], authentifizierungs apps+, 2fa app
con code: code, codes+
con recovery_code: wiederherstellungscode, wiederherstellungscodes+, (recovery|backup) code, (recovery|backup) codes+, notfallcode, notfallcodes+, backupcode, backupcodes+, (wiederherstellungs|recovery|backup|notfall|reserve)[ ](code|codes+)
con recovery: kontowiederherstellung, kontowiederherstellungen+, wiederherstellung, wiederherstellungen+, [konto]wiederherstellung, (wiederherstellung|recovery) (meines|des) kontos
con recovery_done: wiederhergestellt~
con cancel: abgebrochen~, storniert~, abbruch, (abgebrochen|storniert|aufgegeben)~, abbrüche+
con complete: abgeschlossen~, abschluss, (abgeschlossen|vollendet|fertiggestellt)~, erfolgreich abgeschlossen~
con magic_link: magic link, magic links+, magischer link, magischen link, magische links+, magischen links+, anmeldelink, anmeldelinks+, login link, login links+, (magic|login|anmelde)[ ](link|links+), magische[r|n] link, magische[n] links+, (link|links+) (zum|zur) (anmelden|einloggen|anmeldung), (link|links+) per (mail|e mail)
con oauth: (social|oauth|externes|soziales) (account|konto|login), (externe|soziale|social|oauth) (konten|accounts|logins)+, (social|oauth|extern|sozial)(es|e|en|er|) (account|konto|login|accounts+|konten+|logins+|anbieter|anmeldedienst|identität), (google|github|apple)[ ](konto|account), (anbieter|provider|identitätsanbieter|anmeldeanbieter), extern(er|en|e) (anbieter|login|anmeldeanbieter|identitätsanbieter|provider), fremdes konto
con link: verknüpft~, verbunden~, verknüpfung, verknüpfungen+, (verknüpft|verbunden|gekoppelt|verlinkt)~, verbindung
con unlink: getrennt~, entkoppelt~, (getrennt|entkoppelt|gelöst|aufgehoben|entknüpft)~, trennung
con application: (anwendung|anwendungen+), (verbundene|verbundenen) (anwendung|anwendungen+|app|apps+)
con api_key: api (schlüssel|key), api (schlüsseln|keys)+, api[ ](schlüssel|key|schlüsseln+|keys+|schlüssels), zugriffsschlüssel
con anomaly: anomalie, anomalien+, (verdächtige|verdächtigen|verdächtiger) (anmeldung|aktivität|aktivitäten|anmeldungen|ereignisse|warnungen|vorgänge)+, auffälligkeit, auffälligkeiten+, ungewöhnliche (aktivität|aktivitäten), (verdächtig|ungewöhnlich|auffällig|seltsam|komisch|merkwürdig)(e|en|er|es) (anmeldung|aktivität|aktivitäten+|anmeldungen+|ereignis|ereignisse+|warnung|warnungen+|vorgänge+|vorgang|login|logins+|verhalten), (verdächtiges|ungewöhnliches|auffälliges|seltsames|komisches), (etwas|was|irgendwas) (verdächtiges|ungewöhnliches|auffälliges|seltsames|komisches), als verdächtig (eingestuft|erkannt|gemeldet)~, sicherheitswarnung, sicherheitswarnungen+, verdachtsfall, verdachtsfälle+
con stuffing: credential stuffing [angriff|angriffe], credential stuffing [angriff|angriffe|attacke|attacken], credential stuffing angriffe+
con detect: erkannt~, entdeckt~, festgestellt~, gefunden~, (erkannt|entdeckt|festgestellt|gefunden|bemerkt|registriert worden|gemeldet)~, erkennung
con use: benutzt~, verwendet~, genutzt~, nutze ich, benutze ich, verwende ich, ich nutze, ich benutze, ich verwende, eingesetzt~, (benutzt|verwendet|genutzt|eingesetzt|eingelöst|gebraucht)~, (nutze|verwende|benutze|gebrauche|nutz|benutz)=, ich (nutze|benutze|verwende), nutzung, verwendung, (verwendet|genutzt|benutzt)(e|en|er|es)
con event: ereignis, ereignisse+, ereignissen+, aktivität, aktivitäten+, protokoll, kontoaktivität, kontoaktivitäten+, vorgang, vorgänge+, vorgängen+, etwas, alles, sicherheitsereignis, sicherheitsereignisse+, verlauf, (aktivität|aktivitäten+), irgendetwas, irgendwas, (sicherheits|konto)(ereignis|ereignisse+|ereignissen+|aktivität|aktivitäten+|vorgänge+|verlauf), aktivitätsprotokoll, sicherheitsprotokoll, einträge+, eintrag, aktion, aktionen+, geschehen, dinge+, sache, sachen+
con happen: passiert~, geschehen~, los, vorgefallen~, passierte~, ereignet~, (passiert|geschehen|vorgefallen|ereignet|getan|gelaufen|passierte|ereigneten|los|los gewesen|vor sich gegangen|zugetragen|abgespielt|geschah|ereignete|passieren)~
from ab: ab
prep aus: aus
prep an: an
a ein: ein
split: (melde|meldete|meld|logge|loggte|logg) ich
among: unter, von all, von allen
have: ich [noch|aktuell|derzeit] habe, ich besitze
when day: an welchem datum, an welchem kalendertag, welches datum, das datum (der|des|meiner|meines|von)
apiece: jeweils, je typ, jeweils einzeln, für jeden einzeln, jede für sich, einzeln gezählt, getrennt
group*: day tageweise, day täglich, day pro kalendertag, week wöchentlich, week wochenweise, month monatlich, month monatsweise, hour stündlich, hour stundenweise
wprop weekday: an welchem wochentag, welcher wochentag, an welchen wochentagen
wprop hour: zu welcher (tageszeit|stunde|uhrzeit), in welcher (stunde|uhrzeit) [vom tag|des tages|am tag], um wie viel uhr (meistens|normalerweise), zu welchen (uhrzeiten|zeiten|stunden|tageszeiten)
prop*: device endgerät, device endgeräte+, device endgeräten+, device gerätes, browser webbrowsern+, browser internetbrowser, os plattform, os plattformen+, os betriebssystems, os os, form geräteform, form geräteformen+, form art (von|des) (gerät|gerätes|geräten), form art gerät, form arten von geräten+, form gerätekategorie, form gerätetyps, place ortes, place gegend, country (land|region), country (länder|ländern|regionen)+, place standorts, place stadt oder (welchem|) land, place städte und länder+, place ländern und städten+, ip ip adressen+, ip netzwerkadresse, ip internetadresse, type ereignisarten+, type ereignistyps, type sorte, type sorten+, type kategorie, type kategorien+, hour uhrzeit, hour stunde des tages, hour tagesstunde, hour stunden des tages+, time datum und uhrzeit, time uhrzeit und datum, time zeitpunkten+, time tagesdatum
unit*: minutes minuten+, hours stunden+, days tage+, days tagen+, days kalendertag, weeks woche, weeks wochen+, weeks kalenderwoche, weeks kw, months monat, months monats, months monate+, months monaten+, months kalendermonat, years jahre+, years jahren+
ampm 24: uhr
num*: 1 einen einzigen, 2 zwei, 2 beiden, 2 zweimal, 3 drei, 4 vier, 5 fünf, 6 sechs, 7 sieben, 8 acht, 9 neun, 10 zehn, 11 elf, 12 zwölf, 13 dreizehn, 14 vierzehn, 15 fünfzehn, 16 sechzehn, 18 achtzehn, 20 zwanzig, 24 vierundzwanzig, 30 dreißig, 48 achtundvierzig, 50 fünfzig, 60 sechzig, 90 neunzig, 100 hundert
ord*: 3 dritter, 3 dritten, 4 vierter, 4 vierten, 5 fünfter, 5 fünften, 6 sechsten, 7 siebten, 8 achten, 9 neunten, 10 zehnten, 11 elften, 12 zwölften, 13 dreizehnten, 14 vierzehnten, 15 fünfzehnten, 16 sechzehnten, 17 siebzehnten, 18 achtzehnten, 19 neunzehnten, 20 zwanzigsten
day*: today heut, today am heutigen tag, today heutigen tag[es], yesterday gesterns, yesterday am gestrigen tag, day_before_yesterday ehegestern, this_week (diese|dieser|der laufenden|der aktuellen) (kalenderwoche|woche), last_week (letzte|letzter|vorige|voriger|vergangene|vergangener) (kalenderwoche|woche), last_week [der|die] (vorwoche|vorigen woche), this_month [im|des] (aktuellen|laufenden|jetzigen) monat[s], last_month [im|des] vormonat[s], last_month [im] (letzten|vorigen|vergangenen) kalendermonat, this_year [im] (laufenden|aktuellen|diesem) (jahr|kalenderjahr), last_year [im] (letzten|vorigen|vergangenen) (jahr|kalenderjahr), last_year vorjahres, last_weekend (letztes|voriges|vergangenes) wochenende, last_weekend [am] vorigen wochenende
day 2 days ago: vor zwei tagen
day 2 years ago: [im] vorletzten jahr, vorletztes jahr
moment yesterday afternoon: gestern nachmittag, gestern nachmittags
weekdays*: monday [jeden] montags, monday an montagen, monday jeden montag, tuesday an dienstagen, tuesday dienstagen, tuesday jeden dienstag, wednesday an mittwochen, wednesday jeden mittwoch, thursday an donnerstagen, thursday jeden donnerstag, friday an freitagen, friday freitagen, friday jeden freitag, saturday an samstagen, saturday samstagen, saturday jeden samstag, saturday einem samstag, sunday an sonntagen, sunday sonntagen, sunday jeden sonntag, sunday einem sonntag, monday einem montag, friday einem freitag, weekend an (den|) wochenenden, weekend am wochenende jeweils, weekend wochenends, weekend jedes wochenende, workday an (werktagen|wochentagen|arbeitstagen), workday (werktags|wochentags|arbeitstags|werktagen|arbeitstagen), monday (irgendeinem|irgendeinen|jedem) montag, saturday (irgendeinem|jedem) samstag, sunday (irgendeinem|jedem) sonntag, friday irgendeinem freitag, weekend (irgendeinem|einem|jedem) wochenende
parts*: morning (morgens|vormittags|frühmorgens), afternoon nachmittags, evening abends, night nachts, night nachtzeit, morning am (morgen|vormittag)~, morning in der früh~, afternoon am nachmittag~, evening am abend~, night (in der|während der|über|mitten in der) nacht~
forms*: iphone iphone[s], ipad ipad[s], phone handy[s], phone smartphone[s], phone (mobiltelefon|mobiltelefone|mobiltelefonen|mobiltelefons|handys|telefonen|telefone|handies), phone mobilem gerät, phone mobilen geräten, phone mobil, tablet tablet[s], tablet tablet pc, tablet tablet computer, desktop (computer|computern|computers|rechner|rechnern|rechners|pc|pcs|laptop|laptops|notebook|notebooks|desktop|desktops), desktop desktop[ ](pc|rechner|computer|gerät|geräten|computern|pcs|rechnern), android_phone android[ ](handy|handys|telefon|smartphone|smartphones|phone), android_tablet android[ ]tablet[s]
con session start: sitzungsbeginn, sitzungsstart
con login success: (erfolgreich|geglückt|gelungen)(e|en|er|es) (anmeldung|login|zugriff|anmeldungen+|logins+|zugriffe+|anmeldeversuch|anmeldeversuche+|loginversuche+), erfolgreich (angemeldet|eingeloggt)~, erfolgreich eingeloggt~
con stop factor: am zweiten faktor (gestoppt|gescheitert|abgebrochen|hängengeblieben|angehalten)~, beim zweiten faktor (gestoppt|abgebrochen|hängengeblieben)~
con token rotate: token[ ](erneuerung|erneuerungen+|rotation|rotationen+)
con token reuse: token[ ](wiederverwendung|wiederverwendungen+|diebstahl)
con session revoke: aus der (sitzungsliste|liste [meiner|der] sitzungen) (beendet|entfernt)~, (in|aus) der sitzungsliste beendet~, (eine|die) sitzung aus der (liste|sitzungsliste) beendet~
con totp code: (authenticator|einmal|2fa|bestätigungs|totp|authentifizierungs)[ ](code|codes+), (code|codes+) (der|aus der|meiner|aus meiner|von der) (authenticator|authentifizierungs)[ ]app
con passkey: passschlüssel, hauptschlüssel, sicherheitsschlüssel
con unused: unbenutzt, unbenutzte, unbenutzten, ungenutzte, ungenutzten, unverbraucht, unverbrauchte
fill until: bis (jetzt|heute)
fill total: insgesamt, bisher, bislang, immer, alles in allem, zusammengerechnet, in summe, bisher insgesamt, seither, im ganzen, alle zusammen, jedes mal, stets
prep onto: auf, zu, zum
con magic_link request: (anmeldelink|login link|magic link|anmelde link) [per mail|per e mail] (schicken|zuschicken|senden) lassen~
count often: wie oft, wie häufig, wie viele male, wie viel mal, wieviel mal, wie oft insgesamt
fill: noch irgendwo, irgendwo, (im moment|zurzeit|jetzt|grade) überall
except: (außer|ausser|bis auf|ohne) (denen|diejenigen)
con anomaly: (warnung|warnungen+) wegen (ungewöhnlicher|verdächtiger|ungewöhnlichen|verdächtigen) (anmeldung|anmeldungen|login|logins|aktivität|aktivitäten)
fill here: hier
con magic_link: (anmeldelink|login link|loginlink) per (mail|e mail)
the gen: des, meines
fill: zur zeit, im augenblick, augenblicklich
"""
