from collections.abc import Callable

import pytest

from accounts.models import Event
from mfa.models import RecoveryCode
from tests.client import Api
from tests.mails import delivered, text_of
from tests.people import Person
from tests.second_factors import (
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
    pause_by_link,
)

pytestmark = pytest.mark.usefixtures("travel")

LOOK_ALIKES = str.maketrans("01", "oI")
NOT_THE_CODE = ["", "-", " ", "aaaa", "aaaa-aaaaa", "uuuu-uuuu", "ａａａａ-ａａａａ", "x" * 5000, "123456"]


@pytest.fixture
def codes(alice: Person) -> list[str]:
    """Alice's recovery codes. Alice also has an authenticator app."""
    session = alice.log_in()
    enroll_totp(session)
    return generate_codes(session)


def attempt(api: Api, person: Person, code: str) -> str:
    """Pause a login and complete it; return the error code, or `ok`."""
    answer = complete_by_recovery_code(api, pause(person), code)
    return answer.code if answer.status >= 400 else "ok"


def test_a_right_code_returns_a_token_pair(api: Api, alice: Person, codes: list[str]) -> None:
    answer = complete_by_recovery_code(api, pause(alice), codes[0])

    assert answer.status == 200
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert answer.data["refresh_token"].startswith("srt_")
    assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": alice.user_id}


def test_a_login_is_recorded_with_the_number_of_unused_codes(api: Api, alice: Person, codes: list[str]) -> None:
    before = set(Event.objects.values_list("pk", flat=True))

    complete_by_recovery_code(Api(ip="198.51.100.9"), pause(alice), codes[0])

    used, login = Event.objects.exclude(pk__in=before).order_by("id")
    assert (used.type, used.user_id, used.ip) == ("recovery_code_used", alice.user_id, "198.51.100.9")
    assert used.metadata == {"remaining": 9}
    assert (login.type, login.user_id, login.ip) == ("login_success", alice.user_id, "198.51.100.9")
    assert login.metadata == {"method": "password", "second_factor": "recovery_code"}


def test_the_owner_gets_a_mail_with_the_number_of_unused_codes(
    api: Api, alice_abroad: Person, codes: list[str]
) -> None:
    delivered(alice_abroad.email)

    for code in codes[:2]:
        complete_by_recovery_code(alice_abroad.api, pause(alice_abroad), code)

    first, second = delivered(alice_abroad.email)
    assert first["Subject"] == "A recovery code was used for your account at localhost"
    assert "Codes that are left: 9." in text_of(first)
    assert "Codes that are left: 8." in text_of(second)
    assert "When: 1 March 2026, 12:00 UTC\nDevice: Chrome on macOS\nPlace: US\nIP address: 8.8.8.8\n" in text_of(first)
    assert codes[0] not in first.as_string()


def test_a_recovery_code_completes_a_magic_link_login(api: Api, alice: Person, codes: list[str]) -> None:
    assert complete_by_recovery_code(api, pause_by_link(alice), codes[0]).status == 200

    event = Event.objects.get(type="login_success", metadata__method="magic_link")
    assert event.metadata == {"method": "magic_link", "second_factor": "recovery_code"}


def test_each_of_the_ten_codes_works_once(api: Api, alice: Person, codes: list[str]) -> None:
    assert [attempt(api, alice, code) for code in codes] == ["ok"] * 10
    assert [attempt(api, alice, code) for code in codes[:4]] == ["invalid_recovery_code"] * 4
    assert not RecoveryCode.objects.filter(used_at=None).exists()


