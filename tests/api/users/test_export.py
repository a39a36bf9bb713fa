"""`manage.py users export`, and the round trip of export and import."""

import stat
import sys
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from accounts.host import users
from accounts.models import Account
from tests.client import PASSWORD, Api
from tests.people import Person, sign_up
from tests.transfers import export, forget_everyone, import_file, number, person, run, write_rows

pytestmark = pytest.mark.django_db

HASHES = {
    "argon2": "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$xnnkTRVqiPB5yPnrwWzwDXFlDKJYBLT+gWWsbDpnCbQ",
    "bcrypt": "$2y$10$abcdefghijklmnopqrstuuE5rGBaoPiGmpnQPmFNiiQCYtkRzVfYG",
    "django": "pbkdf2_sha256$1000$salt$ZGlnZXN0ZGlnZXN0ZGlnZXN0ZGlnZXN0ZGlnZXN0MTI=",
    "pbkdf2": "$pbkdf2-sha512$i=27500,l=64$c2FsdHNhbHQ$" + "A" * 86,
    "md5": "9cc2ae8a1ba7a93da39b46fc1019c481",
    "phpass": "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
}
METADATA: dict[str, Any] = {
    "z": 1,
    "a": [1.0, 1e17, 1e300, -0.0, 1e-7, True, None, "ü"],
    "m": {"b": {}, "a": 2**63 - 1},
}


def test_the_second_export_equals_the_first(tmp_path: Path) -> None:
    rows = [
        {
            "id": number(position + 1),
            "email": f"{name}@example.com",
            "password_hash": text,
            "metadata": METADATA,
            "email_verified": position % 2 == 0,
            "earlier_email_verified": position % 3 == 0,
            "state": ("active", "deactivated")[position % 2],
            **({"language": "fr-CA"} if position else {}),
        }
        for position, (name, text) in enumerate(HASHES.items())
    ]
    import_file(write_rows(tmp_path / "users.ndjson", [*rows, {"email": "Eve@Example.com"}]))
    first = export(tmp_path / "first.ndjson")
    assert len(first) == 7

    forget_everyone()
    import_file(tmp_path / "first.ndjson")
    second = export(tmp_path / "second.ndjson")

    if not users.take_ids():
        for row in (*first, *second):
            del row["id"]
        assert first == second
        return
    assert (tmp_path / "first.ndjson").read_bytes() == (tmp_path / "second.ndjson").read_bytes()
    assert [row["id"] for row in first] == sorted(row["id"] for row in first)
    assert first[0]["password_hash"] == HASHES["argon2"]


def test_a_person_signs_in_after_the_move_as_before(api: Api, alice: Person, tmp_path: Path) -> None:
    alice.log_in()
    Account.objects.update(metadata={"plan": "gold", "locale": "de"})
    [row] = export(tmp_path / "users.ndjson")
    forget_everyone()

    import_file(tmp_path / "users.ndjson")

    moved = person(alice.email)
    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).status == 200
    assert moved.account().metadata == {"plan": "gold", "locale": "de"}
    assert (row["language"], row["metadata"]) == ("de", {"plan": "gold"})


def test_the_members_of_an_export_state_the_account(alice: Person, tmp_path: Path) -> None:
    moment = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
    Account.objects.update(created_at=moment, email_proven_at=moment, was_proven=True, deactivated_at=moment)

    [row] = export(tmp_path / "users.ndjson")

    text = "2024-02-29T12:30:00.000000Z"
    assert row.pop("password_hash").startswith("$argon2id$v=19$")
    assert row == {
        "id": alice.user_id,
        "email": "alice@example.com",
        "email_verified": True,
        "email_verified_at": text,
        "earlier_email_verified": True,
        "state": "deactivated",
        "deactivated_at": text,
        "created_at": text,
    }


def test_only_the_owner_can_read_the_file(alice: Person, tmp_path: Path) -> None:
    path = tmp_path / "users.ndjson"

    export(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["users.ndjson"]


def test_an_existing_file_stays(alice: Person, tmp_path: Path) -> None:
    path = tmp_path / "users.ndjson"
    path.write_text("precious")

    code, _, said = run("export", path)

    assert (code, said) == (1, f"{path} exists already. Name a new file.")
    assert path.read_text() == "precious"


@pytest.mark.parametrize(("answer", "is_written"), [("yes\n", True), ("y\n", False), ("", False)])
def test_secrets_need_a_confirmation(
    alice: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, is_written: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(answer))

    code, _, _ = run("export", tmp_path / "users.ndjson", "--with-secrets")

    assert (code == 0) is is_written
    assert (tmp_path / "users.ndjson").exists() is is_written


def test_large_exports_are_read_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.ops.transfer.exporting.BATCH", 2)
    for name in ("alice", "bob", "carol", "dave", "eve"):
        sign_up(name)

    rows = export(tmp_path / "users.ndjson")

    assert sorted(row["email"].partition("@")[0] for row in rows) == ["alice", "bob", "carol", "dave", "eve"]
