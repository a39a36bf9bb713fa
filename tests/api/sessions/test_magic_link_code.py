"""Logins by the six digits in the mail of a magic link."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import Account, Event, MailToken
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person
from tests.second_factors import complete_by_totp, enroll_totp

NOBODY = "nobody@example.com"


def request(api: Api, email: str) -> None:
    assert api.post("/v1/magic-link/request", {"email": email}).status == 200


def mailed(api: Api, person: Person) -> tuple[str, str]:
    """Request a link. Return its token and its code."""
    request(api, person.email)
    mail = delivered(person.email)[-1]
    found = re.search(r"instead: (\d{6})\n", text_of(mail))
    assert found is not None
    return token_in(mail), found[1]


def send(api: Api, email: str, code: str) -> Answer:
    return api.post("/v1/magic-link/code", {"email": email, "code": code})


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def test_a_code_logs_in_once_and_spends_its_link(api: Api, alice: Person) -> None:
    token, code = mailed(api, alice)

    answer = send(Api(ip="198.51.100.1"), alice.email.upper(), f" {code} ")

    assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": alice.user_id}
    again = send(api, alice.email, code)
    assert (again.status, again.code) == (401, "invalid_login_code")
    assert api.post("/v1/magic-link/complete", {"token": token}).code == "verification_token_invalid"
    assert Event.objects.get(type="login_success").metadata == {"method": "magic_link"}


def test_the_link_spends_its_code(api: Api, alice: Person) -> None:
    token, code = mailed(api, alice)

    assert api.post("/v1/magic-link/complete", {"token": token}).status == 200

    assert send(api, alice.email, code).code == "invalid_login_code"


def test_only_the_code_of_the_newest_link_works_and_both_links_do(api: Api, alice: Person) -> None:
    first_token, first = mailed(api, alice)
    _, second = mailed(api, alice)

    if first != second:
        assert send(api, alice.email, first).code == "invalid_login_code"
    assert api.post("/v1/magic-link/complete", {"token": first_token}).status == 200
    assert send(api, alice.email, second).code == "invalid_login_code"


def test_a_code_ends_after_five_wrong_tries_and_its_link_stays(api: Api, alice: Person) -> None:
    token, code = mailed(api, alice)

    for _ in range(5):
        assert send(api, alice.email, wrong(code)).code == "invalid_login_code"

    assert send(api, alice.email, code).code == "invalid_login_code"
    assert alice.account().failed_attempts == 0
    assert Event.objects.filter(type="login_failed", metadata__reason="wrong_code", user_id=alice.user_id).count() == 6
    assert api.post("/v1/magic-link/complete", {"token": token}).status == 200


def test_the_fifth_try_can_be_right(api: Api, alice: Person) -> None:
    _, code = mailed(api, alice)
    for _ in range(4):
        send(api, alice.email, wrong(code))

    assert send(api, alice.email, code).status == 200


def test_a_code_expires_with_its_link(api: Api, alice: Person) -> None:
    _, code = mailed(api, alice)

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=901)):  # noqa: TID251
        assert send(api, alice.email, code).code == "invalid_login_code"


def test_a_code_belongs_to_its_address(api: Api, alice: Person, bob: Person) -> None:
    _, code = mailed(api, alice)

    assert send(api, bob.email, code).code == "invalid_login_code"
    assert send(api, NOBODY, code).code == "invalid_login_code"
    assert send(api, "no address", code).code == "invalid_login_code"
    assert send(api, alice.email, code).status == 200


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "\u0661\u0662\u0663\u0664\u0665\u0666"])
def test_a_malformed_code_is_wrong(api: Api, alice: Person, code: str) -> None:
    mailed(api, alice)

    assert send(api, alice.email, code).code == "invalid_login_code"


def test_twenty_tries_an_hour_count_for_each_address_from_all_networks(settings: Settings, alice: Person) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "login_ip=off,edge=off,mail=off,mail_ip=off"}

    for email in (alice.email, NOBODY):
        answers = [send(Api(ip=f"192.0.2.{number}"), email, "000000").status for number in range(21)]
        assert answers == [401] * 20 + [429]


def test_a_login_by_code_pauses_for_a_second_factor(api: Api, alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    _, code = mailed(api, alice)

    paused = send(api, alice.email, code).data

    assert paused["methods"] == ["totp"]
    assert complete_by_totp(api, paused["pending_token"], app.code(steps=1)).status == 200


def test_the_first_code_of_an_unproven_address_takes_the_account_over(api: Api, alice: Person) -> None:
    session = alice.log_in()
    _, code = mailed(api, alice)

    assert send(api, alice.email, code).status == 200

    assert not session.is_live()
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "invalid_credentials"
    assert alice.account().email_proven_at is not None


def test_a_change_of_the_password_ends_the_code(api: Api, alice: Person) -> None:
    session = alice.log_in()
    _, code = mailed(api, alice)
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}
    session.api.post("/v1/change-password", body, token=session.access)

    assert send(api, alice.email, code).code == "invalid_login_code"


def test_a_lock_of_the_account_stops_no_login_by_code(api: Api, alice: Person) -> None:
    _, code = mailed(api, alice)
    for _ in range(5):
        api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    assert send(api, alice.email, code).status == 200


def test_a_wrong_code_runs_the_same_statements_for_known_and_unknown_addresses(api: Api, alice: Person) -> None:
    def shapes(email: str) -> list[str]:
        request(api, email)
        send(api, email, "x")
        with CaptureQueriesContext(connection) as captured:
            send(api, email, "x")
        # The driver writes a cast after some values.
        plain = (re.sub(r"\bWHERE .*|::\w+|'[^']*'|\b\d[\d.]*\b|NULL", "?", str(query["sql"])) for query in captured)
        return sorted(one.replace("??", "?") for one in plain if "SAVEPOINT" not in one)

    assert shapes(alice.email) == shapes(NOBODY)


def test_the_database_has_only_a_keyed_digest_of_the_code(api: Api, alice: Person, settings: Settings) -> None:
    _, code = mailed(api, alice)

    row = MailToken.objects.get(account=alice.account())
    assert code.encode() not in bytes(row.code_digest or b"")
    settings.SECRET_KEY = "another key, so that a copy of the row proves nothing"
    assert send(api, alice.email, code).code == "invalid_login_code"


def test_without_mail_there_is_no_login_by_code(api: Api, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    answer = send(api, NOBODY, "000000")

    assert (answer.status, answer.code) == (404, "magic_link_not_configured")
    assert not Account.objects.exists()
