from collections.abc import Callable, Iterator
from typing import Any, Unpack

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from mfa.models import Ceremony, Passkey, Totp
from sessions_app.logins.second_factors import proof_readers
from sessions_app.models import Family
from tests.authenticator import PRESENT, Authenticator, FalseValues
from tests.client import PASSWORD, Answer
from tests.passkeys import begin_reauthentication, complete, enroll, register
from tests.people import Person, SignedIn, existing_session
from tests.second_factors import begin_totp, complete_by_totp, enroll_totp, generate_codes, lock, pause

BEGIN = "/v1/reauthenticate/passkey/begin"

pytestmark = pytest.mark.usefixtures("travel")


def reauthenticate(session: SignedIn, body: object) -> Answer:
    return session.api.post("/v1/reauthenticate", body, token=session.access)


def by_passkey(session: SignedIn, authenticator: Authenticator, **false_values: Unpack[FalseValues]) -> Answer:
    ceremony = begin_reauthentication(session)
    credential = authenticator.get(ceremony["public_key"], **false_values)
    return reauthenticate(session, {"ceremony_token": ceremony["ceremony_token"], "credential": credential})


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def methods() -> list[object]:
    """Return the method of each recorded reauthentication, the oldest first."""
    return [event.metadata["method"] for event in Event.objects.filter(type="reauthenticated").order_by("id")]


def is_marked(session: SignedIn) -> bool:
    """Return whether the only session of the account was authenticated after its login."""
    (family,) = Family.objects.filter(account=session.person.account())
    return family.authenticated_at > family.started_at


def test_the_password_reauthenticates_the_session(alice: Person, travel: time_machine.Traveller) -> None:
    session = existing_session(alice)
    travel.shift(60)

    answer = reauthenticate(session, {"password": PASSWORD})

    assert answer.data == {"status": "reauthenticated"}
    assert is_marked(session)
    (event,) = Event.objects.filter(type="reauthenticated")
    assert (event.user_id, event.ip, event.metadata) == (alice.user_id, alice.api.ip, {"method": "password"})


def test_a_code_of_the_app_reauthenticates_the_session(alice: Person, travel: time_machine.Traveller) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    travel.shift(60)

    assert reauthenticate(session, {"code": app.code()}).data == {"status": "reauthenticated"}

    assert is_marked(session)
    assert methods() == ["totp"]


def test_a_passkey_reauthenticates_the_session(alice: Person, travel: time_machine.Traveller) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    travel.shift(60)

    assert by_passkey(session, authenticator).data == {"status": "reauthenticated"}

    assert is_marked(session)
    assert methods() == ["passkey"]
    assert Passkey.objects.get().sign_count == 1


def test_only_the_session_of_the_access_token_is_marked(alice: Person, travel: time_machine.Traveller) -> None:
    session, other = existing_session(alice), existing_session(alice)
    travel.shift(60)

    reauthenticate(session, {"password": PASSWORD})

    current, _ = sorted(
        session.api.get("/v1/sessions", token=session.access).data, key=lambda row: bool(row["current"]), reverse=True
    )
    assert current["current"]
    marked = Family.objects.exclude(authenticated_at=Family.objects.earliest("started_at").started_at)
    assert [str(family.current_token_id) for family in marked] == [current["id"]]
    assert other.is_live()


def test_the_tokens_of_the_session_stay_the_same(alice: Person) -> None:
    session = existing_session(alice)

    reauthenticate(session, {"password": PASSWORD})

    assert session.api.get("/v1/verify", token=session.access).status == 200
    assert session.is_live()


def test_a_wrong_password_marks_nothing_and_counts_as_a_failure(alice: Person, travel: time_machine.Traveller) -> None:
    session = existing_session(alice)
    travel.shift(60)

    assert refusal(reauthenticate(session, {"password": "wrong"})) == (401, "invalid_credentials")

    assert not is_marked(session)
    assert alice.account().failed_attempts == 1


def test_a_reauthentication_does_not_reset_the_count_of_failures(alice: Person) -> None:
    session = existing_session(alice)
    reauthenticate(session, {"password": "wrong"})

    reauthenticate(session, {"password": PASSWORD})

    assert alice.account().failed_attempts == 1


@pytest.mark.parametrize("code", ["", "12345", "1234567", "not digits", "١٢٣٤٥٦"])
def test_a_wrong_code_marks_nothing_and_counts_as_a_failure(
    alice: Person, travel: time_machine.Traveller, code: str
) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    travel.shift(60)

    assert refusal(reauthenticate(session, {"code": code})) == (401, "invalid_totp_code")

    assert not is_marked(session)
    assert alice.account().failed_attempts == 1
    assert len(Totp.objects.get().wrong_at) == 1
    (event,) = Event.objects.filter(type="totp_challenge_failed")
    assert event.metadata == {"reason": "wrong"}


