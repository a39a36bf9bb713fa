"""The words of answers in German."""

from ...plans.entities import Column
from ...plans.plan import By, Form
from .table import Dates, Noun, Words, nouns

_EVENTS = nouns("""
signup_success|Registrierung|Registrierungen
login_success|Anmeldung|Anmeldungen
login_failed|fehlgeschlagene Anmeldung|fehlgeschlagene Anmeldungen
login_stopped_at_factor|am zweiten Faktor abgebrochene Anmeldung|am zweiten Faktor abgebrochene Anmeldungen
logout|Abmeldung|Abmeldungen
logout_all|Abmeldung überall|Abmeldungen überall
token_rotated|erneuertes Token|erneuerte Token
token_reuse_detected|wiederverwendetes Token|wiederverwendete Token
session_revoked|aus der Liste beendete Sitzung|aus der Liste beendete Sitzungen
session_ended|Ende von Sitzungen
reauthenticated|erneuter Identitätsnachweis|erneute Identitätsnachweise
account_locked|Sperrung des Kontos|Sperrungen des Kontos
account_unlocked|Entsperrung des Kontos|Entsperrungen des Kontos
account_imported|Import des Kontos|Importe des Kontos
password_changed|Passwortänderung|Passwortänderungen
password_breach_rejected|abgelehntes Passwort aus einem Datenleck|abgelehnte Passwörter aus Datenlecks
password_hash_upgraded|stärkere Speicherung des Passworts|stärkere Speicherungen des Passworts
email_change_requested|beantragte E-Mail-Änderung|beantragte E-Mail-Änderungen
email_changed|E-Mail-Änderung|E-Mail-Änderungen
email_change_undone|rückgängig gemachte E-Mail-Änderung|rückgängig gemachte E-Mail-Änderungen
data_exported|Datenexport|Datenexporte
account_deleted|Löschung des Kontos|Löschungen des Kontos
account_deactivated|Deaktivierung des Kontos|Deaktivierungen des Kontos
account_reactivated|Reaktivierung des Kontos|Reaktivierungen des Kontos
account_taken_over|Übernahme des Kontos|Übernahmen des Kontos
oauth_linked|verknüpfter Anbieter|verknüpfte Anbieter
oauth_unlinked|getrennter Anbieter|getrennte Anbieter
application_signed_in|Anmeldung bei einer Anwendung|Anmeldungen bei Anwendungen
application_disconnected|beendeter Zugriff einer Anwendung|beendete Zugriffe von Anwendungen
totp_enabled|hinzugefügte Authenticator-App|hinzugefügte Authenticator-Apps
totp_disabled|entfernte Authenticator-App|entfernte Authenticator-Apps
totp_challenge_failed|falscher Authenticator-Code|falsche Authenticator-Codes
passkey_registered|hinzugefügter Passkey|hinzugefügte Passkeys
passkey_removed|entfernter Passkey|entfernte Passkeys
passkey_challenge_failed|fehlgeschlagene Passkey-Prüfung|fehlgeschlagene Passkey-Prüfungen
second_factor_added|hinzugefügter anderer zweiter Faktor|hinzugefügte andere zweite Faktoren
second_factor_removed|entfernter anderer zweiter Faktor|entfernte andere zweite Faktoren
second_factor_failed|falscher anderer zweiter Faktor|falsche andere zweite Faktoren
magic_link_requested|angeforderter Anmeldelink|angeforderte Anmeldelinks
password_reset_requested|angefordertes Zurücksetzen des Passworts
recovery_codes_generated|neuer Satz von Wiederherstellungscodes|neue Sätze von Wiederherstellungscodes
recovery_code_used|verwendeter Wiederherstellungscode|verwendete Wiederherstellungscodes
recovery_code_failed|falscher Wiederherstellungscode|falsche Wiederherstellungscodes
recovery_started|begonnene Wiederherstellung|begonnene Wiederherstellungen
recovery_cancelled|abgebrochene Wiederherstellung|abgebrochene Wiederherstellungen
recovery_completed|abgeschlossene Wiederherstellung|abgeschlossene Wiederherstellungen
anomaly_detected|verdächtiges Ereignis|verdächtige Ereignisse
credential_stuffing_detected|erkannter Angriff mit vielen Konten|erkannte Angriffe mit vielen Konten
api_key_created|erstellter API-Schlüssel|erstellte API-Schlüssel
api_key_revoked|widerrufener API-Schlüssel|widerrufene API-Schlüssel
api_key_rejected|abgelehnter API-Schlüssel|abgelehnte API-Schlüssel
""")

