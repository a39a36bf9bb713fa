"""`manage.py users create`."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from accounts.models import Account, Event
from tests.client import PASSWORD, Api
from tests.mails import delivered
from tests.people import Person

from .commands import outcome, users, users_fail


def test_an_account_is_created_with_a_password_while_sign_up_is_closed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNUP": "closed"}
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))

    out, problems = users("create", "Carol@example.com", "--password-stdin", "--proven")

    account = Account.objects.get()
    assert (out, problems) == (f"Carol@example.com ({account.pk}): created\n", "")
    assert account.email_proven_at is not None
    assert outcome(Api().post("/v1/login", {"email": "carol@example.com", "password": PASSWORD})) == "ok"
    events = Event.objects.filter(user_id=str(account.pk)).order_by("id")
    assert [event.type for event in events][:2] == ["signup_success", "operator_command"]
    assert events[0].metadata == {"method": "operator"}
    assert delivered("Carol@example.com") == []


def test_accounts_of_a_file_have_no_password_and_the_wrong_lines_fail(alice: Person, tmp_path: Path) -> None:
    named = tmp_path / "users.txt"
    named.write_text(f"carol@example.com\nnot an address\n{alice.email.upper()}\n\x1b]0;x\x07\ndave@example.com\n")

    out, problems, error = users_fail("create", "--file", str(named))

    assert [line.split(" ")[0] for line in out.splitlines()] == ["carol@example.com", "dave@example.com"]
    assert problems.splitlines() == [
        "not an address: is not an e-mail address",
        f"{alice.email.upper()}: an account or a user has this address",
        "'\\x1b]0;x\\x07': is not an e-mail address",
    ]
    assert error == "3 of 5 failed."
    assert outcome(Api().post("/v1/login", {"email": "dave@example.com", "password": ""})) == "invalid_credentials"


def test_a_dry_run_creates_nothing() -> None:
    out, _ = users("create", "carol@example.com", "--dry-run")

    assert out.splitlines() == ["carol@example.com: created", "Nothing was changed (--dry-run)."]
    assert not Account.objects.exists()


def test_a_weak_password_is_refused_with_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))

    _, problems, _ = users_fail("create", "carol@example.com", "--password-stdin")

    assert problems.endswith("(min_length)\n")
    assert not Account.objects.exists()


def test_one_password_is_not_given_to_several_accounts() -> None:
    with pytest.raises(CommandError, match="Name one address"):
        users("create", "carol@example.com", "dave@example.com", "--password-stdin")
