"""The words of French."""

SLASH = "dm"

TABLE = """
fill: je vous prie, je t'en prie, voudriez vous bien [me] [dire|montrer], voudriez vous [me] [dire|montrer], si cela ne vous dérange pas, si ça ne te dérange pas, auriez vous l'amabilité de [me] [dire|montrer|indiquer], auriez vous la gentillesse de [me] [dire|montrer|indiquer], pourriez vous me (dire|montrer|indiquer), pouvez vous me (dire|montrer), peux tu me (dire|montrer), pourrais tu me (dire|montrer), je vous saurais gré de m'indiquer, je vous serais reconnaissant de, je (souhaiterais|désirerais|voudrais bien|veux) (savoir|connaître|voir), indiquer, bien, celles, ceux, celle, celui, excusez moi, pardon, si possible, en fait, quoi, s'il vous plaît, s'il te plaît, svp, stp, bonjour, salut, merci, déjà, encore, actuellement, en ce moment, maintenant, aussi, donc, alors, y, en, exactement, distincts, distinctes, pouvez vous [me], peux tu [me], pourriez vous [me], pourrais tu [me], je (veux|voudrais|souhaite|aimerais) (savoir|voir), dites moi, dis moi, si, vraiment, ce jour, il, elle, ils, elles, c, qui ont, qui, que, qu, eu, été, fait, lieu, eu lieu, ou non, dire, détails de, d'abord, t, dis, dites, peux tu [me] [dire|montrer|lister|indiquer], (pourrais|pourriez|peux|pouvez|saurais|sauriez|voudrais|voudriez|veux|voulez) (tu|vous) [bien] [s'il te plaît|s'il vous plaît] [me|m'] [dire|montrer|lister|indiquer|donner|afficher|préciser|rappeler], veuillez [me|m'] [dire|montrer|indiquer|donner|préciser], (j'aimerais|je voudrais|je souhaite|je souhaiterais|je veux|je désire|j'aurais voulu|j'aurais aimé) [bien] (savoir|voir|connaître|consulter|obtenir|avoir), je me demande, je me demandais, (auriez|aurais) (vous|tu) (l'obligeance|l'amabilité|la gentillesse|la bonté) de [me|m'] [dire|montrer|indiquer|préciser], (seriez vous|serait il possible) [assez] [aimable] (pour|de) [me] (dire|montrer|indiquer|savoir), merci [d'avance|beaucoup] [de me dire|de m'indiquer|de me montrer|de m'indiquer], est il possible de (savoir|voir), si (possible|vous voulez bien|tu veux bien|je peux me permettre), coucou, bonsoir, allô, ok, dis donc, au fait, un peu, précisément, exacte, exacts, en détail, en particulier, à l'heure actuelle, à présent, présentement, à ce stade, diverses, divers, distinct, chez moi, personnellement, moi même, de mon côté, du coup, juste, simplement, tout de suite, hein, ça, cela, or, ainsi, en question, certains, certaines, (ont|a) [déjà] (été|) (enregistrés|enregistrées|consignés|consignées|recensés|recensées) dans (mon|le) journal, peut être, éventuellement, dis moi si, il s'agit, d'ailleurs, réellement, effectivement, bel et bien, même, toujours, tu peux me (montrer|dire|lister|donner), vous pouvez me (montrer|dire|lister|donner), tu pourrais me (montrer|dire), je ne sais plus [trop|bien], je ne me souviens plus [bien], je ne suis (pas|plus) sûr[e], j'ai (reçu|eu) un (mail|e mail|email|message|courriel) (bizarre|étrange|suspect|louche), petite question, une question, petite précision
fill elsewhere: là
fill that: ce
prep: à, au, aux, dans, sur, avec, par, pour, en utilisant, via, chez, lors de, sous, à travers, depuis mon, depuis ma, depuis un, depuis une, à l'aide de, à l'aide d, au moyen de, grâce à, en provenance de, en provenance d, vers, à partir d'un, à partir d'une, à partir de mon, à partir de ma, dans le cadre de, concernant, en, d'un, d'une, avec un, avec une
from: de, du, des, d, depuis le, à partir de, originaires de, en provenance du, de la part de, de mes, de mon, de ma
to: au, à
during: pendant, durant, au cours de, au cours des, au cours du, ces, lors de, lors du, lors des, dans le courant de, tout au long de
ever: jamais, un jour, à un moment, à un moment donné, une seule fois, ne serait ce qu'une fois, ne fût ce qu'une fois
recent: l'autre jour, récemment, récent, récents, récente, récentes, ces derniers temps, dernièrement, tout récemment, il y a peu de temps
adj: nouvelle, nouvelles, nouveau, nouveaux, nouvel, neuf
the: le, la, les, l, cet, cette, ces
the my: mon, ma, mes, toutes mes, tous mes, l'ensemble de mes, l'intégralité de mes, chacune de mes, notre, nos
a: un, une, quelque, quelques, aucun, aucune, quelconque, n'importe quel, n'importe quelle, la moindre, le moindre, un certain
all: tous, toutes, tous les, toutes les, tout, toute, l'ensemble des, l'intégralité des, la totalité des, l'ensemble, toutes ces, tous ces, chacun des, chacune des, n'importe
me: je, j, me, m, moi, mien
anyone: quelqu'un, on, qui que ce soit, une personne, quiconque, des gens
who: qui est ce qui, qui s est, qui a, qui s, qui s'est, quelle personne, par qui
mine: (à|dans|sur|de|pour|avec) mon compte, à mon nom, avec mes identifiants, (à|dans|sur|de|pour|avec|au sein de) (mon|ce) (compte|profil), me concernant, avec mon (identifiant|mot de passe), en mon nom
aux past: a été, ont été, a t il été, a t elle été, ont ils été, ont elles été, a t il, a t elle, ont ils, ont elles, a t on, ai je été, me suis je, me suis, m'étais, m'étais je, avait, s'est, s'est on, se sont, s est il, s est elle, fut, furent, s'est il, (a t|ont) (on|elles|ils) été, ont elles [déjà|jamais] été, a t elle [déjà|jamais] été, a t il [déjà|jamais] été, a [déjà|jamais|bien] été, ont [déjà|jamais|bien] été, me suis je [déjà|jamais], me suis [déjà|jamais], s'est on [déjà], avais je, j'avais, avait on, fut il, j'me suis, m suis je, je m'étais
aux stood: était, étaient, étais je, j'étais, étaient ils, étaient elles, était il, était elle
aux have: a, ont, as
aux ownhave: ai je, j'ai, est ce que j'ai, ai, ai je [déjà|jamais|bien], j'ai [déjà|jamais|bien], est ce que j'ai [déjà|jamais|bien], avons nous, nous avons, jai
aux be: est, sont, est il, est elle, sont ils, sont elles, suis je, je suis, suis, suis je [encore|toujours|bien], est on, c'est, se trouve, se trouvent, est ce que je suis, sommes nous
ask: est ce que, est ce qu, est ce
own: est ce que je possède, je possède, possédé je, ai je encore, dispose je d, est ce que je dispose, possède je, y a t il, il y a t il, (ai je|j'ai) (encore|toujours|actuellement|en ce moment), est ce que j'ai (encore|toujours|actuellement), (dispose|possède|détient) t il, possède [t il|t elle], dispose je [de|d'|d'un|d'une], je dispose [de|d'|d'un|d'une], est ce que je dispose [de|d'|d'un|d'une], dispose [t il] [de|d'|d'un|d'une], il me reste, me reste t il, reste t il, il reste, restent, y a t il [encore|actuellement|toujours], il y a, existe t il, il existe, existe, existent, y a, ya t il, ai je bien, est ce qu'il me reste, qu'il me reste, me reste t'il, combien il me reste
exist: y a t il eu, il y a eu, y a eu, y avait il, il y avait, y a t il [déjà|jamais] eu, il y a [déjà|jamais] eu, est ce qu'il y a eu, ai je eu, j'ai eu, il y eut, a t on eu, a t on constaté, ya eu, y'a eu, ya t il eu
come: vient, viennent, venait, venaient, venant, venues, venus, provient, proviennent, provenaient, provenant, issues, issus, survenus, survenues, survenue, survenu, effectuées, effectués, effectuée, proviennent elles, viennent elles, eues, viennent t elles, effectué, réalisé, réalisés, réalisée, réalisées, eu lieu, ont lieu, a lieu, intervenu, intervenue, intervenus, intervenues, produites, originaire, émanant, émanent, faites, faits, faite, passées par, recensés, recensées, constatés, constatées, saisi, saisie, saisis, saisies, tourne, tournent, fonctionne, fonctionnent, se déroulent, se sont produites, se sont produits, s'est déroulé, se sont déroulés, survient, surviennent, correspondent, correspond, effectuer, déclenché, émis, émise, subi, subies, subis, enregistrées~, enregistrés~, enregistrée~
it: eux, celles ci, ceux ci, cela, était ce, c'était
show: une liste de, une liste des, la liste de, la liste des, liste de, liste des, montre, montre moi, montrez moi, montrez, affiche, affiche moi, affichez, afficher, liste, lister, liste moi, listez, donne moi, donnez moi, voir, fais moi voir, je veux voir, la liste complète (de|des), la liste de (mes|toutes mes|tous mes), une liste de (mes|toutes mes|tous mes), montre nous, montre moi (donc|bien), fais moi (voir|une liste|la liste), faites moi voir, dresse [moi] [la|une] liste (de|des), énumère, énumérez, énumérer, liste nous, donne nous, présente moi, présente, présentez moi, détaille, détaillez, affiche nous, montrer, donner, consulter, récapitule, récapitulez, un récapitulatif (de|des), un aperçu (de|des), regroupe, regroupez, groupe, ventile, répartis, chaque fois que, toutes les fois où, je souhaite voir, qu'en est il (de|des), tu me donnes [la liste (de|des)], vous me donnez [la liste (de|des)], donnez moi [la liste (de|des)]
when: quand!, à quelle heure, à quelle date, à quel moment, quand est ce que!, quand remonte, à quand remonte, à quand remontent, quelle est la date de, quelles sont les dates de, depuis quand!, depuis quel moment, quand donc, quand exactement, de quand (date|datent), à quelle heure et quel jour, il y a combien de temps, depuis combien de temps, c'était quand, c'est quand, cest quand
where: où est ce que, d'où, depuis où, où!, où ça, où donc, à quel endroit, de quel endroit, à partir d'où, depuis quel endroit
which: quel, quelle, quels, quelles, lequel, laquelle, lesquels, lesquelles, quels sont les, quelles sont les, quelles sont mes, quels sont mes, quel est le, quelle est la, quel est mon, quelle est ma, laquelle de, lequel de, lesquelles de, lesquels de, laquelle des, lequel des, lesquels des, lesquelles des, c'est quoi, quel a été, quelle a été, quels ont été, quelles ont été, quelle fut, quel fut, quelle était, quel était
what: qu'est ce qui!, qu'est ce que~, que s'est il!, qu'est ce qu~, quoi!, qu'y a t il eu comme
what event: que s'est il passé, qu'ai je fait, il s'est passé quoi, qu'est ce qui s'est passé, que s'est il produit, qu'est il arrivé, ce qui s'est passé, qu'est ce qu'il s'est passé, qu'a t on fait, qu'est ce qui est arrivé, qu'est ce que j'ai fait, qu'est ce qui s'est (passé|produit), que se passe t il, qu'y a t il eu, ce que j'ai fait, qu'est ce qu'il y a eu, quoi de neuf, que s'est il donc passé, qu'a t il été fait, s'est il passé quelque chose
count: combien de, combien d, combien de fois, combien, combien y a t il eu de, combien y a t il de, le nombre de, le nombre d, nombre de, nombre d, nombre total de, compte, compte les, compte mes, quel est le nombre de, à combien de, dans combien de, sur combien de, sur combien d, à combien de reprises, combien de fois (est ce que|), combien y a t il (eu|) (de|d'), combien y en a t il eu, combien y en a t il, combien de (différents|différentes|), en combien de, avec combien de, avec combien d, depuis combien d, de combien de, de combien d, quel est le nombre [total] (de|d'), quel nombre (de|d'), le (nombre|total|décompte) [total] (de|d'|des), nombre total (de|d'), total (de|des|d'), compte moi, comptez, dénombre, à quelle fréquence, combien ai je de, combien j'ai de, nb de, nb d, nbre de
compare: compare, compare les, compare mes, comparer, comparez, par rapport à, comparé à, contre, en comparaison de, par rapport au, versus, comparer les, comparez les, comparez mes, en comparaison (avec|de|du), comparativement à, comparé au, comparé aux, par rapport (au|aux|à la), face à, vs, comparaison entre, la comparaison entre, comparaison de
more: plus de, davantage de, moins de, plus souvent, moins souvent, plus d, moins d, davantage, davantage (de|d'), plus fréquemment, moins fréquemment, plus nombreuses, plus nombreux, moins nombreuses, moins nombreux, autant (de|d')
that: que, qu
than: que pendant, que durant, que lors de
and: et, ainsi que, et aussi, et également, puis, de même que
or: ou, ou bien, ou encore, ni
but: mais
not: pas, non, pas depuis, autres que, autre que, pas de, pas d, qui ne (viennent|sont|proviennent) pas, non pas, n'étant pas, hormis depuis
ne: ne, n
except: sans compter, sauf, sauf depuis, excepté, hors, hormis, à part, à l'exception de, à l'exception des, en dehors de, à l'exception (de|des|du|d'), exception faite (de|des|du), en dehors (de|des|du|d'), mis à part, excepté depuis, outre, en excluant, en ignorant, à l'exclusion (de|des|du), toutes sauf
only: seulement, uniquement, ne que, exclusivement, rien que, seul, seule, seuls, seules
per: par, pour chaque, selon, groupé par, groupées par, groupés par, regroupées par, en fonction de, regroupés par, en fonction (de|du), ventilées par, ventilés par, réparties par, répartis par, répartition par, sur chaque, depuis chaque, avec chaque, dans chaque, à chaque, suivant
each: chaque
most most: le plus, le plus souvent, le plus fréquemment, le plus utilisé, la plus utilisée, les plus utilisés, les plus utilisées, le plus fréquent, la plus fréquente, les plus fréquents, les plus fréquentes, les plus, principalement, le plus de, le plus d, plus utilisé, plus fréquent, plus souvent utilisé, le plus courant, d'habitude, le plus (souvent|fréquemment|utilisé|fréquent|courant|actif|régulièrement), la plus (utilisée|fréquente|courante|active), les plus (utilisés|utilisées|fréquents|fréquentes|courants|courantes|actifs|actives), le plus (de|d'), le plus grand nombre (de|d'), [est|à l'origine] [à l'origine] du plus grand nombre (de|d'), [avec] le plus grand nombre (de|d'), la plupart (de|du|des) [mes], majoritairement, surtout, habituellement, généralement, d'ordinaire, normalement, le plus gros (de|des), préféré, préférée, favori, essentiellement, en majorité
most least: le moins, le moins souvent, le moins utilisé, la moins utilisée, le moins de, le moins (souvent|fréquemment|utilisé|fréquent|actif), la moins (utilisée|fréquente|active), les moins (utilisés|utilisées|fréquents|fréquentes), le moins (de|d'), le plus rarement, le plus petit nombre (de|d'), le plus rare
last newest: dernier, dernière, derniers, dernières, la plus récente, le plus récent, plus récent, plus récente, plus récents, plus récentes, les plus récentes, les plus récents, tout dernier, toute dernière, (pour la dernière fois|la dernière fois|la dernière fois que|en dernier|dernièrement)~, toutes dernières, tous derniers, (pour la dernière fois|la dernière fois que|la dernière fois qu|la dernière fois|en dernier|en dernier lieu|dernièrement|pour la toute dernière fois)~
last oldest: premier, première, premiers, premières, la plus ancienne, le plus ancien, plus ancien, plus ancienne, plus anciennes, plus anciens, les plus anciennes, (pour la première fois|la première fois|la première fois que)~, tout premier, toute première, toutes premières, (pour la première fois|la première fois que|la première fois qu|la première fois|la toute première fois|pour la toute première fois|initialement)~
group day: quotidien, quotidiens, quotidienne, quotidiennes, jour par jour
group week: hebdomadaire, hebdomadaires
group month: mensuel, mensuelle, mensuels, mensuelles, mois par mois
prop device: appareil, appareils+, terminal, terminaux+, machine, machines+, dispositif, dispositifs+
prop browser: navigateur, navigateurs+, navigateur web
prop os: système d'exploitation, systèmes d'exploitation+, système, systèmes+, os
prop form: (type|sorte) d'appareil, types d'appareil+, types d'appareils+, genre d'appareil
prop place: lieu, lieux+, endroit, endroits+, ville, villes+, localisation, localisations+
prop ip: ip, ips+, adresse ip, adresses ip+, adresse, adresses+
prop type: type, types+, genre, genres+, sorte, sortes+, type d'événement, types d'événements+, type d'événements, types d'événement+, sortes d'événements+, genres d'événements+
prop hour: tranche horaire, heure de la journée, heures de la journée+, heure du jour, moment de la journée
prop weekday: jour de la semaine, jours de la semaine+
prop time: date, dates+, horaire, horaires+, date et heure, heure exacte
unit minutes: minute, minutes+
unit days: jour, jours+, journée
unit weeks: semaine, semaines+
unit months: mois
unit years: an, ans+, année, années+
h_unit hours: h, heure, heures+
ago: il y a?
past: passé, passée, passés, passées, précédent, précédente, écoulés, écoulées, dernières écoulées
since: depuis début, depuis le début de, depuis le début du mois de, depuis le début d, depuis, à compter de, à partir du, à partir de, depuis le, depuis la, depuis les, depuis (début|le début de|le début du mois de|le début d'), à compter (de|du|d'), à partir (de|du|d'), dès, dès le, depuis le mois de, depuis l'
before: avant, antérieur à, antérieures à, avant le, avant la, avant les, antérieurs à, antérieures au, antérieurs au, précédant
after: après, après le, postérieures à, après la, postérieur à, postérieures au, postérieurs au, à la suite de
until: jusqu'à, jusqu'au, jusqu'en, jusque, jusqu, jusqu'à la, au plus tard
between: entre, entre le, entre la, compris entre, comprises entre
ordinal: er, re
num 2: deux
num 3: trois
num 4: quatre
num 5: cinq
num 6: six
num 7: sept
num 8: huit
num 9: neuf
num 10: dix
num 11: onze
num 12: douze
num 15: quinze
num 20: vingt
num 30: trente
clock 12.0: midi
clock 0.0: minuit
day today: aujourd'hui, aujourdhui
day yesterday: hier, d'hier
day day_before_yesterday: avant hier
day this_week: cette semaine, la semaine en cours, cette semaine ci
day last_week: la semaine dernière, la semaine passée, semaine dernière, la semaine précédente, semaine passée
day this_month: ce mois ci, ce mois, le mois en cours
day last_month: le mois dernier, le mois passé, mois dernier, du mois dernier, du mois passé
day this_year: cette année, l'année en cours
day last_year: l'année dernière, l'an dernier, l'an passé, l'année passée, année dernière
day this_weekend: ce week end, ce weekend
day last_weekend: le week end dernier, le weekend dernier, le week end passé, le weekend passé, week end dernier, du week end dernier, du weekend dernier
moment today morning: ce matin, aujourd'hui (dans la matinée|le matin)
moment today afternoon: cet après midi
moment today evening: ce soir
moment yesterday night: la nuit dernière, la nuit passée, hier dans la nuit, nuit dernière, la nuit d'hier, cette nuit dernière, cette nuit
moment yesterday evening: hier soir, hier au soir, hier (soir|en soirée|dans la soirée|au soir)
moment yesterday morning: hier matin, hier (matin|dans la matinée|au matin)
moment yesterday afternoon: hier après midi, hier dans l'après midi
span 1 hours: la dernière heure, dernière heure
span 14 days: les quinze derniers jours, la dernière quinzaine, la quinzaine passée, ces quinze derniers jours, (les|ces|des) (quinze|15) derniers jours, [la|cette] dernière quinzaine, les deux dernières semaines
day 1 days ago: il y a un jour
day 1 weeks ago: il y a une semaine
day 1 months ago: il y a un mois
day 1 years ago: il y a un an
since_day this_month: depuis le début (du|de ce) mois
since_day this_week: depuis le début de (la|cette) semaine
since_day this_year: depuis le début de (l'année|cette année)
wprop hour: à quelle heure (de la journée|du jour), à quelle tranche horaire, à quelles heures (de la journée|du jour), à quel moment de la journée, quelle heure de la journée, quelle heure du jour
bad: le week end, le weekend, le dernier jour, la dernière semaine, le lundi, le mardi, le mercredi, le jeudi, le vendredi, le samedi, le dimanche, il y a peu
month january: janvier, janv
month february: février
month march: mars
month april: avril
month may: mai
month june: juin
month july: juillet
month august: août
month september: septembre, sept
month october: octobre, oct
month november: novembre, nov
month december: décembre
weekday monday: lundi, ce lundi
weekday tuesday: mardi, ce mardi
weekday wednesday: mercredi, ce mercredi
weekday thursday: jeudi, ce jeudi
weekday friday: vendredi, ce vendredi
weekday saturday: samedi, ce samedi
weekday sunday: dimanche, ce dimanche
weekdays monday: [les] lundis
weekdays tuesday: [les] mardis
weekdays wednesday: [les] mercredis
weekdays thursday: [les] jeudis
weekdays friday: [les] vendredis
weekdays saturday: [les] samedis
weekdays sunday: [les] dimanches
weekdays weekend: les week ends, les weekends, week ends, weekends
weekdays workday: en semaine, les jours ouvrables, les jours ouvrés, les jours de semaine
part morning: matin, matinée, au matin
part afternoon: après midi
part evening: soir, soirée, au soir
part night: nuit
parts night: de nuit
ampm am: du matin
ampm pm: du soir, de l'après midi
systems Windows: (pc|ordinateur|machine|appareil) [sous] windows, (pc|ordinateur|machine|appareil|poste|portable) [sous|avec] windows
systems macOS: (ordinateur|appareil) mac, (ordinateur|appareil|machine) (mac|apple), macbook (pro|air), macs
systems Linux: (pc|ordinateur|machine|appareil) [sous] linux, (pc|ordinateur|machine|appareil|poste) [sous|avec] linux
systems Android: (appareil|appareils) android, (appareil|appareils|terminal|système) android
forms android_phone: téléphone android, téléphones android, smartphone android
forms android_tablet: tablette android, tablettes android
forms phone: téléphone, téléphones, smartphone, smartphones, mobile, mobiles, portable, téléphone portable, téléphone mobile
forms tablet: tablette, tablettes
forms desktop: ordinateur, ordinateurs, pc, ordinateur de bureau, ordinateur portable, desktop
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: session, sessions+, (connecté|connectée|connectés|connectées) en ce moment, session de connexion, sessions de connexion+
con session live: session (active|ouverte|en cours), sessions (actives|ouvertes|en cours)+, session (active|ouverte|en cours|encore ouverte|encore active|valide), sessions (actives|ouvertes|en cours|encore ouvertes|encore actives|toujours ouvertes|toujours actives|valides)+
con session over: (ancienne session), anciennes sessions+, (ancienne|précédente|passée) session, (anciennes|précédentes|passées|vieilles) sessions+, session (passée|ancienne|précédente|inactive), sessions (passées|anciennes|précédentes|inactives)+
con session this_one: (cette session|session actuelle|session courante|cette session ci|session en cours ci), (cette|ma présente|la présente) session [ci|actuelle|même], session (actuelle|courante|présente), la session (actuelle|en cours d'utilisation|que j'utilise), ma session actuelle
con session other: autre session, autres sessions [actives|ouvertes]+, (autre|une autre|les autres|mes autres|autres) (session|sessions+) [actives|ouvertes|active|ouverte|en cours], sessions (autres que|hormis|sauf) (celle ci|cette session)+
con any: y compris [les|celles] [déjà] (terminées|fermées|anciennes|expirées), même (terminées|fermées|les terminées|celles terminées|celles qui sont terminées), (actives|ouvertes) (et|ou) (terminées|fermées), aussi les terminées, [y compris|même|et aussi|incluant|inclure|avec|en incluant|comprenant] (celles [qui sont] [déjà] (terminées|fermées|closes|expirées|finies)|les (terminées|fermées|anciennes|expirées)|celles qui sont terminées), y compris (terminées|fermées|anciennes|expirées|closes), (terminées|fermées|closes|expirées) (comprises|incluses), (actives|ouvertes) (et|ou|comme) (terminées|fermées|closes), (ouvertes ou non|actives ou non|terminées ou non), aussi (les|celles) [déjà] (terminées|fermées)
con live: active, actives, ouverte, ouvertes, actif, actifs, en cours, encore ouverte, encore ouvertes, toujours active, toujours actives, toujours ouverte, toujours ouvertes, valide, valides, en vigueur, en marche
con other: (sans compter|sauf|excepté|à part|hormis|autres que|hors) (celle ci|cette session|l'actuelle|celle en cours), ailleurs, autre part, d'autres appareils, un autre appareil, mes autres appareils, (sans compter|sauf|excepté|à part|hormis|autre que|autres que|hors|en dehors de|mis à part|en plus de) (celle ci|celui ci|cette session|cette session ci|l'actuelle|celle en cours|la session actuelle|la session en cours|la présente|ici|cet appareil|la mienne|ma session actuelle), (ailleurs|autre part), [sur|d'|depuis] (d'autres|un autre|mes autres|les autres) (appareils|appareil), quelque part ailleurs, (à part|hormis|sauf) (cet appareil|cet ordinateur|ce téléphone)
con start: démarré=, démarrée~, démarrées~, commencé=, commencées~, commencée~, débuté=, débutées~, lancé=, ouvert~, lancées~, démarrées, lancée~, (démarré|commencé|débuté|lancé|ouvert)=, (démarrée|commencée|débutée|lancée|ouverte le|démarrées|commencées|débutées|lancées)~, a débuté, a commencé, (début|démarrage|commencement) [de]
con login: (réussi|réussie) à se connecter, connexion, connexions+, connecté=, connectée~, connectés~, connectées~, authentification, authentifications+, je me connecte, me connecte, identifié=, accès, accédé=, pour me connecter, [me|m'] (connecter|identifier|authentifier)=, pour (me connecter|m'authentifier|m'identifier), (connecté|identifié|authentifié|loggé|logué)=, (connectée|connectés|connectées|identifiée|authentifiée)~, je m'identifie, logins+, login, ouverture de session, ouvertures de session+, (entré|rentré)=, se connecter=
con success: réussi, réussie, réussis, réussies, avec succès, fructueuse, fructueuses, abouti, aboutie, abouties, aboutis, qui (ont|a) (réussi|abouti), couronnée de succès
con fail: échoué=, échouée, échouées, échoués, raté, ratée, ratés, ratées, échec, échecs+, incorrect, incorrects, incorrecte, incorrectes, erroné, erronés, erronée, erronées, invalide, invalides, infructueuse, infructueuses, infructueux, manqué, manquée, manquées, faux, a échoué=, ont échoué=, mauvais, mauvaise, mauvaises, en échec, (échouée|échouées|échoués|raté|ratée|ratés|ratées|manqué|manquée|manquées|loupé|loupée|loupées), (incorrect|incorrects|incorrecte|incorrectes|erroné|erronés|erronée|erronées|invalide|invalides|infructueuse|infructueuses|infructueux|faux|fausse|fausses|mauvais|mauvaise|mauvaises|non réussie|non réussies|non abouties|inabouties), (a|ont|est|sont|s'est soldée par un|se sont soldées par un) échoué=, (n'a|n'ont) pas (abouti|réussi), qui (ont|a) échoué, trompé=, sans succès, foiré, ratage
con reject: refusé, refusée, refusés, refusées, rejeté, rejetée, rejetés, rejetées, a été refusé=, (refusé|refusée|refusés|refusées|rejeté|rejetée|rejetés|rejetées|repoussé|non accepté|non acceptée), a été (refusé|rejeté)=, refus, rejet, rejets+
con attempt: tentative, tentatives+, essai, essais+, tenté=, essayé=
con login attempt: tentative de connexion, tentatives de connexion+, tentative d'accès, tentatives d'accès+, tentative d'authentification, tentatives d'authentification+, essai de connexion, essais de connexion+, (tentative|essai) (de connexion|d'accès|d'authentification|de login|d'identification), (tentatives|essais) (de connexion|d'accès|d'authentification|de login|d'identification)+
con login fail: échec de connexion, échecs de connexion+, échec d'authentification, échecs d'authentification+, (échec|échecs+) (de|d'|à la) (connexion|connexions|authentification|accès|login|identification|me connecter), (tentative|tentatives+) (de connexion|d'accès|d'authentification) (échouée|échouées|ratée|ratées|infructueuse|infructueuses|manquée|manquées|en échec), trompé de mot de passe, mauvais mot de passe, saisi un mauvais mot de passe, (essayé|tenté) de (deviner|pirater) mon mot de passe
con stop: arrêté, arrêtée, arrêtées, interrompu, interrompue, interrompues, stoppé, stoppée, stoppées, bloquées au, (arrêté|arrêtée|arrêtées|interrompu|interrompue|interrompues|stoppé|stoppée|stoppées|bloquées|abandonnée|abandonnées)
con logout: déconnexion, déconnexions+, déconnecté=, déconnectée~, déconnectés~, (déconnecté|délogué)=, (déconnectée|déconnectés|déconnectées)~, me déconnecter=, je me déconnecte, logout=, logouts+
con everywhere: partout, de tous [mes|les] appareils, de toutes [mes|les] sessions, sur tous [mes|les] appareils, globale, générale, (de|sur|depuis) (tous|toutes) [mes|les|ces] (appareils|sessions|terminaux), globalement partout, tous les appareils à la fois
con token: jeton, jetons+, token, tokens+, jeton de rafraîchissement, jetons de rafraîchissement+, jeton (de rafraîchissement|d'accès|de session), jetons (de rafraîchissement|d'accès|de session)+
con rotate: renouvelé=, renouvelés~, renouvellement, renouvellements+, rotation, rotations+, (renouvelé|rafraîchi|actualisé)=, (renouvelés|rafraîchis|renouvelée)~, rafraîchissement, rafraîchissements+
con reuse: réutilisé=, réutilisés~, réutilisation, réutilisations+, rejoué=, (réutilisé|rejoué)=, (réutilisés|rejoués|réutilisée)~, utilisé deux fois~, servi deux fois~, double utilisation
con revoke: révoqué=, révoquée~, révoquées~, révoqués~, révocation, révocations+, (révoquée|révoquées|révoqués|annulé définitivement)~, (invalidé|invalidée)
con end: terminé=, terminée~, terminées~, fermé=, fermée~, fermées~, prit fin~, pris fin~, (terminé|fermé|expiré|fini|clos|achevé)=, (terminée|terminées|fermée|fermées|expirée|expirées|finie|finies|close|closes|achevée|achevées|prit fin|pris fin|prennent fin|prend fin|s'est terminée|se sont terminées|a expiré|ont expiré|clôturée|clôturées)~, [a|ont] pris fin~
con reauth: réauthentification, réauthentifications+, réauthentifié=, réauthentifiée~, ré authentification, (réauthentification|ré authentification|réauthentifications+), (réauthentifié|ré authentifié|réauthentifiée)=, [re](confirmé|prouvé|vérifié) [à nouveau|de nouveau] mon identité [à nouveau|de nouveau]=, reconfirmé mon identité=, identité [re](confirmée|vérifiée|prouvée)~, (confirmation|vérification) (d'|de mon) identité, (prouver|confirmer) mon identité=
con account: compte, profil
con lock: verrouillé=, verrouillage, verrouillages+, bloqué=, blocage, blocages+, (verrouillé|bloqué)=, (verrouillée|bloquée)~
con account lock: (verrouillage|blocage) [de|du] [mon] compte, (verrouillages|blocages) [de|du] [mon] compte+
con unlock: déverrouillé=, déverrouillage, déverrouillages+, débloqué=, déblocage, déblocages+, (déverrouillé|débloqué)=, (déverrouillage|déblocage), (déverrouillages|déblocages)+, levée du (blocage|verrouillage), (blocage|verrouillage) levé~
con account unlock: (déverrouillage|déblocage) [de|du] [mon] compte, (déverrouillages|déblocages) [de|du] [mon] compte+
con enable: activé=, activée~, activées~, activation, activations+, (activée|activées|activés|mise en marche|enclenchée|mise en place|allumée)~
con disable: désactivé=, désactivée~, désactivées~, désactivation, désactivations+, suspendu~, (désactivée|désactivées|désactivés|coupée|suspendu|suspendue|éteinte)~, suspension
con reactivate: réactivé=, réactivée~, réactivation, réactivations+, (réactivé|ré activé)=, (réactivée|réactivées)~
con create: créé=, créée~, créées~, créés~, ajouté=, ajoutée~, ajoutées~, ajoutés~, enregistré=, généré=, générés~, générées~, configuré=, configurée~, création, créations+, ajout, ajouts+, génération, mis en place~, (créé|ajouté|généré|configuré|émis|établi|paramétré)=, crée!, (créée|créées|créés|ajoutée|ajoutées|ajoutés|générés|générées|générée|configurée|configurées|installée|émise|délivrée|délivrées|mise en place|mis en place|associée neuve)~, générations+, enregistrement, enregistrements+
con account create: inscription, inscrit~, inscrite~, (inscrit|inscrite)~, (création|ouverture) (de|du) [mon] compte, (créé|ouvert) mon compte=, m'inscrire=, je me suis inscrit
con remove: supprimé=, supprimée~, supprimées~, supprimés~, retiré=, retirée~, retirées~, enlevé=, suppression, suppressions+, effacé=, retrait, retraits+, (supprimé|retiré|enlevé|effacé|ôté)=, (supprimée|supprimées|supprimés|retirée|retirées|retirés|enlevée|enlevées|effacée|effacées)~
con takeover: pris le contrôle de, repris=
con account takeover: prise de contrôle, prises de contrôle+, (prise|reprise) de contrôle [de|du] [mon] [compte], (prises|reprises) de contrôle+, reprise (de|du) [mon] compte, repris par son propriétaire
con import: importé=, importation, importations+, import, imports+, (importé|migré|transféré)=, (importée|migrée)~, migration
con export: exporté=, exportée~, exportées~, exportation, exportations+, export, exports+, téléchargé=, téléchargées~, (exporté|téléchargé)=, (exportée|exportées|téléchargées|téléchargée|exportés)~, téléchargement, téléchargements+
con data: données, données personnelles
con password: mot de passe, mots de passe+, mdp, code secret
con change: changé=, changée~, modifié=, modifiée~, modifiés~, changement, changements+, modification, modifications+, mis à jour~, changées~, (changé|modifié|mis à jour|remplacé|actualisé)=, (changée|changées|modifiée|modifiées|modifiés|mise à jour|remplacée)~, mise à jour, mises à jour+
con reset: réinitialisé=, réinitialisation, réinitialisations+, (réinitialisée|réinitialiser)~
con request: demandé=, demandée~, demandées~, demandés~, demande, demandes+, sollicité=, (demandé|sollicité|réclamé|commandé)=, (demandée|demandées|demandés|sollicitée|envoyé|envoyée)~
con undo: annulé=, annulée~, annulées~, annulation, annulations+, (annulé|défait)=, (annulée|annulées|annulés|révoquée par|défaite)~, revenu en arrière
con breach: compromis, compromise, divulgué, divulgués, fuité, fuités, volé, parce qu'il (figurait|apparaissait|était|provenait|se trouvait) dans une fuite [de données], (compromis|compromise|divulgué|divulgués|fuité|fuités|volé|piraté dans), car (compromis|divulgué|fuité), à cause d'une fuite [de données], dans une fuite [de données], fuite de données, connu (d'une fuite|de fuites) [de données], (issu|provenant) d'une fuite [de données]
con hash: xxhash, (stockage|hachage) (de|du) [mon] mot de passe
con email: [adresse] (e mail|email|mail|courriel), adresse électronique, (e mails|emails|mails)+, adresses (e mail|email|mail)+, [adresse] (e mail|email|mail|courriel|mel), adresse (électronique|de messagerie|de courriel), (e mails|emails|mails|courriels)+, boîte mail
con verify: vérifié=, vérifiée~, confirmé=, confirmée~, validé=, validée~, (vérifié|confirmé|validé|prouvé)=, (vérifiée|confirmée|validée|prouvée)~
con twofactor: (double authentification|authentification à (deux|2) facteurs|a2f|double facteur|validation en deux étapes|vérification en deux étapes|authentification à double facteur|authentification double facteur), (double authentification|authentification à (deux|2) facteurs|a2f|double facteur|validation en (deux|2) étapes|vérification en (deux|2) étapes|authentification à double facteur|authentification double facteur|authentification (forte|multifacteur|à deux étapes|en deux étapes)|deux facteurs|double vérification)
con factor: (second|deuxième|2e) facteur, (seconds|deuxièmes) facteurs+, (second|deuxième|2e|2ème|2nd) facteur [d'authentification], facteur supplémentaire
con totp: (application|appli|app) d'authentification, authenticator, (application|appli|app) (d'authentification|authenticator|de validation), (applications|applis|apps) d'authentification+
con code: code, codes+
con passkey: clé d'accès, clés d'accès+, clef d'accès, clefs d'accès+, clé (d'accès|de sécurité|passkey), (clés|clefs) (d'accès|de sécurité)+, clé d'identification, clés d'identification+
con recovery_code: code de (récupération|secours), codes de (récupération|secours)+, (code|codes+) de (récupération|secours|sauvegarde|restauration|recours)
con recovery: récupération [de|du] [mon] compte, récupérations [de|du] compte+, récupération, (récupération|récupérations+|restauration) [de|du] [mon] [compte]
con recovery_done: récupéré=, (récupéré|restauré)=
con cancel: interrompue~, (interrompue|interrompu|abandonnée|abandonné|annulée avant la fin)~
con complete: achevé=, achevée~, terminée~, (achevé|abouti|complété)=, (achevée|menée à bien|menée à son terme|complétée|finalisée|aboutie)~
con magic_link: lien magique, liens magiques+, lien de connexion, liens de connexion+, (lien|liens+) (magique|magiques|de connexion|de connexion magique|de connexion par e mail|pour me connecter)
con oauth: fournisseur de connexion [externe], fournisseur (externe|d'identité), fournisseurs (externes|de connexion|d'identité)+, compte (social|externe|tiers|oauth), comptes (sociaux|externes|tiers|oauth)+, fournisseur (de connexion [externe]|d'identité [externe]|externe|d'identités|tiers), fournisseurs (externes|de connexion|d'identité|tiers)+, (compte|comptes+|identité|login) (social|sociaux|externe|externes|tiers|oauth|google|externe), compte (google|github|apple), connexion externe
con link: lié=, liée~, liés~, associé=, associés~, relié=, (lié|associé|relié|rattaché|connecté à)=, (liée|liés|liées|associés|associée|reliée|rattachée)~, liaison, liaisons+, association, associations+, rattachement
con unlink: dissocié=, dissociés~, délié=, détaché=, (dissocié|délié|détaché|délié)=, (dissociés|dissociée|déliée|détachée)~, dissociation, dissociations+
con application: (application|applications+), (application|applications+) (connectée|connectées|tierce|tierces)
con api_key: (clé|clef) [d'] api, (clés|clefs) [d'] api+, (clé|clef|clés+|clefs+) [d'|de l'] api, (clé|clef|clés+) d'accès api
con anomaly: anomalie de connexion, anomalies de connexion+, alerte de connexion suspecte, alertes de connexion suspecte+, anomalie, anomalies+, (activité|connexion) suspecte, (activités|connexions|alertes) suspectes+, anomalie [de connexion], anomalies [de connexion]+, (alerte|alertes+) (de connexion suspecte|de sécurité|suspecte|suspectes|de connexions suspectes), (activité|connexion|événement|chose|tentative|comportement) (suspecte|suspect|inhabituelle|inhabituel|étrange|bizarre|anormale|anormal), (activités|connexions|alertes|événements|choses) (suspectes|suspects|inhabituelles|inhabituels|étranges|bizarres|anormales)+, quelque chose (de|d') (suspect|inhabituel|étrange|bizarre|anormal|louche), rien (de|d') (suspect|inhabituel), jugée suspecte, considérée comme suspecte, (signalées|signalée|signalés|signalé|marquées|considérées|jugées) comme (suspecte|suspectes|suspects|anormales), connexions (signalées|marquées|considérées|jugées) comme (suspectes|anormales)
con stuffing: bourrage d'identifiants, credential stuffing, attaque par (bourrage d'identifiants|credential stuffing), attaques par bourrage d'identifiants+
con detect: détecté=, détectée~, détectées~, repéré=, repérées~, (détecté|repéré|constaté|remarqué|signalé|relevé)=, (détectée|détectées|détectés|repérée|repérées|constatée|constatées|signalée|signalées|relevées|remarquées)~, détection, détections+
con use: servi, servi à, servi aux, ont servi aux, utilisé=, utilisée~, utilisées~, utilisés~, j'utilise, utilise je, utilise, utilisation, (servi|servis) [à|aux|pour], (utilisé|employé|consommé)=, (utilisée|utilisées|utilisés|employée|employés|consommé|consommée)~, utilisations+, je me sers de, emploi
con event: tout ce qui, tout ce que, événement, événements+, évènement, évènements+, activité, activités+, historique, journal, quelque chose, choses+, chose, historique d'activité, journal d'activité, (événement|évènement|evenement), (événements|évènements|evenements)+, (historique|journal) (d'activité|d'activités|de sécurité|du compte|de mon compte), action, actions+, opération, opérations+, événements de sécurité+, incident, incidents+
con happen: passé=, passée~, produit~, produits~, arrivé=, arrivés~, s'est passé=, s'est produit~, se passe, passe, (passé|arrivé|survenu|produit)=, (passée|produits|arrivés|produite|passées|déroulé)~, s'est (passé|produit|déroulé)=
among: parmi, d'entre, au sein de
have: dont je dispose, que je possède, que j'ai [encore|actuellement]
rel: qui [ne] (viennent|proviennent|sont|étaient), qui ont été, qui a été
when day: à quelle date, à quelles dates, quelle est la date (de|d'|du|des), quelles sont les dates (de|d'|du|des), quelle date
when hour: à quelle heure, à quelles heures, vers quelle heure
apiece: chacun, chacune, respectivement, pour chacun, pour chacune, de chaque, de chacun, séparément
group*: day quotidiennement, day chaque jour, week hebdomadairement, month mensuellement, month mois par mois, week semaine par semaine, hour heure par heure, hour horaire
prop*: device matériel, device matériels+, device équipement, device équipements+, device périphérique, device engin, browser navigateurs web+, browser navigateur internet, browser butineur, os plateforme, os plateformes+, os systèmes d'exploitation+, os o s, form type (d'appareil|de terminal|de machine), form types (d'appareils+|de terminaux+|d'appareil+), form catégorie d'appareil, form catégories d'appareils+, form genre d'appareil, form genres d'appareils+, form forme d'appareil, place localité, place localités+, country (région|pays), country régions+, place ville ou pays, place pays ou ville, place emplacement, place emplacements+, place contrée, place lieu, ip adresse réseau, ip adresses réseau+, ip adresse d'origine, type catégorie, type catégories+, type type (d'évènement|d'évènements|d'activité), type types (d'évènements+|d'activité+|d'activités+), type nature, hour tranche horaire, hour tranches horaires+, hour créneau horaire, hour créneau, hour heures du jour+, weekday jours de semaine+, time date et l'heure, time dates et heures+, time jour et heure, time horodatage
wprop weekday: quel jour de la semaine, quels jours de la semaine
unit*: minutes (minute|minutes+), days (jour|jours+|journée|journées+), weeks (semaine|semaines+), months mois, years (an|ans+|année|années+)
num*: 13 treize, 14 quatorze, 16 seize, 17 dix sept, 18 dix huit, 19 dix neuf, 24 vingt quatre, 40 quarante, 48 quarante huit, 50 cinquante, 60 soixante, 100 cent, 12 une douzaine d
day*: today la journée d'aujourd'hui, yesterday (la journée d'hier|veille), yesterday la veille, day_before_yesterday (avant hier|l'avant veille), this_week (cette|la présente) semaine, last_week (de la|la) semaine (dernière|passée|précédente|d'avant), this_month (du|le) mois (en cours|courant|actuel), last_month (du|le|au) mois (dernier|passé|précédent), last_year (l'année (dernière|passée|précédente)|l'an dernier|l'an passé), this_weekend (ce week end ci|ce weekend ci|le week end actuel), last_weekend (le|du|au) (week end|weekend) (dernier|passé|précédent), this_year cette année ci, this_year l'année courante, last_weekend (week end|weekend) (dernier|passé)
day 2 days ago: il y a deux jours
day 2 weeks ago: il y a deux semaines, l'avant dernière semaine
day 2 months ago: il y a deux mois, l'avant dernier mois
span 1 days: [au cours] des dernières vingt quatre heures
habit monday: le lundi
habit tuesday: le mardi
habit wednesday: le mercredi
habit thursday: le jeudi
habit friday: le vendredi
habit saturday: le samedi
habit sunday: le dimanche
habit weekend: le week end, le weekend
weekdays*: weekend (les week ends|les weekends|les fins de semaine|week ends|weekends), weekend en week end, weekend [pendant|durant] (le week end|les week ends) en général, workday (les|des) jours (ouvrables|ouvrés|de semaine|de la semaine|de travail), saturday un samedi, sunday un dimanche, monday un lundi, friday un vendredi, tuesday un mardi, wednesday un mercredi, thursday un jeudi, monday chaque lundi, tuesday chaque mardi, wednesday chaque mercredi, thursday chaque jeudi, friday chaque vendredi, saturday chaque samedi, sunday chaque dimanche, weekend chaque week end, weekend (un|quelque|n'importe quel) week end
parts*: night nuitamment, night (de|en pleine) nuit, night (la|pendant la|durant la|dans la|au milieu de la) nuit~, morning (le|au|dans la|en) (matin|matinée)~, evening (le|en|dans la) (soir|soirée)~, afternoon (l'|dans l'|en|en cours d') après midi~
forms*: phone (téléphone|téléphones|smartphone|smartphones|mobile|mobiles|portable|portables|tél|cellulaire), phone téléphones? mobiles, phone téléphones mobiles, phone téléphones portables, tablet (tablette|tablettes) [tactile|tactiles|numérique], desktop (ordinateur|ordinateurs|pc|pcs|desktop|ordi|ordis), desktop ordinateur[s] (de bureau|portable|portables|fixe|fixes), desktop pc (portable|de bureau|fixe), desktop poste de travail, android_phone (téléphone|téléphones|smartphone|smartphones|mobile) [sous] android, android_tablet (tablette|tablettes) [sous] android, iphone iphone[s], ipad ipad[s]
con unused: inutilisé, inutilisés, non utilisé, non utilisés
con login success: (connexion|login|authentification|accès) (réussie|réussi), (connexions|logins|authentifications|accès) (réussies|réussis)+, (réussi|réussie) à (me|se) connecter
con stop factor: (arrêtée|arrêtées|bloquée|bloquées|interrompue|interrompues|stoppée|stoppées|restée bloquée) (au|à|sur) [la|le] (second|deuxième|seconde) (facteur|étape)
con session revoke: (fermé|terminé|révoqué|mis fin à) une session depuis (la|ma) liste [de|des] [mes] [sessions]=, depuis la liste de mes sessions
con enable & disable: activée puis désactivée~, (activée|activé) et désactivée~
con disable & enable: désactivée puis (activée|réactivée)~, désactivée et (activée|réactivée)~
con data export: (export|exports+|exportation|exportations+|téléchargement|téléchargements+) (de|des) [mes] données
con password change: (changement|changements+|modification|modifications+) (de|du|de mon) mot[s] de passe
con password reset: mot de passe oublié, (réinitialisation|réinitialisations+) (de|du|de mon) mot[s] de passe
con upgrade: (renforcé|amélioré)=, (renforcée|amélioration|renforcement)
con totp code: (code|codes+) (de|d'|de l'|de mon|de ma) (application|appli|app) (d'authentification|authenticator), (code|codes+) (d'authentification|de validation|à usage unique|de vérification|de l'authenticator|2fa|totp)
fill until: jusqu'à (présent|maintenant|ce jour|aujourd'hui), jusqu'ici, à ce jour
fill total: au total, en tout, en tout et pour tout, globalement, toutes périodes confondues
count often: combien de fois, à combien de reprises, à quelle fréquence, combien de fois est ce que
prep: (du|au|le) mois (de|d')
fill: inclus, incluse
habit monday: du lundi
habit tuesday: du mardi
habit wednesday: du mercredi
habit thursday: du jeudi
habit friday: du vendredi
habit saturday: du samedi
habit sunday: du dimanche
except: ailleurs (qu'à|qu'en|qu'au|que)
con other: ailleurs (que sur|que depuis) (cet appareil|cet ordinateur|ce téléphone), ailleurs qu'ici
"""
