"""The command that grants and revokes operator status. No route grants it."""

from datetime import timedelta
from io import StringIO
from typing import Any

import jwt as pyjwt
import pytest
import time_machine
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from accounts.models import Account
from console.models import Operator
from tests.client import Api
from tests.mails import delivered, token_in
from tests.operators import Console, only_on_embedded, only_on_full, operator
from tests.people import Person, SignedIn, sign_up
from tests.rows import each

ROUTE = "/v1/admin/users"


def grant_operator(*arguments: str) -> str:
    """Run the command as typed, for an account with or without a proven address; return its output."""
    out = StringIO()
    call_command("grant_operator", *arguments, "-unproven", stdout=out, stderr=StringIO())
    return out.getvalue()


def grant_to_proven(*arguments: str) -> tuple[str, str]:
    """Run the command without `-unproven`; return its output and its warnings."""
    out, warnings = StringIO(), StringIO()
    call_command("grant_operator", *arguments, stdout=out, stderr=warnings, no_color=True)
    return out.getvalue(), warnings.getvalue()


def named(person: Person) -> str:
    """Return the account as the command prints it."""
    account = person.account()
    return f"{person.email} ({person.user_id}, signed up {account.created_at:%Y-%m-%d})"


def prove_address(person: Person) -> None:
    """Verify the address by a mailed link."""
    person.api.post("/v1/email/verify/request", token=person.log_in().access)
    body = {"token": token_in(delivered(person.email)[-1]), "password": person.password}
    assert person.api.post("/v1/email/verify/confirm", body).status == 200


def role_of(session: SignedIn) -> Any:
    return pyjwt.decode(session.access, options={"verify_signature": False}).get("role")


def may_enter(session: SignedIn) -> bool:
    answer = session.api.get(ROUTE, token=session.access)
    assert answer.status == 200 or answer.code == "not_operator"
    return answer.status == 200


@only_on_full
def test_a_grant_appears_only_in_tokens_issued_after_it(alice: Person) -> None:
    session = alice.log_in()
    said = grant_operator("-email", alice.email)

    assert said == (
        f"{named(alice)} is an operator, as admin. The next login or refresh adds the claim to the tokens.\n"
        "The role admin is for everything: as support, and settings, and acts on the accounts of operators.\n"
    )
    assert (role_of(session), may_enter(session)) == (None, False)
    refreshed = session.refreshed()
    assert (role_of(refreshed), may_enter(refreshed)) == ("admin", True)
    assert may_enter(alice.log_in())
    assert not may_enter(session)


@only_on_full
def test_a_revocation_has_effect_at_once_and_tokens_keep_the_claim(alice: Person) -> None:
    session = operator(alice)
    said = grant_operator("-email", alice.email, "-revoke")

    assert said == (
        f"{named(alice)} is not an operator any more. Their sessions in the console have ended. Issued access tokens keep "
        "the claim until they expire, and no longer open the routes of operators.\n"
    )
    assert (role_of(session), may_enter(session)) == ("admin", False)
    assert not may_enter(session.refreshed())
    assert not may_enter(alice.log_in())
    assert not Operator.objects.exists()


@only_on_full
@pytest.mark.parametrize(
    "arguments",
    [
        ("-email", "alice@example.com"),
        ("--email", "alice@example.com"),
        ("-email=alice@example.com",),
        ("--email=alice@example.com",),
        ("-email", " alice@example.com "),
        ("-role", "admin", "-email", "alice@example.com"),
    ],
)
def test_flags_have_one_dash_or_two(alice: Person, arguments: tuple[str, ...]) -> None:
    grant_operator(*arguments)

    assert may_enter(alice.log_in())


