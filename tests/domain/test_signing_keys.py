import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings
from time_machine import TimeMachineFixture

from core.keys import ring as keyring
from core.keys.ring_file import read_ring
from core.keys.signing_keys import State

NOW = datetime(2026, 11, 21, 12, 0, 0, 250_000, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def ring_file(settings: Settings, tmp_path: Path, time_machine: TimeMachineFixture) -> Path:
    time_machine.move_to(NOW, tick=False)
    path = tmp_path / "keys.json"
    settings.AUTH_SERVICE = {"SIGNING_KEYS_FILE": str(path)}
    return path


def run(*arguments: str) -> list[str]:
    """Run `signing_keys` and return the lines that it prints, warnings included."""
    out = io.StringIO()
    call_command("signing_keys", *arguments, stdout=out, stderr=out, no_color=True)
    return out.getvalue().splitlines()


def states(now: datetime) -> list[State]:
    ring = read_ring()
    return [ring.state_of(key, now=now) for key in ring.keys]


def test_the_first_rotation_creates_the_file_and_a_key_that_signs() -> None:
    lines = run("rotate")

    (key,) = read_ring().keys
    assert lines == [f"Key {key.kid} (ES256) signs access tokens from now on."]


def test_a_rotation_reports_when_the_next_key_signs_and_how_long_the_old_key_stays() -> None:
    run("rotate")

    lines = run("rotate")

    old, new = read_ring().keys
    assert lines == [
        f"Key {new.kid} (ES256) is published. It signs from 2026-11-21T12:06:00Z.",
        f"Key {old.kid} stays published until 2026-11-21T12:26:00Z.",
    ]


def test_an_immediate_rotation_reports_who_may_be_affected() -> None:
    run("rotate")

    lines = run("rotate", "--now")

    old, new = read_ring().keys
    assert states(NOW) == [State.RETIRED, State.ACTIVE]
    assert lines == [
        f"Key {new.kid} (ES256) signs access tokens from now on.",
        "Services with a cached copy of the key set may refuse new tokens for up to 300 seconds.",
        f"Key {old.kid} stays published until 2026-11-21T12:20:00Z.",
    ]


def test_the_list_shows_every_key_with_its_state_and_times(
    settings: Settings, time_machine: TimeMachineFixture
) -> None:
    run("rotate")
    run("rotate")
    time_machine.move_to(NOW + 10 * MINUTE, tick=False)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOKEN_ALGORITHM": "Ed25519"}
    run("rotate")

    first, second, third = (key.kid for key in read_ring().keys)
    assert run("list") == [
        "KID               ALG      SIGNS          STATE    SIGNS FROM            PUBLISHED UNTIL",
        f"{first}  ES256    access tokens  retired  2026-11-21T12:00:00Z  2026-11-21T12:26:00Z",
        f"{second}  ES256    access tokens  active   2026-11-21T12:06:00Z  2026-11-21T12:36:00Z",
        f"{third}  Ed25519  access tokens  next     2026-11-21T12:16:00Z  -",
    ]
    time_machine.move_to(NOW + 30 * MINUTE, tick=False)
    assert [line.split()[4] for line in run("list")[1:]] == ["expired", "retired", "active"]


def test_a_rotation_replaces_the_key_of_id_tokens_too() -> None:
    run("rotate")
    old_id = keyring.ensure_rs256_key(now=NOW)

    lines = run("rotate")

    (old, new), (_, new_id) = read_ring().keys, read_ring().id_token_keys
    assert lines == [
        f"Key {new.kid} (ES256) is published. It signs from 2026-11-21T12:06:00Z.",
        f"Key {new_id.kid} (RS256) is published. It signs from 2026-11-21T12:06:00Z.",
        f"Key {old.kid} stays published until 2026-11-21T12:26:00Z.",
        f"Key {old_id.kid} stays published until 2026-11-21T12:26:00Z.",
    ]
    assert run("list")[-1].split()[:5] == [new_id.kid, "RS256", "ID", "tokens", "next"]
    with pytest.raises(CommandError, match=f"Key {old_id.kid} is the active key"):
        run("retire", old_id.kid)
    run("retire", new_id.kid)
    assert [key.retires_at for key in read_ring().id_token_keys] == [None]
    assert "signs ID tokens from now on" in run("rotate", "--now")[1]


def test_a_retired_key_is_removed() -> None:
    run("rotate")
    run("rotate", "--now")
    old, new = read_ring().keys

    lines = run("retire", old.kid)

    assert read_ring().keys == (new,)
    assert lines == [
        f"Key {old.kid} is removed. The tokens that it signed are invalid.",
        f"Key {new.kid} signs access tokens.",
    ]


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (
            ["rotate"],
            "The next key {next} is already published. It becomes active at 2026-11-21T12:06:00Z. Wait until then, or",
        ),
        (
            ["retire", "{active}"],
            "Key {active} is the active key, and users cannot sign in without an active key. Replace it",
        ),
        (["retire", "nope"], "There is no key nope. List the keys with `signing_keys list`."),
    ],
)
def test_a_refusal_prints_one_sentence_and_changes_nothing(ring_file: Path, arguments: list[str], refusal: str) -> None:
    run("rotate")
    run("rotate")
    active, waiting = (key.kid for key in read_ring().keys)
    before = ring_file.read_bytes()

    with pytest.raises(CommandError) as refused:
        run(*(argument.format(active=active) for argument in arguments))

    assert str(refused.value).startswith(refusal.format(active=active, next=waiting))
    assert ring_file.read_bytes() == before


@pytest.mark.parametrize("arguments", [["list"], ["rotate"], ["rotate", "--now"], ["retire", "a"]])
def test_a_damaged_file_is_named_and_not_changed(ring_file: Path, arguments: list[str]) -> None:
    ring_file.write_text("{")

    with pytest.raises(
        CommandError, match=f"SIGNING_KEYS_FILE: {ring_file} is not a valid set of signing keys: the file is not JSON"
    ):
        run(*arguments)

    assert ring_file.read_text() == "{"


def test_listing_creates_no_key(ring_file: Path) -> None:
    with pytest.raises(CommandError, match=f"SIGNING_KEYS_FILE: {ring_file} cannot be read: No such file"):
        run("list")

    assert not ring_file.exists()


def test_a_file_that_others_can_read_causes_a_warning(ring_file: Path) -> None:
    run("rotate")
    ring_file.chmod(0o644)

    *_, last = run("list")

    assert last == (
        f"SIGNING_KEYS_FILE: {ring_file} must be accessible to its owner only, but has mode 644. Run `chmod 600` on it."
    )


@pytest.mark.parametrize("arguments", [[], ["retire"], ["rotate", "soon"], ["delete"]])
def test_an_unknown_argument_is_refused(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)
