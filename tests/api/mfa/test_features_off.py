"""Without the key that sealed them, second factors cannot be proven. An account with a factor then cannot log in."""

import base64

import pytest
from pytest_django import Settings

from mfa.models import Totp
from sessions_app.models import Family
from tests.client import PASSWORD, Answer, Api
from tests.people import Person, SignedIn
from tests.projects.environment import KEY_FOR_FACTORS
from tests.rows import each
from tests.second_factors import (
    App,
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
    pause_by_link,
)

pytestmark = pytest.mark.usefixtures("travel")

OTHER_KEY = base64.b64encode(b"x" * 32).decode()

COMPLETIONS = [
    ("POST", "/v1/login/totp", "totp_not_configured"),
    ("POST", "/v1/login/passkey/begin", "passkeys_not_configured"),
    ("POST", "/v1/login/passkey/finish", "passkeys_not_configured"),
    ("POST", "/v1/login/recovery-code", "recovery_codes_not_configured"),
]
ROUTES_OF_USERS = [
    ("POST", "/v1/totp/enroll", "totp_not_configured"),
    ("GET", "/v1/totp/qr.svg", "totp_not_configured"),
    ("POST", "/v1/totp/confirm", "totp_not_configured"),
    ("POST", "/v1/totp/disable", "totp_not_configured"),
    ("GET", "/v1/passkeys", "passkeys_not_configured"),
    ("POST", "/v1/passkeys/register/begin", "passkeys_not_configured"),
    ("POST", "/v1/passkeys/register/finish", "passkeys_not_configured"),
    ("DELETE", "/v1/passkeys/AAAA", "passkeys_not_configured"),
    ("POST", "/v1/recovery-codes/generate", "recovery_codes_not_configured"),
]


