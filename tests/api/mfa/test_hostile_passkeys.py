"""Credentials that no authenticator made. They prove nothing and cause no failure of the service."""

import copy
from collections.abc import Callable
from typing import Any, TypeVar, Unpack

import cbor2
import orjson
import pytest
from hypothesis import HealthCheck, assume, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from mfa.models import Passkey
from sessions_app.models import Family
from tests.authenticator import ORIGIN, Authenticator, FalseValues
from tests.client import Api
from tests.examples import CHOSEN
from tests.passkeys import begin, begin_login, enroll, finish, finish_login
from tests.people import Person
from tests.second_factors import pause

Test = TypeVar("Test", bound=Callable[..., None])

NEVER_LOCKED = "1000000"

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False)
    | st.text("\n aé🗝-_", max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("\n aé-_", max_size=5), inner, max_size=3),
    max_leaves=6,
)
STATEMENT_MEMBERS = st.sampled_from(["sig", "x5c", "response", "alg", "ver", "certInfo", "pubArea"])
CBOR = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.binary(max_size=80)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STATEMENT_MEMBERS | st.integers(), inner, max_size=3),
    max_leaves=6,
)
FORMATS = ["none", "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound", "", "NONE"]

NO_STATEMENTS: list[object] = [None, 5, [], "sig", b"", {}]

MEMBERS_OF_REGISTRATIONS = ["id", "rawId", "type", "response", "response.clientDataJSON", "response.attestationObject"]
MEMBERS_OF_ASSERTIONS = [
    *("id", "rawId", "type", "response", "response.clientDataJSON"),
    *("response.authenticatorData", "response.signature", "response.userHandle"),
]
OBJECT = "response.attestationObject"
CLIENT_DATA = [b"", b"null", b"[]", b"{", b"[" * 20_000, b'{"type":' * 2_000, b"\xff\xfe", b"\0", b"9" * 20_000, b"NaN"]

# CBOR that makes a careless parser allocate gigabytes, exhaust its stack or loop forever.
BOMBS = {
    "nothing": b"",
    "deep arrays": b"\x81" * 20_000 + b"\x01",
    "deep maps": b"\xa1\x01" * 10_000 + b"\x01",
    "deep tags": b"\xc6" * 20_000 + b"\x01",
    "deep arrays without end": b"\x9f" * 20_000,
    "a huge byte string": b"\x5b\x7f" + b"\xff" * 7,
    "a huge text": b"\x7b" + b"\xff" * 8,
    "a huge array": b"\x9b\x7f" + b"\xff" * 7,
    "a huge map": b"\xbb\x7f" + b"\xff" * 7,
    "a circle": bytes.fromhex("d81c81d81d00"),
    "a huge number": b"\xc2\x59\x4e\x20" + b"\xff" * 20_000,
    "a huge exponent": cbor2.dumps(cbor2.CBORTag(4, [10**9, 3])),
    "a huge binary exponent": cbor2.dumps(cbor2.CBORTag(5, [10**9, 3])),
    "a pattern": cbor2.dumps(cbor2.CBORTag(35, "(a|" * 3_000)),
    "a member twice": b"\xa2\x63fmt\x64none\x63fmt\x64none",
    "a false end": b"\xff",
}