@only_on_full
@pytest.mark.parametrize(
    ("arguments", "role"),
    [
        ((), "admin"),
        (("-role", "superadmin"), "superadmin"),
        (("--role", " Head of  Support "), "Head of  Support"),
        (("--role", "r" * 64), "r" * 64),
        (("--role", "é" * 64), "é" * 64),
    ],
)
def test_the_operator_chooses_the_role_but_the_claim_stays_the_same(
    alice: Person, arguments: tuple[str, ...], role: str
) -> None:
    grant_operator("-email", alice.email, *arguments)

    assert Operator.objects.get().role == role
    assert role_of(alice.log_in()) == "admin"


@only_on_full
@pytest.mark.parametrize("role", ["", " ", "r" * 65, "two\nlines", "nul\0"])
def test_an_invalid_role_is_refused(alice: Person, role: str) -> None:
    with pytest.raises(CommandError, match="-role must be one line of 1 to 64 characters") as failure:
        grant_operator("-email", alice.email, "-role", role)

    assert failure.value.returncode == 1
    assert not Operator.objects.exists()


@only_on_full
def test_a_second_grant_succeeds_and_replaces_the_role(alice: Person) -> None:
    grant_operator("-email", alice.email)
    grant_operator("-email", alice.email)
    grant_operator("-email", alice.email, "-role", "superadmin")

    assert Operator.objects.get().role == "superadmin"


@only_on_full
def test_revoking_the_status_of_an_account_without_it_succeeds(alice: Person) -> None:
    assert grant_operator("-email", alice.email, "-revoke") == f"{named(alice)} was not an operator.\n"


@only_on_full
@pytest.mark.parametrize("email", ["nobody@example.com", "nonsense"])
@pytest.mark.parametrize("revoke", [(), ("-revoke",)])
def test_an_unknown_address_ends_with_code_1(email: str, revoke: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="No account has the address") as failure:
        grant_operator("-email", email, *revoke)

    assert failure.value.returncode == 1
    assert not Account.objects.exists()


@only_on_full
@pytest.mark.parametrize("typed", ["Alice@example.com", "ALICE@EXAMPLE.COM", "alice@example.com"])
@pytest.mark.parametrize("revoke", [(), ("-revoke",)])
def test_a_look_alike_address_changes_nothing(api: Api, typed: str, revoke: tuple[str, ...]) -> None:
    impostor = sign_up("\uff41lice@example.com", api=api)

    with pytest.raises(CommandError, match=f"No account has exactly the address {typed}") as failure:
        grant_operator("-email", typed, *revoke)

    assert named(impostor) in str(failure.value)
    assert failure.value.returncode == 1
    assert not Operator.objects.exists()


@only_on_full
def test_the_error_for_an_unproven_address_says_what_to_do(alice: Person) -> None:
    with pytest.raises(CommandError, match="email/verify/request") as failure:
        grant_to_proven("-email", alice.email)

    assert "--unproven" in str(failure.value)
    assert failure.value.returncode == 1
    assert not Operator.objects.exists()


@only_on_full
def test_a_proven_address_is_granted_without_a_warning(alice: Person) -> None:
    prove_address(alice)

    said, warnings = grant_to_proven("-email", alice.email)

    assert said.startswith(f"{named(alice)} is an operator")
    assert warnings == ""


