"""Sealed values move to a newer key while the service runs, without a loss."""

import base64
import re
from collections.abc import Iterator, Sequence
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from pytest_django import Settings

from accounts.management.commands import reencrypt as command
from core.keys import columns
from core.keys.columns import Resealed, SealedColumn, reseal
from core.keys.sealing import Unsealable, is_sealed_under
from mfa.conf import keys
from mfa.models import RecoveryBatch, Totp
from mfa.recovery.codes import PEPPERS
from mfa.totp.factor import SECRETS
from tests.people import Person, SignedIn, sign_up
from tests.second_factors import (
    App,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
)

OLD, NEW, FOREIGN = (bytes([number]) * 32 for number in range(3))

KEY_IS_GONE = (
    "If that key no longer exists, the account owners must remove their second factor with their password and set it "
    "up again, or generate new recovery codes. An operator must store the settings again. None of this needs the "
    "older keys of the list."
)

pytestmark = pytest.mark.django_db


def set_ring(settings: Settings, *ring: bytes) -> None:
    spelled = ",".join(base64.b64encode(key).decode() for key in ring)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": spelled}


@pytest.fixture(autouse=True)
def _old_key(settings: Settings) -> None:
    """Begin with the old key."""
    set_ring(settings, OLD)


@pytest.fixture
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BATCH", 2)


class Screen(StringIO):
    """An output that reports itself as a terminal."""

    def isatty(self) -> bool:
        return True


def reencrypt(*, check: bool = False) -> list[str]:
    """Run the command with its output in a file. Return the lines of the output."""
    out = StringIO()
    try:
        call_command("reencrypt", check=check, stdout=out)
    finally:
        lines = out.getvalue().splitlines()
    return lines


def sessions(number: int) -> list[SignedIn]:
    return [sign_up(f"person{index}").log_in() for index in range(number)]


def values_under(key: bytes) -> list[str]:
    """Return the values that are sealed under the key, by table."""
    secrets = [("secret", totp.secret) for totp in Totp.objects.all()]
    peppers = [("pepper", batch.pepper) for batch in RecoveryBatch.objects.all()]
    return sorted(name for name, value in secrets + peppers if is_sealed_under(key, value))


def line(name: str, *, seen: int, newest: int, older: int, lost: int) -> str:
    return f"{name}: {seen}, under the newest key {newest}, under older ones {older}, lost {lost}"


def test_every_value_moves_to_the_newest_key_and_the_old_key_can_be_removed(settings: Settings, alice: Person) -> None:
    session = alice.log_in()
    app, codes = enroll_totp(session), generate_codes(session)
    set_ring(settings, NEW, OLD)

    lines = reencrypt()

    assert line("authenticator secrets", seen=1, newest=1, older=0, lost=0) in lines
    assert line("recovery peppers", seen=1, newest=1, older=0, lost=0) in lines
    set_ring(settings, NEW)
    assert complete_by_totp(alice.api, pause(alice), app.code()).status == 200
    assert complete_by_recovery_code(alice.api, pause(alice), codes[0]).status == 200