@pytest.mark.parametrize(
    "spell",
    [
        str.upper,
        str.title,
        lambda code: code.replace("-", ""),
        lambda code: code.replace("-", "--"),
        "-".join,
        lambda code: f"-{code}-",
        lambda code: code.translate(LOOK_ALIKES),
        lambda code: code.replace("1", "l").replace("0", "O"),
        lambda code: code.replace("1", "L").upper(),
        lambda code: f" \t{code}\r\n",
        " ".join,
        lambda code: code.replace("-", "\N{NO-BREAK SPACE}"),
        "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}".join,
        "\N{EM DASH}\N{HORIZONTAL BAR}\N{MINUS SIGN}\N{IDEOGRAPHIC SPACE}".join,
    ],
    ids=[
        *("upper", "title", "no dash", "two dashes", "dashes", "around", "o and I", "l and O", "L"),
        *("blanks around", "blanks", "a blank for the dash", "other dashes", "dashes and a blank"),
    ],
)
def test_case_dashes_blanks_and_look_alike_characters_do_not_matter(
    api: Api, alice: Person, codes: list[str], spell: Callable[[str], str]
) -> None:
    # This code contains the most characters that have look-alikes.
    code = max(codes, key=lambda code: code.count("0") + code.count("1"))

    assert attempt(api, alice, spell(code)) == "ok"
    assert attempt(api, alice, code) == "invalid_recovery_code"


def test_look_alike_characters_are_read_as_the_character_of_the_code(api: Api, alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)
    code = ""
    while not {"0", "1"} <= set(code):
        code = max(generate_codes(session), key=lambda code: len({"0", "1"} & set(code)))

    assert attempt(api, alice, code.translate(LOOK_ALIKES)) == "ok"


@pytest.mark.parametrize("code", NOT_THE_CODE)
def test_every_other_text_is_a_wrong_code_and_counts_as_a_failure(
    api: Api, alice: Person, codes: list[str], code: str
) -> None:
    answer = complete_by_recovery_code(api, pause(alice), code)

    assert (answer.status, answer.code) == (401, "invalid_recovery_code")
    assert alice.account().failed_attempts == 1
    event = Event.objects.get(type="recovery_code_failed")
    assert (event.user_id, event.metadata) == (alice.user_id, {"reason": "wrong"})


def test_a_code_with_one_letter_changed_is_wrong(api: Api, alice: Person, codes: list[str]) -> None:
    wrong = codes[0][:-1] + ("a" if codes[0][-1] != "a" else "b")

    assert attempt(api, alice, wrong) == "invalid_recovery_code"
    assert attempt(api, alice, codes[0]) == "ok"


def test_an_account_without_codes_refuses_every_code(api: Api, alice: Person) -> None:
    enroll_totp(alice.log_in())

    assert attempt(api, alice, "aaaa-aaaa") == "invalid_recovery_code"


def test_a_code_of_another_account_is_refused(api: Api, alice: Person, bob: Person, codes: list[str]) -> None:
    session = bob.log_in()
    enroll_totp(session)
    of_bob = generate_codes(session)

    assert attempt(api, alice, of_bob[0]) == "invalid_recovery_code"
    assert attempt(api, bob, codes[0]) == "invalid_recovery_code"
    assert attempt(api, alice, codes[0]) == attempt(api, bob, of_bob[0]) == "ok"


def test_totp_codes_and_recovery_codes_are_not_interchangeable(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    code, *_ = generate_codes(session)
    pending = pause(alice)

    assert complete_by_recovery_code(api, pending, app.code()).code == "invalid_recovery_code"
    assert complete_by_totp(api, pending, code).code == "invalid_totp_code"


def test_a_code_sent_to_an_invalid_login_stays_unused(api: Api, alice: Person, codes: list[str]) -> None:
    answer = complete_by_recovery_code(api, "spt_" + "A" * 43, codes[0])

    assert (answer.status, answer.code) == (401, "invalid_pending_login")
    assert attempt(api, alice, codes[0]) == "ok"


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({}, "pending_token"),
        ({"pending_token": 5, "code": "aaaa-aaaa"}, "pending_token"),
        ({"pending_token": "spt_"}, "code"),
        ({"pending_token": "spt_", "code": 5}, "code"),
        ({"pending_token": "spt_", "code": None}, "code"),
        ({"pending_token": "spt_", "code": "aaaa\0aaaa"}, "code"),
    ],
)
def test_a_malformed_body_is_refused_before_the_token_is_checked(api: Api, body: object, member: str) -> None:
    answer = api.post("/v1/login/recovery-code", body)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith(f"{member}: ")
