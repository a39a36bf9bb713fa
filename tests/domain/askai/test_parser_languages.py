"""Questions in five languages, and the plans of each part in a short form."""

from itertools import cycle

import pytest

from askai.parser import parse
from askai.plans.plan import Choice, Fact, GroupBy, Language, Part, PlanInvalid, Rows
from tests.rows import each

pytestmark = pytest.mark.once


def short(part: Part) -> str:
    """Return the part in a few words, such as `rows 1: types login_success`."""
    if isinstance(part, Fact):
        return f"fact {part.name}"
    shape = part.shape
    words = [part.entity.value.removeprefix("audit_"), type(shape).__name__.lower()]
    if isinstance(shape, GroupBy):
        words.append(shape.by.value)
    if isinstance(shape, GroupBy | Rows) and shape.limit:
        words.append(str(shape.limit))
    choices = [getattr(part.filters, name) for name in ("types", "ips", "browsers", "systems", "forms", "places")]
    words += [("not " if c.is_not else "") + "|".join(map(str, c.values)) for c in choices if isinstance(c, Choice)]
    return " ".join([*words, *filter(None, (part.filters.which,))])


EVERYWHERE = {
    "events rows 1 login_success": (
        "When did I last log in?",
        "Wann habe ich mich zuletzt angemeldet?",
        "Quand me suis-je connecté pour la dernière fois ?",
        "¿Cuándo inicié sesión por última vez?",
        "最後にログインしたのはいつですか？",
    ),
    "events count login_failed": (
        "How many failed logins were there yesterday between 2 and 4 pm?",
        "Wie viele fehlgeschlagene Anmeldungen gab es gestern zwischen 14 und 16 Uhr?",
        "Combien de connexions échouées hier entre 14h et 16h ?",
        "¿Cuántos inicios de sesión fallidos hubo ayer entre las 2 y las 4 de la tarde?",
        "昨日の午後2時から4時までに失敗したログインは何件ありましたか？",
    ),
    "events rows login_success not Chrome": (
        "Logins not from Chrome",
        "Anmeldungen nicht von Chrome",
        "Connexions sauf depuis Chrome",
        "Inicios de sesión excepto desde Chrome",
        "Chrome以外からのログイン",
    ),
    "fact locked": (
        "Is my account locked?",
        "Ist mein Konto gesperrt?",
        "Mon compte est-il bloqué ?",
        "¿Está bloqueada mi cuenta?",
        "アカウントはロックされていますか？",
    ),
    "fact passkey": (
        "Do I have a passkey?",
        "Habe ich einen Passkey?",
        "Ai-je une clé d'accès ?",
        "¿Tengo una llave de acceso?",
        "パスキーはありますか？",
        "How many passkeys are registered?",
        "Wie viele Passkeys sind registriert?",
        "Combien de clés d'accès sont enregistrées ?",
        "¿Cuántas llaves de acceso hay registradas?",
        "パスキーはいくつ登録されていますか",
    ),
    "fact api_keys": (
        "How many API keys do I have?",
        "Wie viele API-Keys habe ich?",
        "Combien de clés API ai-je ?",
        "¿Cuántas claves API tengo?",
        "APIキーはいくつありますか？",
    ),
    "events count passkey_registered": (
        "How many passkeys were registered?",
        "Wie viele Passkeys wurden registriert?",
        "Combien de clés d'accès ont été enregistrées ?",
        "¿Cuántas llaves de acceso fueron registradas?",
        "パスキーは何回登録されましたか",
    ),
    "sessions rows": (
        "Which devices am I logged in on?",
        "Auf welchen Geräten bin ich noch angemeldet?",
        "sur quels appareils suis-je connecté actuellement ?",
        "¿En qué dispositivos tengo la sesión abierta ahora mismo?",
        "今どのデバイスでログインしていますか？",
    ),
    "events groupby place 1 login_success": (
        "Where do I log in most often?",
        "Wo melde ich mich am häufigsten an?",
        "Où est-ce que je me connecte le plus souvent ?",
        "¿Dónde inicio sesión más a menudo?",
        "一番よくログインしてる場所はどこ?",
    ),
    "events groupby browser 1 login_success": (
        "Which browser do I log in with most?",
        "Mit welchem Browser melde ich mich am häufigsten an?",
        "Avec quel navigateur je me connecte le plus souvent ?",
        "¿Qué navegador uso más para iniciar sesión?",
        "一番よく使うブラウザは何ですか？",
    ),
    "events rows login_success DE|FR": (
        "Logins from Germany or France",
        "Anmeldungen aus Deutschland oder Frankreich",
        "Connexions depuis l'Allemagne ou la France",
        "Accesos desde Alemania o Francia",
        "ドイツまたはフランスからのログイン",
    ),
    "events compare login_success": (
        "More logins this week than last week?",
        "Mehr Anmeldungen diese Woche als letzte Woche?",
        "Plus de connexions cette semaine que la semaine dernière ?",
        "¿Más inicios de sesión esta semana que la semana pasada?",
        "今週と先週のログイン数を比較して",
    ),
}


