"""`manage.py users import` of our own format."""

import hashlib
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.host import users
from accounts.models import Account, StoredHashKind, UndoLink
from accounts.ops.retention import prunable_events
from core.clock import now
from events.models import Event
from events.webhooks.models import Delivery
from tests.client import Api
from tests.mails import delivered
from tests.people import Person
from tests.transfers import BCRYPT, PASSWORD, import_file, number, person, refusals, run, write_rows

pytestmark = pytest.mark.django_db

MOMENT = "2024-02-29T12:30:00.000001Z"


def row(name: str, **members: Any) -> dict[str, Any]:
    return {"email": f"{name}@example.com", "password_hash": BCRYPT, **members}


def test_a_row_becomes_an_account_that_signs_in(api: Api, tmp_path: Path) -> None:
    given = row(
        "alice",
        id=number(1),
        email_verified=True,
        created_at=MOMENT,
        language="de",
        metadata={"plan": "gold", "seats": 3},
    )

    counts = import_file(write_rows(tmp_path / "users.ndjson", [given]))

    assert counts == {"imported": 1}
    alice = person("alice@example.com")
    account = alice.account()
    assert account.created_at == account.email_proven_at == datetime(2024, 2, 29, 12, 30, 0, 1, tzinfo=UTC)
    assert account.metadata == {"plan": "gold", "seats": 3, "locale": "de"}
    assert alice.user_id == number(1) or not users.take_ids()
    assert alice.log_in(api).is_live()
    [event] = Event.objects.filter(type="account_imported")
    assert (event.user_id, event.ip, event.metadata) == (alice.user_id, "", {"source": "gatehouse"})
    assert delivered("alice@example.com") == []


def test_a_repeated_import_changes_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "users.ndjson", [row("alice", id=number(1)), row("bob", id="auth0|4711"), row("eve")])
    import_file(path)
    before = (list(Account.objects.order_by("pk").values()), Event.objects.count())

    assert import_file(path) == {"already present": 3}

    assert (list(Account.objects.order_by("pk").values()), Event.objects.count()) == before


def test_an_account_is_never_overwritten(alice: Person, tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "users.ndjson",
        [
            {"email": "Alice@example.com", "email_verified": True},
            {"email": "ＡＬＩＣＥ@example.com"},
            {"email": "bob@example.com", "id": number(2)},
            {"email": "BOB@example.com"},
        ],
    )

    code, counts, _ = run("import", path)

    assert (code, counts) == (3, {"already present": 1, "imported": 1, "refused": 2})
    assert refusals(path) == [
        (2, "The row has the same address as the row 1."),
        (4, "The row has the same address as the row 3."),
    ]
    assert alice.account().email_proven_at is None
    assert alice.log_in().is_live()


def test_another_user_with_the_same_address_or_id_is_refused(tmp_path: Path) -> None:
    import_file(write_rows(tmp_path / "first.ndjson", [row("alice", id=number(1)), row("ﬁsh")]))
    path = write_rows(tmp_path / "second.ndjson", [row("alice", id=number(2)), row("eve", id=number(1)), row("fish")])

    code, _, _ = run("import", path)

    look_alike = "Another account has this address, or one that looks alike."
    assert code == 3
    expected = [(1, look_alike), (2, "An account with this id has another address."), (3, look_alike)]
    # A site that chooses the keys of its users knows them by their address.
    assert refusals(path) == (expected if users.take_ids() else expected[2:])


def test_a_deleted_account_stays_deleted(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "users.ndjson", [row("alice", id=number(1)), row("bob", id="1")])
    import_file(path)
    for name in ("alice", "bob"):
        session = person(f"{name}@example.com").log_in()
        body = {"current_password": PASSWORD}
        assert session.api.post("/v1/delete-account", body, token=session.access).status == 200
    prunable_events(now() + timedelta(days=500)).delete()
    kept = {*Event.objects.values_list("type", flat=True)}

    counts = import_file(path)

    assert {"account_deleted"} <= kept <= {"account_deleted", "password_hash_upgraded"}
    assert counts == ({"deleted here": 2} if users.take_ids() else {"imported": 2})


