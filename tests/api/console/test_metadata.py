"""Per-user metadata, the only data of an account that an operator can write."""

from typing import Any
from urllib.parse import quote

import jwt as pyjwt
import orjson
import pytest

from accounts.models import Account
from tests.client import Answer
from tests.operators import Console
from tests.people import Person
from tests.rows import each

RESERVED = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "role"]
OWN_CLAIMS = {"iss", "sub", "aud", "exp", "nbf", "iat", "jti"}
UNKNOWN_ID = "0199f3a2-7c11-7abc-8def-0123456789ab"


def path_of(person: Person, key: str) -> str:
    return f"/users/{person.user_id}/metadata/{quote(key, safe='')}"


def put(console: Console, person: Person, key: str, value: Any) -> Answer:
    return console.put(path_of(person, key), {"value": value})


def stored(console: Console, person: Person) -> dict[str, Any]:
    return dict(console.get(f"/users/{person.user_id}/metadata").data["metadata"])


def view(person: Person, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"user_id": person.user_id, "metadata": metadata, "reserved_claim_names": RESERVED}


def claims(access: str) -> dict[str, Any]:
    found = pyjwt.decode(access, options={"verify_signature": False})
    return {name: value for name, value in found.items() if name not in OWN_CLAIMS}


def text_of_bytes(number: int) -> str:
    """Return a text that takes `number` bytes as compact JSON and contains a character of two bytes."""
    return "é" + "x" * (number - 4)


def test_a_user_without_metadata_has_an_empty_object(console: Console, alice: Person) -> None:
    assert console.get(f"/users/{alice.user_id}/metadata").data == view(alice, {})


def test_every_method_answers_the_whole_view(console: Console, alice: Person) -> None:
    assert put(console, alice, "plan", "pro").data == view(alice, {"plan": "pro"})
    assert put(console, alice, "seats", 5).data == view(alice, {"plan": "pro", "seats": 5})
    assert put(console, alice, "plan", "free").data == view(alice, {"plan": "free", "seats": 5})
    assert console.get(f"/users/{alice.user_id}/metadata").data == view(alice, {"plan": "free", "seats": 5})
    assert console.delete(path_of(alice, "plan")).data == view(alice, {"seats": 5})
    assert console.delete(path_of(alice, "seats")).data == view(alice, {})


def test_each_user_has_separate_metadata(console: Console, alice: Person, bob: Person) -> None:
    put(console, alice, "plan", "pro")

    assert stored(console, bob) == {}


def test_a_change_shows_in_updated_at(console: Console, alice: Person) -> None:
    before = alice.account()

    put(console, alice, "plan", "pro")

    after = alice.account()
    assert after.updated_at > before.updated_at
    assert after.credentials_epoch == before.credentials_epoch


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**53 + 1,
        2**63 - 1,
        -(2**63),
        1.5,
        1e-7,
        "",
        "text",
        "\u2028\U0001f600\\\"'\x01",
        [],
        {},
        [None, [1, "two", {"three": 3.0}]],
        {"": {"a.b": [True]}, "role": "admin", "iss": "me"},
    ],
    ids=str,
)
def test_a_value_is_any_json(console: Console, alice: Person, value: Any) -> None:
    assert put(console, alice, "key", value).data == view(alice, {"key": value})
    assert stored(console, alice) == {"key": value}
    assert claims(alice.log_in().access) == {"key": value}


@pytest.mark.parametrize("raw", [b"1e300", b"[-1e300]"])
def test_a_float_beyond_64_bits_is_returned_unchanged(console: Console, alice: Person, raw: bytes) -> None:
    first = console.send("PUT", path_of(alice, "key"), b'{"value": ' + raw + b"}")

    assert stored(console, alice) == first.data["metadata"] == {"key": orjson.loads(raw)}
    assert put(console, alice, "other", 1).status == 200
    assert console.delete(path_of(alice, "key")).data == view(alice, {"other": 1})


@pytest.mark.parametrize(
    "raw", [b"18446744073709551616", b"-9223372036854775809", b'[{"a":123456789012345678901234567890}]']
)
def test_an_integer_beyond_64_bits_is_refused(console: Console, alice: Person, raw: bytes) -> None:
    answer = console.send("PUT", path_of(alice, "key"), b'{"value": ' + raw + b"}")

    message = "value: must not contain an integer of more than 64 bits. Send the integer as a string."
    assert answer.body["error"] == {"code": "bad_request", "message": message}
    assert stored(console, alice) == {}


@pytest.mark.parametrize("raw", [b"18446744073709551615", b"-9223372036854775808", b"1.2345678901234567890"])
def test_a_long_number_of_64_bits_is_returned_unchanged(console: Console, alice: Person, raw: bytes) -> None:
    console.send("PUT", path_of(alice, "key"), b'{"value": ' + raw + b"}")

    assert stored(console, alice) == {"key": orjson.loads(raw)}