@only_on_full
def test_while_mail_is_off_an_unproven_address_is_a_warning(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    said, warnings = grant_to_proven("-email", alice.email)

    assert said.startswith(f"{named(alice)} is an operator")
    assert warnings == (
        f"The owner of {named(alice)} never confirmed this address. Make sure that the account belongs to the right "
        "person.\n"
    )


@only_on_full
@each("email", ["", " ", "alice@example.com\nbob@example.com", "\x1b[2Jalice@example.com", "a\0@b"])
@each("revoke", [(), ("-revoke",)])
def test_an_address_with_control_characters_is_refused_and_not_repeated(email: str, revoke: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as failure:
        grant_operator("-email", email, *revoke)

    assert str(failure.value) == "-email must be the e-mail address of an account, in one line."
    assert failure.value.returncode == 1


@only_on_full
@each(
    "url",
    [
        "sqlite:///var/auth.sqlite3",
        "mysql://u:p@h/db",
        "nonsense",
        "host=h dbname=db",
        "postgresql+psycopg://h/db",
        "postgresql://",
        "postgresql://u:p@h",
        "postgresql://u:p@h/",
        "postgresql://u:p@h:port/db",
    ],
)
def test_another_kind_of_database_is_refused(alice: Person, url: str) -> None:
    with pytest.raises(CommandError, match="-db must be postgresql://") as failure:
        grant_operator("-email", alice.email, "-db", url)

    assert failure.value.returncode == 1
    assert "u:p" not in str(failure.value)


@only_on_full
def test_a_list_names_the_operators_and_changes_nothing(
    travel: time_machine.Traveller, alice: Person, bob: Person
) -> None:
    assert grant_operator("-list") == "There are no operators.\n"
    grant_operator("-email", alice.email)
    travel.shift(timedelta(minutes=1))
    grant_operator("-email", bob.email, "-role", "superadmin")

    assert grant_operator("--list") == (
        f"{bob.email} ({bob.user_id}) is an operator, as superadmin, since 2026-03-10 12:01 UTC.\n"
        f"{alice.email} ({alice.user_id}) is an operator, as admin, since 2026-03-10 12:00 UTC.\n"
    )
    grant_operator("-email", bob.email, "-revoke")
    assert grant_operator("-list").count("\n") == 1


@only_on_full
@pytest.mark.parametrize("arguments", [(), ("-list", "-email", "alice@example.com")])
def test_the_command_takes_either_an_address_or_the_list_flag(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="-email/--email"):
        grant_operator(*arguments)


@only_on_full
def test_a_grant_applies_to_one_account_only(alice: Person, bob: Person) -> None:
    grant_operator("-email", alice.email)

    assert role_of(bob.log_in()) is None


@only_on_full
def test_a_grant_is_deleted_with_the_account(alice: Person) -> None:
    session = operator(alice)
    session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)

    assert not Operator.objects.exists()
    again = sign_up("alice")
    assert not may_enter(again.log_in())


@only_on_full
@pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project deactivates no user"
)
def test_a_deactivated_user_can_lose_the_status_but_not_get_it(alice: Person) -> None:
    grant_operator("-email", alice.email)
    people: Any = get_user_model()
    people._default_manager.filter(pk=alice.user_id).update(is_active=False)

    assert "is not an operator any more" in grant_operator("-email", alice.email, "-revoke")
    with pytest.raises(CommandError, match="No account has the address"):
        grant_operator("-email", alice.email)
    assert not Operator.objects.exists()


@only_on_full
def test_no_route_grants_operator_status(console: Console, alice: Person) -> None:
    extra = {"role": "admin", "is_operator": True}

    console.put(f"/users/{alice.user_id}", extra)
    console.call("POST", "/operators", {"email": alice.email, **extra})
    alice.api.post("/v1/login", {"email": alice.email, "password": alice.password, **extra})
    alice.api.post("/v1/signup", {"email": "bob@example.com", "password": alice.password, **extra})

    assert [granted.pk for granted in Operator.objects.all()] == [console.session.person.account().pk]


@only_on_embedded
@pytest.mark.parametrize("arguments", [(), ("-revoke",), ("-role", "superadmin")])
def test_on_an_embedded_deployment_there_are_no_operators(alice: Person, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="embedded deployment has no operators") as failure:
        grant_operator("-email", alice.email, *arguments)

    assert failure.value.returncode == 1


@only_on_embedded
def test_on_an_embedded_deployment_an_account_is_deleted_without_the_table(alice: Person) -> None:
    assert Operator._meta.db_table not in connection.introspection.table_names()
    session = alice.log_in()

    answer = session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)

    assert answer.data == {"status": "account deleted"}
    assert not Account.objects.exists()
