"""The words of French."""

SLASH = "dm"

TABLE = """
fill: je vous prie, je t'en prie, voudriez vous bien [me] [dire|montrer], voudriez vous [me] [dire|montrer], si cela ne vous dérange pas, si ça ne te dérange pas, auriez vous l'amabilité de [me] [dire|montrer|indiquer], auriez vous la gentillesse de [me] [dire|montrer|indiquer], pourriez vous me (dire|montrer|indiquer), pouvez vous me (dire|montrer), peux tu me (dire|montrer), pourrais tu me (dire|montrer), je vous saurais gré de m'indiquer, je vous serais reconnaissant de, je (souhaiterais|désirerais|voudrais bien|veux) (savoir|connaître|voir), indiquer, bien, celles, ceux, celle, celui, excusez moi, pardon, si possible, en fait, quoi, toujours,
  s'il vous plaît, s'il te plaît, svp, stp, bonjour, salut, merci, déjà, encore, actuellement, en ce moment, maintenant, aussi, donc, alors, y, en, là, exactement,
  au total, en tout, différents, différentes, différent, distincts, distinctes, pouvez vous [me], peux tu [me], pourriez vous [me], pourrais tu [me], je (veux|voudrais|souhaite|aimerais) (savoir|voir), dites moi, dis moi,
  si, jusqu'à présent, jusqu'ici, vraiment, ce jour, il, elle, ils, elles, ce, c, qui ont, qui, que, qu, eu, été, fait, lieu, eu lieu, ou non, dire, détails de, d'abord, t, à ce jour
prep: à, au, aux, dans, sur, avec, par, pour, en utilisant, via, chez, lors de, sous, à travers
from: de, du, des, d, depuis le, à partir de
to: au, à
during: pendant, durant, au cours de, au cours des, au cours du, ces
ever: jamais, un jour, à un moment
recent: l'autre jour, récemment, récent, récents, récente, récentes
adj: nouvelle, nouvelles, nouveau, nouveaux, nouvel
the: le, la, les, l, cet, cette, ces
the my: mon, ma, mes, toutes mes, tous mes, l'ensemble de mes
a: un, une, quelque, quelques, aucun
all: tous, toutes, tous les, toutes les, tout, toute, l'ensemble des
me: je, j, me, m, moi, mien
anyone: quelqu'un, on, qui que ce soit, une personne
who: qui est ce qui, qui s est, qui a, qui s
mine: (à|dans|sur|de|pour|avec) mon compte, à mon nom, avec mes identifiants
aux past: a été, ont été, a t il été, a t elle été, ont ils été, ont elles été, a t il, a t elle, ont ils, ont elles, a t on, ai je été, me suis je, me suis, m'étais, m'étais je, avait, s'est, s'est on, se sont, s est il, s est elle, fut, furent, s'est il
aux was: était, étaient, étais je, j'étais
aux have: a, ont, as
aux ownhave: ai je, j'ai, est ce que j'ai, ai
aux be: est, sont, est il, est elle, sont ils, sont elles, suis je, je suis, suis
ask: est ce que, est ce qu, est ce
own: est ce que je possède, je possède, possédé je, ai je encore, dispose je d, est ce que je dispose, possède je, y a t il, il y a t il
exist: y a t il eu, il y a eu, y a eu, y avait il, il y avait
come: vient, viennent, venait, venaient, venant, venues, venus, provient, proviennent, provenaient, provenant, issues, issus, survenus, survenues, survenue, survenu, effectuées, effectués, effectuée, proviennent elles, viennent elles, eues, enregistrées, enregistrés
it: eux, celles ci, ceux ci
show: une liste de, une liste des, la liste de, la liste des, liste de, liste des, montre, montre moi, montrez moi, montrez, affiche, affiche moi, affichez, afficher, liste, lister, liste moi, listez, donne moi, donnez moi, voir, fais moi voir, je veux voir
when: quand!, à quelle heure, à quelle date, à quel moment, quand est ce que!, quand remonte, à quand remonte, à quand remontent, quelle est la date de, quelles sont les dates de
where: où est ce que, d'où, depuis où, où!
which: quel, quelle, quels, quelles, lequel, laquelle, lesquels, lesquelles, quels sont les, quelles sont les, quelles sont mes, quels sont mes, quel est le, quelle est la, quel est mon, quelle est ma
what: qu'est ce qui!, qu'est ce que~, que s'est il!, qu'est ce qu~, quoi!
what event: que s'est il passé
count: combien de, combien d, combien de fois, combien, combien y a t il eu de, combien y a t il de, le nombre de, le nombre d, nombre de, nombre d, nombre total de, compte, compte les, compte mes, quel est le nombre de, à combien de, dans combien de, sur combien de, sur combien d
compare: compare, compare les, compare mes, comparer, comparez, par rapport à, comparé à, contre, en comparaison de, par rapport au, versus
more: plus de, davantage de, moins de, plus souvent, moins souvent, plus d, moins d, davantage
than: que, qu
and: et, ainsi que
or: ou
but: mais
not: pas, non, pas depuis, autres que, autre que
ne: ne, n
except: sans compter, sauf, sauf depuis, excepté, hors, hormis, à part, à l'exception de, à l'exception des, en dehors de, sans
only: seulement, uniquement, ne que
per: par, pour chaque, selon, groupé par, groupées par, groupés par, regroupées par, en fonction de
each: chaque
most most: le plus, le plus souvent, le plus fréquemment, le plus utilisé, la plus utilisée, les plus utilisés, les plus utilisées, le plus fréquent, la plus fréquente, les plus fréquents, les plus fréquentes, les plus, principalement, le plus de, le plus d, plus utilisé, plus fréquent, plus souvent utilisé, le plus courant, d'habitude
most least: le moins, le moins souvent, le moins utilisé, la moins utilisée, le moins de
last newest: dernier, dernière, derniers, dernières, la plus récente, le plus récent, plus récent, plus récente, plus récents, plus récentes, les plus récentes, les plus récents, tout dernier, toute dernière,
  (pour la dernière fois|la dernière fois|la dernière fois que|en dernier|dernièrement)~
last oldest: premier, première, premiers, premières, la plus ancienne, le plus ancien, plus ancien, plus ancienne, plus anciennes, plus anciens, les plus anciennes, (pour la première fois|la première fois|la première fois que)~
group day: quotidien, quotidiens, quotidienne, quotidiennes, jour par jour
group week: hebdomadaire, hebdomadaires
group month: mensuel, mensuelle, mensuels, mensuelles, mois par mois
prop device: appareil, appareils+, terminal, terminaux+, machine, machines+, dispositif, dispositifs+
prop browser: navigateur, navigateurs+, navigateur web
prop os: système d'exploitation, systèmes d'exploitation+, système, systèmes+, os
prop form: type d'appareil, types d'appareil+, types d'appareils+, genre d'appareil
prop place: lieu, lieux+, endroit, endroits+, ville, villes+, pays, localisation, localisations+
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
past: passé, passée, passés, passées, précédent, précédente
since: depuis début, depuis le début de, depuis le début du mois de, depuis le début d, depuis, à compter de, à partir du, à partir de, depuis le, depuis la, depuis les
before: avant, antérieur à, antérieures à, avant le, avant la
after: après, après le, postérieures à
until: jusqu'à, jusqu'au, jusqu'en, jusque, jusqu
between: entre
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
named today: aujourd'hui
named yesterday: hier, d'hier
named day_before_yesterday: avant hier
named this_week: cette semaine, la semaine en cours, cette semaine ci
named last_week: la semaine dernière, la semaine passée, semaine dernière, la semaine précédente, semaine passée
named this_month: ce mois ci, ce mois, le mois en cours
named last_month: le mois dernier, le mois passé, mois dernier, du mois dernier, du mois passé
named this_year: cette année, l'année en cours
named last_year: l'année dernière, l'an dernier, l'an passé, l'année passée, année dernière
named this_weekend: ce week end, ce weekend
named last_weekend: le week end dernier, le weekend dernier, le week end passé, le weekend passé, week end dernier, du week end dernier, du weekend dernier
named today.morning: ce matin
named today.afternoon: cet après midi
named today.evening: ce soir
named yesterday.night: la nuit dernière, la nuit passée, hier dans la nuit, nuit dernière
named yesterday.evening: hier soir, hier au soir
named yesterday.morning: hier matin
named yesterday.afternoon: hier après midi
named last.1.hours: la dernière heure, dernière heure
named last.14.days: les quinze derniers jours, la dernière quinzaine, la quinzaine passée, ces quinze derniers jours
named ago.1.days: il y a un jour
named ago.1.weeks: il y a une semaine
named ago.1.months: il y a un mois
named ago.1.years: il y a un an
named since.this_month: depuis le début (du|de ce) mois
named since.this_week: depuis le début de (la|cette) semaine
named since.this_year: depuis le début de (l'année|cette année)
what event: qu'ai je fait, il s'est passé quoi, qu'est ce qui s'est passé, que s'est il produit, qu'est il arrivé, ce qui s'est passé, qu'est ce qu'il s'est passé
wprop hour: à quelle heure (de la journée|du jour), à quelle tranche horaire
bad: le week end, le weekend, cette nuit, le dernier jour, la dernière semaine, le lundi, le mardi, le mercredi, le jeudi, le vendredi, le samedi, le dimanche, il y a peu
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
parts morning: le matin, dans la matinée
parts afternoon: l'après midi, dans l'après midi
parts evening: le soir, dans la soirée, en soirée
parts night: la nuit, de nuit, pendant la nuit
ampm am: du matin
ampm pm: du soir, de l'après midi
systems Windows: (pc|ordinateur|machine|appareil) [sous] windows
systems macOS: (ordinateur|appareil) mac
systems Linux: (pc|ordinateur|machine|appareil) [sous] linux
systems Android: (appareil|appareils) android
forms android_phone: téléphone android, téléphones android, smartphone android
forms android_tablet: tablette android, tablettes android
forms phone: téléphone, téléphones, smartphone, smartphones, mobile, mobiles, portable, téléphone portable, appareil mobile, appareils mobiles, téléphone mobile
forms tablet: tablette, tablettes
forms desktop: ordinateur, ordinateurs, pc, ordinateur de bureau, ordinateur portable, desktop
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: session, sessions+, (connecté|connectée|connectés|connectées) en ce moment
con session live: session (active|ouverte|en cours), sessions (actives|ouvertes|en cours)+
con session over: session (terminée|fermée|expirée|passée|ancienne|close), sessions (terminées|fermées|expirées|passées|anciennes|closes|finies)+, (ancienne session), anciennes sessions+
con session this_one: (cette session|session actuelle|session courante|cette session ci|session en cours ci)
con session other: autre session, autres sessions [actives|ouvertes]+
con any: y compris [les|celles] [déjà] (terminées|fermées|anciennes|expirées), même (terminées|fermées|les terminées|celles terminées|celles qui sont terminées), (actives|ouvertes) (et|ou) (terminées|fermées), aussi les terminées
con live: active, actives, ouverte, ouvertes
con other: (sans compter|sauf|excepté|à part|hormis|autres que|hors) (celle ci|cette session|l'actuelle|celle en cours), ailleurs, autre part, d'autres appareils, un autre appareil, mes autres appareils
con start: démarré=, démarrée~, démarrées~, commencé=, commencées~, commencée~, débuté=, débutées~, lancé=, ouvert~, lancées~, démarrées, lancée~
con login: (réussi|réussie) à se connecter, connexion, connexions+, connecté=, connectée~, connectés~, connectées~, authentification, authentifications+, je me connecte, me connecte, identifié=, accès, accédé=, pour me connecter
con success: réussi, réussie, réussis, réussies, avec succès
con fail: échoué=, échouée, échouées, échoués, raté, ratée, ratés, ratées, échec, échecs+, incorrect, incorrects, incorrecte, incorrectes, erroné, erronés, erronée, erronées, invalide, invalides, infructueuse, infructueuses, infructueux, manqué, manquée, manquées, faux, a échoué=, ont échoué=, mauvais, mauvaise, mauvaises, en échec
con reject: refusé, refusée, refusés, refusées, rejeté, rejetée, rejetés, rejetées, a été refusé=
con attempt: tentative, tentatives+, essai, essais+
con login attempt: tentative de connexion, tentatives de connexion+, tentative d'accès, tentatives d'accès+, tentative d'authentification, tentatives d'authentification+, essai de connexion, essais de connexion+
con login fail: échec de connexion, échecs de connexion+, échec d'authentification, échecs d'authentification+
con stop: arrêté, arrêtée, arrêtées, interrompu, interrompue, interrompues, stoppé, stoppée, stoppées, bloquées au
con logout: déconnexion, déconnexions+, déconnecté=, déconnectée~, déconnectés~
con everywhere: partout, de tous [mes|les] appareils, de toutes [mes|les] sessions, sur tous [mes|les] appareils, globale, générale
con token: jeton, jetons+, token, tokens+, jeton de rafraîchissement, jetons de rafraîchissement+
con rotate: renouvelé=, renouvelés~, renouvellement, renouvellements+, rotation, rotations+
con reuse: réutilisé=, réutilisés~, réutilisation, réutilisations+, rejoué=
con revoke: révoqué=, révoquée~, révoquées~, révoqués~, révocation, révocations+
con end: terminé=, terminée~, terminées~, fermé=, fermée~, fermées~, prit fin~, pris fin~
con reauth: réauthentification, réauthentifications+, réauthentifié=, réauthentifiée~, ré authentification
con account: compte
con lock: verrouillé=, verrouillage, verrouillages+, bloqué=, blocage, blocages+
con account lock: (verrouillage|blocage) [de|du] [mon] compte, (verrouillages|blocages) [de|du] [mon] compte+
con unlock: déverrouillé=, déverrouillage, déverrouillages+, débloqué=, déblocage, déblocages+
con account unlock: (déverrouillage|déblocage) [de|du] [mon] compte, (déverrouillages|déblocages) [de|du] [mon] compte+
con enable: activé=, activée~, activées~, activation, activations+
con disable: désactivé=, désactivée~, désactivées~, désactivation, désactivations+, suspendu~
con reactivate: réactivé=, réactivée~, réactivation, réactivations+
con create: créé=, créée~, créées~, créés~, ajouté=, ajoutée~, ajoutées~, ajoutés~, enregistré=, généré=, générés~, générées~, configuré=, configurée~, création, créations+, ajout, ajouts+, génération, mis en place~
con account create: inscription, inscrit~, inscrite~
con remove: supprimé=, supprimée~, supprimées~, supprimés~, retiré=, retirée~, retirées~, enlevé=, suppression, suppressions+, effacé=, retrait, retraits+
con takeover: piraté=, usurpé=, pris le contrôle de
con account takeover: prise de contrôle, piratage, prises de contrôle+, piratages+
con import: importé=, importation, importations+, import, imports+
con export: exporté=, exportée~, exportées~, exportation, exportations+, export, exports+, téléchargé=, téléchargées~
con data: données
con password: mot de passe, mots de passe+
con change: changé=, changée~, modifié=, modifiée~, modifiés~, changement, changements+, modification, modifications+, mis à jour~, changées~
con reset: réinitialisé=, réinitialisation, réinitialisations+
con request: demandé=, demandée~, demandées~, demandés~, demande, demandes+, sollicité=
con undo: annulé=, annulée~, annulées~, annulation, annulations+
con breach: compromis, compromise, divulgué, divulgués, fuité, fuités, volé
con hash: xxhash
con email: [adresse] (e mail|email|mail|courriel), adresse électronique, (e mails|emails|mails)+, adresses (e mail|email|mail)+
con verify: vérifié=, vérifiée~, confirmé=, confirmée~, validé=, validée~
con twofactor: (double authentification|authentification à (deux|2) facteurs|a2f|double facteur|validation en deux étapes|vérification en deux étapes|authentification à double facteur|authentification double facteur)
con factor: (second|deuxième|2e) facteur, (seconds|deuxièmes) facteurs+
con totp: (application|appli|app) d'authentification, authenticator
con code: code, codes+
con passkey: clé d'accès, clés d'accès+, clef d'accès, clefs d'accès+
con recovery_code: code de (récupération|secours), codes de (récupération|secours)+
con recovery: récupération [de|du] [mon] compte, récupérations [de|du] compte+, récupération
con recovery_done: récupéré=
con cancel: interrompue~
con complete: achevé=, achevée~, terminée~
con magic_link: lien magique, liens magiques+, lien de connexion, liens de connexion+
con oauth: fournisseur de connexion [externe], fournisseur (externe|d'identité), fournisseurs (externes|de connexion|d'identité)+, compte (social|externe|tiers|oauth), comptes (sociaux|externes|tiers|oauth)+
con link: lié=, liée~, liés~, associé=, associés~, relié=
con unlink: dissocié=, dissociés~, délié=, détaché=
con api_key: (clé|clef) [d'] api, (clés|clefs) [d'] api+
con anomaly: anomalie de connexion, anomalies de connexion+, alerte de connexion suspecte, alertes de connexion suspecte+, anomalie, anomalies+, (activité|connexion) suspecte, (activités|connexions|alertes) suspectes+
con stuffing: bourrage d'identifiants, credential stuffing
con detect: détecté=, détectée~, détectées~, repéré=, repérées~
con use: servi, servi à, servi aux, ont servi aux, utilisé=, utilisée~, utilisées~, utilisés~, j'utilise, utilise je, utilise, utilisation
con event: tout ce qui, tout ce que, événement, événements+, évènement, évènements+, activité, activités+, historique, journal, quelque chose, choses+, chose, historique d'activité, journal d'activité
con happen: passé=, passée~, produit~, produits~, arrivé=, arrivés~, s'est passé=, s'est produit~, se passe, passe
"""