@each(
    "expected, question, language",
    [
        (expected, question, language)
        for expected, questions in EVERYWHERE.items()
        for question, language in zip(questions, cycle(Language), strict=False)
    ],
)
def test_a_question_has_the_same_plan_in_every_language(expected: str, question: str, language: Language) -> None:
    query = parse(question)

    assert [short(part) for part in query.parts] == [expected]
    assert query.language is language


@each(
    "questions",
    [
        ("Log me out", "Melde mich ab", "Déconnecte-moi", "Cierra mi sesión", "ログアウトして"),
        ("End my session", "Beende meine Sitzung", "Ferme ma session", "Termina mi sesión", "セッションを終了して"),
        ("Start recovery", "Starte die Wiederherstellung", "Change mon mot de passe", "Cambie mi contraseña", "パスワードを変更して"),
        ("Did my last login fail?", "Ist meine letzte Anmeldung fehlgeschlagen?", "Ma dernière connexion a-t-elle échoué ?",
         "¿Falló mi último inicio de sesión?", "最後のログインは失敗しましたか？"),
        ("Has Bob logged in?", "Hat sich Bob angemeldet?", "Bob s'est-il connecté ?", "¿Ha iniciado sesión Bob?", "ボブはログインしましたか？"),
        ("Who logged in?", "Wer hat sich angemeldet?", "Qui s'est connecté ?", "¿Quién ha iniciado sesión?", "誰がログインしましたか？"),
        ("Has anyone else logged in?", "Did Bob's brother log in?", "Who else is logged in to my account?"),
        ("Set up 2FA for me", "Richte 2FA ein", "Active la double authentification", "Active la verificación en dos pasos",
         "2段階認証を有効にして"),
        ("Was I logged in yesterday?", "War ich gestern angemeldet?", "Étais-je connecté hier ?", "¿Estaba conectado ayer?",
         "昨日ログインしていましたか？"),
        ("Did I log in from Berlin and Paris?", "Habe ich mich aus Berlin und Paris angemeldet?",
         "Me suis-je connecté depuis Berlin et Paris ?", "¿He iniciado sesión desde Berlín y París?"),
        ("Was my password changed by me?", "Logins on Chrome or my phone", "Everything except failed logins from Chrome",
         "failed logins not from Chrome on Windows", "How many hours was I logged in", "When did Monday's session end?",
         "How many logins today and how many failed logins?", "What is a session?", "Qu'est-ce qu'une session ?",
         "logins and failed logins from Chrome", "login and passkey failures", "How many API keys did I have?",
         "How many passkeys do I have from Chrome?"),
        ("Where am I logged in most?", "Wo bin ich am häufigsten angemeldet?", "Où suis-je connecté le plus souvent ?",
         "¿Dónde estoy conectado más a menudo?", "最も多くログインしている国はどこですか"),
        ("How many passkeys are registered this week?", "Which passkeys are registered?", "Number of registered passkeys",
         "How many recovery codes are generated?", "パスキーの登録数は", "On which 3 devices am I signed in?"),
        ("Why was my account locked?", "Warum wurde mein Konto gesperrt?", "Pourquoi mon compte a-t-il été bloqué ?",
         "¿Por qué se bloqueó mi cuenta?", "なぜアカウントがロックされましたか？"),
    ],
)  # fmt: skip
def test_commands_other_people_and_the_last_record_are_refused(questions: tuple[str, ...]) -> None:
    for question in questions:
        with pytest.raises(PlanInvalid):
            parse(question)


