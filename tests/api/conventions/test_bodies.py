import pytest

from tests.client import Answer, Api
from tests.contract.tables import ADMIN, ROUTES, USER, Route
from tests.people import Person, existing_session
from tests.rows import each

KIB_64 = 64 * 1024
UNKNOWN_TOKEN = b'"refresh_token": "srt_unknown"'

BROKEN = {
    "half an object": b"{",
    "no JSON": b"refresh_token=srt_unknown",
    "single quotes": b"{'refresh_token': 'srt_unknown'}",
    "a comma too many": b"{" + UNKNOWN_TOKEN + b",}",
    "something after the object": b"{" + UNKNOWN_TOKEN + b"} {}",
    "not a number": b"{" + UNKNOWN_TOKEN + b', "more": NaN}',
    "no UTF-8": b'{"refresh_token": "\xff"}',
    "UTF-16": '{"refresh_token": "srt_unknown"}'.encode("utf-16"),
    "half a surrogate pair": b'{"refresh_token": "\\ud83d"}',
    "the wrong half of a surrogate pair": b'{"refresh_token": "\\ude00 and more"}',
    "half a surrogate pair in a name": b"{" + UNKNOWN_TOKEN + b', "\\ud83d": 1}',
    "a line break in a string": b'{"refresh_token": "a\nb"}',
    "an array": b"[" + b"{" + UNKNOWN_TOKEN + b"}" + b"]",
    "a string": b'"srt_unknown"',
    "a number": b"5",
    "null": b"null",
    "true": b"true",
    "blanks": b"   ",
    "too deep by far": b'{"more": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
}


def refresh(api: Api, raw: bytes, content_type: str = "application/json") -> Answer:
    return api.send("POST", "/v1/refresh", raw, content_type=content_type)


def nested(levels: int) -> bytes:
    """Return an object with a token and so many levels of nesting."""
    lists = levels - 1
    return b"{" + UNKNOWN_TOKEN + b', "more": ' + b"[" * lists + b"]" * lists + b"}"


def padded(size: int) -> bytes:
    """Return an object with a token that has `size` bytes."""
    start, end = b"{" + UNKNOWN_TOKEN + b', "more": "', b'"}'
    return start + b"x" * (size - len(start) - len(end)) + end


@each("raw", BROKEN.values())
def test_a_malformed_body_is_refused(api: Api, raw: bytes) -> None:
    answer = refresh(api, raw)

    assert (answer.status, answer.code) == (400, "bad_request")


@each("route", [route for route in ROUTES if route.has_body and route.auth is not ADMIN])
def test_every_route_refuses_a_malformed_body(alice: Person, route: Route) -> None:
    token = existing_session(alice).access if route.auth is USER else None

    answers = {
        name: alice.api.send(route.method, route.url, raw, token=token, content_type="application/json")
        for name, raw in BROKEN.items()
    }

    assert {name: answer.status for name, answer in answers.items() if not 400 <= answer.status < 500} == {}
    assert {answer.code for answer in answers.values()} <= route.codes


@pytest.mark.parametrize("value", ["5", "1.5", "true", "null", "[]", "{}", '["srt_unknown"]'])
def test_a_value_of_another_type_is_not_converted_to_a_string(api: Api, value: str) -> None:
    answer = refresh(api, f'{{"refresh_token": {value}}}'.encode())

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"] in {
        "refresh_token: must be a string.",
        "refresh_token: must not be null.",
    }


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"Refresh_Token": "srt_unknown"}'])
def test_a_missing_member_is_named(api: Api, raw: bytes) -> None:
    answer = refresh(api, raw)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"] == "refresh_token: is required."


@pytest.mark.parametrize("text", ["\\u0000", "srt_\\u0000unknown", "srt_unknown\\u0000"])
def test_a_string_with_a_nul_character_is_refused_by_name_in_english(api: Api, text: str) -> None:
    answer = refresh(api, f'{{"refresh_token": "{text}"}}'.encode())

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"] == "refresh_token: must not contain a NUL character."


@pytest.mark.parametrize(
    ("raw", "member"),
    [
        (b'{"refresh_token": "\\ud83d"}', "refresh_token"),
        (b'{"more": [{"deep": "\\ude00"}], "refresh_token": "x"}', "more"),
        (b'{"refresh_token": "x", "\\ud83d": 1}', "\\ud83d"),
    ],
    ids=["in a value", "deep in a value", "in a name"],
)
def test_a_member_with_a_lone_surrogate_is_named(api: Api, raw: bytes, member: str) -> None:
    answer = refresh(api, raw)

    assert answer.body["error"]["message"] == f"{member}: must not contain half of a surrogate pair."


