"""The question box, which makes the same call as the API."""

from django.urls import reverse

from tests.api.askai.conftest import deployment, reader
from tests.api.askai.deployment import GREETING, Deployment
from tests.pages import signed_in
from tests.people import Person, existing_session

__all__ = ["deployment", "reader"]

ASK = "authsvc-account-ask"


def test_a_question_is_answered_in_a_sentence_and_rows(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    session = existing_session(alice)
    browser = signed_in(alice).open(ASK)
    assert GREETING in browser.text
    assert browser.text.count('name="question" value="') == 5
    assert "Ask about your account</a>" in browser.text

    browser.submit(ASK, question="Where am I signed in?")

    sentence = session.api.post("/v1/ask-ai", {"question": "Where am I signed in?"}, token=session.access).data[
        "sentence"
    ]
    assert browser.status == 200
    assert sentence.partition(":")[0] in browser.text
    assert browser.text.count("<tr>") == 3
    assert "Where am I signed in?</h2>" in browser.text


def test_a_question_without_an_answer_stays_in_its_field(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    browser = signed_in(alice).open(ASK)

    browser.submit(ASK, question="What is <b>love</b>?")
    assert (browser.status, browser.field("question")) == (422, "What is <b>love</b>?")
    assert 'id="question-error">This question has no answer here.' in browser.text
    browser.submit(ASK, question="  ")

    assert browser.status == 422


def test_a_question_counts_against_the_limit_of_the_api(deployment: Deployment, alice: Person) -> None:
    deployment.open()
    deployment.configure(RATE_LIMITS="ask_ai=1/h")
    session = existing_session(alice)
    session.api.post("/v1/ask-ai", {"question": "Where am I signed in?"}, token=session.access)

    assert signed_in(alice).open(ASK).submit(ASK, question="Where am I signed in?").status == 429


def test_a_form_without_the_token_of_the_session_asks_nothing(deployment: Deployment, alice: Person) -> None:
    deployment.open()

    assert signed_in(alice).send(reverse(ASK), {"question": "Where am I signed in?"}).status == 403


def test_the_box_is_hidden_where_no_one_may_ask(deployment: Deployment, alice: Person) -> None:
    deployment.open(enabled=False)
    browser = signed_in(alice).open("authsvc-account")

    assert "Ask about your account" not in browser.text
    assert browser.open(ASK).status == 404