def test_a_code_that_completed_a_login_does_not_reauthenticate(alice: Person, travel: time_machine.Traveller) -> None:
    app = enroll_totp(existing_session(alice))
    code = app.code()
    tokens = complete_by_totp(alice.api, pause(alice), code).data
    session = SignedIn(person=alice, api=alice.api, access=tokens["access_token"], refresh=tokens["refresh_token"])

    assert refusal(reauthenticate(session, {"code": code})) == (401, "invalid_totp_code")


def test_a_code_that_reauthenticated_completes_no_login(alice: Person, travel: time_machine.Traveller) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    reauthenticate(session, {"code": app.code()})

    assert refusal(complete_by_totp(alice.api, pause(alice), app.code())) == (401, "invalid_totp_code")


def test_an_unconfirmed_app_does_not_reauthenticate(alice: Person) -> None:
    session = alice.log_in()
    app = begin_totp(session)

    assert refusal(reauthenticate(session, {"code": app.code()})) == (400, "totp_not_enabled")


def test_a_recovery_code_does_not_reauthenticate(alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    code, *_ = generate_codes(session)

    assert refusal(reauthenticate(session, {"code": code})) == (401, "invalid_totp_code")


def test_the_passkey_must_verify_the_user(alice: Person, travel: time_machine.Traveller) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    travel.shift(60)

    answer = by_passkey(session, authenticator, flags=PRESENT)

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert not is_marked(session)
    assert alice.account().failed_attempts == 1


def test_the_options_require_a_verified_user_and_name_only_the_own_passkeys(alice: Person, bob: Person) -> None:
    enroll(bob, Authenticator())
    session = enroll(alice, Authenticator())

    options = begin_reauthentication(session)["public_key"]

    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    assert options["userVerification"] == "required"
    assert [allowed["id"] for allowed in options["allowCredentials"]] == [passkey["credential_id"]]


def test_a_ceremony_reauthenticates_once(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    ceremony = begin_reauthentication(session)
    body = {
        "ceremony_token": ceremony["ceremony_token"],
        "credential": authenticator.get(ceremony["public_key"]),
    }
    reauthenticate(session, body)

    assert refusal(reauthenticate(session, body)) == (400, "invalid_ceremony_token")


def test_a_ceremony_of_another_account_does_not_reauthenticate(alice: Person, bob: Person) -> None:
    authenticator, own = Authenticator(), Authenticator()
    theirs = begin_reauthentication(enroll(alice, authenticator))
    session = enroll(bob, own)
    body = {"ceremony_token": theirs["ceremony_token"], "credential": own.get(theirs["public_key"])}

    assert refusal(reauthenticate(session, body)) == (400, "invalid_ceremony_token")


def test_a_passkey_of_another_account_does_not_reauthenticate(alice: Person, bob: Person) -> None:
    foreign = Authenticator()
    enroll(bob, foreign)
    session = enroll(alice, Authenticator())

    assert refusal(by_passkey(session, foreign)) == (401, "invalid_passkey_response")


def test_an_account_without_a_passkey_begins_no_ceremony(alice: Person) -> None:
    session = existing_session(alice)
    body = {"ceremony_token": "sct_x", "credential": {}}

    answers = [session.api.post(BEGIN, token=session.access), reauthenticate(session, body)]

    assert {refusal(answer) for answer in answers} == {(400, "no_passkeys_enrolled")}
    assert not Ceremony.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"unknown": "x"},
        {"password": PASSWORD, "code": "123456"},
        {"password": PASSWORD, "ceremony_token": "x", "credential": {}},
        {"ceremony_token": "x"},
        {"credential": {}},
        {"password": None},
        {"password": 5},
        {"code": 123456},
        {"ceremony_token": "x", "credential": "y"},
    ],
)
def test_a_body_without_exactly_one_proof_is_malformed(
    alice: Person, travel: time_machine.Traveller, body: object
) -> None:
    session = existing_session(alice)
    travel.shift(60)

    assert refusal(reauthenticate(session, body)) == (400, "bad_request")

    assert not is_marked(session)
    assert alice.account().failed_attempts == 0


def test_a_locked_account_reauthenticates_with_no_proof(alice: Person, travel: time_machine.Traveller) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    app = enroll_totp(session)
    lock(alice)
    travel.shift(60)

    answers = [
        reauthenticate(session, {"password": PASSWORD}),
        reauthenticate(session, {"code": app.code()}),
        by_passkey(session, authenticator),
    ]

    assert [answer.code for answer in answers] == [
        "invalid_credentials",
        "invalid_totp_code",
        "invalid_passkey_response",
    ]
    assert not is_marked(session)
    assert Totp.objects.get().last_step == 0


