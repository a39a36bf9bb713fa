from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Account, Event, MailToken
from mail.models import OutgoingMail
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person
from tests.second_factors import enroll_totp, pause


def ask(api: Api, email: str) -> Answer:
    return api.post("/v1/magic-link/request", {"email": email})


def complete(api: Api, token: object) -> Answer:
    return api.post("/v1/magic-link/complete", {"token": token})


def link(api: Api, person: Person) -> str:
    ask(api, person.email)
    return token_in(delivered(person.email)[-1])


def later(**delta: float) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + timedelta(**delta))  # noqa: TID251


def test_a_link_completes_one_login(api: Api, alice: Person) -> None:
    token = link(api, alice)

    tokens = complete(api, token).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}
    again = complete(api, token)
    assert (again.status, again.code) == (400, "verification_token_invalid")
    assert Event.objects.get(type="login_success").metadata == {"method": "magic_link"}


def test_the_answer_does_not_reveal_whether_an_account_exists(api: Api, alice: Person) -> None:
    known, unknown, impossible = (ask(api, email) for email in (alice.email, "nobody@example.com", "no address"))

    assert known.body == unknown.body == impossible.body == {"data": {}}
    assert known.status == unknown.status == impossible.status == 200
    assert not delivered("nobody@example.com")
    assert Account.objects.count() == 1


def test_an_unknown_address_costs_the_same_work_and_gets_no_mail(api: Api, alice: Person) -> None:
    ask(api, alice.email)
    ask(api, "nobody@example.com")

    known, unknown = OutgoingMail.objects.order_by("created_at")
    assert known.template == unknown.template
    assert abs(len(known.sealed) - len(unknown.sealed)) < 50
    assert len(delivered(alice.email)) == 1
    assert not OutgoingMail.objects.exists()
    assert not delivered("")


def test_the_mail_goes_only_to_the_stored_address(api: Api, alice: Person) -> None:
    ask(api, "ＡLICE@example.com")

    assert len(delivered(alice.email)) == 1


def test_request_headers_do_not_change_the_link(api: Api, alice: Person) -> None:
    api.post(
        "/v1/magic-link/request", {"email": alice.email}, headers={"Host": "localhost", "X-Forwarded-Host": "evil"}
    )

    (mail,) = delivered(alice.email)
    assert "http://localhost:8000/mail/magic-link#token=" in text_of(mail)
    assert "evil" not in mail.as_string()


def test_a_link_expires_after_fifteen_minutes(api: Api, alice: Person) -> None:
    token = link(api, alice)

    with later(seconds=901):
        answer = complete(api, token)

    assert (answer.status, answer.code) == (400, "verification_token_expired")


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "spt_" + "A" * 43])
def test_an_unknown_token_is_invalid(api: Api, token: str) -> None:
    answer = complete(api, token)

    assert (answer.status, answer.code) == (400, "verification_token_invalid")


def test_three_links_are_valid_at_once_and_the_first_login_voids_them_all(api: Api, alice: Person) -> None:
    first, second, third, fourth = (link(api, alice) for _ in range(4))

    assert complete(api, first).code == "verification_token_invalid"
    assert complete(api, fourth).status == 200
    assert complete(api, second).code == complete(api, third).code == "verification_token_invalid"


def asked(api: Api, email: str, *, times: int) -> int:
    """Request a link so often and return the number of mails. Every answer is the same."""
    assert {ask(api, email).status for _ in range(times)} == {200}
    return len(delivered(email)) + len(delivered(email))