WORDS = Words(
    dates=Dates(
        months=(
            *("Januar", "Februar", "März", "April", "Mai", "Juni"),
            *("Juli", "August", "September", "Oktober", "November", "Dezember"),
        ),
        weekdays=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        first_day="1",
        day="{d}. {m} {y}",
        month="{m} {y}",
        week="Woche ab {date}",
        moment="{date}, {time}",
        on="am {d}. {m} {y}",
        since="seit {a}",
        before="vor {b}",
        from_to="von {a} bis {b}",
        in_month="vom {d1}. bis {d2}. {m2} {y2}",
        in_year="vom {d1}. {m1} bis {d2}. {m2} {y2}",
        in_years="vom {d1}. {m1} {y1} bis {d2}. {m2} {y2}",
        hours="zwischen {a} und {b} Uhr",
        hour="{a} bis {b} Uhr",
    ),
    events=_EVENTS,
    any_event=Noun(one="Ereignis", many="Ereignisse"),
    live_sessions=Noun(one="aktive Sitzung", many="aktive Sitzungen"),
    ended_sessions=Noun(one="beendete Sitzung", many="beendete Sitzungen"),
    any_sessions=Noun(one="aktive oder beendete Sitzung", many="aktive und beendete Sitzungen"),
    this_session=Noun(one="diese Sitzung", many="diese Sitzung"),
    others="ohne diese Sitzung",
    ended_in="mit Ende {period}",
    except_types="Ereignisse außer {list}",
    columns={
        Column.ID: "ID",
        Column.CREATED_AT: "Zeit",
        Column.ENDED_AT: "Ende",
        Column.TYPE: "Ereignis",
        Column.IP: "IP-Adresse",
        Column.LOCATION: "Ort",
        Column.DEVICE: "Gerät",
        Column.BROWSER: "Browser",
        Column.OS: "System",
        Column.FORM: "Bauart",
        Column.USER_AGENT: "User-Agent",
    },
    by={
        By.TYPE: "Ereignis",
        By.IP: "IP-Adresse",
        By.PLACE: "Ort",
        By.DEVICE: "Gerät",
        By.BROWSER: "Browser",
        By.OS: "System",
        By.FORM: "Bauart des Geräts",
        By.HOUR: "Stunde",
        By.WEEKDAY: "Wochentag",
        By.DAY: "Tag",
        By.WEEK: "Woche",
        By.MONTH: "Monat",
    },
    place="Ort",
    weekday="Wochentag",
    forms={
        Form.PHONE: "Telefon",
        Form.TABLET: "Tablet",
        Form.DESKTOP: "Computer",
        Form.IPHONE: "iPhone",
        Form.IPAD: "iPad",
        Form.ANDROID_PHONE: "Android-Telefon",
        Form.ANDROID_TABLET: "Android-Tablet",
        Form.BOT: "Bot",
    },
    device="{browser} unter {os}",
    unknown="unbekannt",
    count="Anzahl",
    period="Zeitraum",
    comma=", ",
    last_comma=" oder ",
    colon=": ",
    stop=".",
    space=" ",
    is_value="{name} {values}",
    is_not_value="{name} nicht {values}",
    grouped="{subject} nach {by}",
    most="am häufigsten",
    least="am seltensten",
    zone=" ({zone})",
    number_of="{n} {noun}",
    at_least="{n} oder mehr",
    none="keine",
    total="insgesamt {n}",
    yes="ja, {n}",
    no="nein",
    newest_is="Zuletzt: {record}",
    newest="{many}, zuletzt",
    oldest="{many}, zuerst",
    newest_of="die letzten {n} von {total}",
    oldest_of="die ersten {n} von {total}",
    first_of="die ersten {n} von {total} Werten",
    more_values="und {n} weitere",
    partial="Nur die {n} häufigsten Browser oder Adressen wurden geprüft, es kann also mehr geben.",
    none_examined="keine unter den geprüften",
    ended_note="Der Dienst löscht beendete Sitzungen nach {n} Tagen.",
    events_note="Der Dienst bewahrt Ereignisse {n} Tage auf.",
    places_note="Dieser Dienst kennt keine Orte und zeigt deshalb IP-Adressen.",
    facts={
        "locked": ("Sperre Ihres Kontos", "Ihr Konto ist bis {until} gesperrt.", "Ihr Konto ist nicht gesperrt."),
        "address_proven": (
            "Bestätigung Ihrer E-Mail-Adresse",
            "Ihre E-Mail-Adresse ist bestätigt.",
            "Ihre E-Mail-Adresse ist noch nicht bestätigt.",
        ),
        "second_factor": (
            "Zweiter Faktor Ihres Kontos",
            "Ja, Ihr Konto hat einen zweiten Faktor.",
            "Nein, Ihr Konto hat keinen zweiten Faktor.",
        ),
        "api_keys": (
            "API-Schlüssel Ihres Kontos",
            "Ja, gültige API-Schlüssel Ihres Kontos: {n}.",
            "Nein, Ihr Konto hat keinen gültigen API-Schlüssel.",
        ),
        "totp": (
            "Authenticator-App Ihres Kontos",
            "Ja, Ihr Konto hat eine Authenticator-App.",
            "Nein, Ihr Konto hat keine Authenticator-App.",
        ),
        "passkey": (
            "Passkeys Ihres Kontos",
            "Ja, Passkeys Ihres Kontos: {n}.",
            "Nein, Ihr Konto hat keinen Passkey.",
        ),
        "recovery_code": (
            "Wiederherstellungscodes Ihres Kontos",
            "Ja, unbenutzte Wiederherstellungscodes Ihres Kontos: {n}.",
            "Nein, Ihr Konto hat keinen unbenutzten Wiederherstellungscode.",
        ),
    },
    questions_on_sessions=(
        "Wo bin ich angemeldet?",
        "Auf welchen Geräten bin ich angemeldet?",
        "Wie viele Sitzungen habe ich?",
        "Bin ich auf einem Telefon angemeldet?",
        "Welche anderen Sitzungen habe ich?",
    ),
    questions_on_events=(
        "Wann habe ich mich zuletzt angemeldet?",
        "Gab es diese Woche fehlgeschlagene Anmeldungen?",
        "Ist mein Konto gesperrt?",
        "Mit welchen Browsern habe ich mich diesen Monat angemeldet?",
        "Wie viele Anmeldungen gab es in den letzten 7 Tagen?",
    ),
    other_fact=(
        "Zweiter Faktor: {name}",
        "Ja, Ihr Konto hat diesen zweiten Faktor: {name}.",
        "Nein, Ihr Konto hat diesen zweiten Faktor nicht: {name}.",
    ),
)
