"""The command `grant_operator`, run by an administrator on any machine."""

from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from console.models import Operator
from tests.operators import only_on_embedded, only_on_full
from tests.people import sign_up

from .conftest import Run
from .running import Running

pytestmark = pytest.mark.django_db(transaction=True)


def url_of_this_database() -> str:
    given = connection.settings_dict
    password = f":{quote(given['PASSWORD'])}" if given["PASSWORD"] else ""
    return f"postgresql://{quote(given['USER'])}{password}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


def ended(running: Running) -> tuple[int, str, str]:
    """Return the exit code and both outputs."""
    code = running.exit_code()
    return code, running.out.read_text(), running.err.read_text()


@only_on_full
def test_a_flag_selects_another_database_than_the_settings(manage: Run) -> None:
    alice = sign_up("alice")
    flags = ("-db", url_of_this_database(), "-email", alice.email, "-role", "superadmin", "-unproven")

    code, said, _ = ended(manage("grant_operator", *flags))

    assert code == 0
    assert said.startswith(f"{alice.email} ({alice.user_id}, signed up ")
    assert Operator.objects.get().role == "superadmin"

    code, said, _ = ended(manage("grant_operator", *flags, "-revoke"))

    assert code == 0
    assert not Operator.objects.exists()


@only_on_full
@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site names its own database")
def test_a_flag_reaches_a_full_deployment_from_embedded_settings(manage: Run) -> None:
    alice = sign_up("alice")

    running = manage(
        "grant_operator",
        "--db",
        url_of_this_database(),
        "--email",
        alice.email,
        "--unproven",
        DATABASE_URL="sqlite:///nowhere/auth.sqlite3",
    )

    assert ended(running)[0] == 0
    assert str(Operator.objects.get().pk) == alice.user_id


@only_on_full
def test_an_unknown_address_ends_with_code_1_and_one_line(manage: Run) -> None:
    running = manage("grant_operator", "-db", url_of_this_database(), "-email", "nobody@example.com")

    assert ended(running) == (
        1,
        "",
        "CommandError: No account has the address nobody@example.com. Its owner must sign up first.\n",
    )


@only_on_embedded
def test_an_embedded_deployment_reports_that_it_has_no_operators(manage: Run) -> None:
    code, said, complained = ended(manage("grant_operator", "-email", "alice@example.com"))

    assert (code, said) == (1, "")
    assert complained.startswith("CommandError: An embedded deployment has no operators")
    assert complained.count("\n") == 1
