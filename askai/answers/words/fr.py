"""The words of answers in French."""

from ...plans.entities import Column
from ...plans.plan import By, Form
from .table import Dates, Noun, Words, nouns

_EVENTS = nouns("""
signup_success|inscription|inscriptions
login_success|connexion|connexions
login_failed|connexion échouée|connexions échouées
login_stopped_at_factor|connexion arrêtée au second facteur|connexions arrêtées au second facteur
logout|déconnexion|déconnexions
logout_all|déconnexion partout|déconnexions partout
token_rotated|jeton renouvelé|jetons renouvelés
token_reuse_detected|jeton réutilisé|jetons réutilisés
session_revoked|session fermée depuis la liste|sessions fermées depuis la liste
session_ended|fin de sessions|fins de sessions
reauthenticated|nouvelle preuve d'identité|nouvelles preuves d'identité
account_locked|verrouillage du compte|verrouillages du compte
account_unlocked|déverrouillage du compte|déverrouillages du compte
account_imported|importation du compte|importations du compte
password_changed|changement de mot de passe|changements de mot de passe
password_breach_rejected|mot de passe compromis refusé|mots de passe compromis refusés
password_hash_upgraded|stockage renforcé du mot de passe|stockages renforcés du mot de passe
email_change_requested|demande de changement d'e-mail|demandes de changement d'e-mail
email_changed|changement d'e-mail|changements d'e-mail
email_change_undone|changement d'e-mail annulé|changements d'e-mail annulés
data_exported|exportation des données|exportations des données
account_deleted|suppression du compte|suppressions du compte
account_deactivated|désactivation du compte|désactivations du compte
account_reactivated|réactivation du compte|réactivations du compte
account_taken_over|reprise du compte|reprises du compte
oauth_linked|fournisseur associé|fournisseurs associés
oauth_unlinked|fournisseur dissocié|fournisseurs dissociés
application_signed_in|connexion à une application|connexions à des applications
application_disconnected|accès terminé d'une application|accès terminés d'applications
totp_enabled|application d'authentification ajoutée|applications d'authentification ajoutées
totp_disabled|application d'authentification supprimée|applications d'authentification supprimées
totp_challenge_failed|code d'authentification erroné|codes d'authentification erronés
passkey_registered|clé d'accès ajoutée|clés d'accès ajoutées
passkey_removed|clé d'accès supprimée|clés d'accès supprimées
passkey_challenge_failed|vérification de clé d'accès échouée|vérifications de clé d'accès échouées
second_factor_added|autre second facteur ajouté|autres seconds facteurs ajoutés
second_factor_removed|autre second facteur supprimé|autres seconds facteurs supprimés
second_factor_failed|autre second facteur erroné|autres seconds facteurs erronés
magic_link_requested|lien de connexion demandé|liens de connexion demandés
password_reset_requested|demande de réinitialisation du mot de passe|demandes de réinitialisation du mot de passe
recovery_codes_generated|nouveau jeu de codes de secours|nouveaux jeux de codes de secours
recovery_code_used|code de secours utilisé|codes de secours utilisés
recovery_code_failed|code de secours erroné|codes de secours erronés
recovery_started|récupération commencée|récupérations commencées
recovery_cancelled|récupération annulée|récupérations annulées
recovery_completed|récupération terminée|récupérations terminées
anomaly_detected|événement suspect|événements suspects
credential_stuffing_detected|attaque sur de nombreux comptes détectée|attaques sur de nombreux comptes détectées
api_key_created|clé d'API créée|clés d'API créées
api_key_revoked|clé d'API révoquée|clés d'API révoquées
api_key_rejected|clé d'API refusée|clés d'API refusées
""")