@pytest.fixture(autouse=True)
def _never_locked(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": NEVER_LOCKED}


def with_many_inputs(test: Test) -> Test:
    """Run the test with many inputs. The database is kept between the inputs."""
    chosen = hypothesis_settings(
        CHOSEN,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    return chosen(test)


class Target:
    """Alice with a passkey, and calls that send forged credentials as a registration or a login."""

    def __init__(self, alice: Person) -> None:
        self.alice = alice
        self.api = Api()
        self.authenticator = Authenticator(counts=False)
        self.session = enroll(alice, self.authenticator)

    def create(self, **false_values: Unpack[FalseValues]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a registration; return the ceremony and a credential for it."""
        ceremony = begin(self.session)
        return ceremony, Authenticator().create(ceremony["public_key"], **false_values)

    def get(self, **false_values: Unpack[FalseValues]) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Begin a passkey login; return the pending token, the ceremony and an assertion for it."""
        pending = pause(self.alice)
        ceremony = begin_login(self.api, pending)
        return pending, ceremony, self.authenticator.get(ceremony["public_key"], **false_values)

    def refuses_to_register(self, ceremony: dict[str, Any], credential: object) -> None:
        """Expect the registration to refuse this JSON object."""
        answer = finish(self.session, ceremony, credential)
        assert (answer.status, answer.code) == (401, "invalid_passkey_response")
        assert Passkey.objects.count() == 1

    def refuses_to_log_in(self, pending: str, ceremony: dict[str, Any], credential: object) -> None:
        """Expect the login to refuse this JSON object."""
        answer = finish_login(self.api, pending, ceremony, credential)
        assert (answer.status, answer.code) == (401, "invalid_passkey_response")
        assert Family.objects.count() == 1
        assert Passkey.objects.get().last_used_at is None


@pytest.fixture
def target(alice: Person) -> Target:
    return Target(alice)


def client_data(kind: str, ceremony: dict[str, Any], **others: object) -> bytes:
    """Return the client data that a browser collects, with some members replaced."""
    return orjson.dumps({"type": kind, "challenge": ceremony["public_key"]["challenge"], "origin": ORIGIN, **others})


def flip(data: bytes, bit: int) -> bytes:
    """Return the data with one bit flipped. `bit` is taken modulo the number of bits."""
    position, shift = divmod(bit % (8 * len(data)), 8)
    return data[:position] + bytes([data[position] ^ 1 << shift]) + data[position + 1 :]


def replaced(credential: dict[str, Any], member: str, value: object) -> dict[str, Any]:
    """Return the credential with another value for a member such as `id` or `response.signature`."""
    changed = copy.deepcopy(credential)
    *parents, name = member.split(".")
    holder = changed
    for parent in parents:
        holder = holder[parent]
    holder[name] = value
    return changed


def rewritten(credential: dict[str, Any], member: str, rewrite: Callable[[bytes], bytes]) -> dict[str, Any]:
    """Return the credential with the bytes of one member of its response rewritten."""
    raw = base64url_to_bytes(credential["response"][member])
    return replaced(credential, f"response.{member}", bytes_to_base64url(rewrite(raw)))


@with_many_inputs
@given(credential=st.dictionaries(st.sampled_from(["id", "rawId", "type", "response"]) | st.text("ab"), JSON))
def test_an_object_that_is_no_credential_proves_nothing(target: Target, credential: dict[str, Any]) -> None:
    ceremony, _ = target.create()
    target.refuses_to_register(ceremony, credential)

    pending, ceremony, _ = target.get()
    target.refuses_to_log_in(pending, ceremony, credential)


@with_many_inputs
@given(member=st.sampled_from(MEMBERS_OF_REGISTRATIONS), value=JSON)
def test_a_registration_with_a_member_of_another_type_is_refused(target: Target, member: str, value: object) -> None:
    ceremony, credential = target.create()

    target.refuses_to_register(ceremony, replaced(credential, member, value))


@with_many_inputs
@given(member=st.sampled_from(MEMBERS_OF_ASSERTIONS), value=JSON)
def test_an_assertion_with_a_member_of_another_type_is_refused(target: Target, member: str, value: object) -> None:
    assume(member != "response.userHandle" or value not in (None, ""))
    pending, ceremony, credential = target.get()

    target.refuses_to_log_in(pending, ceremony, replaced(credential, member, value))


@with_many_inputs
@given(value=JSON)
def test_transports_of_any_type_cause_no_failure(target: Target, value: object) -> None:
    ceremony, credential = target.create()

    assert finish(target.session, ceremony, replaced(credential, "response.transports", value)).status == 200

    Passkey.objects.latest("created_at", "id").delete()


@with_many_inputs
@given(member=st.sampled_from(["clientDataJSON", "authenticatorData", "signature"]), bit=st.integers(0, 10_000))
def test_an_assertion_with_one_flipped_bit_is_refused(target: Target, member: str, bit: int) -> None:
    pending, ceremony, credential = target.get()

    target.refuses_to_log_in(pending, ceremony, rewritten(credential, member, lambda raw: flip(raw, bit)))


@with_many_inputs
@given(bit=st.integers(0, 10_000))
def test_a_registration_with_one_flipped_bit_stores_the_true_key_or_is_refused(target: Target, bit: int) -> None:
    ceremony = begin(target.session)
    authenticator = Authenticator()
    credential = authenticator.create(ceremony["public_key"])

    answer = finish(target.session, ceremony, rewritten(credential, "attestationObject", lambda raw: flip(raw, bit)))

    if answer.status != 200:
        assert (answer.status, answer.code) == (401, "invalid_passkey_response")
        assert Passkey.objects.count() == 1
        return
    # Without attestation, no signature covers the counter, the flags and the AAGUID.
    passkey = Passkey.objects.latest("created_at", "id")
    assert bytes(passkey.credential_id) == authenticator.credentials[0].id
    assert cbor2.loads(bytes(passkey.public_key)) == authenticator.credentials[0].key.cose()
    passkey.delete()


@with_many_inputs
@given(member=st.sampled_from(["clientDataJSON", "attestationObject"]), part=st.floats(0, 1, exclude_max=True))
def test_a_truncated_registration_is_refused(target: Target, member: str, part: float) -> None:
    ceremony, credential = target.create()

    target.refuses_to_register(ceremony, rewritten(credential, member, lambda raw: raw[: int(part * len(raw))]))


@with_many_inputs
@given(member=st.sampled_from(["type", "challenge", "origin"]), value=JSON)
@example(member="origin", value=[ORIGIN])
@example(member="origin", value={ORIGIN: 1})
def test_client_data_with_a_member_of_another_type_are_refused(target: Target, member: str, value: object) -> None:
    ceremony = begin(target.session)
    data = client_data("webauthn.create", ceremony, **{member: value})
    target.refuses_to_register(ceremony, Authenticator().create(ceremony["public_key"], client_data=data))

    pending, ceremony, _ = target.get()
    data = client_data("webauthn.get", ceremony, **{member: value})
    target.refuses_to_log_in(pending, ceremony, target.authenticator.get(ceremony["public_key"], client_data=data))


def test_client_data_other_than_an_object_are_refused(target: Target, subtests: pytest.Subtests) -> None:
    for data in CLIENT_DATA:
        with subtests.test(data=data[:12]):
            target.refuses_to_register(*target.create(client_data=data))
            target.refuses_to_log_in(*target.get(client_data=data))


def test_cbor_that_harms_a_careless_parser_is_refused(target: Target, subtests: pytest.Subtests) -> None:
    for name, bomb in BOMBS.items():
        with subtests.test(name):
            ceremony, credential = target.create()
            target.refuses_to_register(ceremony, replaced(credential, OBJECT, bytes_to_base64url(bomb)))

            target.refuses_to_register(*target.create(public_key=bomb))


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_extensions_that_the_service_did_not_request_cause_no_failure(target: Target, bomb: bytes) -> None:
    assert finish(target.session, *target.create(extensions=bomb)).status in {200, 401}

    assert finish_login(target.api, *target.get(extensions=bomb)).status in {200, 401}


@with_many_inputs
@given(key=CBOR)
def test_a_malformed_public_key_is_refused(target: Target, key: object) -> None:
    target.refuses_to_register(*target.create(public_key=key))


@with_many_inputs
@given(
    fmt=st.sampled_from(FORMATS),
    statement=st.dictionaries(STATEMENT_MEMBERS, CBOR | st.lists(st.binary(max_size=80), max_size=3), min_size=1),
)
def test_an_invalid_attestation_statement_is_refused_in_every_format(
    target: Target, fmt: str, statement: dict[str, object]
) -> None:
    # The library treats null as an absent member.
    assume(fmt != "none" or any(value is not None for value in statement.values()))

    target.refuses_to_register(*target.create(fmt=fmt, statement=statement))


@pytest.mark.parametrize("fmt", [name for name in FORMATS if name != "none"])
def test_a_statement_of_another_type_is_refused_in_every_format(
    target: Target, fmt: str, subtests: pytest.Subtests
) -> None:
    for statement in NO_STATEMENTS:
        with subtests.test(statement=statement):
            target.refuses_to_register(*target.create(fmt=fmt, statement=statement))


def test_truncated_authenticator_data_are_refused(target: Target, subtests: pytest.Subtests) -> None:
    for length in (0, 1, 36, 37, 38, 54, 55, 86, 87):
        with subtests.test(length=length):
            ceremony, credential = target.create()
            attestation = cbor2.loads(base64url_to_bytes(credential["response"]["attestationObject"]))
            cut = cbor2.dumps({**attestation, "authData": attestation["authData"][:length]})
            target.refuses_to_register(ceremony, replaced(credential, OBJECT, bytes_to_base64url(cut)))
