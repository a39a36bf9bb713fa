"""`manage.py users import --from FORMAT`: the exports of other systems in tests/exports/."""

import gzip
import re
import shutil
from pathlib import Path

import pytest

from accounts.host import users
from accounts.models import Account
from accounts.ops.transfer.readers import READERS
from accounts.ops.transfer.rows import id_of
from mfa.models import Passkey, Totp
from sessions_app.models import Identity
from tests.client import Api
from tests.people import Person
from tests.transfers import person, refusals, run

pytestmark = pytest.mark.django_db

EXPORTS = Path(__file__).parents[2] / "exports"
GOOGLE = "https://accounts.google.com"


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A copy of the exports, because an import writes beside its file."""
    return Path(shutil.copytree(EXPORTS, tmp_path / "exports"))


def has_id(who: Person, expected: str, *, source: str) -> bool:
    return not users.take_ids() or who.user_id == str(id_of(expected, source=source))


def names(*people: str) -> set[str]:
    return {f"{name}@example.com" for name in people}


def present() -> set[str]:
    return set(Account.objects.values_list("email_key", flat=True))


def test_keycloak(api: Api, exports: Path) -> None:
    arguments = ("--from", "keycloak", "--issuer", f"google={GOOGLE}", "--drop-factors")

    code, counts, _ = run("import", exports / "keycloak", *arguments)

    assert (code, counts) == (3, {"imported": 4, "refused": 1})
    [(_, reason)] = refusals(exports / "keycloak")
    assert reason == "email: is missing. An account needs an address."
    alice, bob, carol, eve = (person(f"{name}@example.com") for name in ("alice", "bob", "carol", "eve"))
    assert has_id(alice, "66985275-01ed-4993-b60f-2848ba928f23", source="keycloak")
    assert alice.account().email_proven_at == alice.account().created_at
    assert alice.account().metadata == {"locale": "de"}
    assert (bob.account().email_proven_at, carol.account().deactivated_at is None) == (None, False)
    assert alice.log_in(api).is_live()
    assert bob.log_in(Api()).is_live()
    [identity] = Identity.objects.all()
    assert (identity.issuer, identity.subject) == (GOOGLE, "109876543210987654321")
    assert Totp.objects.filter(pk=eve.account().pk).exists()
    # The passkey belongs to the domain shop.example.
    assert not Passkey.objects.exists()


def test_the_passkeys_of_keycloak_need_its_domain(exports: Path) -> None:
    code, counts, said = run("import", exports / "keycloak", "--from", "keycloak")

    assert (code, counts) == (3, {"imported": 3, "refused": 2})
    assert "passkeys[0]: The passkey is not of the domain localhost" in dict(refusals(exports / "keycloak"))[1]
    assert "Left out of 1: identities of google (--issuer google=URL moves them)." in said

    code, counts, _ = run("import", exports / "keycloak", "--from", "keycloak", "--rp-id", "localhost")

    assert (code, counts) == (3, {"imported": 1, "already present": 3, "refused": 1})
    [passkey] = Passkey.objects.all()
    assert bytes(passkey.credential_id) == b"credential of eve!"
    assert bytes(passkey.imported_handle or b"") == b"1376b775-b47c-4983-a172-64808b4467e2"
    assert (passkey.sign_count, passkey.transports, passkey.nickname) == (7, ["usb"], "Key")


def test_django(api: Api, exports: Path) -> None:
    code, counts, said = run("import", exports / "django.json", "--from", "django", "--source", "shop")

    assert (code, counts) == (3, {"imported": 5, "refused": 1})
    assert refusals(exports / "django.json") == [(5, "email: is missing. An account needs an address.")]
    assert "1 of them have a weak password hash" in said
    alice, bob, carol, root = (person(f"{name}@example.com") for name in ("alice", "bob", "carol", "root"))
    assert has_id(alice, "1", source="shop")
    assert alice.account().email_proven_at is not None
    assert (bob.email, bob.account().email_proven_at) == ("Bob@example.com", None)
    assert bob.account().deactivated_at is not None
    assert not users.has_password(person("dave@example.com").account().user)
    for who in (alice, carol, root):
        assert who.log_in(api).is_live()


def test_auth0(api: Api, exports: Path) -> None:
    path = exports / "auth0.ndjson"
    arguments = (
        "--from", "auth0", "--with", exports / "auth0-hashes.ndjson", "--issuer", f"google-oauth2={GOOGLE}",
        "--metadata", "app_metadata", "--id-claim", "auth0_id",
    )  # fmt: skip

    code, counts, said = run("import", path, *arguments)

    assert (code, counts) == (3, {"imported": 3, "refused": 2})
    assert refusals(path) == [
        (4, "email_verified: is neither True nor False."),
        (5, "other_factors: 'guardian' cannot be moved. --drop-factors imports the user without it."),
    ]
    assert "Left out of 1: identities of github (--issuer github=URL moves them)." in said
    assert "Left out of 1: user_metadata (--metadata user_metadata makes it claims of the access tokens)." in said
    alice, bob, carol = (person(f"{name}@example.com") for name in ("alice", "bob", "carol"))
    assert alice.account().metadata == {
        "plan": "gold",
        "locale": "de",
        "auth0_id": "auth0|5dea9f9c82dd7c0e76e4ec93",
    }
    assert has_id(alice, "auth0|5dea9f9c82dd7c0e76e4ec93", source="auth0")
    assert alice.log_in(api).is_live()
    assert users.has_password(bob.account().user)
    assert bob.account().deactivated_at is not None
    assert carol.account().email_proven_at is not None
    assert [identity.account_id for identity in Identity.objects.all()] == [alice.account().pk]


def test_the_hashes_of_auth0_alone_are_the_same_users(exports: Path) -> None:
    code, counts, _ = run("import", exports / "auth0-hashes.ndjson", "--from", "auth0")
    assert (code, counts) == (0, {"imported": 2})

    _, counts, _ = run("import", exports / "auth0.ndjson", "--from", "auth0", "--drop-factors")

    assert counts["already present"] == 2


def test_supabase(api: Api, exports: Path) -> None:
    path = exports / "supabase"

    code, counts, said = run("import", path, "--from", "supabase", "--issuer", f"google={GOOGLE}")

    assert (code, counts) == (3, {"imported": 3, "refused": 2})
    assert refusals(path) == [
        (5, "is_anonymous: the user is anonymous."),
        (6, "is_anonymous: is neither t or true nor f or false."),
    ]
    assert "Left out of 1: raw_user_meta_data" in said
    alice, bob, carol = (person(f"{name}@example.com") for name in ("alice", "bob", "carol"))
    assert has_id(alice, "11111111-1111-4111-8111-111111111111", source="supabase")
    assert str(alice.account().email_proven_at) == "2023-10-02 10:11:12.123456+00:00"
    assert alice.log_in(api).is_live()
    assert bob.account().deactivated_at is not None
    assert carol.account().deactivated_at is None
    assert [app.pk for app in Totp.objects.all()] == [carol.account().pk]
    assert [identity.account_id for identity in Identity.objects.all()] == [alice.account().pk]


def test_supabase_in_two_files(exports: Path) -> None:
    identities = exports / "supabase" / "identities.csv"
    arguments = ("--from", "supabase", "--with", identities, "--issuer", f"google={GOOGLE}")

    _, counts, _ = run("import", exports / "supabase" / "users.csv", *arguments)

    assert counts["imported"] == 3
    assert Identity.objects.count() == 1


def test_firebase(api: Api, exports: Path) -> None:
    path = exports / "firebase.json"
    config = exports / "firebase-hash-config.txt"
    arguments = ("--from", "firebase", "--issuer", f"google.com={GOOGLE}", "--metadata", "customAttributes")

    without_config, _, said = run("import", path, *arguments)
    code, counts, _ = run("import", path, *arguments, "--hash-config", config)

    assert without_config == 1
    assert "Name the file with their parameters by --hash-config." in said
    assert (code, counts) == (3, {"imported": 2, "refused": 2})
    assert refusals(path) == [
        (3, "email: is missing. An account needs an address."),
        (4, "emailVerified: is neither True nor False."),
    ]
    alice = person("alice@example.com")
    assert api.post("/v1/login", {"email": alice.email, "password": "user1password"}).status == 200
    assert alice.account().metadata == {"plan": "gold"}
    assert str(alice.account().created_at) == "2019-12-06 18:36:12.412000+00:00"
    assert person("bob@example.com").account().deactivated_at is not None


def test_cognito(exports: Path) -> None:
    path = exports / "cognito.csv"

    code, counts, _ = run("import", path, "--from", "cognito")

    assert (code, counts) == (3, {"imported": 2, "refused": 2})
    assert refusals(path) == [
        (4, "other_factors: 'cognito' cannot be moved. --drop-factors imports the user without it."),
        (5, "email: looks like a formula of a spreadsheet."),
    ]
    alice, bob = (person(f"{name}@example.com") for name in ("alice", "bob"))
    assert alice.account().email_proven_at is not None
    assert alice.account().metadata == {"locale": "de"}
    assert alice.account().deactivated_at is None
    assert bob.account().deactivated_at is not None


def test_clerk(api: Api, exports: Path) -> None:
    path = exports / "clerk.csv"

    code, counts, _ = run("import", path, "--from", "clerk")

    assert (code, counts) == (3, {"imported": 2, "refused": 1})
    alice, bob = (person(f"{name}@example.com") for name in ("alice", "bob"))
    assert (alice.account().email_proven_at is None, bob.account().email_proven_at is None) == (False, True)
    assert alice.log_in(api).is_live()
    assert Totp.objects.filter(pk=bob.account().pk).exists()


def test_a_csv_with_other_columns(api: Api, exports: Path) -> None:
    path = exports / "plain.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"Nr;x", b"Nr").replace(b"\n", b"\r\n"))
    columns = ("id=Nr", "email=Mail", "email_verified=Confirmed", "password_hash=Hash", "created_at=Joined")
    arguments = [word for column in columns for word in ("--column", column)]

    code, counts, _ = run("import", path, "--from", "csv", "--source", "crm", *arguments)

    assert (code, counts) == (3, {"imported": 2, "refused": 2})
    words = "email_verified: is neither true or yes or t or 1 nor false or no or f or 0."
    assert refusals(path) == [(4, words), (5, "The row has 2 cells, and the file has 5 columns.")]
    assert person("alice@example.com").log_in(api).is_live()
    assert str(person("bob@example.com").account().created_at) == "2023-10-02 10:11:12+00:00"
    code, _, said = run("import", path, "--from", "csv", "--column", "totally=Mail")
    assert (code, said.startswith("--column knows no member totally.")) == (1, True)


def test_a_hostile_csv_ends_in_the_file_of_refused_rows(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    lines = [
        b"email",
        b"a" * 10_000_000,
        b'"' + b"x" * 600_000 + b'"',
        b"\xff@example.com",
        b"b\x00@example.com",
        b"=1+1@example.com",
        b'"open',
        b"alice@example.com",
    ]
    path.write_bytes(b"\n".join(lines))

    code, _, _ = run("import", path, "--from", "csv")

    assert code == 3
    assert {line for line, _ in refusals(path)} >= {2, 3, 4, 5, 6}
    assert present() <= names("alice")


@pytest.mark.parametrize("system", ["keycloak", "firebase", "django"])
@pytest.mark.parametrize("text", [b"", b"{", b'{"users": [{"email": "\xff"}]}', b"[" * 1_000_000])
def test_a_broken_document_imports_nothing(tmp_path: Path, system: str, text: bytes) -> None:
    path = tmp_path / "users.json"
    path.write_bytes(text)

    code, counts, said = run("import", path, "--from", system)

    assert (code, counts) == (1, {})
    assert "is not a whole JSON document in UTF-8" in said or "open brackets" in said
    assert said.endswith("Nothing was imported.")


def test_a_compressed_file_is_read_as_it_is(exports: Path) -> None:
    path = exports / "auth0.ndjson.gz"
    path.write_bytes(gzip.compress((exports / "auth0.ndjson").read_bytes()))

    _, counts, _ = run("import", path, "--from", "auth0", "--drop-factors")

    assert counts["imported"] == 4


def test_repeating_the_import_of_any_format_changes_nothing(exports: Path) -> None:
    inputs = {
        "keycloak": ("keycloak",),
        "django": ("django.json",),
        "auth0": ("auth0.ndjson",),
        "supabase": ("supabase",),
        "firebase": ("firebase.json", "--hash-config", exports / "firebase-hash-config.txt"),
        "cognito": ("cognito.csv",),
        "clerk": ("clerk.csv",),
        "csv": ("clerk.csv", "--column", "email=primary_email_address"),
    }
    assert {*inputs, "gatehouse"} == set(READERS)
    for system, (name, *others) in inputs.items():
        arguments = (exports / name, "--from", system, "--drop-factors", *others)
        run("import", *arguments)
        before = present()
        _, counts, _ = run("import", *arguments)
        assert (present(), counts.get("imported")) == (before, None), system


def test_every_format_is_documented() -> None:
    page = (EXPORTS.parents[1] / "docs" / "moving.md").read_text("utf-8")

    assert set(re.findall(r"--from (\w+)", page)) | {"gatehouse"} == set(READERS)
