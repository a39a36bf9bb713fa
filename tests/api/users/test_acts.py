"""`manage.py users sign-out`, `require-reset`, `verify`, `remove-factors` and `delete`."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.models import Account, Event
from tests import password_resets
from tests.client import PASSWORD, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person
from tests.second_factors import complete_by_totp, enroll_totp, generate_codes, lock, pause

from .commands import log_in, users, users_fail

NEW_PASSWORD = "another horse battery"


def causes(person: Person) -> list[str]:
    ended = Event.objects.filter(type="session_ended", user_id=person.user_id).order_by("id")
    return [metadata["cause"] for metadata in ended.values_list("metadata", flat=True)]


def test_a_sign_out_ends_all_sessions_and_pending_logins(alice: Person) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    pending = pause(alice)

    users("sign-out", alice.email)

    assert not session.is_live()
    assert complete_by_totp(Api(), pending, app.code(steps=1)).code == "invalid_pending_login"
    assert causes(alice) == ["operator_signed_out"]
    assert complete_by_totp(Api(), pause(alice), app.code(steps=1)).status == 200


def test_a_retired_password_says_what_to_do_and_opens_nothing(alice: Person) -> None:
    password_resets.prove_address(alice)
    session = alice.log_in()

    out, _ = users("require-reset", alice.email)

    assert out.endswith(": the password no longer works\n")
    assert causes(alice)[-1] == "password_reset_required"
    assert not session.is_live()
    assert log_in(alice) == "password_reset_required"
    assert log_in(alice, "a wrong horse battery") == "invalid_credentials"
    assert users("require-reset", alice.email)[0].endswith(": must reset the password already\n")
    assert users("require-reset", alice.email, "--mail")[0].endswith(", and a link is mailed\n")
    password_resets.reset(Api(), password_resets.mailed_token(alice), NEW_PASSWORD)
    assert log_in(alice) == "invalid_credentials"
    assert log_in(alice, NEW_PASSWORD) == "ok"


def test_a_retired_password_confirms_no_act_in_a_session(alice: Person) -> None:
    password_resets.prove_address(alice)
    users("require-reset", alice.email)
    Api().post("/v1/magic-link/request", {"email": alice.email})
    answer = Api().post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])})
    token = answer.data["access_token"]

    assert Api().post("/v1/reauthenticate", {"password": PASSWORD}, token=token).code == "invalid_credentials"
    body = {"current_password": "", "new_password": NEW_PASSWORD}
    assert Api().post("/v1/change-password", body, token=token).status == 200
    assert log_in(alice, NEW_PASSWORD) == "ok"


def test_the_reset_mail_goes_out_on_demand(alice: Person) -> None:
    password_resets.prove_address(alice)

    out, _ = users("require-reset", alice.email, "--mail")

    assert out.endswith(": the password no longer works, and a link is mailed\n")
    token = token_in(delivered(alice.email)[-1])
    assert password_resets.reset(Api(), token, NEW_PASSWORD).status == 200
    assert log_in(alice, NEW_PASSWORD) == "ok"


def test_a_lock_ends_by_a_command_and_wrong_passwords_count_from_zero(alice: Person) -> None:
    lock(alice)
    assert log_in(alice) == "account_locked"

    assert users("unlock", alice.email)[0].endswith(": unlocked\n")

    assert log_in(alice) == "ok"
    assert Event.objects.filter(type="account_unlocked", user_id=alice.user_id).count() == 1
    assert users("unlock", alice.email)[0].endswith(": is not locked\n")


def test_a_link_is_mailed_by_a_command_and_the_password_stays(alice: Person) -> None:
    users("send-link", alice.email)

    assert log_in(alice) == "ok"
    password_resets.reset(Api(), password_resets.mailed_token(alice), NEW_PASSWORD)
    assert log_in(alice, NEW_PASSWORD) == "ok"
    users("deactivate", alice.email)
    assert "because the account is deactivated" in users_fail("send-link", alice.email)[1]


def test_no_password_is_retired_when_the_mail_cannot_be_sent(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    with pytest.raises(CommandError, match="EMAIL_URL is off"):
        users("require-reset", alice.email, "--mail")

    assert log_in(alice) == "ok"


def test_an_address_is_proven_by_a_command_and_its_owner_gets_the_usual_mail(alice: Person) -> None:
    out, _ = users("verify", alice.email)

    assert out.endswith(": the address is proven\n")
    assert alice.account().email_proven_at is not None
    assert "confirmed" in text_of(delivered(alice.email)[-1])
    assert users("verify", alice.email)[0].endswith(": the address was proven already\n")


def test_all_factors_and_codes_go_and_the_sessions_stay(alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)
    generate_codes(session)
    pending = pause(alice)

    out, _ = users("remove-factors", alice.email)

    assert out.endswith(": removed authenticator app\n")
    assert log_in(alice) == "ok"
    assert Api().post("/v1/login/totp", {"pending_token": pending, "code": "000000"}).code == "invalid_pending_login"
    assert session.is_live()
    removed = Event.objects.get(type="totp_disabled", user_id=alice.user_id)
    assert removed.metadata["method"] == "operator"
    assert "authenticator app" in text_of(delivered(alice.email)[-1])
    assert users("remove-factors", alice.email)[0].endswith(": has no second factor\n")


def test_deletions_from_a_file_are_confirmed(
    alice: Person, bob: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = alice.log_in()
    named = tmp_path / "users.txt"
    named.write_text(f"{alice.email}\n{bob.user_id}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))

    _, problems, error = users_fail("delete", "--file", str(named))

    assert problems == "Delete 2 accounts with all data? Type yes to continue.\n"
    assert error == "Nothing was deleted. Type yes, or use --yes."
    assert Account.objects.count() == 2

    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    out = io.StringIO()
    call_command("users", "delete", "--file", str(named), stdout=out, stderr=io.StringIO())

    assert out.getvalue().splitlines() == [
        f"{alice.email} ({alice.user_id}): deleted",
        f"{bob.email} ({bob.user_id}): deleted",
    ]
    assert not Account.objects.exists()
    assert not session.is_live()
    assert causes(alice) == ["account_deleted"]
    assert Event.objects.filter(type="operator_command", user_id=alice.user_id).count() == 1
    assert not Event.objects.exclude(ip="").exists()


def test_a_dry_run_of_a_deletion_asks_nothing_and_deletes_nothing(alice: Person) -> None:
    out, problems = users("delete", alice.email, "--dry-run")

    assert (out.splitlines()[-1], problems) == ("Nothing was changed (--dry-run).", "")
    assert alice.log_in().is_live()
    assert len(delivered(alice.email)) == 0