def set_keys(settings: Settings, keys: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": keys}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def enroll_app_and_codes(person: Person) -> tuple[SignedIn, App, list[str]]:
    session = person.log_in()
    app = enroll_totp(session)
    return session, app, generate_codes(session)


@each("method, path, code", COMPLETIONS)
@each("raw", [b"", b"{}", b"not JSON", b'{"pending_token": 5}'])
def test_without_a_key_the_completion_routes_are_not_configured(
    settings: Settings, api: Api, method: str, path: str, code: str, raw: bytes
) -> None:
    set_keys(settings, "")

    assert refusal(api.send(method, path, raw)) == (404, code)


@pytest.mark.parametrize(("method", "path", "code"), ROUTES_OF_USERS)
def test_without_a_key_the_factor_routes_check_the_token_and_are_not_configured(
    settings: Settings, alice: Person, method: str, path: str, code: str
) -> None:
    session = alice.log_in()
    set_keys(settings, "")

    assert refusal(session.api.call(method, path)) == (401, "missing_auth_header")
    assert refusal(session.api.call(method, path, token="x")) == (401, "invalid_access_token")
    assert refusal(session.api.call(method, path, token=session.access)) == (404, code)
    if method != "GET":
        assert refusal(session.api.send(method, path, b"not JSON", token=session.access)) == (404, code)


@pytest.mark.parametrize("keys", ["", OTHER_KEY])
def test_without_the_right_key_an_account_with_a_factor_still_pauses(
    settings: Settings, api: Api, alice: Person, keys: str
) -> None:
    _, app, codes = enroll_app_and_codes(alice)
    set_keys(settings, keys)

    for pending in (pause(alice), pause_by_link(alice)):
        assert refusal(complete_by_totp(api, pending, app.code())) == (404, "totp_not_configured")
        assert refusal(complete_by_totp(api, pending, app.wrong_code())) == (404, "totp_not_configured")
        assert refusal(complete_by_recovery_code(api, pending, codes[0])) == (404, "recovery_codes_not_configured")

    assert Family.objects.count() == 1
    assert alice.account().failed_attempts == 0


@pytest.mark.parametrize("keys", ["", OTHER_KEY])
def test_a_pending_login_can_be_completed_after_the_key_is_restored(
    settings: Settings, api: Api, alice: Person, keys: str
) -> None:
    _, app, codes = enroll_app_and_codes(alice)
    first, second = pause(alice), pause(alice)
    set_keys(settings, keys)
    for _ in range(6):
        complete_by_totp(api, first, app.code())
        complete_by_recovery_code(api, second, codes[0])

    set_keys(settings, KEY_FOR_FACTORS)

    assert complete_by_totp(api, first, app.code()).status == 200
    assert complete_by_recovery_code(api, second, codes[0]).status == 200


@pytest.mark.parametrize("keys", ["", OTHER_KEY])
def test_without_the_right_key_an_account_without_a_factor_logs_in(
    settings: Settings, api: Api, alice: Person, keys: str
) -> None:
    session = alice.log_in()
    generate_codes(session)
    begin_totp(session)
    set_keys(settings, keys)

    assert set(api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data) == {
        "access_token",
        "refresh_token",
    }


def test_live_sessions_continue_without_a_key(settings: Settings, alice: Person) -> None:
    session, _, _ = enroll_app_and_codes(alice)
    set_keys(settings, "")

    assert session.is_live()


def test_under_another_key_an_unconfirmed_secret_can_only_be_replaced(settings: Settings, alice: Person) -> None:
    session = alice.log_in()
    app = begin_totp(session)
    set_keys(settings, OTHER_KEY)

    confirmed = session.api.post("/v1/totp/confirm", {"code": app.code()}, token=session.access)
    assert refusal(confirmed) == (404, "totp_not_configured")
    assert refusal(session.api.get("/v1/totp/qr.svg", token=session.access)) == (404, "totp_not_configured")
    enroll_totp(session)
    assert pause(alice)


def test_under_another_key_the_owner_can_remove_the_app_by_password(settings: Settings, alice: Person) -> None:
    session, _, _ = enroll_app_and_codes(alice)
    set_keys(settings, OTHER_KEY)

    enrolled = session.api.post("/v1/totp/enroll", token=session.access)
    disabled = session.api.post("/v1/totp/disable", {"password": PASSWORD}, token=session.access)

    assert refusal(enrolled) == (409, "totp_already_enabled")
    assert disabled.data == {"status": "totp disabled"}
    assert not Totp.objects.exists()


def test_under_another_key_new_recovery_codes_replace_the_old_ones(settings: Settings, api: Api, alice: Person) -> None:
    session, _, _ = enroll_app_and_codes(alice)
    set_keys(settings, OTHER_KEY)
    pending = pause(alice)

    code, *_ = generate_codes(session)

    assert complete_by_recovery_code(api, pending, code).status == 200


def test_a_key_ring_opens_secrets_that_any_of_its_keys_sealed(settings: Settings, api: Api, alice: Person) -> None:
    _, app, codes = enroll_app_and_codes(alice)
    set_keys(settings, f"{OTHER_KEY},{KEY_FOR_FACTORS}")

    assert complete_by_totp(api, pause(alice), app.code()).status == 200
    assert complete_by_recovery_code(api, pause(alice), codes[0]).status == 200


def test_the_first_key_of_a_key_ring_seals_new_secrets(settings: Settings, api: Api, alice: Person) -> None:
    set_keys(settings, f"{OTHER_KEY},{KEY_FOR_FACTORS}")
    _, app, codes = enroll_app_and_codes(alice)

    set_keys(settings, OTHER_KEY)

    assert complete_by_totp(api, pause(alice), app.code()).status == 200
    assert complete_by_recovery_code(api, pause(alice), codes[0]).status == 200


def test_the_secret_of_another_account_does_not_open(api: Api, alice: Person, bob: Person) -> None:
    _, app, _ = enroll_app_and_codes(alice)
    enroll_app_and_codes(bob)
    of_alice = Totp.objects.get(pk=alice.account().pk)
    Totp.objects.filter(pk=bob.account().pk).update(secret=of_alice.secret)

    answer = complete_by_totp(api, pause(bob), app.code())

    assert refusal(answer) == (404, "totp_not_configured")
