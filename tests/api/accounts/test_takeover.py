"""The first magic link of an address that was never proven gives the account to the owner of the mailbox."""

from accounts.models import Event
from mfa.models import Ceremony, RecoveryBatch, Totp
from sessions_app.models import PendingLogin
from tests import passkeys
from tests.client import PASSWORD, Answer, Api
from tests.keys import make_key, verify
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn
from tests.second_factors import begin_totp, complete_by_totp, enroll_totp, generate_codes, lock, pause, pause_by_link


def link(person: Person) -> str:
    Api().post("/v1/magic-link/request", {"email": person.email})
    return token_in(delivered(person.email)[-1])


def complete(token: str) -> Answer:
    return Api().post("/v1/magic-link/complete", {"token": token})


def is_password_right(person: Person, password: str = PASSWORD) -> bool:
    return Api().post("/v1/login", {"email": person.email, "password": password}).status == 200


def test_a_first_link_ends_the_password_the_sessions_and_the_keys(alice: Person) -> None:
    before = alice.log_in()
    key = make_key(before)["key"]

    tokens = complete(link(alice)).data

    assert not is_password_right(alice)
    assert not before.is_live()
    assert verify(key).code == "invalid_api_key"
    assert before.api.post("/v1/totp/enroll", token=before.access).code == "invalid_access_token"
    assert SignedIn(person=alice, api=Api(), access=tokens["access_token"], refresh=tokens["refresh_token"]).is_live()
    assert alice.account().email_proven_at is not None


def test_a_first_link_deletes_codes_ceremonies_and_an_unconfirmed_app(alice: Person) -> None:
    before = alice.log_in()
    begin_totp(before)
    generate_codes(before)
    passkeys.begin(before)

    complete(link(alice))

    assert not Totp.objects.exists()
    assert not RecoveryBatch.objects.exists()
    assert not Ceremony.objects.exists()


def test_a_first_link_voids_an_email_change(alice: Person) -> None:
    before = alice.log_in()
    before.api.post("/v1/email/request-change", {"new_email": "eve@example.com"}, token=before.access)
    change = token_in(delivered("eve@example.com")[-1])

    complete(link(alice))

    assert before.api.post("/v1/email/confirm-change", {"token": change}).code == "verification_token_invalid"


def test_a_first_link_voids_a_login_that_waits_for_a_factor(alice: Person) -> None:
    before = alice.log_in()
    app = enroll_totp(before)
    waiting = pause(alice)
    before.api.post("/v1/totp/disable", {"password": PASSWORD}, token=before.access)

    complete(link(alice))

    assert not PendingLogin.objects.exists()
    assert complete_by_totp(Api(), waiting, app.code()).code == "invalid_pending_login"


def test_a_takeover_is_recorded_and_mailed_with_all_that_ended(alice: Person) -> None:
    session = alice.log_in()
    make_key(session, name="Backup")

    complete(link(alice))

    (mail,) = delivered(alice.email)
    lines = [line for line in text_of(mail).splitlines() if line.startswith("- ")]
    assert [line.partition(",")[0] for line in lines] == ["- Session: Chrome on macOS", "- API key: Backup"]
    assert "removed the old password" in " ".join(text_of(mail).split())
    assert Event.objects.filter(type="account_taken_over", user_id=alice.user_id).count() == 1


def test_only_the_first_link_takes_the_account_over(alice: Person) -> None:
    complete(link(alice))
    delivered(alice.email)
    tokens = complete(link(alice)).data

    complete(link(alice))

    session = SignedIn(person=alice, api=Api(), access=tokens["access_token"], refresh=tokens["refresh_token"])
    assert session.is_live()
    assert not delivered(alice.email)
    assert Event.objects.filter(type="account_taken_over").count() == 1


def test_with_a_factor_the_link_takes_nothing_over_and_proves_nothing_yet(alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    delivered(alice.email)

    pending = pause_by_link(alice)

    assert alice.account().email_proven_at is None
    assert not delivered(alice.email)

    assert complete_by_totp(Api(), pending, app.code()).status == 200

    assert alice.account().email_proven_at is not None
    assert is_password_right(alice)
    assert session.is_live()
    (mail,) = delivered(alice.email)
    assert "- Authenticator app" in text_of(mail)
    assert not Event.objects.filter(type="account_taken_over").exists()


def test_a_login_by_password_and_factor_proves_no_address(alice: Person) -> None:
    app = enroll_totp(alice.log_in())

    assert complete_by_totp(Api(), pause(alice), app.code()).status == 200

    assert alice.account().email_proven_at is None


def test_every_password_is_wrong_after_a_takeover(alice: Person) -> None:
    tokens = complete(link(alice)).data

    for password in (PASSWORD, "", "!"):
        answer = Api().post("/v1/reauthenticate", {"password": password}, token=tokens["access_token"])
        assert answer.code == "invalid_credentials"
        assert not is_password_right(alice, password)


def test_a_takeover_keeps_the_lock(alice: Person) -> None:
    lock(alice)
    before = alice.account()

    assert complete(link(alice)).status == 200

    assert alice.account().locked_until == before.locked_until
