from collections.abc import Callable, Iterator

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Account, Event, MailToken
from mail.models import OutgoingMail
from tests.client import Api
from tests.mails import delivered, text_of, token_in
from tests.password_resets import ask, mailed_token, reset
from tests.people import Person

NOBODY = "nobody@example.com"


@pytest.fixture
def limit(settings: Settings, request: pytest.FixtureRequest) -> Iterator[Callable[[str], None]]:
    """Change the limits. The other limits stay off. Time stands still on a day that no other test of limits uses."""

    def change(limits: str) -> None:
        off = "mail=off,mail_ip=off,mailbox=off,password=off,login=off,login_ip=off,signup=off,edge=off"
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": f"{off},{limits}"}

    with time_machine.travel("2031-06-01T12:00:00Z", tick=False) as traveller:
        traveller.shift(86_400 * (sum(request.node.name.encode()) % 3000))
        yield change


def test_the_answer_does_not_reveal_whether_an_account_exists(api: Api, alice: Person) -> None:
    known, unknown, impossible = (ask(api, email) for email in (alice.email, NOBODY, "no address"))

    assert known.body == unknown.body == impossible.body == {"data": {"status": "reset sent"}}
    assert known.status == unknown.status == impossible.status == 200
    assert not delivered(NOBODY)
    assert Account.objects.count() == 1


def test_an_unknown_address_costs_the_same_work_and_gets_no_mail(api: Api, alice: Person) -> None:
    ask(api, alice.email)
    ask(api, NOBODY)

    known, unknown = OutgoingMail.objects.order_by("created_at")
    assert (known.template, len(known.sealed) // 100) == (unknown.template, len(unknown.sealed) // 100)
    assert Event.objects.filter(type="password_reset_requested").count() == 2
    assert len(delivered(alice.email)) == 1
    assert not OutgoingMail.objects.exists()


def test_the_mail_goes_only_to_the_stored_address_in_any_spelling(api: Api, alice: Person) -> None:
    ask(api, "ＡLICE@example.com")

    (mail,) = delivered(alice.email)
    assert mail["Subject"] == "Reset your password for localhost"


def test_request_headers_do_not_change_the_link(api: Api, alice: Person) -> None:
    api.post("/v1/password/forgot", {"email": alice.email}, headers={"Host": "localhost", "X-Forwarded-Host": "evil"})

    (mail,) = delivered(alice.email)
    assert "http://localhost:8000/mail/password-reset#token=" in text_of(mail)
    assert "evil" not in mail.as_string()


def test_the_link_leads_to_the_page_of_the_application_that_the_settings_name(
    settings: Settings, api: Api, alice: Person
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSWORD_RESET_URL": "https://app.example.com/reset"}

    ask(api, alice.email)

    assert "https://app.example.com/reset?token=" in text_of(delivered(alice.email)[0])


def test_only_the_three_newest_links_stay_live(api: Api, alice: Person) -> None:
    for _ in range(4):
        ask(api, alice.email)
    oldest, *newest = [token_in(mail) for mail in delivered(alice.email)]

    assert reset(api, oldest).code == "verification_token_invalid"
    assert MailToken.objects.filter(spent_at=None).count() == 3
    assert reset(api, newest[0]).status == 200


def test_only_a_digest_of_the_token_is_stored(alice: Person) -> None:
    token = mailed_token(alice)

    assert len(token) == 43
    (digest,) = MailToken.objects.values_list("digest", flat=True)
    assert len(digest) == 32
    assert token.encode() not in bytes(digest)


def test_requests_are_limited_by_address_and_network(alice: Person, limit: Callable[[str], None]) -> None:
    limit("mail=1/m")
    eve = Api(ip="198.51.100.66")
    ask(eve, alice.email)

    refused = ask(eve, alice.email)

    assert (refused.code, "Retry-After" in refused.headers) == ("rate_limited", True)
    assert ask(eve, NOBODY).status == 200
    assert ask(alice.api, alice.email).status == 200


def test_requests_are_limited_by_network(alice: Person, limit: Callable[[str], None]) -> None:
    limit("mail_ip=2/m")

    answers = [ask(alice.api, f"person{number}@example.com") for number in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 429]


def test_no_mail_is_sent_beyond_the_limit_of_the_mailbox_and_the_answer_stays_the_same(
    alice: Person, limit: Callable[[str], None]
) -> None:
    limit("mailbox=2/h")

    answers = [ask(alice.api, email) for email in (alice.email, NOBODY) for _ in range(3)]

    assert {(answer.status, answer.data["status"]) for answer in answers} == {(200, "reset sent")}
    assert OutgoingMail.objects.count() == 4


def test_attackers_in_another_network_use_up_neither_the_owners_resets_nor_the_links(
    alice: Person, limit: Callable[[str], None]
) -> None:
    alice.log_in(Api(ip="203.0.113.7"))
    limit("mailbox=1/h")
    eve = Api(ip="198.51.100.66")
    for _ in range(3):
        ask(eve, alice.email)
    assert len(delivered(alice.email)) == 1

    ask(Api(ip="203.0.113.250"), alice.email)
    eve.post("/v1/magic-link/request", {"email": alice.email})

    assert len(delivered(alice.email)) == 2


def test_without_mail_password_resets_are_not_configured(settings: Settings, api: Api) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    for answer in (ask(api, "alice@example.com"), reset(api, "x"), api.post("/v1/password/forgot", {})):
        assert (answer.status, answer.code) == (404, "not_configured")


@pytest.mark.parametrize("body", [{}, {"email": 5}, {"email": None}])
def test_a_body_without_an_address_is_malformed(api: Api, body: object) -> None:
    assert api.post("/v1/password/forgot", body).code == "bad_request"
