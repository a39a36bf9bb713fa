from datetime import timedelta

import pytest
import time_machine
from pytest_django import Settings
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.models import Event
from core import clock
from mfa.models import Passkey
from sessions_app.models import Family, PendingLogin
from tests.authenticator import (
    BACKED_UP,
    BACKUP_ELIGIBLE,
    EXTENDED,
    PRESENT,
    Authenticator,
    EdDsa,
    Es256,
    FalseValues,
    Key,
    Rs256,
)
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, token_in
from tests.passkeys import begin_login, complete, enroll, finish_login, register
from tests.people import Person
from tests.second_factors import pause

FINISH = "/v1/login/passkey/finish"


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def call_begin(api: Api, pending: object) -> Answer:
    return api.post("/v1/login/passkey/begin", {"pending_token": pending})


def reasons(person: Person) -> list[str]:
    """Return the recorded reasons of the person's failed attempts."""
    events = Event.objects.filter(type="passkey_challenge_failed", user_id=person.user_id).order_by("created_at", "id")
    return [event.metadata["reason"] for event in events]


@pytest.fixture
def no_lock(settings: Settings) -> None:
    """Disable the account lock, so that the limit of the pending login applies first."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}


def test_begin_answers_options_that_a_browser_parses(api: Api, alice: Person) -> None:
    phone, key = Authenticator(transports=("hybrid", "internal")), Authenticator(transports=())
    session = enroll(alice, phone)
    register(session, key)

    ceremony = begin_login(api, pause(alice))

    options = ceremony["public_key"]
    phone_id, key_id = (bytes_to_base64url(authenticator.credentials[0].id) for authenticator in (phone, key))
    options["allowCredentials"].sort(key=len)
    assert options == {
        "challenge": options["challenge"],
        "timeout": 300_000,
        "rpId": "localhost",
        "allowCredentials": [
            {"id": key_id, "type": "public-key"},
            {"id": phone_id, "type": "public-key", "transports": ["hybrid", "internal"]},
        ],
        "userVerification": "preferred",
    }
    assert len(base64url_to_bytes(options["challenge"])) == 32
    assert set(ceremony) == {"public_key", "ceremony_token"}
    assert ceremony["ceremony_token"].startswith("sct_")
    assert len(ceremony["ceremony_token"]) == 47


@pytest.mark.parametrize("key", [Es256, EdDsa, Rs256])
def test_a_passkey_completes_the_login_once(api: Api, alice: Person, key: type[Key]) -> None:
    authenticator = Authenticator(key=key)
    enroll(alice, authenticator)
    pending = pause(alice)

    answer = complete(api, pending, authenticator)

    assert answer.status == 200
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": alice.user_id}
    assert api.post("/v1/refresh", {"refresh_token": answer.data["refresh_token"]}).status == 200
    newest = Event.objects.filter(type="login_success").latest("created_at", "id")
    assert (newest.user_id, newest.metadata) == (alice.user_id, {"method": "password", "second_factor": "passkey"})
    assert refusal(call_begin(api, pending)) == (401, "invalid_pending_login")


def test_a_completed_login_resets_the_failures(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    complete(api, pending, authenticator, origin="https://evil.example")
    assert alice.account().failed_attempts == 1

    complete(api, pending, authenticator)

    assert alice.account().failed_attempts == 0


def test_a_magic_link_login_pauses_for_a_passkey_too(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    delivered(alice.email)
    api.post("/v1/magic-link/request", {"email": alice.email})
    (mail,) = delivered(alice.email)

    paused = api.post("/v1/magic-link/complete", {"token": token_in(mail)}).data

    assert paused["methods"] == ["passkey"]
    assert complete(api, paused["pending_token"], authenticator).status == 200
    newest = Event.objects.filter(type="login_success").latest("created_at", "id")
    assert newest.metadata == {"method": "magic_link", "second_factor": "passkey"}


FALSE_VALUES: dict[str, FalseValues] = {
    "another challenge": {"challenge": b"x" * 32},
    "no challenge": {"challenge": b""},
    "another origin": {"origin": "https://evil.example"},
    "another port": {"origin": "http://localhost:8001"},
    "an origin that begins the same": {"origin": "http://localhost:8000.evil.example"},
    "a frame in a page of another site": {"cross_origin": True},
    "another domain": {"rp_id": "evil.example"},
    "a registration": {"type": "webauthn.create"},
    "an absent user": {"flags": 0},
    "backed up though it cannot be": {"flags": PRESENT | BACKED_UP},
    "to be backed up, which it was not": {"flags": PRESENT | BACKUP_ELIGIBLE},
    "extensions that are not there": {"flags": PRESENT | EXTENDED},
    "a wrong signature": {"signature": b"x" * 70},
    "no signature": {"signature": b""},
    "another id": {"id": "eHh4"},
}


@pytest.mark.parametrize("false_values", FALSE_VALUES.values(), ids=FALSE_VALUES)
def test_an_invalid_login_response_is_refused(api: Api, alice: Person, false_values: FalseValues) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    answer = complete(api, pause(alice), authenticator, **false_values)

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert reasons(alice) == ["wrong"]
    assert alice.account().failed_attempts == 1
    assert Family.objects.count() == 1
    assert Passkey.objects.get().last_used_at is None


def test_a_passkey_cannot_lose_its_backup_eligibility(api: Api, alice: Person) -> None:
    authenticator = Authenticator(is_backup_eligible=True)
    enroll(alice, authenticator)

    assert refusal(complete(api, pause(alice), authenticator, flags=PRESENT)) == (401, "invalid_passkey_response")


def test_the_backup_state_of_the_last_login_is_stored(api: Api, alice: Person) -> None:
    authenticator = Authenticator(is_backup_eligible=True)
    enroll(alice, authenticator)

    authenticator.is_backed_up = True
    assert complete(api, pause(alice), authenticator).status == 200
    assert Passkey.objects.get().is_backed_up

    authenticator.is_backed_up = False
    assert complete(api, pause(alice), authenticator).status == 200
    assert not Passkey.objects.get().is_backed_up


def test_an_authenticator_without_user_verification_is_accepted(api: Api, alice: Person) -> None:
    authenticator = Authenticator(is_verifying=False)
    enroll(alice, authenticator)

    assert complete(api, pause(alice), authenticator).status == 200


def test_each_login_raises_the_signature_counter(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    for count in (1, 2, 4_294_967_295):
        assert complete(api, pause(alice), authenticator, count=count).status == 200
        assert Passkey.objects.get().sign_count == count


@pytest.mark.parametrize("count", [0, 1, 8, 9])
def test_a_signature_counter_that_does_not_rise_is_refused_and_recorded(api: Api, alice: Person, count: int) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    complete(api, pause(alice), authenticator, count=9)
    pending = pause(alice)

    answer = complete(api, pending, authenticator, count=count)

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert reasons(alice) == ["counter"]
    assert alice.account().failed_attempts == 1
    assert Passkey.objects.get().sign_count == 9
    assert complete(api, pending, authenticator, count=10).status == 200


def test_a_wrong_signature_does_not_change_the_counter(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    complete(api, pause(alice), authenticator, count=1_000_000, signature=b"x")

    assert Passkey.objects.get().sign_count == 0


def test_an_authenticator_without_a_counter_stays_at_zero(api: Api, alice: Person) -> None:
    authenticator = Authenticator(counts=False)
    enroll(alice, authenticator)

    assert [complete(api, pause(alice), authenticator).status for _ in range(3)] == [200] * 3

    assert Passkey.objects.get().sign_count == 0


@pytest.mark.parametrize("handle", [None, b""])
def test_an_authenticator_need_not_send_a_user_handle(api: Api, alice: Person, handle: bytes | None) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    assert complete(api, pause(alice), authenticator, user_handle=handle).status == 200


def test_the_user_handle_must_be_that_of_the_account(api: Api, alice: Person, bob: Person) -> None:
    hers, his = Authenticator(), Authenticator()
    enroll(alice, hers)
    enroll(bob, his)
    foreign = his.credentials[0].user_handle

    for handle in (foreign, b"x", alice.user_id.encode()):
        answer = complete(api, pause(alice), hers, user_handle=handle)
        assert refusal(answer) == (401, "invalid_passkey_response")

    assert reasons(alice) == ["foreign"] * 3


def test_a_passkey_of_bob_completes_no_login_of_alice(api: Api, alice: Person, bob: Person) -> None:
    hers, his = Authenticator(), Authenticator()
    enroll(alice, hers)
    enroll(bob, his)

    answer = complete(api, pause(alice), his, user_handle=hers.credentials[0].user_handle)

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert reasons(alice) == ["foreign"]
    assert reasons(bob) == []
    assert (alice.account().failed_attempts, bob.account().failed_attempts) == (1, 0)


def test_a_signature_of_another_passkey_of_the_account_is_refused(api: Api, alice: Person) -> None:
    first, second = Authenticator(), Authenticator()
    session = enroll(alice, first)
    register(session, second)

    answer = complete(api, pause(alice), first, raw_id=second.credentials[0].id)

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert reasons(alice) == ["wrong"]


def test_begin_keeps_the_pending_login_and_each_ceremony_is_independent(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    first, second, third = (begin_login(api, pending) for _ in range(3))

    crossed = finish_login(api, pending, first, authenticator.get(second["public_key"]))
    assert refusal(crossed) == (401, "invalid_passkey_response")
    assert finish_login(api, pending, third, authenticator.get(third["public_key"])).status == 200
    late = finish_login(api, pending, second, authenticator.get(second["public_key"]))
    assert refusal(late) == (401, "invalid_pending_login")


def test_a_failed_finish_uses_up_the_ceremony_but_not_the_login(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)
    assert finish_login(api, pending, ceremony, {}).code == "invalid_passkey_response"

    answer = finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")
    assert complete(api, pending, authenticator).status == 200


def test_a_response_cannot_be_replayed_in_another_login(api: Api, alice: Person) -> None:
    authenticator = Authenticator(counts=False)
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)
    credential = authenticator.get(ceremony["public_key"])
    assert finish_login(api, pending, ceremony, credential).status == 200

    other = pause(alice)

    assert refusal(finish_login(api, other, ceremony, credential)) == (400, "invalid_ceremony_token")
    fresh = begin_login(api, other)
    assert refusal(finish_login(api, other, fresh, credential)) == (401, "invalid_passkey_response")


def test_a_ceremony_is_valid_only_for_the_login_that_began_it(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    one, other = pause(alice), pause(alice)
    ceremony = begin_login(api, one)
    credential = authenticator.get(ceremony["public_key"])

    assert refusal(finish_login(api, other, ceremony, credential)) == (400, "invalid_ceremony_token")

    assert finish_login(api, one, ceremony, credential).status == 200, "The attempt must not spend it."


def test_bob_cannot_finish_a_ceremony_of_alice(api: Api, alice: Person, bob: Person) -> None:
    hers, his = Authenticator(), Authenticator()
    enroll(alice, hers)
    enroll(bob, his)
    ceremony = begin_login(api, pause(alice))

    answer = finish_login(api, pause(bob), ceremony, his.get(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")


@pytest.mark.parametrize("token", ["", "x", "sct_" + "A" * 43, "spt_" + "A" * 43])
def test_an_unknown_ceremony_token_is_refused_without_counting_a_failure(api: Api, alice: Person, token: str) -> None:
    enroll(alice, Authenticator())

    answer = finish_login(api, pause(alice), {"ceremony_token": token}, {})

    assert refusal(answer) == (400, "invalid_ceremony_token")
    assert alice.account().failed_attempts == 0


def test_a_ceremony_expires(api: Api, alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "CEREMONY_SECONDS": "60"}
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        late = finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"]))
        assert refusal(late) == (400, "invalid_ceremony_token")
        assert complete(api, pending, authenticator).status == 200


def test_a_pending_login_expires_after_five_minutes(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        late = finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"]))
        assert refusal(late) == refusal(call_begin(api, pending)) == (401, "invalid_pending_login")


@pytest.mark.parametrize("token", ["", "x", "spt_" + "A" * 43, "sct_" + "A" * 43, "spt_" + "A" * 60_000])
def test_an_unknown_pending_token_is_refused(api: Api, token: str) -> None:
    assert refusal(call_begin(api, token)) == (401, "invalid_pending_login")
    assert refusal(finish_login(api, token, {"ceremony_token": ""}, {})) == (401, "invalid_pending_login")


def test_no_other_token_is_accepted_as_a_pending_token(api: Api, alice: Person) -> None:
    session = enroll(alice, Authenticator())

    for token in (session.access, session.refresh, begin_login(api, pause(alice))["ceremony_token"]):
        assert refusal(call_begin(api, token)) == (401, "invalid_pending_login")


@pytest.mark.usefixtures("no_lock")
def test_the_fifth_wrong_response_ends_the_pending_login(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    for _ in range(4):
        answer = complete(api, pending, authenticator, signature=b"x")
        assert refusal(answer) == (401, "invalid_passkey_response")
    assert PendingLogin.objects.get().consumed_at is None
    assert refusal(complete(api, pending, authenticator, signature=b"x")) == (401, "invalid_passkey_response")

    last = finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"]))
    assert refusal(last) == (401, "invalid_pending_login")
    assert complete(api, pause(alice), authenticator).status == 200


@pytest.mark.usefixtures("no_lock")
def test_every_kind_of_wrong_response_counts(api: Api, alice: Person, bob: Person) -> None:
    hers, his = Authenticator(), Authenticator()
    enroll(alice, hers)
    enroll(bob, his)
    complete(api, pause(alice), hers, count=9)
    pending = pause(alice)

    finish_login(api, pending, begin_login(api, pending), {})
    complete(api, pending, hers, signature=b"x")
    complete(api, pending, hers, count=9)
    complete(api, pending, his)
    complete(api, pending, hers, user_handle=b"x")

    assert reasons(alice) == ["wrong", "wrong", "counter", "foreign", "foreign"]
    assert refusal(call_begin(api, pending)) == (401, "invalid_pending_login")
    assert alice.account().failed_attempts == 5


def test_five_wrong_responses_lock_the_account(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    for _ in range(5):
        complete(api, pause(alice), authenticator, signature=b"x")

    assert alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"
    assert Event.objects.filter(type="account_locked", user_id=alice.user_id).count() == 1


def test_a_password_change_voids_the_pending_logins(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    body = {"current_password": PASSWORD, "new_password": "another good password"}
    api.post("/v1/change-password", body, token=session.access)

    late = finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"]))
    assert refusal(late) == (401, "invalid_pending_login")
    assert Passkey.objects.exists(), "A changed password leaves passkeys alone."


def test_extra_members_that_name_another_user_change_nothing(api: Api, alice: Person, bob: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    body = {
        "pending_token": pending,
        "ceremony_token": ceremony["ceremony_token"],
        "credential": authenticator.get(ceremony["public_key"]),
        "user_id": bob.user_id,
        "email": bob.email,
    }
    tokens = api.post(FINISH, body).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("pending_token", None),
        ("pending_token", 5),
        ("ceremony_token", None),
        ("ceremony_token", True),
        ("credential", None),
        ("credential", "{}"),
        ("credential", [{}]),
    ],
)
def test_a_member_of_the_wrong_type_is_named(api: Api, member: str, value: object) -> None:
    body = {"pending_token": "", "ceremony_token": "", "credential": {}, member: value}

    answer = api.post(FINISH, body)

    assert refusal(answer) == (400, "bad_request")
    assert member in answer.body["error"]["message"]


@pytest.mark.parametrize("member", ["pending_token", "ceremony_token", "credential"])
def test_a_missing_member_is_named(api: Api, member: str) -> None:
    whole: dict[str, object] = {"pending_token": "", "ceremony_token": "", "credential": {}}

    answer = api.post(FINISH, {name: value for name, value in whole.items() if name != member})

    assert refusal(answer) == (400, "bad_request")
    assert member in answer.body["error"]["message"]


def test_begin_is_refused_without_a_passkey(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    pending = pause(alice)
    Passkey.objects.all().delete()

    assert refusal(call_begin(api, pending)) == (400, "no_passkeys_enrolled")


def test_the_checks_run_in_the_documented_order(api: Api, alice: Person, settings: Settings) -> None:
    enroll(alice, Authenticator())
    pending = pause(alice)
    ceremony = begin_login(api, pending)

    body = {"pending_token": pending, "ceremony_token": ceremony["ceremony_token"], "credential": {}}
    assert refusal(api.post(FINISH, body)) == (401, "invalid_passkey_response")
    assert refusal(api.post(FINISH, body)) == (400, "invalid_ceremony_token")
    Passkey.objects.all().delete()
    assert refusal(api.post(FINISH, body)) == (400, "no_passkeys_enrolled")
    assert refusal(api.post(FINISH, {**body, "pending_token": "x"})) == (401, "invalid_pending_login")
    assert refusal(api.post(FINISH, {"pending_token": "x"})) == (400, "bad_request")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}
    assert refusal(api.post(FINISH, {})) == (404, "passkeys_not_configured")
    assert refusal(call_begin(api, 5)) == (404, "passkeys_not_configured")


def test_an_account_with_a_passkey_pauses_without_an_encryption_key_too(
    api: Api, alice: Person, settings: Settings
) -> None:
    enroll(alice, Authenticator())

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    paused = api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data
    assert paused["methods"] == ["passkey"]
    assert refusal(call_begin(api, paused["pending_token"])) == (404, "passkeys_not_configured")