@pytest.mark.parametrize("body", [{}, {"values": 1}, {"Value": 1}, None])
def test_a_value_must_be_given(console: Console, alice: Person, body: Any) -> None:
    answer = console.put(path_of(alice, "key"), body)

    assert answer.body["error"] == {"code": "bad_request", "message": "value: is required."}
    assert stored(console, alice) == {}


@pytest.mark.parametrize("value", ["a\0b", "\\\0", ["\0"], {"a": {"\0": 1}}])
def test_a_nul_character_is_refused_at_any_depth(console: Console, alice: Person, value: Any) -> None:
    answer = put(console, alice, "key", value)

    assert answer.body["error"] == {"code": "bad_request", "message": "value: must not contain a NUL character."}
    assert stored(console, alice) == {}


@pytest.mark.parametrize("value", ["\\u0000", "\\\\u0000", {"\\u0000": "u0000"}])
def test_a_text_that_only_resembles_an_escaped_nul_is_accepted(console: Console, alice: Person, value: Any) -> None:
    assert put(console, alice, "key", value).data == view(alice, {"key": value})


@pytest.mark.parametrize("raw", [b"{", b"[]", b'"value"', b'{"value": NaN}', b'{"value": 1e400}', b'{"value": "\xff"}'])
def test_a_body_that_is_no_json_object_is_malformed(console: Console, alice: Person, raw: bytes) -> None:
    assert console.send("PUT", path_of(alice, "key"), raw).code == "bad_request"


def test_other_members_of_the_body_are_ignored(console: Console, alice: Person, bob: Person) -> None:
    console.put(path_of(alice, "key"), {"value": 1, "key": "other", "user_id": bob.user_id, "metadata": {"a": 1}})

    assert (stored(console, alice), stored(console, bob)) == ({"key": 1}, {})


@pytest.mark.parametrize(
    "key", ["a", "_", "Z9", "a.b-c_d", "a" * 64, "Role", "ROLE", "issuer", "sub_", "__proto__", "email"]
)
def test_a_key_in_the_valid_format_is_accepted(console: Console, alice: Person, key: str) -> None:
    assert put(console, alice, key, 1).data == view(alice, {key: 1})
    assert console.delete(path_of(alice, key)).data == view(alice, {})


@each(
    "key",
    [
        "",
        "9a",
        ".a",
        "-a",
        "a" * 65,
        "a b",
        " a",
        "a/b",
        "a/",
        "/a",
        "a\n",
        "\na",
        "a\nb",
        "a\r",
        "a\0",
        "é",
        "ａ",
        "a$",
        "a%41",
        "role/",
        "role\n",
        "../role",
        "a/metadata/b",
    ],
)
def test_a_key_in_another_format_is_refused(console: Console, alice: Person, key: str) -> None:
    assert put(console, alice, key, 1).code == "invalid_metadata_key"
    assert console.delete(path_of(alice, key)).code == "invalid_metadata_key"
    assert stored(console, alice) == {}


def test_a_slash_in_a_key_is_refused(console: Console, alice: Person) -> None:
    path = f"/users/{alice.user_id}/metadata/a/b"

    assert console.put(path, {"value": 1}).code == "invalid_metadata_key"


@each("key", RESERVED)
def test_a_reserved_claim_is_refused(console: Console, alice: Person, key: str) -> None:
    assert put(console, alice, key, "admin").code == "reserved_metadata_key"
    assert console.delete(path_of(alice, key)).code == "reserved_metadata_key"
    assert stored(console, alice) == {}


def test_an_absent_key_cannot_be_deleted(console: Console, alice: Person) -> None:
    put(console, alice, "plan", None)

    assert console.delete(path_of(alice, "Plan")).code == "metadata_key_not_found"
    assert console.delete(path_of(alice, "plan")).data == view(alice, {})
    assert console.delete(path_of(alice, "plan")).code == "metadata_key_not_found"


@pytest.mark.parametrize(
    ("user", "key", "body", "code"),
    [
        ("unknown", "role", {}, "not_found"),
        ("unknown", "9", {}, "not_found"),
        ("unknown", "a", {"value": "\0"}, "not_found"),
        ("alice", "role", {}, "reserved_metadata_key"),
        ("alice", "role", {"value": "\0"}, "reserved_metadata_key"),
        ("alice", "9", {}, "invalid_metadata_key"),
        ("alice", "9", {"value": "\0"}, "invalid_metadata_key"),
        ("alice", "9", {"value": "x" * 2000}, "invalid_metadata_key"),
        ("alice", "a", {}, "bad_request"),
        ("alice", "a", {"value": "x" * 2000}, "bad_request"),
    ],
)
def test_a_write_checks_the_user_then_the_key_then_the_value(
    console: Console, alice: Person, user: str, key: str, body: Any, code: str
) -> None:
    user_id = alice.user_id if user == "alice" else UNKNOWN_ID

    assert console.put(f"/users/{user_id}/metadata/{key}", body).code == code


