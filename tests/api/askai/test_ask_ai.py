import pytest

from askai.answers.examples import examples
from askai.models import Setting
from askai.plans.entities import COLUMNS
from askai.plans.plan import Language
from core import clock
from core.clock import rfc3339
from core.keys.jwt import issue_access_token
from events.models import Event
from events.vocabulary import OPERATOR_ACTS
from sessions_app.models import Family
from tests.client import PASSWORD, Answer, Api
from tests.factories import EventFactory
from tests.people import Person, existing_session
from tests.rows import each

from .deployment import GRANTS, ORIGIN, Deployment, as_owner, ask, rows, text_of, unreadable_events

FIREFOX_ON_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
CURL = "curl/8.5.0"
NOTHING = {"answer": "No matching results.", "row_count": 0}


def test_the_answer_contains_the_listed_sessions_in_the_same_order(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    alice.log_in(Api(ip="198.51.100.4", user_agent=FIREFOX_ON_WINDOWS))
    ended = alice.log_in(Api(ip="192.0.2.1", user_agent=CURL))
    ended.api.post("/v1/logout", {"session_id": listed(ended)[0]["id"]}, token=ended.access)

    answer = ask(session, "Where am I logged in?")

    expected = [
        {"created_at": item["created_at"], "device": item["label"], "ip": item["ip"]} for item in listed(session)
    ]
    assert rows(answer) == expected
    assert [row["device"] for row in expected] == ["Firefox on Windows", "Chrome on macOS"]
    assert answer.data["row_count"] == 2


def listed(session: object) -> list[dict[str, str]]:
    found: list[dict[str, str]] = session.api.get("/v1/sessions", token=session.access).data  # type: ignore[attr-defined]
    return found


def test_the_answer_contains_the_callers_events_with_the_newest_first(
    deployment: Deployment, alice: Person, bob: Person
) -> None:
    deployment.open()
    existing_session(bob)
    Api(ip="192.0.2.99").post("/v1/login", {"email": alice.email, "password": "wrong"})
    session = existing_session(alice)

    answer = ask(session, "What happened in my account?")

    expected = [
        {"created_at": rfc3339(event.created_at), "type": event.type, "device": "Chrome on macOS", "ip": event.ip}
        for event in Event.objects.filter(user_id=alice.user_id).order_by("-created_at", "-id")
    ]
    assert rows(answer) == expected
    assert [row["type"] for row in expected] == ["login_success", "login_failed", "signup_success"]


@pytest.mark.parametrize(
    ("question", "answer", "row_count"),
    [
        ("How many failed logins were there today?", "count\n3", 3),
        ("How many times did I log in today?", "count\n2", 2),
        ("How many failed logins from Firefox?", "count\n1", 1),
        ("How many failed logins on Windows?", "count\n1", 1),
        ("How many failed logins from Firefox on macOS?", "No matching results.", 0),
        ("How many failed logins from 192.0.2.1?", "count\n2", 2),
        ("Were there failed logins from 192.0.2.3?", "No matching results.", 0),
        ("How many passkeys were added?", "No matching results.", 0),
        ("How many failed logins before 2020?", "No matching results.", 0),
        (
            "How many events by type?",
            "value | count\nlogin_failed | 3\nlogin_success | 2\nsignup_success | 1",
            3,
        ),
        ("Which IP addresses did failed logins come from?", "value | count\n192.0.2.1 | 2\n198.51.100.4 | 1", 2),
        ("On which devices did logins fail?", "value | count\nFirefox on Windows | 1\ncurl | 2", 2),
        ("Show my sessions per device", "value | count\nChrome on macOS | 2", 1),
        ("Show the device and ip of the last failed login", "ip | device\n192.0.2.1 | curl", 1),
        ("Show the browser and operating system of the first failed login", "browser | os\nFirefox | Windows", 1),
    ],
)
def test_a_question_gets_the_right_answer(
    deployment: Deployment, alice: Person, question: str, answer: str, row_count: int
) -> None:
    deployment.open()
    existing_session(alice)
    wrong = {"email": alice.email, "password": "wrong"}
    Api(ip="198.51.100.4", user_agent=FIREFOX_ON_WINDOWS).post("/v1/login", wrong)
    for _ in range(2):
        Api(ip="192.0.2.1", user_agent=CURL).post("/v1/login", wrong)

    assert text_of(ask(existing_session(alice), question)) == {"answer": answer, "row_count": row_count}


def test_days_are_days_in_utc(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    Event.objects.filter(type="signup_success").update(created_at="2026-02-28T23:59:59.999999Z")
    Event.objects.filter(type="login_success").update(created_at="2026-03-01T00:00:00Z")

    assert ask(session, "How many events per day?").data["answer"] == "value | count\n2026-02-28 | 1\n2026-03-01 | 1"
    assert ask(session, "How many events on 2026-02-28?").data["answer"] == "count\n1"
    assert ask(session, "Which logins were there since 2026-03-01?").data["row_count"] == 1


def test_days_are_those_of_the_time_zone_in_the_request(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    Event.objects.filter(type="login_success").update(created_at="2026-03-01T23:30:00Z")

    def ask_in(**members: object) -> Answer:
        body = {"question": "How many logins on 2026-03-02?", **members}
        return session.api.post("/v1/ask-ai", body, token=session.access)

    assert ask_in().data["row_count"] == 0
    berlin = ask_in(time_zone="Europe/Berlin", language="de").data
    assert (berlin["row_count"], berlin["time_zone"], berlin["language"]) == (1, "Europe/Berlin", "en")
    for members in ({"time_zone": "Europe/Atlantis"}, {"time_zone": ""}, {"time_zone": 5}, {"language": "it"}):
        refused = ask_in(**members)
        assert (refused.status, refused.code) == (400, "invalid_question")
        assert next(iter(members)) in refused.body["error"]["message"]


def test_the_answer_is_also_in_words(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    Event.objects.filter(type="login_success").update(created_at="2026-03-01T23:30:00Z")

    body = {"question": "Which logins were there since 2026-03-01?", "time_zone": "Europe/Berlin"}
    data = session.api.post("/v1/ask-ai", body, token=session.access).data

    understood = "Logins since 1 March 2026 (Europe/Berlin)"
    sentence = f"{understood}: 2 March 2026, 00:30 (Europe/Berlin), Chrome on macOS, 203.0.113.7."
    assert data == {
        "answer": "created_at | type | device | ip\n"
        "2026-03-01T23:30:00.000000Z | login_success | Chrome on macOS | 203.0.113.7",
        "row_count": 1,
        "language": "en",
        "time_zone": "Europe/Berlin",
        "sentence": sentence,
        "parts": [
            {
                "understood": understood,
                "sentence": sentence,
                "columns": ["Time (Europe/Berlin)", "Event", "Device", "IP address"],
                "rows": [["2 March 2026, 00:30", "Login", "Chrome on macOS", "203.0.113.7"]],
                "total": 1,
                "is_cut": False,
            }
        ],
    }


def test_events_of_the_same_moment_have_a_stable_order(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    Event.objects.update(created_at="2026-03-01T00:00:00Z")

    newest, oldest = (ask(session, f"Show the ids of the {end} 9 events") for end in ("newest", "oldest"))

    ids = [str(event) for event in Event.objects.order_by("-id").values_list("pk", flat=True)]
    assert [row["id"] for row in rows(newest)] == ids
    assert [row["id"] for row in rows(oldest)] == ids[::-1]


def test_the_limit_applies_to_rows_counts_and_groups(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    deployment.use_database(max_rows=2)
    session = existing_session(alice)
    existing_session(alice)

    assert ask(session, "What happened?").data["row_count"] == 2
    assert ask(session, "Show my last 500 events").data["row_count"] == 2
    assert text_of(ask(session, "How many events were there?")) == {"answer": "count\n2 or more", "row_count": 2}
    assert text_of(ask(session, "How many signups were there?")) == {"answer": "count\n1", "row_count": 1}
    assert ask(session, "Show my last 1 events").data["row_count"] == 1
    deployment.use_database(max_rows=1)
    assert text_of(ask(session, "Events by type")) == {"answer": "value | count\nlogin_success | 2", "row_count": 1}
    assert ask(session, "Which devices did I log in from?").data["row_count"] == 1


def test_the_same_question_about_the_same_data_gets_the_same_answer(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    for number in range(5):
        alice.log_in(Api(ip=f"192.0.2.{number}"))
    Event.objects.update(created_at="2026-03-01T00:00:00Z")
    questions = ["What happened?", "Show my sessions", "Which devices did I log in from?", "Events per day"]

    before = [ask(session, question).body for question in questions]
    Event.objects.filter(type="login_success").update(user_agent="")
    Event.objects.filter(type="login_success").update(user_agent=alice.api.user_agent)
    as_owner(
        *(
            f"{maintenance} {table}"
            for table in ("authsvc_accounts_event", "authsvc_sessions_family", "authsvc_sessions_token")
            for maintenance in ("VACUUM FULL", "REINDEX TABLE")
        )
    )

    assert [ask(session, question).body for question in questions] == before


def test_data_of_other_callers_cannot_change_the_layout_of_an_answer(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    Event.objects.update(user_agent="x | y\n2026-01-01\u2028login_success \u202eevil\u2066\x1b[2J" + "z" * 400)

    answer = ask(session, "Show the user agent of my last login")

    cell = "x \\| y 2026-01-01 login_success  evil  [2J"
    assert answer.data["answer"] == f"user_agent\n{cell}{'z' * (200 - len(cell))}"


@each("question", [None, 5, True, [], {}, "", " ", "\n\t", "x" * 501, "nul\0"])
def test_an_invalid_question_is_refused(deployment: Deployment, alice: Person, question: object) -> None:
    deployment.open()

    answer = ask(existing_session(alice), question)

    assert (answer.status, answer.code) == (400, "invalid_question")


def test_a_question_has_at_most_500_characters_and_other_members_are_ignored(
    deployment: Deployment, alice: Person
) -> None:
    deployment.open()
    session = existing_session(alice)
    body = {"question": "how many sessions?".ljust(500), "user_id": "x", "entity": "users"}

    assert text_of(session.api.post("/v1/ask-ai", body, token=session.access)) == {"answer": "count\n1", "row_count": 1}
    assert session.api.post("/v1/ask-ai", {}, token=session.access).code == "invalid_question"
    assert session.api.send("POST", "/v1/ask-ai", b"{", token=session.access).code == "bad_request"


@each("entities", [[], ["users"], ["sessions"], ["sessions", "users"]])
@each("question", ["What happened?", "Show all users", "Show the invoices", "asdf"])
def test_forbidden_and_unclear_questions_get_the_same_answer(
    deployment: Deployment, alice: Person, entities: list[str], question: str
) -> None:
    deployment.open(entities=entities)

    answer = ask(existing_session(alice), question)

    assert (answer.status, answer.body) == (
        400,
        {
            "error": {
                "code": "question_not_answerable",
                "message": "This question cannot be answered. Ask about your own sessions, or about events in your "
                "account.",
            }
        },
    )


def test_the_checks_run_in_the_documented_order(deployment: Deployment, alice: Person) -> None:
    session = existing_session(alice)
    elsewhere = {"Origin": "https://elsewhere.example"}

    def code(question: object = 5, **headers: str) -> str:
        return ask(session, question, **headers).code

    deployment.configure(SETTINGS_ENCRYPTION_KEY="", RATE_LIMITS="ask_ai=1/d")
    assert session.api.post("/v1/ask-ai", {}).code == "missing_auth_header"
    assert session.api.post("/v1/ask-ai", {}, token="x").code == "invalid_access_token"
    assert code(**elsewhere) == "not_configured"
    deployment.configure(SETTINGS_ENCRYPTION_KEY="ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=")
    assert code(**elsewhere) == "not_configured"
    deployment.use_widget(enabled=False)
    assert code(**elsewhere) == "ask_ai_widget_disabled"
    deployment.use_widget()
    assert code(**elsewhere) == "origin_not_allowed"
    assert code() == "not_configured"
    deployment.use_model("builtin")
    assert code() == "not_configured"
    deployment.use_database()
    assert code() == "invalid_question"
    assert code("asdf") == "question_not_answerable"
    assert code(5) == "invalid_question"
    assert code("asdf") == "rate_limited"


@pytest.mark.parametrize("name", ["llm-provider", "database-provider"])
def test_a_setting_that_cannot_be_decrypted_counts_as_not_configured(
    deployment: Deployment, alice: Person, name: str
) -> None:
    deployment.open()
    Setting.objects.filter(pk=name).update(credential=b"x" * 60)

    answer = ask(existing_session(alice), "Show my sessions")

    assert (answer.status, answer.code) == (404, "not_configured")


def test_each_user_has_a_separate_limit(deployment: Deployment, alice: Person, bob: Person) -> None:
    deployment.open()
    deployment.configure(RATE_LIMITS="ask_ai=1/d")
    first, second = existing_session(alice), existing_session(bob)

    assert ask(first, "Show my sessions").status == 200
    refused = ask(first, "Show my sessions")
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 0
    assert ask(second, "Show my sessions").status == 200


def test_the_users_of_a_network_share_a_limit(deployment: Deployment, alice: Person, bob: Person) -> None:
    deployment.open()
    deployment.configure(RATE_LIMITS="ask_ai_ip=1/d")
    first, second = alice.log_in(Api(ip="2001:db8:7:1::1")), bob.log_in(Api(ip="2001:db8:7:1::2"))

    assert ask(first, "Show my sessions").status == 200
    assert ask(second, "Show my sessions").code == "rate_limited"
    assert ask(bob.log_in(Api(ip="2001:db8:7:2::1")), "Show my sessions").status == 200


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://nobody:x@127.0.0.1:1/nothing",
        "postgresql://nobody:x@169.254.169.254/nothing",
        "postgresql://nobody:x@nowhere.invalid/nothing",
    ],
)
def test_a_database_that_cannot_be_reached_is_unavailable(deployment: Deployment, alice: Person, dsn: str) -> None:
    deployment.open()
    deployment.use_database(dsn=dsn)

    answer = ask(existing_session(alice), "Show my sessions")

    assert (answer.status, answer.code) == (503, "ask_ai_unavailable")


def test_a_role_without_read_rights_is_unavailable(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    role = deployment.dsn.partition("//")[2].partition(":")[0]
    session = existing_session(alice)
    as_owner(f"REVOKE SELECT ON {Family._meta.db_table} FROM {role}")  # noqa: S608 - fixed names
    try:
        answer = ask(session, "Show my sessions")
    finally:
        as_owner(*(grant.format(role=role) for grant in GRANTS))

    assert (answer.status, answer.code) == (503, "ask_ai_unavailable")


def test_an_answer_that_takes_too_long_is_unavailable(
    deployment: Deployment, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askai.running.runner.STATEMENT_SECONDS", 0.05)
    deployment.open()
    session = existing_session(alice)

    with unreadable_events():
        answer = ask(session, "What happened?")

    assert (answer.status, answer.code) == (503, "ask_ai_unavailable")


def test_the_token_of_a_deleted_account_cannot_ask_about_its_events(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert Event.objects.filter(user_id=alice.user_id).exists()
    assert ask(session, "What happened?").code == "invalid_access_token"


def test_an_operator_gets_answers_only_about_themselves(deployment: Deployment, alice: Person, bob: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    token = issue_access_token(user_id=alice.user_id, token_id="t", claims={"role": "admin"}, now=clock.now())
    existing_session(bob)

    answer = session.api.post("/v1/ask-ai", {"question": "How many logins?"}, token=token)

    assert answer.data["answer"] == "count\n1"


def test_the_acts_of_an_operator_are_no_events_of_their_account(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    for act in OPERATOR_ACTS:
        EventFactory.create(type=act, user_id=alice.user_id)

    answer = ask(session, "How many events by type?")

    assert answer.data["answer"] == "value | count\nlogin_success | 1\nsignup_success | 1"
    assert ask(session, "How many operator_exported events?").code == "question_not_answerable"


def test_the_widget_gets_its_texts_while_it_is_on_or_off(deployment: Deployment, alice: Person) -> None:
    session = existing_session(alice)

    def get(**headers: str) -> object:
        answer = session.api.get("/v1/ask-ai/widget", token=session.access, headers=headers)
        return answer.body["data"] if answer.status == 200 else answer.code

    assert get() == "not_configured"
    deployment.use_widget(placeholder="Ask …")
    texts = {"enabled": True, "greeting": "What would you like to know?", "placeholder": "Ask …"}
    assert get(Origin=ORIGIN) == {**texts, "examples": examples(language=Language.EN, entities=[*COLUMNS])}
    assert get(Origin="https://elsewhere.example") == "origin_not_allowed"
    deployment.use_widget(enabled=False, greeting="", entities=[])
    assert get() == {"enabled": False, "greeting": "", "placeholder": "", "examples": []}
    deployment.configure(SETTINGS_ENCRYPTION_KEY="")
    assert get() == "not_configured"


def test_the_examples_are_in_the_language_and_about_the_entities_of_the_widget(
    deployment: Deployment, alice: Person
) -> None:
    session = existing_session(alice)

    def get(language: str) -> list[str]:
        found: list[str] = session.api.get(f"/v1/ask-ai/widget?language={language}", token=session.access).data[
            "examples"
        ]
        return found

    for entities in (["sessions"], ["audit_events"], ["sessions", "audit_events"]):
        deployment.use_widget(entities=entities)
        found = [get(language) for language in Language]
        assert [len(each) for each in found] == [5] * len(Language)
        assert len({example for each in found for example in each}) == 5 * len(Language)
    assert session.api.get("/v1/ask-ai/widget?language=it", token=session.access).code == "bad_request"