def test_a_hostile_file_ends_in_the_file_of_refused_rows(tmp_path: Path) -> None:
    path = tmp_path / "users.ndjson"
    lines = [
        b'{"email": "=HYPERLINK(\\"https://evil.example\\")"}',
        b'{"email": "a@example.com", "metadata": {"x": "' + b"x" * 10_000_000 + b'"}}',
        b'{"email": "b\\u0000@example.com"}',
        b'{"email": "c@example.com", "language": "d\x00"}',
        b'{"email": "\xff@example.com"}',
        b'{"email": "d@example.com", "password_hash": "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$%s"}' % (b"A" * 22),
        b'{"email": "e@example.com", "password_hash": "letmein"}',
        b'{"email": "f@example.com", "metadata": {"role": "admin"}}',
        b'{"email": "g@example.com", "metadata": {"x": ' + b"[" * 400 + b"]" * 400 + b"}}",
        b'{"email": "h@example.com", "metadata": {"x": 1e400}}',
        b'{"email": "i@example.com", "created_at": "9999-12-31T23:59:59Z"}',
        b'{"email": "j@example.com", "emial_verified": true}',
        b'{"email": "k@example.com", "email_verified": "yes"}',
        b'{"email": "l@example.com", "state": "banned"}',
        b'{"email": "m@example.com", "id": "' + b"x" * 300 + b'"}',
        b"[1, 2]",
        b"{" * 100_000,
        b'{"id": "1"}',
        b'{"email": "n@example.com", "metadata": {"x": "\\ud800"}}',
        b'{"email": "o@example.com", "metadata": {"x": "\\u0000"}}',
        b'{"email": "bob@example.com"}',
    ]
    path.write_bytes(b"\n".join(lines))

    code, counts, said = run("import", path)

    assert (code, counts) == (3, {"imported": 1, "refused": 20})
    reasons = dict(refusals(path))
    assert sorted(reasons) == list(range(1, 21))
    expected = {
        1: "email: must be an e-mail address",
        2: "The line has more than 524288 bytes.",
        4: "The line is not JSON in UTF-8.",
        5: "The line is not JSON in UTF-8.",
        6: "password_hash: One check of the hash needs 4,096 MiB of memory.",
        8: "metadata: 'role' cannot be the name of a claim.",
        12: "row: has an unknown member.",
        13: "email_verified: must be true or false.",
        18: "email: is missing.",
        20: "metadata: must not contain a NUL character.",
    }
    assert {line: reasons[line][: len(text)] for line, text in expected.items()} == expected
    refused = path.with_name("users.ndjson.refused.ndjson")
    assert stat.S_IMODE(refused.stat().st_mode) == 0o600
    assert said.endswith(f"20 refused, see {refused}")
    assert "letmein" not in refused.read_text()


def test_a_dry_run_tells_the_outcome_and_stores_nothing(alice: Person, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "users.ndjson", [row("alice"), row("bob"), row("bob"), row("eve", state="banned")])
    before = Event.objects.count()

    code, counts, _ = run("import", path, "--dry-run")

    assert (code, counts) == (3, {"already present": 1, "would be imported": 1, "refused": 2})
    assert (Account.objects.count(), Event.objects.count()) == (1, before)
    assert [line for line, _ in refusals(path)] == [3, 4]


def test_a_deactivated_row_stays_deactivated(tmp_path: Path) -> None:
    rows = [row("alice", state="deactivated", deactivated_at=MOMENT), row("bob", state="deactivated")]
    import_file(write_rows(tmp_path / "users.ndjson", rows))

    assert person("alice@example.com").account().deactivated_at == datetime(2024, 2, 29, 12, 30, 0, 1, tzinfo=UTC)
    assert person("bob@example.com").account().deactivated_at is not None