def test_reauthentications_are_limited_by_account(settings: Settings, alice: Person, bob: Person) -> None:
    sessions = [existing_session(alice), existing_session(alice)]
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion=2/m"}

    answers = [reauthenticate(session, {"password": PASSWORD}) for session in (*sessions, sessions[0])]
    begun = sessions[0].api.post(BEGIN, token=sessions[0].access)

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert begun.code == "rate_limited"
    assert reauthenticate(bob.log_in(), {"password": PASSWORD}).status == 200


def test_a_stolen_access_token_cannot_use_up_the_limit_of_completions(settings: Settings, alice: Person) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    pending = pause(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion=1/m"}
    for _ in range(2):
        reauthenticate(session, {"code": app.wrong_code()})

    assert complete_by_totp(alice.api, pending, app.code()).status == 200


def test_reauthentications_are_limited_by_ip_address(settings: Settings, alice: Person, bob: Person) -> None:
    sessions = [existing_session(alice), existing_session(bob)]
    for session in sessions:
        session.api.ip = "192.0.2.77"
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion_ip=1/m"}

    answers = [reauthenticate(session, {"password": PASSWORD}) for session in sessions]

    assert [answer.status for answer in answers] == [200, 429]


def test_a_token_of_an_ended_session_uses_up_no_limit_of_reauthentications(settings: Settings, alice: Person) -> None:
    ended = existing_session(alice)
    ended.api.post("/v1/logout-all", token=ended.access)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "completion=1/m"}

    refused = {reauthenticate(ended, {"password": PASSWORD}).code for _ in range(3)}

    assert refused == {"invalid_access_token"}
    assert reauthenticate(alice.log_in(), {"password": PASSWORD}).status == 200


@pytest.fixture
def _without_mfa() -> Iterator[None]:
    """Remove the proofs of second factors, as in a Django site without the app `mfa`."""
    readers = list(proof_readers)
    for reader in readers:
        proof_readers.unregister(reader)
    yield
    for reader in readers:
        proof_readers.register(reader)


@pytest.mark.usefixtures("_without_mfa")
def test_a_site_without_second_factors_reauthenticates_by_password_only(alice: Person) -> None:
    session = existing_session(alice)

    assert reauthenticate(session, {"password": PASSWORD}).status == 200
    assert refusal(reauthenticate(session, {"code": "123456"})) == (400, "bad_request")


def test_without_a_key_only_the_password_reauthenticates(settings: Settings, alice: Person) -> None:
    authenticator = Authenticator()
    session = existing_session(alice)
    assert register(session, authenticator).status == 200
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}
    response: dict[str, Any] = {"ceremony_token": "x", "credential": {}}

    answers = [
        reauthenticate(session, {"code": "123456"}),
        reauthenticate(session, response),
        session.api.post(BEGIN, token=session.access),
    ]

    assert [answer.code for answer in answers] == [
        "totp_not_configured",
        "passkeys_not_configured",
        "passkeys_not_configured",
    ]
    assert reauthenticate(session, {"password": PASSWORD}).status == 200


def plant_passkey(session: SignedIn) -> Answer:
    """Register a passkey, and reauthenticate with it."""
    authenticator = Authenticator()
    assert register(session, authenticator).status == 200
    return by_passkey(session, authenticator)


def plant_app(session: SignedIn) -> Answer:
    """Enroll an authenticator app, and reauthenticate with its code."""
    return reauthenticate(session, {"code": enroll_totp(session).code()})


@pytest.mark.parametrize("plant", [plant_passkey, plant_app])
def test_a_factor_that_a_stolen_token_added_does_not_reauthenticate(
    alice: Person, travel: time_machine.Traveller, plant: Callable[[SignedIn], Answer]
) -> None:
    stolen = existing_session(alice)
    travel.shift(301)

    answer = plant(stolen)

    assert answer.status == 401
    assert not is_marked(stolen)
    assert alice.account().failed_attempts == 0, "The proof is right, so it is no guess."
    assert Event.objects.filter(metadata__reason="new_factor").count() == 1
    register(stolen, Authenticator())
    passkeys = stolen.api.get("/v1/passkeys", token=stolen.access).data
    assert not any(passkey["signs_in_alone"] for passkey in passkeys)


def test_a_new_factor_reauthenticates_after_another_proof_in_the_session(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session, authenticator = existing_session(alice), Authenticator()
    travel.shift(301)
    register(session, authenticator)
    assert by_passkey(session, authenticator).code == "invalid_passkey_response"

    reauthenticate(session, {"password": PASSWORD})

    assert by_passkey(session, authenticator).status == 200


def test_a_factor_reauthenticates_every_later_session(alice: Person, travel: time_machine.Traveller) -> None:
    first, authenticator = existing_session(alice), Authenticator()
    travel.shift(301)
    register(first, authenticator)
    tokens = complete(alice.api, pause(alice), authenticator).data
    later = SignedIn(person=alice, api=alice.api, access=tokens["access_token"], refresh=tokens["refresh_token"])
    travel.shift(301)

    assert by_passkey(later, authenticator).status == 200