@each(
    "question, expected",
    [
        ("When did I last log in and log out?", ["events rows 1 login_success", "events rows 1 logout"]),
        ("Was 2FA turned off and on?", ["events exists totp_disabled", "events exists totp_enabled"]),
        ("Which is my current session?", ["sessions rows this"]),
        ("Show my other sessions", ["sessions rows others"]),
        ("Auf welchen Geräten außer diesem bin ich gerade angemeldet?", ["sessions rows others"]),
        ("Sessions by device", ["sessions groupby device"]),
        ("Am I signed in, and on which devices?", ["sessions exists", "sessions rows"]),
        ("How many failed logins and when?", ["events count login_failed", "events rows login_failed"]),
        ("How many logins and failed logins today?", ["events count login_failed|login_success"]),
        ("Total logins", ["events count login_success"]),
        ("How many API keys were created?", ["events count api_key_created"]),
        ("Which sessions, including those that have ended, were started in May?", ["sessions rows"]),
        ("Which types of events are there?", ["events groupby type"]),
        (
            "Between 19 and 30 September, how many logins and how many failed logins?",
            ["events count login_failed|login_success"],
        ),
        (
            "When was an API key created, and when was it revoked?",
            ["events rows api_key_created", "events rows api_key_revoked"],
        ),
        ("I exported my data; when was that?", ["events rows data_exported"]),
        ("Is my email verified, and do I have an API key?", ["fact address_proven", "fact api_keys"]),
        ("What is my last login and from which IP?", ["events rows 1 login_success"]),
    ],
)
def test_every_part_of_a_question_is_answered(question: str, expected: list[str]) -> None:
    assert [short(part) for part in parse(question).parts] == expected


@each("word", ["xyzzy", "bob", "クジラ", "users", "why", "should"])
def test_an_unknown_word_at_any_place_refuses_the_question(word: str) -> None:
    for questions in EVERYWHERE.values():
        for question in questions:
            words = question.split()
            for place in range(len(words) + 1):
                with pytest.raises(PlanInvalid):
                    parse(" ".join([*words[:place], word, *words[place:]]))


SWAPPED = (
    ("last", "first"), ("not from", "from"), ("yesterday", "today"), ("Chrome", "Firefox"), ("2 and 4", "3 and 4"),
    ("Germany", "Italy"), ("failed ", ""), ("this week than last week", "last week than this week"),
    ("zuletzt", "zum ersten Mal"), ("gestern", "heute"), ("14", "15"), ("nicht ", ""), ("Deutschland", "Italien"),
    ("dernière fois", "première fois"), ("hier", "aujourd'hui"), ("sauf ", ""), ("échouées", "réussies"),
    ("última vez", "primera vez"), ("ayer", "anteayer"), ("excepto ", ""), ("fallidos ", ""),
    ("最後に", "最初に"), ("昨日", "今日"), ("以外", ""), ("失敗した", "成功した"),
)  # fmt: skip


@each("swap", SWAPPED)
def test_a_changed_condition_changes_the_plan_or_is_refused(swap: tuple[str, str]) -> None:
    changed = [question for questions in EVERYWHERE.values() for question in questions if swap[0] in question]

    assert changed
    for question in changed:
        try:
            assert parse(question.replace(*swap)).parts != parse(question).parts
        except PlanInvalid:
            continue