WORDS = Words(
    dates=Dates(
        months=(
            *("janvier", "février", "mars", "avril", "mai", "juin"),
            *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
        ),
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        first_day="1er",
        day="{d} {m} {y}",
        month="{m} {y}",
        week="semaine du {date}",
        moment="{date}, {time}",
        on="le {d} {m} {y}",
        since="depuis le {a}",
        before="avant le {b}",
        from_to="du {a} au {b}",
        in_month="du {d1} au {d2} {m2} {y2}",
        in_year="du {d1} {m1} au {d2} {m2} {y2}",
        in_years="du {d1} {m1} {y1} au {d2} {m2} {y2}",
        hours="entre {a} et {b}",
        hour="{a} à {b}",
    ),
    events=_EVENTS,
    any_event=Noun(one="événement", many="événements"),
    live_sessions=Noun(one="session active", many="sessions actives"),
    ended_sessions=Noun(one="session terminée", many="sessions terminées"),
    any_sessions=Noun(one="session active ou terminée", many="sessions actives et terminées"),
    this_session=Noun(one="cette session", many="cette session"),
    others="sans cette session",
    ended_in="avec fin {period}",
    except_types="événements sauf {list}",
    columns={
        Column.ID: "ID",
        Column.CREATED_AT: "Heure",
        Column.ENDED_AT: "Fin",
        Column.TYPE: "Événement",
        Column.IP: "Adresse IP",
        Column.LOCATION: "Lieu",
        Column.DEVICE: "Appareil",
        Column.BROWSER: "Navigateur",
        Column.OS: "Système",
        Column.FORM: "Type d'appareil",
        Column.USER_AGENT: "User-Agent",
    },
    by={
        By.TYPE: "événement",
        By.IP: "adresse IP",
        By.PLACE: "lieu",
        By.DEVICE: "appareil",
        By.BROWSER: "navigateur",
        By.OS: "système",
        By.FORM: "type d'appareil",
        By.HOUR: "heure",
        By.WEEKDAY: "jour de la semaine",
        By.DAY: "jour",
        By.WEEK: "semaine",
        By.MONTH: "mois",
    },
    place="lieu",
    weekday="jour",
    forms={
        Form.PHONE: "téléphone",
        Form.TABLET: "tablette",
        Form.DESKTOP: "ordinateur",
        Form.IPHONE: "iPhone",
        Form.IPAD: "iPad",
        Form.ANDROID_PHONE: "téléphone Android",
        Form.ANDROID_TABLET: "tablette Android",
        Form.BOT: "robot",
    },
    device="{browser} sur {os}",
    unknown="inconnu",
    count="Nombre",
    period="Période",
    comma=", ",
    last_comma=" ou ",
    colon=" : ",
    stop=".",
    space=" ",
    is_value="{name} {values}",
    is_not_value="{name} autre que {values}",
    grouped="{subject} par {by}",
    most="le plus fréquent",
    least="le plus rare",
    zone=" ({zone})",
    number_of="{n} {noun}",
    at_least="{n} ou plus",
    none="aucun résultat",
    total="{n} au total",
    yes="oui, {n}",
    no="non",
    newest_is="Le plus récent : {record}",
    newest="{many}, le plus récent",
    oldest="{many}, le plus ancien",
    newest_of="les {n} plus récents sur {total}",
    oldest_of="les {n} plus anciens sur {total}",
    first_of="les {n} premières valeurs sur {total}",
    more_values="et {n} de plus",
    partial="Seuls les {n} navigateurs ou adresses les plus fréquents ont été examinés : il peut y en avoir plus.",
    none_examined="aucun parmi ceux examinés",
    ended_note="Le service supprime les sessions terminées après {n} jours.",
    events_note="Le service conserve les événements pendant {n} jours.",
    places_note="Ce service ne connaît pas les lieux et montre donc les adresses IP.",
    facts={
        "locked": (
            "Verrouillage de votre compte",
            "Votre compte est verrouillé jusqu'au {until}.",
            "Votre compte n'est pas verrouillé.",
        ),
        "address_proven": (
            "Confirmation de votre adresse e-mail",
            "Votre adresse e-mail est confirmée.",
            "Votre adresse e-mail n'est pas encore confirmée.",
        ),
        "second_factor": (
            "Second facteur de votre compte",
            "Oui, votre compte a un second facteur.",
            "Non, votre compte n'a pas de second facteur.",
        ),
        "api_keys": (
            "Clés d'API de votre compte",
            "Oui, clés d'API valides de votre compte : {n}.",
            "Non, votre compte n'a pas de clé d'API valide.",
        ),
        "totp": (
            "Application d'authentification de votre compte",
            "Oui, votre compte a une application d'authentification.",
            "Non, votre compte n'a pas d'application d'authentification.",
        ),
        "passkey": (
            "Clés d'accès de votre compte",
            "Oui, clés d'accès de votre compte : {n}.",
            "Non, votre compte n'a pas de clé d'accès.",
        ),
        "recovery_code": (
            "Codes de secours de votre compte",
            "Oui, codes de secours non utilisés de votre compte : {n}.",
            "Non, votre compte n'a pas de code de secours non utilisé.",
        ),
    },
    questions_on_sessions=(
        "Où suis-je connecté ?",
        "Sur quels appareils suis-je connecté ?",
        "Combien de sessions ai-je ?",
        "Suis-je connecté sur un téléphone ?",
        "Quelles autres sessions ai-je ?",
    ),
    questions_on_events=(
        "Quand me suis-je connecté pour la dernière fois ?",
        "Y a-t-il eu des connexions échouées cette semaine ?",
        "Mon compte est-il verrouillé ?",
        "Avec quels navigateurs me suis-je connecté ce mois-ci ?",
        "Combien de connexions y a-t-il eu ces 7 derniers jours ?",
    ),
    other_fact=(
        "Second facteur : {name}",
        "Oui, votre compte a ce second facteur : {name}.",
        "Non, votre compte n'a pas ce second facteur : {name}.",
    ),
)