def test_a_surrogate_pair_is_accepted(api: Api) -> None:
    assert refresh(api, b'{"refresh_token": "\\ud83d\\ude00"}').code == "invalid_token"


def test_unknown_members_are_ignored(api: Api) -> None:
    body = {"email": "alice@example.com", "password": "correct horse battery", "user_id": "987654321", "role": "admin"}

    answer = api.post("/v1/signup", body)

    assert answer.status == 201
    assert answer.data == {"user_id": answer.data["user_id"], "email": "alice@example.com"}
    assert answer.data["user_id"] != "987654321"


def test_the_last_value_of_a_repeated_member_counts(api: Api) -> None:
    assert refresh(api, b'{"refresh_token": 5, "refresh_token": "srt_unknown"}').code == "invalid_token"
    assert refresh(api, b'{"refresh_token": "srt_unknown", "refresh_token": 5}').code == "bad_request"


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" + "0" * 400, "-1" + "0" * 30, "0." + "1" * 400, "1e-400"])
def test_a_huge_number_causes_no_failure(api: Api, number: str) -> None:
    answer = refresh(api, b"{" + UNKNOWN_TOKEN + f', "more": {number}}}'.encode())

    assert answer.code in {"invalid_token", "bad_request"}


def test_a_body_of_64_kib_is_accepted(api: Api) -> None:
    assert refresh(api, padded(KIB_64)).code == "invalid_token"


def test_a_body_of_64_kib_and_one_byte_is_refused(api: Api) -> None:
    answer = refresh(api, padded(KIB_64 + 1))

    assert (answer.status, answer.code) == (413, "payload_too_large")


def test_a_body_that_is_too_large_is_refused_before_it_is_parsed(api: Api) -> None:
    assert refresh(api, b"{" * (KIB_64 + 1)).code == "payload_too_large"


@pytest.mark.parametrize("length", ["1" + "0" * 12, "9" * 4301, "0" * 4301, "9" * 60_000])
def test_a_content_length_beyond_the_limit_is_refused_without_reading_the_body(api: Api, length: str) -> None:
    answer = api.send("POST", "/v1/refresh", headers={"Content-Length": length})

    assert (answer.status, answer.code) == (413, "payload_too_large")


def test_a_body_of_32_levels_is_accepted(api: Api) -> None:
    assert refresh(api, nested(32)).code == "invalid_token"


def test_a_body_of_33_levels_is_refused(api: Api) -> None:
    answer = refresh(api, nested(33))

    assert (answer.status, answer.code) == (400, "bad_request")


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON;charset=UTF-8",
        "application/json ;a=b",
        "",
    ],
)
def test_a_body_with_a_json_content_type_or_without_one_is_json(api: Api, content_type: str) -> None:
    assert refresh(api, b"{" + UNKNOWN_TOKEN + b"}", content_type).code == "invalid_token"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonlines",
        "application/merge-patch+json",
        "nonsense",
    ],
)
def test_a_body_of_another_content_type_is_refused(api: Api, content_type: str) -> None:
    answer = refresh(api, b"{" + UNKNOWN_TOKEN + b"}", content_type)

    assert (answer.status, answer.code) == (415, "unsupported_media_type")


def test_the_content_type_of_an_empty_body_is_ignored(alice: Person) -> None:
    session = existing_session(alice)

    answer = alice.api.send("POST", "/v1/logout-all", token=session.access, content_type="text/plain")

    assert answer.data == {"status": "logged out everywhere"}


@pytest.mark.parametrize("path", ["/v1/refresh", "/v1/signup", "/v1/health"])
def test_a_body_of_unknown_length_is_refused(api: Api, path: str) -> None:
    method = "GET" if path == "/v1/health" else "POST"

    answer = api.send(method, path, headers={"Transfer-Encoding": "chunked"})

    assert (answer.status, answer.code) == (411, "length_required")


@pytest.mark.parametrize("length", ["-1", "abc", "1.5", "+1", "٣", "1 1"])
def test_a_content_length_other_than_a_number_is_refused(api: Api, length: str) -> None:
    answer = api.send("POST", "/v1/refresh", headers={"Content-Length": length})

    assert (answer.status, answer.code) == (400, "bad_request")
