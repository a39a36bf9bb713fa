import hashlib
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import pytest
import time_machine
from pytest_django import Settings
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.models import Event
from core import clock
from mfa.models import Ceremony, Passkey
from tests.authenticator import (
    ATTESTED,
    BACKED_UP,
    EXTENDED,
    PRESENT,
    Authenticator,
    Credential,
    EdDsa,
    Es256,
    FalseValues,
    Key,
    Rs256,
)
from tests.client import PASSWORD, Answer
from tests.mails import delivered, text_of
from tests.passkeys import begin, begin_login, enroll, finish, finish_login, register
from tests.people import Person, SignedIn, existing_session
from tests.rows import each
from tests.second_factors import pause

WINDOWS_HELLO = UUID("08987058-cadc-4b81-b6e1-30de50dcbe96")
P256_BASE_POINT = {
    -2: bytes.fromhex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
    -3: bytes.fromhex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
}


def rsa_key(*, bits: int = 2048, exponent: int = 65537) -> dict[int, Any]:
    """Return an RSA public key whose private key is unknown."""
    modulus = 2 ** (bits - 1) + 1
    modulus_bytes, exponent_bytes = (
        number.to_bytes((number.bit_length() + 7) // 8, "big") for number in (modulus, exponent)
    )
    return {1: 3, 3: -257, -1: modulus_bytes, -2: exponent_bytes}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def nicknames(session: SignedIn) -> list[str]:
    return [passkey["nickname"] for passkey in session.api.get("/v1/passkeys", token=session.access).data]


def call_begin(session: SignedIn) -> Answer:
    return session.api.post("/v1/passkeys/register/begin", token=session.access)


def test_begin_answers_options_that_a_browser_parses(alice: Person) -> None:
    session = existing_session(alice)

    ceremony = begin(session)

    options = ceremony["public_key"]
    assert options == {
        "rp": {"id": "localhost", "name": "localhost"},
        "user": {"id": options["user"]["id"], "name": alice.email, "displayName": alice.email},
        "challenge": options["challenge"],
        "pubKeyCredParams": [{"type": "public-key", "alg": algorithm} for algorithm in (-8, -7, -257)],
        "timeout": 300_000,
        "excludeCredentials": [],
        "authenticatorSelection": {
            "residentKey": "preferred",
            "requireResidentKey": False,
            "userVerification": "preferred",
        },
        "attestation": "none",
    }
    assert len(base64url_to_bytes(options["challenge"])) == 32
    assert set(ceremony) == {"public_key", "ceremony_token"}
    assert ceremony["ceremony_token"].startswith("sct_")
    assert len(ceremony["ceremony_token"]) == 47


def test_the_user_handle_is_unique_to_the_account_and_hides_the_user_id(alice: Person, bob: Person) -> None:
    first, second, other = (begin(person.log_in())["public_key"]["user"]["id"] for person in (alice, alice, bob))

    assert first == second != other
    handle = base64url_to_bytes(first)
    assert len(handle) == 32
    assert alice.user_id.encode() not in handle
    assert handle != hashlib.sha256(alice.user_id.encode()).digest()


def test_every_ceremony_has_a_new_challenge_and_token(alice: Person) -> None:
    session = existing_session(alice)

    ceremonies = [begin(session) for _ in range(5)]

    assert len({ceremony["public_key"]["challenge"] for ceremony in ceremonies}) == 5
    assert len({ceremony["ceremony_token"] for ceremony in ceremonies}) == 5


def test_existing_credentials_are_excluded_with_their_transports(alice: Person) -> None:
    session = existing_session(alice)
    phone, key = Authenticator(transports=("internal", "hybrid")), Authenticator(transports=())
    for authenticator in (phone, key):
        register(session, authenticator)

    excluded = begin(session)["public_key"]["excludeCredentials"]

    assert sorted(excluded, key=len) == [
        {"id": bytes_to_base64url(key.credentials[0].id), "type": "public-key"},
        {
            "id": bytes_to_base64url(phone.credentials[0].id),
            "type": "public-key",
            "transports": ["hybrid", "internal"],
        },
    ]


def test_unknown_transports_are_omitted(alice: Person) -> None:
    session = existing_session(alice)

    register(session, Authenticator(transports=cast("Any", ("usb", "telepathy", "usb", 5, None, ["nfc"]))))

    (excluded,) = begin(session)["public_key"]["excludeCredentials"]
    assert excluded["transports"] == ["usb"]


@pytest.mark.parametrize("key", [Es256, EdDsa, Rs256])
def test_a_registration_creates_a_passkey(alice: Person, key: type[Key]) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    authenticator = Authenticator(key=key, aaguid=WINDOWS_HELLO)

    answer = finish(session, ceremony, authenticator.create(ceremony["public_key"], count=7), nickname="Laptop")

    assert (answer.status, answer.data) == (200, {"status": "passkey registered"})
    passkey = Passkey.objects.get()
    assert bytes(passkey.credential_id) == authenticator.credentials[0].id
    assert (passkey.aaguid, passkey.sign_count, passkey.transports) == (WINDOWS_HELLO, 7, ["internal"])
    assert (passkey.nickname, passkey.is_backup_eligible, passkey.is_backed_up) == ("Laptop", False, False)


def test_a_synced_passkey_is_stored_as_synced(alice: Person) -> None:
    register(existing_session(alice), Authenticator(is_backup_eligible=True, is_backed_up=True))

    passkey = Passkey.objects.get()
    assert (passkey.is_backup_eligible, passkey.is_backed_up) == (True, True)


def test_an_authenticator_without_user_verification_is_accepted(alice: Person) -> None:
    assert register(existing_session(alice), Authenticator(is_verifying=False, aaguid=UUID(int=0))).status == 200


def test_a_login_pauses_after_the_registration(alice: Person) -> None:
    enroll(alice, Authenticator())

    paused = alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data

    assert paused == {
        "second_factor_required": True,
        "pending_token": paused["pending_token"],
        "methods": ["passkey"],
    }


def test_a_registration_is_mailed_to_the_owner_and_recorded(alice: Person) -> None:
    session = existing_session(alice)
    delivered(alice.email)
    ceremony = begin(session)
    credential = Authenticator(aaguid=WINDOWS_HELLO).create(ceremony["public_key"])

    finish(session, ceremony, credential, nickname="Work\nhttps://evil.example")

    (mail,) = delivered(alice.email)
    assert "A second factor was added" in mail["Subject"]
    assert "passkey Work" in text_of(mail)
    assert "(Windows Hello)" in text_of(mail)
    assert "https://evil" not in mail.as_string()
    event = Event.objects.get(type="passkey_registered")
    assert (event.user_id, event.metadata) == (alice.user_id, {"authenticator": "Windows Hello"})


FALSE_VALUES: dict[str, FalseValues] = {
    "another challenge": {"challenge": b"x" * 32},
    "no challenge": {"challenge": b""},
    "another origin": {"origin": "https://evil.example"},
    "another port": {"origin": "http://localhost:8001"},
    "another scheme": {"origin": "https://localhost:8000"},
    "an origin below": {"origin": "http://sub.localhost:8000"},
    "an origin that begins the same": {"origin": "http://localhost:8000.evil.example"},
    "no origin": {"origin": ""},
    "a frame in a page of another site": {"cross_origin": True},
    "another domain": {"rp_id": "evil.example"},
    "an assertion": {"type": "webauthn.get"},
    "an absent user": {"flags": ATTESTED},
    "no credential in the data": {"flags": PRESENT},
    "extensions that are not there": {"flags": PRESENT | ATTESTED | EXTENDED},
    "backed up though it cannot be": {"flags": PRESENT | ATTESTED | BACKED_UP},
    "another raw id": {"raw_id": b"x" * 32},
    "another id": {"id": "eHh4"},
    "a statement where there is none": {"statement": {"sig": b"x"}},
    "an unknown format": {"fmt": "compound"},
    "an algorithm that was not offered": {"public_key": {1: 2, 3: -35, -1: 2, -2: b"x" * 48, -3: b"y" * 48}},
    "a point off the curve": {"public_key": {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32}},
    "a curve that the algorithm is not for": {"public_key": {1: 2, 3: -257, -1: 1, **P256_BASE_POINT}},
    "an unknown curve": {"public_key": {1: 2, 3: -7, -1: 9, **P256_BASE_POINT}},
    "a key too short to be one": {"public_key": {1: 1, 3: -8, -1: 6, -2: b"x"}},
    "a number for a key": {"public_key": 4},
    "no key": {"public_key": None},
    "RSA with too few bits": {"public_key": rsa_key(bits=2047)},
    "RSA with more bits than needed": {"public_key": rsa_key(bits=4097)},
    "RSA with more bits than OpenSSL takes": {"public_key": rsa_key(bits=102_400)},
    "RSA with a long exponent": {"public_key": rsa_key(exponent=2**32 + 1)},
    "RSA with an exponent that OpenSSL does not take": {"public_key": rsa_key(bits=16_384, exponent=2**8191 + 1)},
    "more bytes than a key has": {"public_key": {**rsa_key(), -70_000: b"x" * 760}},
}


@each("false_values", FALSE_VALUES.values())
def test_an_invalid_registration_response_is_refused(alice: Person, false_values: FalseValues) -> None:
    session = existing_session(alice)

    assert refusal(register(session, Authenticator(), **false_values)) == (401, "invalid_passkey_response")

    assert not Passkey.objects.exists()
    assert not Event.objects.filter(type="passkey_registered").exists()


@pytest.mark.parametrize(
    "key",
    [rsa_key(), rsa_key(bits=4096), rsa_key(exponent=2**32 - 1), {**rsa_key(), -70_000: b"x" * 740}],
    ids=["2,048 bits", "4,096 bits", "an exponent of 32 bits", "almost 1,024 bytes"],
)
def test_a_key_within_the_bounds_is_accepted(alice: Person, key: dict[int, Any]) -> None:
    assert register(existing_session(alice), Authenticator(), public_key=key).status == 200


@pytest.mark.parametrize("attachment", ["telepathic", "", "PLATFORM", None, 5, ["platform"], "cross-platform"])
def test_an_unknown_attachment_is_ignored(alice: Person, attachment: object) -> None:
    session, authenticator = existing_session(alice), Authenticator()
    ceremony = begin(session)
    made = authenticator.create(ceremony["public_key"])
    assert finish(session, ceremony, {**made, "authenticatorAttachment": attachment}).status == 200

    pending = pause(alice)
    ceremony = begin_login(alice.api, pending)
    signed = authenticator.get(ceremony["public_key"])
    assert finish_login(alice.api, pending, ceremony, {**signed, "authenticatorAttachment": attachment}).status == 200


@pytest.mark.parametrize(("length", "status"), [(0, 401), (1, 200), (1023, 200), (1024, 401)])
def test_a_credential_id_has_at_most_1023_bytes(alice: Person, length: int, status: int) -> None:
    credential = Credential(key=Es256(), user_handle=b"", id=b"x" * length)

    assert register(existing_session(alice), Authenticator(), credential).status == status


def test_a_failed_finish_uses_up_the_ceremony(alice: Person) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    authenticator = Authenticator()
    assert finish(session, ceremony, {}).code == "invalid_passkey_response"

    answer = finish(session, ceremony, authenticator.create(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")
    assert not Passkey.objects.exists()


def test_a_successful_finish_uses_up_the_ceremony(alice: Person) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    finish(session, ceremony, Authenticator().create(ceremony["public_key"]))

    answer = finish(session, ceremony, Authenticator().create(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")
    assert Passkey.objects.count() == 1


def test_a_malformed_body_does_not_use_up_the_ceremony(alice: Person) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    credential = Authenticator().create(ceremony["public_key"])
    assert finish(session, ceremony, credential, nickname="x" * 101).code == "bad_request"

    assert finish(session, ceremony, credential).status == 200


def test_several_ceremonies_can_be_open_at_once(alice: Person) -> None:
    session = existing_session(alice)
    first, second = begin(session), begin(session)

    assert finish(session, second, Authenticator().create(second["public_key"])).status == 200
    assert finish(session, first, Authenticator().create(first["public_key"])).status == 200


def test_a_ceremony_accepts_only_its_own_challenge(alice: Person) -> None:
    session = existing_session(alice)
    first, second = begin(session), begin(session)

    answer = finish(session, first, Authenticator().create(second["public_key"]))

    assert refusal(answer) == (401, "invalid_passkey_response")


def test_bob_cannot_finish_a_ceremony_of_alice(alice: Person, bob: Person) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    credential = Authenticator().create(ceremony["public_key"])

    assert refusal(finish(existing_session(bob), ceremony, credential)) == (400, "invalid_ceremony_token")

    assert finish(session, ceremony, credential).status == 200, "Bob's attempt must not spend it."


def test_a_login_ceremony_creates_no_passkey(alice: Person) -> None:
    session = enroll(alice, Authenticator())
    ceremony = begin_login(alice.api, pause(alice))
    options = {**begin(session)["public_key"], "challenge": ceremony["public_key"]["challenge"]}

    answer = finish(session, ceremony, Authenticator().create(options))

    assert refusal(answer) == (400, "invalid_ceremony_token")
    assert Passkey.objects.count() == 1


def test_a_registration_ceremony_completes_no_login(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin(session)
    options = {**begin_login(alice.api, pending)["public_key"], "challenge": ceremony["public_key"]["challenge"]}

    answer = finish_login(alice.api, pending, ceremony, authenticator.get(options))

    assert refusal(answer) == (400, "invalid_ceremony_token")


@pytest.mark.parametrize(("seconds", "status"), [(299, 200), (301, 400)])
def test_a_ceremony_lasts_five_minutes(alice: Person, seconds: int, status: int) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    credential = Authenticator().create(ceremony["public_key"])

    with time_machine.travel(clock.now() + timedelta(seconds=seconds)):
        answer = finish(session, ceremony, credential)

    assert answer.status == status


def test_the_options_contain_the_lifetime_of_the_ceremony(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "CEREMONY_SECONDS": "60"}
    session = existing_session(alice)

    ceremony = begin(session)

    assert ceremony["public_key"]["timeout"] == 60_000
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        answer = finish(session, ceremony, Authenticator().create(ceremony["public_key"]))
    assert refusal(answer) == (400, "invalid_ceremony_token")


@pytest.mark.parametrize("token", ["", "x", "sct_" + "A" * 43, "spt_" + "A" * 43, "sct_" + "A" * 60_000])
def test_an_unknown_ceremony_token_is_refused(alice: Person, token: str) -> None:
    session = existing_session(alice)

    assert refusal(finish(session, {"ceremony_token": token}, {})) == (400, "invalid_ceremony_token")


def test_only_a_digest_of_the_token_is_stored(alice: Person) -> None:
    token = begin(existing_session(alice))["ceremony_token"]

    (stored,) = Ceremony.objects.all()
    assert bytes(stored.digest) == hashlib.sha256(token.encode()).digest()


@pytest.mark.parametrize("nickname", ["", " ", "\t\n  "])
def test_a_blank_nickname_becomes_passkey(alice: Person, nickname: str) -> None:
    session = existing_session(alice)
    ceremony = begin(session)

    finish(session, ceremony, Authenticator().create(ceremony["public_key"]), nickname=nickname)

    assert nicknames(session) == ["Passkey"]


def test_a_missing_nickname_becomes_passkey(alice: Person) -> None:
    session = existing_session(alice)

    register(session, Authenticator())

    assert nicknames(session) == ["Passkey"]


@pytest.mark.parametrize("nickname", ["x" * 100, "🗝" * 100])
def test_a_nickname_has_at_most_a_hundred_characters(alice: Person, nickname: str) -> None:
    session = existing_session(alice)
    ceremony = begin(session)
    credential = Authenticator().create(ceremony["public_key"])

    assert refusal(finish(session, ceremony, credential, nickname=nickname + "x")) == (400, "bad_request")
    assert finish(session, ceremony, credential, nickname=nickname).status == 200
    assert nicknames(session) == [nickname]


@each(
    "member, value",
    [
        ("ceremony_token", None),
        ("ceremony_token", 5),
        ("credential", None),
        ("credential", "{}"),
        ("credential", []),
        ("credential", 5),
        ("nickname", None),
        ("nickname", 5),
        ("nickname", "a\0b"),
    ],
)
def test_a_member_of_the_wrong_type_is_named(alice: Person, member: str, value: object) -> None:
    session = existing_session(alice)
    body = {"ceremony_token": "", "credential": {}, "nickname": "", member: value}

    answer = session.api.post("/v1/passkeys/register/finish", body, token=session.access)

    assert refusal(answer) == (400, "bad_request")
    assert member in answer.body["error"]["message"]


@pytest.mark.parametrize("member", ["ceremony_token", "credential"])
def test_a_missing_member_is_named(alice: Person, member: str) -> None:
    session = existing_session(alice)
    body = {name: value for name, value in {"ceremony_token": "", "credential": {}}.items() if name != member}

    answer = session.api.post("/v1/passkeys/register/finish", body, token=session.access)

    assert refusal(answer) == (400, "bad_request")
    assert member in answer.body["error"]["message"]


def test_a_credential_belongs_to_one_account(alice: Person, bob: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    session = existing_session(bob)

    answer = register(session, Authenticator(), authenticator.credentials[0])

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert nicknames(session) == []
    assert bob.log_in().is_live(), "Bob's logins must not pause for a passkey that is not his."


def test_a_credential_is_registered_once(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)

    answer = register(session, Authenticator(), authenticator.credentials[0])

    assert refusal(answer) == (401, "invalid_passkey_response")
    assert Event.objects.filter(type="passkey_registered").count() == 1
    assert len(delivered(alice.email)) == 1


def test_an_account_holds_at_most_fifty_passkeys(alice: Person) -> None:
    session = existing_session(alice)
    for _ in range(49):
        assert register(session, Authenticator()).status == 200
    late = begin(session)
    assert register(session, Authenticator()).status == 200

    assert refusal(finish(session, late, Authenticator().create(late["public_key"]))) == (400, "bad_request")
    assert refusal(call_begin(session)) == (400, "bad_request")
    assert Passkey.objects.count() == 50


def test_the_checks_run_in_the_documented_order(alice: Person, settings: Settings) -> None:
    session = existing_session(alice)
    path = "/v1/passkeys/register/finish"
    nonsense = {"ceremony_token": "nonsense", "credential": {}}

    assert refusal(session.api.post(path, nonsense, token=session.access)) == (400, "invalid_ceremony_token")
    assert refusal(session.api.post(path, {}, token=session.access)) == (400, "bad_request")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}
    assert refusal(session.api.post(path, {}, token=session.access)) == (404, "passkeys_not_configured")
    assert refusal(call_begin(session)) == (404, "passkeys_not_configured")
    assert refusal(session.api.post(path, {}, token="nonsense")) == (401, "invalid_access_token")
    assert refusal(session.api.post(path, {})) == (401, "missing_auth_header")


def test_the_passkeys_of_a_deleted_account_are_deleted_and_can_be_registered_again(alice: Person, bob: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    ceremony = begin(session)
    pause(alice)

    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert not Passkey.objects.exists()
    assert not Ceremony.objects.exists()
    assert refusal(finish(session, ceremony, {})) == (401, "invalid_access_token")
    assert refusal(call_begin(session)) == (401, "invalid_access_token")
    assert register(bob.log_in(), Authenticator(), authenticator.credentials[0]).status == 200
