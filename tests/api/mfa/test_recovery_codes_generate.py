import re

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from mfa.models import RecoveryBatch, RecoveryCode
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of
from tests.people import Person, SignedIn, existing_session
from tests.second_factors import complete_by_recovery_code, enroll_totp, generate_codes, pause

pytestmark = pytest.mark.usefixtures("travel")

FORM = "[0-9abcdefghjkmnpqrstvwxyz]{4}-[0-9abcdefghjkmnpqrstvwxyz]{4}"


def generate(session: SignedIn) -> Answer:
    return session.api.post("/v1/recovery-codes/generate", token=session.access)


def test_the_answer_contains_ten_codes_and_an_instruction(alice: Person) -> None:
    answer = generate(existing_session(alice))

    assert answer.status == 200
    assert set(answer.data) == {"codes", "notice"}
    codes = answer.data["codes"]
    assert len(codes) == len(set(codes)) == 10
    assert all(re.fullmatch(FORM, code) for code in codes)
    assert "not shown again" in answer.data["notice"]


def test_codes_use_the_whole_alphabet(alice: Person) -> None:
    session = existing_session(alice)

    letters = set("".join(code for _ in range(20) for code in generate_codes(session)))

    assert letters == set("0123456789abcdefghjkmnpqrstvwxyz-")


def test_codes_need_no_factor_and_do_not_pause_a_login(api: Api, alice: Person) -> None:
    generate_codes(existing_session(alice))

    answer = api.post("/v1/login", {"email": alice.email, "password": PASSWORD})

    assert set(answer.data) == {"access_token", "refresh_token"}


def test_codes_are_not_listed_as_a_login_method(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    generate_codes(session)
    enroll_totp(session)

    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data["methods"] == ["totp"]


def test_only_digests_of_the_codes_are_stored(alice: Person) -> None:
    codes = generate_codes(existing_session(alice))

    digests = [bytes(row.digest) for row in RecoveryCode.objects.all()]
    assert [len(digest) for digest in digests] == [32] * 10
    assert len(set(digests)) == 10
    rows = b"".join([*digests, bytes(RecoveryBatch.objects.get().pepper)])
    assert not [code for code in codes if code.encode() in rows or code.replace("-", "").encode() in rows]


def test_new_codes_void_the_old_ones(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    old, *_ = generate_codes(session)

    new, *_ = generate_codes(session)

    assert RecoveryBatch.objects.count() == 1
    assert RecoveryCode.objects.count() == 10
    pending = pause(alice)
    assert complete_by_recovery_code(api, pending, old).code == "invalid_recovery_code"
    assert complete_by_recovery_code(api, pending, new).status == 200


def test_new_codes_do_not_affect_the_codes_of_other_users(alice: Person, bob: Person) -> None:
    generate_codes(existing_session(bob))

    generate_codes(existing_session(alice))

    assert RecoveryCode.objects.filter(batch_id=bob.account().pk).count() == 10


def test_the_generation_is_recorded_and_mailed_with_device_and_place(alice_abroad: Person) -> None:
    codes = generate_codes(alice_abroad.log_in())

    event = Event.objects.get(type="recovery_codes_generated")
    assert (event.user_id, event.ip, event.metadata) == (alice_abroad.user_id, "8.8.8.8", {})
    (mail,) = delivered(alice_abroad.email)
    assert mail["Subject"] == "New recovery codes for your account at localhost"
    text = text_of(mail)
    assert "When: 1 March 2026, 12:00 UTC\nDevice: Chrome on macOS\nPlace: US\nIP address: 8.8.8.8\n" in text
    assert not [code for code in codes if code in mail.as_string()]


@pytest.mark.parametrize(
    ("limits", "is_elsewhere", "day"),
    [("mail_account=1/m", True, 1), ("mail_ip=1/m", False, 2)],
    ids=["mail_account", "mail_ip"],
)
def test_the_generation_is_limited_like_mails_by_account_and_network(
    settings: Settings,
    bob: Person,
    alice: Person,
    travel: time_machine.Traveller,
    limits: str,
    is_elsewhere: bool,
    day: int,
) -> None:
    travel.shift(day * 86_400)
    session, of_bob = existing_session(alice), existing_session(bob)
    for api, own in ((session.api, "192.0.2.90"), (of_bob.api, "192.0.2.91")):
        api.ip = own
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": limits}
    first = generate(session)
    delivered(alice.email)
    if is_elsewhere:
        session.api.ip = "198.51.100.90"

    answer = generate(session)

    assert (first.status, answer.status, answer.code) == (200, 429, "rate_limited")
    assert not delivered(alice.email)
    assert RecoveryBatch.objects.count() == 1
    assert generate(of_bob).status == 200
    travel.shift(int(answer.headers["Retry-After"]))
    assert generate(session).status == 200


def test_the_limit_is_shared_with_requests_to_change_the_address(
    settings: Settings, alice: Person, travel: time_machine.Traveller
) -> None:
    travel.shift(3 * 86_400)
    session = existing_session(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "mail_account=1/m"}
    session.api.post("/v1/email/request-change", {"new_email": "new@example.org"}, token=session.access)

    assert generate(session).code == "rate_limited"


def test_only_the_token_decides_whose_codes_are_generated(alice: Person, bob: Person) -> None:
    session = existing_session(alice)

    session.api.post("/v1/recovery-codes/generate", {"user_id": bob.user_id}, token=session.access)

    assert [str(batch.pk) for batch in RecoveryBatch.objects.all()] == [alice.user_id]
