"""The power and the lifetime of a pending login. Other files test its completion by each factor."""

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from mfa.models import RecoveryBatch, RecoveryCode, Totp
from sessions_app.models import Family, PendingLogin
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn
from tests.second_factors import (
    App,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    lock,
    pause,
    pause_by_link,
)

pytestmark = pytest.mark.usefixtures("travel")

VOID = (401, "invalid_pending_login")


@pytest.fixture
def app(alice: Person) -> App:
    """Alice's confirmed authenticator app."""
    return enroll_totp(alice.log_in())


def patient(settings: Settings) -> None:
    """Disable the account lock."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": 10_000}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def state(person: Person) -> tuple[int, object]:
    account = person.account()
    return account.failed_attempts, account.locked_until


@pytest.mark.parametrize("token", ["", "spt_", "A" * 43, "spt_" + "A" * 43, "srt_" + "A" * 43, "spt_" + "é" * 43])
def test_an_unknown_pending_token_is_refused(api: Api, token: str) -> None:
    assert refusal(complete_by_totp(api, token, "123456")) == VOID
    assert refusal(complete_by_recovery_code(api, token, "aaaa-aaaa")) == VOID


def test_no_other_token_is_accepted_as_a_pending_token(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)

    for token in (session.access, session.refresh, session.refresh.replace("srt_", "spt_")):
        assert refusal(complete_by_totp(api, token, app.code())) == VOID


def test_a_pending_token_is_refused_by_all_other_routes(api: Api, alice: Person, app: App) -> None:
    pending = pause(alice)

    assert api.get("/v1/sessions", token=pending).code == "invalid_access_token"
    assert api.post("/v1/totp/disable", {"password": PASSWORD}, token=pending).code == "invalid_access_token"
    assert api.post("/v1/recovery-codes/generate", token=pending).code == "invalid_access_token"
    assert api.post("/v1/refresh", {"refresh_token": pending}).code == "invalid_token"


def test_only_a_digest_of_the_pending_token_is_stored(alice: Person, app: App) -> None:
    pending = pause(alice)

    digest = bytes(PendingLogin.objects.get().digest)
    assert len(digest) == 32
    assert pending.encode() not in digest


@pytest.mark.parametrize(("seconds", "expected"), [(299.999, "ok"), (300, "invalid_pending_login")])
def test_a_pending_login_expires_after_five_minutes(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller, seconds: float, expected: str
) -> None:
    pending = pause(alice)
    travel.shift(seconds)

    answer = complete_by_totp(api, pending, app.code())

    assert (answer.code if answer.status >= 400 else "ok") == expected


def test_the_lifetime_of_a_pending_login_is_a_setting(
    settings: Settings, api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PENDING_TOKEN_SECONDS": 10}
    pending = pause(alice)
    travel.shift(10)

    assert refusal(complete_by_totp(api, pending, app.code())) == VOID


def test_a_pending_login_survives_four_wrong_guesses(settings: Settings, api: Api, alice: Person, app: App) -> None:
    patient(settings)
    pending = pause(alice)

    for _ in range(4):
        assert complete_by_totp(api, pending, app.wrong_code()).code == "invalid_totp_code"

    assert complete_by_totp(api, pending, app.code()).status == 200


def test_the_fifth_wrong_guess_ends_the_pending_login(settings: Settings, api: Api, alice: Person, app: App) -> None:
    patient(settings)
    pending = pause(alice)

    guesses = [complete_by_totp(api, pending, app.wrong_code()) for _ in range(5)]

    assert {refusal(guess) for guess in guesses} == {(401, "invalid_totp_code")}
    assert refusal(complete_by_totp(api, pending, app.code())) == VOID
    assert complete_by_totp(api, pause(alice), app.code()).status == 200


def test_wrong_guesses_of_every_kind_count_together(settings: Settings, api: Api, alice: Person, app: App) -> None:
    patient(settings)
    pending = pause(alice)

    for _ in range(3):
        complete_by_totp(api, pending, app.wrong_code())
    for _ in range(2):
        assert complete_by_recovery_code(api, pending, "aaaa-aaaa").code == "invalid_recovery_code"

    assert refusal(complete_by_totp(api, pending, app.code())) == VOID


def test_each_pending_login_counts_its_own_wrong_guesses(settings: Settings, api: Api, alice: Person, app: App) -> None:
    patient(settings)
    first, second = pause(alice), pause(alice)

    for _ in range(5):
        complete_by_totp(api, first, app.wrong_code())

    assert complete_by_totp(api, second, app.code()).status == 200


def test_two_pending_logins_can_both_be_completed(api: Api, alice: Person, app: App) -> None:
    first, second = pause(alice), pause(alice)

    assert complete_by_totp(api, second, app.code()).status == 200
    assert complete_by_totp(api, first, app.code(steps=1)).status == 200


def test_paused_logins_of_two_accounts_in_one_client_never_mix(
    settings: Settings, api: Api, alice: Person, bob: Person
) -> None:
    """A shared browser pauses a login of alice, aborts it, and pauses one of bob."""
    patient(settings)
    of_alice, of_bob = enroll_totp(alice.log_in()), enroll_totp(bob.log_in())
    key_of_alice, key_of_bob = Authenticator(), Authenticator()
    passkeys.register(complete_as(alice, of_alice), key_of_alice)
    passkeys.register(complete_as(bob, of_bob), key_of_bob)
    aborted, current = pause(alice, api), pause(bob, api)
    ceremony = passkeys.begin_login(api, aborted)

    assert complete_by_totp(api, current, of_alice.code(steps=1)).code == "invalid_totp_code"
    assert complete_by_totp(api, aborted, of_bob.code(steps=1)).code == "invalid_totp_code"
    signed = key_of_alice.get(ceremony["public_key"])
    assert passkeys.finish_login(api, current, ceremony, signed).code == "invalid_ceremony_token"
    assert passkeys.complete(api, current, key_of_alice).code == "invalid_passkey_response"

    as_bob = passkeys.complete(api, current, key_of_bob)
    assert complete_by_totp(api, current, of_alice.code(steps=1)).code == "invalid_pending_login"
    as_alice = passkeys.finish_login(api, aborted, ceremony, signed)
    for answer, person in ((as_bob, bob), (as_alice, alice)):
        assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": person.user_id}


def complete_as(person: Person, app: App) -> SignedIn:
    tokens = complete_by_totp(person.api, pause(person), app.code()).data
    return SignedIn(person=person, api=person.api, access=tokens["access_token"], refresh=tokens["refresh_token"])


def test_wrong_guesses_lock_the_account(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    first, second = pause(alice), pause(alice)
    for _ in range(3):
        complete_by_totp(api, first, app.wrong_code())
    for _ in range(2):
        assert complete_by_recovery_code(api, second, "aaaa-aaaa").code == "invalid_recovery_code"

    assert alice.account().failed_attempts == 5
    assert Event.objects.filter(type="account_locked", user_id=alice.user_id).count() == 1
    assert refusal(complete_by_totp(api, first, app.code())) == VOID
    assert refusal(complete_by_totp(api, second, app.code())) == VOID
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"
    travel.shift(900)
    assert complete_by_totp(api, pause(alice), app.code()).status == 200


def test_wrong_passwords_and_wrong_codes_count_together(api: Api, alice: Person, app: App) -> None:
    for _ in range(4):
        api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    pending = pause(alice)
    assert alice.account().failed_attempts == 4

    assert complete_by_totp(api, pending, app.wrong_code()).code == "invalid_totp_code"

    assert alice.account().locked_until
    assert refusal(complete_by_totp(api, pending, app.code())) == VOID


def test_a_completed_login_resets_the_failures(api: Api, alice: Person, app: App) -> None:
    pending = pause(alice)
    for _ in range(4):
        complete_by_totp(api, pending, app.wrong_code())

    complete_by_totp(api, pending, app.code())

    assert state(alice) == (0, None)


def test_a_lock_of_one_account_keeps_the_pending_logins_of_another(
    api: Api, alice: Person, bob: Person, app: App
) -> None:
    pending = pause(alice)

    lock(bob)

    assert complete_by_totp(api, pending, app.code()).status == 200


def test_a_magic_link_logs_in_to_a_locked_account_and_keeps_the_lock(api: Api, alice: Person, app: App) -> None:
    lock(alice)
    before = state(alice)

    answer = complete_by_totp(api, pause_by_link(alice), app.code())

    assert set(answer.data) == {"access_token", "refresh_token"}
    assert state(alice) == before
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


def test_wrong_guesses_during_a_lock_change_neither_the_count_nor_the_lock(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    lock(alice)
    before = state(alice)
    travel.shift(60)

    pending = pause_by_link(alice)
    for _ in range(4):
        assert complete_by_totp(api, pending, app.wrong_code()).code == "invalid_totp_code"

    assert state(alice) == before
    assert complete_by_totp(api, pending, app.code()).status == 200
    assert state(alice) == before
    assert Event.objects.filter(type="account_locked").count() == 1


def test_wrong_guesses_at_a_magic_link_login_lock_the_account(api: Api, alice: Person, app: App) -> None:
    pending = pause_by_link(alice)

    for _ in range(5):
        complete_by_totp(api, pending, app.wrong_code())

    assert alice.account().locked_until


def test_a_password_change_voids_a_pending_login(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    pending = pause(alice)

    body = {"current_password": PASSWORD, "new_password": "another good password"}
    assert session.api.post("/v1/change-password", body, token=session.access).status == 200

    assert refusal(complete_by_totp(api, pending, app.code())) == VOID


def test_ending_all_sessions_keeps_a_pending_login(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    pending = pause(alice)

    session.api.post("/v1/logout-all", token=session.access)

    assert complete_by_totp(api, pending, app.code()).status == 200


def test_deleting_an_account_deletes_its_factors_and_pending_logins(api: Api, alice: Person, bob: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    generate_codes(session)
    pending = pause(alice)
    enroll_totp(bob.log_in())

    answer = session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert answer.data == {"status": "account deleted"}
    assert [str(totp.pk) for totp in Totp.objects.all()] == [bob.user_id]
    assert not RecoveryBatch.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert not PendingLogin.objects.exists()
    assert refusal(complete_by_totp(api, pending, app.code())) == VOID


def test_a_paused_login_creates_and_records_no_session(alice: Person, app: App) -> None:
    before = Event.objects.count()

    pause(alice)

    assert Family.objects.count() == 1
    assert Event.objects.count() == before


def test_the_mail_after_the_first_proof_of_an_address_lists_the_factors(alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    generate_codes(session)
    delivered(alice.email)

    complete_by_totp(alice.api, pause_by_link(alice), app.code())

    (proof,) = delivered(alice.email)
    assert "- Authenticator app, since 1 March 2026\n" in text_of(proof)
    assert "- Recovery codes: 10\n" in text_of(proof)


def test_the_mail_after_a_takeover_counts_unused_codes_and_omits_an_unconfirmed_app(api: Api, alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)
    code, *_ = generate_codes(session)
    complete_by_recovery_code(api, pause(alice), code)
    session.api.post("/v1/totp/disable", {"password": PASSWORD}, token=session.access)
    session.api.post("/v1/totp/enroll", token=session.access)
    delivered(alice.email)
    alice.api.post("/v1/magic-link/request", {"email": alice.email})
    (mail,) = delivered(alice.email)

    alice.api.post("/v1/magic-link/complete", {"token": token_in(mail)})

    (takeover,) = delivered(alice.email)
    assert "Authenticator app" not in text_of(takeover)
    assert "- Recovery codes: 9\n" in text_of(takeover)


def test_completions_are_limited_by_account(
    settings: Settings, alice: Person, bob: Person, app: App, travel: time_machine.Traveller
) -> None:
    of_bob = enroll_totp(bob.log_in())
    travel.shift(86_400)
    pending, of_alice = pause(alice), pause(alice)
    waiting_bob = pause(bob)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion=2/m"}

    assert complete_by_totp(Api(), pending, app.wrong_code()).code == "invalid_totp_code"
    assert complete_by_recovery_code(Api(), of_alice, "aaaa-aaaa").code == "invalid_recovery_code"
    answer = complete_by_totp(Api(ip="198.51.100.9"), pending, app.code())

    assert refusal(answer) == (429, "rate_limited")
    assert alice.account().failed_attempts == 2
    assert complete_by_totp(Api(), waiting_bob, of_bob.code()).status == 200
    travel.shift(int(answer.headers["Retry-After"]))
    assert complete_by_totp(Api(), pending, app.code()).status == 200


def test_completions_are_limited_by_ip_address_for_every_token(
    settings: Settings, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    travel.shift(2 * 86_400)
    pending = pause(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion_ip=2/m"}
    api = Api(ip="192.0.2.80")

    assert refusal(complete_by_totp(api, "spt_" + "A" * 43, "123456")) == VOID
    assert refusal(complete_by_recovery_code(api, "spt_" + "B" * 43, "aaaa-aaaa")) == VOID
    answer = complete_by_totp(api, pending, app.code())

    assert refusal(answer) == (429, "rate_limited")
    assert complete_by_totp(Api(ip="192.0.2.81"), pending, app.code()).status == 200
