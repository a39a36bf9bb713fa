"""`manage.py users show`, and the frame of the subcommands."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from accounts.management.users.subcommand import Output, subcommands_of_apps
from tests.people import Person

from .commands import users, users_fail


def test_an_account_is_shown_by_its_id_and_by_any_spelling_of_its_address(alice: Person) -> None:
    alice.log_in()

    by_id, _ = users("show", alice.user_id.upper())
    by_address, _ = users("show", "ALICE@example.com")

    assert by_id == by_address
    lines = by_id.splitlines()
    assert lines[:3] == [
        f"id         {alice.user_id}",
        "address    alice@example.com, unproven",
        "state      active",
    ]
    assert [line.split(":")[0] for line in lines if line.startswith("has ")] == ["has        Session"]


def test_accounts_come_from_a_file_and_unknown_ones_fail(alice: Person, bob: Person, tmp_path: Path) -> None:
    named = tmp_path / "users.txt"
    named.write_text(f"\ufeff{alice.email}\r\n\n  {bob.user_id}\nmallory@example.com\n\x1b[31m\n", "utf-8")

    results, problems, error = users_fail("show", "--file", str(named))

    assert error == "2 of 4 are unknown."
    assert [line for line in results.splitlines() if line.startswith("id")] == [
        f"id         {alice.user_id}",
        f"id         {bob.user_id}",
    ]
    assert problems.splitlines() == [
        "mallory@example.com: no account has this address",
        "'\\x1b[31m': no account has this id",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show"], "Name at least one id or address, or use --file."),
        (
            ["show", "--file", "/nowhere/users.txt"],
            "The file /nowhere/users.txt is unreadable: No such file or directory.",
        ),
        (["show", "--file", "/dev/urandom"], "The file /dev/urandom is unreadable: it is not UTF-8."),
    ],
)
def test_a_selection_that_cannot_be_read_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\xff\xfe\x00")
    arguments = [str(broken) if argument == "/dev/urandom" else argument for argument in arguments]

    with pytest.raises(CommandError) as raised:
        users(*arguments)

    assert str(raised.value) == message.replace("/dev/urandom", str(broken))


def test_a_higher_app_adds_a_subcommand() -> None:
    class Greet:
        name = "greet"
        help = "Greet."

        def add_arguments(self, parser: object) -> None:
            """Take none."""

        def run(self, options: object, out: Output) -> None:
            out.line("Good morning.")

    greet = Greet()
    subcommands_of_apps.register(greet)
    try:
        assert users("greet") == ("Good morning.\n", "")
    finally:
        subcommands_of_apps.unregister(greet)
