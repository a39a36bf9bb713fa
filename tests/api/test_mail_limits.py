"""The limits on mails. Counts outlive a test, so each test runs on a different day."""

from collections.abc import Callable, Iterator

import pytest
import time_machine
from pytest_django import Settings

from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered
from tests.people import Person, SignedIn, sign_up
from tests.second_factors import (
    App,
    begin_totp,
    complete_by_recovery_code,
    enroll_totp,
    generate_codes,
    pause,
)

START = "2026-06-01T12:00:00Z"
STRANGER = "stranger@example.org"


@pytest.fixture
def travel(request: pytest.FixtureRequest) -> Iterator[time_machine.Traveller]:
    """Freeze the clock on a day that no other test of this module uses."""
    day = sum(request.node.name.encode()) % 3000
    with time_machine.travel(START, tick=False) as traveller:
        traveller.shift(86_400 * day)
        yield traveller


@pytest.fixture
def limit(settings: Settings, travel: time_machine.Traveller) -> Callable[[str], None]:
    """Change the limits. The other limits stay off."""

    def change(limits: str) -> None:
        off = "mail=off,mail_ip=off,mail_account=off,mailbox=off,password=off,login=off,edge=off,completion=off"
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": f"{off},{limits}"}

    return change


def request_change(session: SignedIn, email: str) -> Answer:
    return session.api.post("/v1/email/request-change", {"new_email": email}, token=session.access)


def mails_to(*addresses: str) -> int:
    return sum(len(delivered(address)) for _ in range(3) for address in addresses)


def test_requests_to_change_the_address_are_limited_by_account(
    alice: Person, bob: Person, limit: Callable[[str], None]
) -> None:
    session, of_bob = alice.log_in(), bob.log_in()
    limit("mail_account=2/m")

    answers = [request_change(session, f"new{number}@example.org") for number in range(4)]

    assert [answer.status for answer in answers] == [200, 200, 429, 429]
    assert mails_to(alice.email) == 2
    assert mails_to("new2@example.org", "new3@example.org") == 0
    assert request_change(of_bob, "bob@example.org").status == 200


def test_the_mails_to_a_mailbox_are_limited_over_all_callers(
    limit: Callable[[str], None], travel: time_machine.Traveller
) -> None:
    sessions = [sign_up(f"eve{number}").log_in() for number in range(3)]
    limit("mailbox=2/h")

    answers = [request_change(session, STRANGER) for session in sessions]

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert mails_to(STRANGER) == 2
    wait = int(answers[2].headers["Retry-After"])
    assert 60 < wait <= 3600
    travel.shift(wait)
    sessions[2] = sessions[2].person.log_in()
    assert request_change(sessions[2], STRANGER.upper()).status == 200


@pytest.mark.parametrize("name", ["mailbox", "mail"])
def test_a_tag_or_a_dot_after_the_host_is_no_other_mailbox(limit: Callable[[str], None], name: str) -> None:
    spellings = ["stranger+2@example.org", "stranger@example.org.", "Stranger+2+3@EXAMPLE.org.", STRANGER]
    sessions = [sign_up(f"eve{number}").log_in() for number in range(5)]
    limit(f"{name}=1/h")

    first = request_change(sessions[0], "stranger+1@example.org")
    answers = [request_change(session, spelling) for session, spelling in zip(sessions[1:], spellings, strict=True)]

    assert (first.status, [answer.code for answer in answers]) == (200, ["rate_limited"] * 4)
    assert mails_to("stranger+1@example.org", *spellings) == 1


@pytest.mark.parametrize("path", ["/v1/magic-link/request", "/v1/password/forgot"])
def test_links_to_another_spelling_of_a_mailbox_count_as_links_to_the_mailbox(
    limit: Callable[[str], None], path: str
) -> None:
    limit("mail=1/h")
    api = Api(ip=f"192.0.2.{200 + len(path)}")

    assert api.post(path, {"email": "stranger+1@example.org"}).status == 200
    assert api.post(path, {"email": "stranger+2@example.org."}).code == "rate_limited"
    assert api.post(path, {"email": "+1@example.org"}).status == 200
    assert api.post(path, {"email": "+2@example.org"}).status == 200