def test_a_weak_hash_is_wrapped_before_it_is_stored(api: Api, tmp_path: Path) -> None:
    digest = hashlib.md5(PASSWORD.encode(), usedforsecurity=False).hexdigest()
    path = write_rows(tmp_path / "users.ndjson", [row(name, password_hash=digest) for name in ("alice", "bob")])

    code, counts, said = run("import", path)

    assert (code, counts) == (0, {"imported": 2})
    assert "2 of them have a weak password hash, which is wrapped in Argon2id." in said
    stored = str(person("alice@example.com").account().user.password)
    assert stored.startswith("foreign$md5$")
    assert digest not in stored
    assert person("alice@example.com").log_in(api).is_live()
    assert StoredHashKind.objects.filter(kind__startswith="foreign$md5").count() == 1


def test_a_row_without_a_password_has_none(api: Api, tmp_path: Path) -> None:
    import_file(write_rows(tmp_path / "users.ndjson", [{"email": "alice@example.com"}]))

    assert not users.has_password(person("alice@example.com").account().user)


def test_webhooks_get_the_events_only_on_request(tmp_path: Path, settings: Settings) -> None:
    refused, _, said = run("import", write_rows(tmp_path / "none.ndjson", []), "--webhooks")
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "WEBHOOK_URL": "https://hooks.example.com/",
        "WEBHOOK_SECRET": f"whsec_{'A' * 44}",
        "WEBHOOK_EVENTS": "account_imported",
    }
    import_file(write_rows(tmp_path / "quiet.ndjson", [row("alice")]))
    quiet = Delivery.objects.count()
    import_file(write_rows(tmp_path / "loud.ndjson", [row("bob")]), "--webhooks")

    assert (refused, said) == (1, "WEBHOOK_URL is unset, so --webhooks has no receiver.")
    assert quiet == 0
    [delivery] = Delivery.objects.all()
    assert (delivery.event_type, delivery.user_id) == ("account_imported", person("bob@example.com").user_id)


def test_the_old_id_becomes_a_claim_on_request(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "users.ndjson", [row("alice", id="auth0|4711")])

    import_file(path, "--id-claim", "auth0_id", "--source", "auth0")

    assert person("alice@example.com").account().metadata == {"auth0_id": "auth0|4711"}


def test_the_number_of_queries_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    counts = []
    for size in (1, 200):
        path = write_rows(tmp_path / f"{size}.ndjson", [row(f"user{size}-{place}") for place in range(size)])
        with CaptureQueriesContext(connection) as queries:
            import_file(path)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_an_address_that_its_owner_can_get_back_is_refused(alice: Person, tmp_path: Path) -> None:
    moment = now()
    UndoLink.objects.create(
        account=alice.account(),
        digest=bytes(32),
        address="old@example.com",
        email_key="old@example.com",
        added_from=moment,
        created_at=moment,
        expires_at=moment + timedelta(days=1),
    )
    path = write_rows(tmp_path / "users.ndjson", [row("old")])

    code, _, _ = run("import", path)

    assert code == 3
    assert refusals(path) == [(1, "The owner of another account can still get this address back by a mailed link.")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{}/none.ndjson",), "{}/none.ndjson does not exist."),
        (("{}/users.ndjson", "--resume"), "There is nothing to resume: {}/users.ndjson.progress.json does not exist."),
        (("{}/users.ndjson", "--resume", "--dry-run"), "--dry-run stores nothing, so there is nothing to resume."),
        (("{}/users.ndjson", "--refused", "{}/no/such"), "{}/no/such cannot be written: No such file or directory."),
    ],
)
def test_wrong_options_get_one_line(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    write_rows(tmp_path / "users.ndjson", [row("alice")])

    code, counts, text = run("import", *(argument.format(tmp_path) for argument in arguments))

    assert (code, counts) == (1, {})
    assert said.format(tmp_path) in text
    assert not Account.objects.exists()