def test_values_under_the_newest_key_are_not_sealed_again(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    set_ring(settings, NEW, OLD)
    reencrypt()
    before = bytes(Totp.objects.get().secret)

    reencrypt()

    assert bytes(Totp.objects.get().secret) == before


def test_a_check_counts_and_changes_nothing(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    before = bytes(Totp.objects.get().secret)
    set_ring(settings, NEW, OLD)

    out = StringIO()
    with pytest.raises(CommandError, match="Some values are not under the newest key") as failure:
        call_command("reencrypt", check=True, stdout=out)

    assert failure.value.returncode == 1
    assert line("authenticator secrets", seen=1, newest=0, older=1, lost=0) in out.getvalue()
    assert bytes(Totp.objects.get().secret) == before
    reencrypt()
    assert reencrypt(check=True)


def test_a_check_of_an_empty_database_passes(settings: Settings) -> None:
    set_ring(settings, NEW, OLD)

    assert line("authenticator secrets", seen=0, newest=0, older=0, lost=0) in reencrypt(check=True)


@pytest.mark.usefixtures("_small_batches")
def test_a_terminal_shows_progress_after_each_batch(settings: Settings) -> None:
    for session in sessions(5):
        enroll_totp(session)
    set_ring(settings, NEW, OLD)

    screen = Screen()
    call_command("reencrypt", stdout=screen)

    assert screen.getvalue().startswith(
        "authenticator secrets: 2\rauthenticator secrets: 4\rauthenticator secrets: 5\rauthenticator secrets: 5, under"
    )


@pytest.mark.usefixtures("_small_batches")
def test_the_command_can_be_interrupted_and_run_again(settings: Settings) -> None:
    apps: list[tuple[Person, App]] = [(session.person, enroll_totp(session)) for session in sessions(5)]
    set_ring(settings, NEW, OLD)

    batches = reseal(SECRETS)
    assert next(batches) == Resealed(seen=2, newest=2, lost=[])
    batches.close()  # type: ignore[attr-defined]  # the function is a generator

    assert (len(values_under(NEW)), len(values_under(OLD))) == (2, 3)
    for person, app in apps:
        assert complete_by_totp(person.api, pause(person), app.code(steps=-1)).status == 200
    reencrypt()
    set_ring(settings, NEW)
    for person, app in apps:
        assert complete_by_totp(person.api, pause(person), app.code()).status == 200


def test_a_value_that_no_key_opens_is_reported_and_not_changed(settings: Settings, alice: Person, bob: Person) -> None:
    set_ring(settings, FOREIGN)
    enroll_totp(bob.log_in())
    set_ring(settings, OLD)
    enroll_totp(alice.log_in())
    lost = bytes(Totp.objects.get(pk=bob.account().pk).secret)
    set_ring(settings, NEW, OLD)

    out = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("reencrypt", stdout=out)

    assert str(failure.value) == (
        "No key decrypts the lost values. Add the key that encrypted them to the end of the list in ENCRYPTION_KEY. "
        + KEY_IS_GONE
    )
    assert line("authenticator secrets", seen=2, newest=1, older=0, lost=1) in out.getvalue()
    assert f"\n  lost: {bob.user_id}\n" in out.getvalue()
    assert alice.user_id not in out.getvalue()
    assert bytes(Totp.objects.get(pk=bob.account().pk).secret) == lost
    set_ring(settings, NEW, FOREIGN)
    assert line("authenticator secrets", seen=2, newest=2, older=0, lost=0) in reencrypt()


def test_without_a_key_every_value_is_reported_as_lost_and_not_changed(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    before = bytes(Totp.objects.get().secret)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    out = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("reencrypt", stdout=out)

    assert str(failure.value) == (
        "No key decrypts the lost values. ENCRYPTION_KEY is unset. Set it to the key that encrypted them. "
        + KEY_IS_GONE
    )
    assert line("authenticator secrets", seen=1, newest=0, older=0, lost=1) in out.getvalue()
    assert bytes(Totp.objects.get().secret) == before


def test_without_a_key_an_empty_database_has_no_lost_value(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    assert line("authenticator secrets", seen=0, newest=0, older=0, lost=0) in reencrypt()


def test_a_check_distinguishes_older_keys_from_lost_values(settings: Settings, alice: Person, bob: Person) -> None:
    enroll_totp(alice.log_in())
    set_ring(settings, FOREIGN)
    enroll_totp(bob.log_in())
    set_ring(settings, NEW, OLD)

    with pytest.raises(CommandError) as failure:
        reencrypt(check=True)

    assert str(failure.value) == (
        "Some values are not under the newest key. Run the command without --check. No key decrypts the lost values. Add the key that "
        "encrypted them to the end of the list in ENCRYPTION_KEY. " + KEY_IS_GONE
    )


@pytest.mark.usefixtures("_small_batches")
def test_the_first_of_many_lost_rows_are_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LOST_ROWS_MAX", 3)
    for session in sessions(5):
        generate_codes(session)
    set_ring(settings, NEW)

    out = StringIO()
    with pytest.raises(CommandError):
        call_command("reencrypt", stdout=out)

    named = re.findall(r"^  lost: (.*)$", out.getvalue(), re.MULTILINE)
    assert named == [str(pk) for pk in RecoveryBatch.objects.order_by("pk").values_list("pk", flat=True)[:3]]
    assert "\n  and 2 more\n" in out.getvalue()


@pytest.mark.usefixtures("_small_batches")
def test_a_log_file_shows_progress_every_few_seconds(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PROGRESS_SECONDS", -1)
    for session in sessions(3):
        enroll_totp(session)
    set_ring(settings, NEW, OLD)

    assert reencrypt()[:3] == [
        "authenticator secrets: 2 so far",
        "authenticator secrets: 3 so far",
        line("authenticator secrets", seen=3, newest=3, older=0, lost=0),
    ]


@pytest.fixture
def interfering() -> Iterator[list[BaseException]]:
    """Let the last column raise the given errors."""
    failures: list[BaseException] = []

    def fail() -> Sequence[bytes]:
        raise failures[0]

    column = SealedColumn(name="", model=Totp, column="secret", keys=fail, variable="")
    columns.sealed_columns.register(column)
    yield failures
    columns.sealed_columns.unregister(column)


def test_an_interruption_prints_one_line_and_sets_the_exit_code(
    settings: Settings, alice: Person, interfering: list[BaseException]
) -> None:
    enroll_totp(alice.log_in())
    set_ring(settings, NEW, OLD)
    interfering.append(KeyboardInterrupt())

    error = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("reencrypt", stdout=StringIO(), stderr=error)

    assert ended.value.code == 130
    assert error.getvalue() == "Interrupted. Run the command again to continue.\n"
    assert values_under(NEW) == ["secret"]


def test_an_unreachable_database_prints_one_line_without_the_password(
    alice: Person, interfering: list[BaseException]
) -> None:
    enroll_totp(alice.log_in())
    interfering.append(OperationalError("postgresql://me:secret@db"))

    with pytest.raises(CommandError) as failure:
        reencrypt()

    assert str(failure.value) == "The database does not answer, or has not been migrated (OperationalError)."


def test_a_value_changed_during_the_run_is_not_overwritten(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    account = alice.account()
    set_ring(settings, NEW, OLD)
    renewed = SECRETS.seal(b"RENEWED", pk=account.pk)

    def keys_while_the_owner_enrolls_again() -> Sequence[bytes]:
        """Return the ring. The batch has been read by the time of this call."""
        Totp.objects.filter(pk=account.pk).update(secret=renewed)
        return keys()

    column = SealedColumn(name="", model=Totp, column="secret", keys=keys_while_the_owner_enrolls_again, variable="")
    list(reseal(column))

    assert bytes(Totp.objects.get().secret) == renewed


def test_a_value_changed_by_an_older_process_is_not_counted_as_moved(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    account = alice.account()
    renewed = SECRETS.seal(b"RENEWED", pk=account.pk)
    set_ring(settings, NEW, OLD)

    def keys_while_another_process_enrolls() -> Sequence[bytes]:
        Totp.objects.filter(pk=account.pk).update(secret=renewed)
        return keys()

    column = SealedColumn(name="", model=Totp, column="secret", keys=keys_while_another_process_enrolls, variable="")

    assert list(reseal(column)) == [Resealed(seen=1, newest=0, lost=[])]
    assert bytes(Totp.objects.get().secret) == renewed


def test_a_row_deleted_during_the_run_stays_deleted(settings: Settings, alice: Person) -> None:
    enroll_totp(alice.log_in())
    set_ring(settings, NEW, OLD)

    def keys_while_the_owner_disables() -> Sequence[bytes]:
        Totp.objects.all().delete()
        return keys()

    list(reseal(SealedColumn(name="", model=Totp, column="secret", keys=keys_while_the_owner_disables, variable="")))

    assert not Totp.objects.exists()


def test_exchanged_values_of_two_rows_do_not_open(alice: Person, bob: Person) -> None:
    for person in (alice, bob):
        session = person.log_in()
        enroll_totp(session)
        generate_codes(session)
    first, second = (person.account().pk for person in (alice, bob))
    of_first, of_second = (Totp.objects.get(pk=pk) for pk in (first, second))

    assert SECRETS.unseal(of_first.secret, pk=first)
    for column, value in (
        (SECRETS, of_second.secret),
        (PEPPERS, RecoveryBatch.objects.get(pk=second).pepper),
        (PEPPERS, of_first.secret),
    ):
        with pytest.raises(Unsealable):
            column.unseal(value, pk=first)


def test_an_exchanged_value_is_lost_and_is_not_sealed_again(settings: Settings, alice: Person, bob: Person) -> None:
    enroll_totp(alice.log_in())
    enroll_totp(bob.log_in())
    stolen = Totp.objects.get(pk=alice.account().pk).secret
    Totp.objects.filter(pk=bob.account().pk).update(secret=stolen)
    set_ring(settings, NEW, OLD)

    assert list(reseal(SECRETS)) == [Resealed(seen=2, newest=1, lost=[bob.account().pk])]