def test_the_notices_to_the_current_mailbox_are_limited_per_hour(alice: Person, limit: Callable[[str], None]) -> None:
    session = alice.log_in()
    app = begin_totp(session)
    limit("mailbox=2/h")
    assert request_change(session, "new1@example.org").status == 200
    assert request_change(session, "new2@example.org").status == 200

    refused = [
        request_change(session, "new3@example.org"),
        session.api.post("/v1/recovery-codes/generate", token=session.access),
        session.api.post("/v1/totp/confirm", {"code": app.code()}, token=session.access),
        passkeys.register(session, Authenticator()),
    ]

    assert [answer.code for answer in refused] == ["rate_limited"] * 4
    assert mails_to(alice.email) == 2
    assert mails_to("new3@example.org") == 0


def change_password(session: SignedIn, app: App) -> Answer:
    body = {"current_password": PASSWORD, "new_password": PASSWORD}
    return session.api.post("/v1/change-password", body, token=session.access)


def disable_totp(session: SignedIn, app: App) -> Answer:
    return session.api.post("/v1/totp/disable", {"password": PASSWORD}, token=session.access)


def delete_account(session: SignedIn, app: App) -> Answer:
    return session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)


@pytest.mark.parametrize("act", [change_password, disable_totp, delete_account])
def test_a_stolen_access_token_cannot_use_up_the_notices_for_acts_with_the_password(
    alice: Person, limit: Callable[[str], None], act: Callable[[SignedIn, App], Answer]
) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    limit("mailbox=1/h")
    for number in range(3):
        request_change(session, f"new{number}@example.org")
        session.api.post("/v1/change-password", {"current_password": "x", "new_password": "x"}, token=session.access)
    delivered(alice.email)

    assert act(session, app).status == 200
    assert mails_to(alice.email) == 1


def test_an_act_with_the_password_is_refused_if_its_notice_cannot_be_mailed(
    alice: Person, limit: Callable[[str], None]
) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    limit("mailbox=1/h")
    assert disable_totp(session, app).status == 200
    delivered(alice.email)

    refused = change_password(session, app)

    assert refused.code == "rate_limited"
    assert mails_to(alice.email) == 0
    assert session.is_live()


def test_mails_to_an_address_are_limited_over_repeated_signups_and_deletions(limit: Callable[[str], None]) -> None:
    limit("mailbox=2/h")

    answers = [delete_account(sign_up(STRANGER).log_in(), App("")) for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert mails_to(STRANGER) == 2


def test_a_recovery_code_is_not_used_up_if_its_notice_cannot_be_mailed(
    alice: Person, limit: Callable[[str], None], travel: time_machine.Traveller
) -> None:
    session = alice.log_in()
    enroll_totp(session)
    codes = generate_codes(session)
    limit("mailbox=1/h")
    assert complete_by_recovery_code(Api(), pause(alice), codes[0]).status == 200
    pending = pause(alice)

    refused = complete_by_recovery_code(Api(), pending, codes[1])

    assert refused.code == "rate_limited"
    limit("mailbox=off")
    assert complete_by_recovery_code(Api(), pending, codes[1]).status == 200


def test_attackers_who_name_the_address_use_up_neither_links_nor_notices(
    alice: Person, bob: Person, limit: Callable[[str], None]
) -> None:
    session, of_eve = alice.log_in(), bob.log_in()
    limit("mailbox=1/h,mail=1/m,mail_account=5/m")
    request_change(of_eve, alice.email)
    request_change(of_eve, alice.email)

    assert Api().post("/v1/magic-link/request", {"email": alice.email}).status == 200
    assert session.api.post("/v1/recovery-codes/generate", token=session.access).status == 200
    assert mails_to(alice.email) == 2


def request_verification(session: SignedIn) -> Answer:
    return session.api.post("/v1/email/verify/request", token=session.access)


def test_requests_to_verify_the_address_are_limited_by_account(alice: Person, limit: Callable[[str], None]) -> None:
    session = alice.log_in()
    limit("mail_account=2/m")

    assert [request_verification(session).status for _ in range(3)] == [200, 200, 429]
    assert mails_to(alice.email) == 2


def test_sign_ups_mail_no_further_link_to_a_mailbox_at_its_limit(
    settings: Settings, limit: Callable[[str], None]
) -> None:
    limit("mailbox=1/h")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "on"}
    session = sign_up(STRANGER).log_in()
    assert mails_to(STRANGER) == 1
    assert delete_account(session, App("")).status == 200
    assert mails_to(STRANGER) == 1

    again = sign_up(STRANGER).log_in()

    assert mails_to(STRANGER) == 0
    assert request_verification(again).code == "rate_limited"