@pytest.fixture
def limited(settings: Settings) -> Iterator[time_machine.Traveller]:
    """Enable the limits at the start of an hour. The clock is frozen."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "mailbox=2/h,mail=60/m"}
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as traveller:
        yield traveller


def test_beyond_the_hourly_limit_nothing_is_sent_and_the_answer_stays_the_same(
    api: Api, alice: Person, limited: time_machine.Traveller
) -> None:
    assert asked(api, alice.email, times=3) == 2
    assert asked(Api(ip="198.51.100.1"), alice.email.upper(), times=1) == 0

    limited.shift(3600)
    assert asked(api, alice.email, times=3) == 2


@pytest.mark.parametrize(
    ("home", "now_at", "elsewhere"),
    [
        ("203.0.113.7", "203.0.113.250", "203.0.114.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9", "2001:db8:1:3::7"),
    ],
    ids=["IPv4", "IPv6"],
)
def test_attackers_in_another_network_do_not_use_up_the_owners_links(
    alice: Person, limited: time_machine.Traveller, home: str, now_at: str, elsewhere: str
) -> None:
    limited.shift(86_400 * (1 + len(home)))
    alice.log_in(Api(ip=home))
    asked(Api(ip=elsewhere), alice.email, times=5)

    assert asked(Api(ip=elsewhere), alice.email, times=1) == 0
    assert asked(Api(ip=now_at), alice.email, times=3) == 2


def test_the_owner_can_log_in_by_link_after_an_attacker_locked_the_account(
    alice: Person, limited: time_machine.Traveller
) -> None:
    limited.shift(86_400 * 60)
    alice.log_in()
    eve = Api(ip="198.51.100.66")
    for _ in range(5):
        eve.post("/v1/login", {"email": alice.email, "password": "wrong"})
    asked(eve, alice.email, times=3)
    assert eve.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"

    assert complete(alice.api, link(alice.api, alice)).status == 200


@pytest.mark.parametrize(("days", "mails"), [(29.9, 1), (30.1, 0)])
def test_a_network_stays_known_for_thirty_days_after_a_login(
    alice: Person, limited: time_machine.Traveller, days: float, mails: int
) -> None:
    limited.shift(86_400 * (100 + 10 * mails))
    alice.log_in()
    limited.shift(86_400 * days)
    asked(Api(ip="198.51.100.66"), alice.email, times=3)

    assert asked(alice.api, alice.email, times=1) == mails


def test_an_unfinished_login_makes_no_network_known(alice: Person, limited: time_machine.Traveller) -> None:
    limited.shift(86_400 * 150)
    enroll_totp(alice.log_in(Api(ip="192.0.2.7")))
    delivered(alice.email)
    pause(alice)
    asked(Api(ip="198.51.100.66"), alice.email, times=3)

    assert asked(alice.api, alice.email, times=1) == 0


def test_the_limit_per_minute_counts_by_email_address_and_network(
    settings: Settings, alice: Person, limited: time_machine.Traveller
) -> None:
    limited.shift(86_400 * 200)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "mail=1/m"}
    ask(Api(ip="198.51.100.66"), alice.email)

    assert ask(Api(ip="198.51.100.66"), alice.email).code == "rate_limited"
    assert ask(alice.api, alice.email).status == 200


def test_known_and_unknown_addresses_are_limited_alike(
    api: Api, alice: Person, limited: time_machine.Traveller
) -> None:
    limited.shift(86_400 * 250)
    for _ in range(3):
        ask(api, alice.email)
        ask(api, "nobody@example.com")

    assert OutgoingMail.objects.count() == 4


def test_a_password_change_voids_links(api: Api, alice: Person) -> None:
    session = alice.log_in()
    token = link(api, alice)
    body = {"current_password": PASSWORD, "new_password": "another good password"}
    api.post("/v1/change-password", body, token=session.access)

    assert complete(api, token).code == "verification_token_invalid"


def test_a_magic_link_logs_in_to_a_locked_account_and_keeps_the_lock(api: Api, alice: Person) -> None:
    for _ in range(5):
        api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    before = alice.account()

    assert complete(api, link(api, alice)).status == 200

    after = alice.account()
    assert (after.failed_attempts, after.locked_until) == (before.failed_attempts, before.locked_until)
    elsewhere = Api(ip="198.51.100.66")
    assert elsewhere.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


def test_the_mail_after_a_takeover_lists_the_sessions_that_ended(api: Api, alice: Person) -> None:
    alice.log_in(Api(ip="198.51.100.66"))

    complete(api, link(api, alice))

    (takeover,) = delivered(alice.email)
    assert "Chrome on macOS" in text_of(takeover)
    assert "198" in text_of(takeover)
    complete(api, link(api, alice))
    assert not delivered(alice.email)


def test_only_a_digest_is_stored_and_no_row_holds_the_token_or_the_address(api: Api, alice: Person) -> None:
    token = link(api, alice)
    ask(api, alice.email)

    rows = [bytes(row.digest) for row in MailToken.objects.all()]
    assert all(len(digest) == 32 and token.encode() not in digest for digest in rows)


def test_without_mail_magic_links_are_not_configured(settings: Settings, api: Api) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    for answer in (ask(api, "alice@example.com"), complete(api, "x"), api.post("/v1/magic-link/request", {})):
        assert (answer.status, answer.code) == (404, "magic_link_not_configured")


@pytest.mark.parametrize("path", ["/v1/magic-link/complete", "/v1/email/confirm-change"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_get_request_to_a_link_does_not_use_the_token(api: Api, alice: Person, method: str, path: str) -> None:
    token = link(api, alice)

    assert api.call(method, f"{path}?token={token}").status == 405

    assert complete(api, token).status == 200