@pytest.mark.parametrize(
    ("user", "key", "code"),
    [
        ("unknown", "role", "not_found"),
        ("unknown", "9", "not_found"),
        ("unknown", "a", "not_found"),
        ("alice", "role", "reserved_metadata_key"),
        ("alice", "9", "invalid_metadata_key"),
        ("alice", "a", "metadata_key_not_found"),
    ],
)
def test_a_deletion_checks_the_user_then_the_key(
    console: Console, alice: Person, user: str, key: str, code: str
) -> None:
    user_id = alice.user_id if user == "alice" else UNKNOWN_ID

    assert console.delete(f"/users/{user_id}/metadata/{key}").code == code


def test_a_value_has_at_most_1024_bytes(console: Console, alice: Person) -> None:
    assert put(console, alice, "key", text_of_bytes(1024)).status == 200
    assert put(console, alice, "key", text_of_bytes(1025)).code == "bad_request"
    assert put(console, alice, "key", list("x" * 255)).status == 200
    assert put(console, alice, "key", list("x" * 256)).code == "bad_request"


def test_the_metadata_of_a_user_have_at_most_4096_bytes_including_keys(console: Console, alice: Person) -> None:
    for key in ("a", "b", "c"):
        put(console, alice, key, text_of_bytes(1024))
    # {"a":…,"b":…,"c":…,"long":…} takes three times 4 + 1024 bytes, 7 for "long", 3 for commas and 2 for braces.
    rest = 4096 - 3 * (4 + 1024) - 7 - 3 - 2

    assert put(console, alice, "long", text_of_bytes(rest + 1)).code == "bad_request"
    assert put(console, alice, "long", text_of_bytes(rest)).status == 200
    assert put(console, alice, "d", "").code == "bad_request"
    assert len(orjson.dumps(stored(console, alice))) == 4096
    assert put(console, alice, "a", text_of_bytes(1000)).status == 200
    assert console.delete(path_of(alice, "long")).status == 200


def test_only_tokens_issued_after_a_change_contain_the_new_metadata(console: Console, alice: Person) -> None:
    session = alice.log_in()

    put(console, alice, "plan", "pro")
    refreshed = session.refreshed()

    assert claims(session.access) == {}
    assert claims(refreshed.access) == claims(alice.log_in().access) == {"plan": "pro"}
    assert alice.api.get("/v1/verify", token=session.access).status == 200

    console.delete(path_of(alice, "plan"))

    assert claims(refreshed.access) == {"plan": "pro"}
    assert claims(refreshed.refreshed().access) == {}


def test_the_metadata_of_an_operator_stand_beside_the_role_claim(console: Console) -> None:
    olivia = console.session.person

    put(console, olivia, "Role", "user")

    assert claims(olivia.log_in().access) == {"Role": "user", "role": "admin"}


def test_a_stored_reserved_key_is_not_copied_into_tokens(console: Console, alice: Person) -> None:
    forced = dict.fromkeys(RESERVED, "forged") | {"plan": "pro"}
    Account.objects.filter(pk=alice.account().pk).update(metadata=forced)

    session = alice.log_in()

    assert claims(session.access) == claims(session.refreshed().access) == {"plan": "pro"}
    assert alice.api.get("/v1/verify", token=session.access).data == {"user_id": alice.user_id}
    assert alice.api.get("/v1/admin/users", token=session.access).code == "not_operator"


def test_metadata_cannot_make_a_user_an_operator(console: Console, alice: Person) -> None:
    for key in ("Role", "roles", "is_operator", "scope"):
        put(console, alice, key, "admin")

    assert alice.api.get("/v1/admin/users", token=alice.log_in().access).code == "not_operator"


def test_metadata_are_deleted_with_the_account(console: Console, alice: Person) -> None:
    put(console, alice, "plan", "pro")
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)

    assert console.get(f"/users/{alice.user_id}/metadata").code == "not_found"
    assert put(console, alice, "plan", "pro").code == "not_found"


def test_the_whole_metadata_object_cannot_be_written(console: Console, alice: Person) -> None:
    answer = console.put(f"/users/{alice.user_id}/metadata", {"value": {}})

    assert (answer.code, answer.headers["Allow"]) == ("method_not_allowed", "GET")
