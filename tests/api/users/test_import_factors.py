"""Identities and second factors in imports and exports of users."""

import base64
from pathlib import Path
from typing import Any

import cbor2
import pytest
from pytest_django import Settings
from webauthn.helpers import bytes_to_base64url

from accounts.host import users
from core.clock import now
from mfa.models import Passkey, Totp
from sessions_app.models import Identity
from tests.authenticator import Authenticator, Credential, Es256
from tests.client import Answer, Api
from tests.passkeys import complete, log_in_alone, register
from tests.people import Person
from tests.second_factors import App, enroll_totp, generate_codes, pause
from tests.third_factor import Card, give, registered
from tests.transfers import (
    BCRYPT,
    export,
    forget_everyone,
    import_file,
    number,
    person,
    refusals,
    run,
    write_rows,
)

pytestmark = pytest.mark.django_db

GOOGLE = "https://accounts.google.com"
RP_ID = "localhost"


def row(name: str = "alice", **members: Any) -> dict[str, Any]:
    return {"email": f"{name}@example.com", "password_hash": BCRYPT, **members}


def passkey_of(credential: Credential, **members: Any) -> dict[str, Any]:
    """Return the passkey of another system, with the least that a system stores."""
    return {
        "credential_id": bytes_to_base64url(credential.id),
        "public_key": bytes_to_base64url(cbor2.dumps(credential.key.cose())),
        "sign_count": credential.count,
        "rp_id": RP_ID,
        **members,
    }


def complete_totp(api: Api, who: Person, app: App) -> Answer:
    return api.post("/v1/login/totp", {"pending_token": pause(who), "code": app.code()})


def complete_code(api: Api, who: Person, code: str) -> Answer:
    return api.post("/v1/login/recovery-code", {"pending_token": pause(who), "code": code})


def test_factors_and_identities_survive_a_move(api: Api, alice: Person, tmp_path: Path) -> None:
    session = alice.log_in()
    authenticator = Authenticator(is_backup_eligible=True)
    register(session, authenticator)
    app = enroll_totp(session)
    codes = generate_codes(session)
    assert complete_code(api, alice, codes[0]).status == 200
    moment = now()
    Identity.objects.create(
        account=alice.account(),
        provider="google",
        issuer=GOOGLE,
        subject="4711",
        name="Alice",
        created_at=moment,
        last_used_at=moment,
    )
    first = tmp_path / "first.ndjson"
    [exported] = export(first, "--with-secrets", "--yes")
    forget_everyone()

    import_file(first)

    export(tmp_path / "second.ndjson", "--with-secrets", "--yes")
    if users.take_ids():
        assert (tmp_path / "second.ndjson").read_bytes() == first.read_bytes()
    assert {"totp", "passkeys", "recovery_codes", "identities"} <= exported.keys()
    assert complete_totp(api, alice, app).status == 200
    assert complete(api, pause(alice), authenticator).status == 200
    assert log_in_alone(api, authenticator).status == 200
    assert complete_code(api, alice, codes[0]).status == 401
    assert complete_code(api, alice, codes[1]).status == 200
    assert Identity.objects.get(issuer=GOOGLE, subject="4711").account_id == person(alice.email).account().pk


def test_without_secrets_people_with_an_app_are_refused_unless_they_may_lose_it(alice: Person, tmp_path: Path) -> None:
    session = alice.log_in()
    enroll_totp(session)
    codes = generate_codes(session)
    path = tmp_path / "users.ndjson"
    [exported] = export(path)
    forget_everyone()

    code, _, _ = run("import", path)

    assert (exported["totp"]["secret"], exported.get("recovery_codes")) == (None, None)
    assert codes[0] not in path.read_text()
    assert code == 3
    [(_, reason)] = refusals(path)
    assert reason.startswith("totp: The file lacks the secret of the authenticator app. --drop-factors")
    assert import_file(path, "--drop-factors") == {"imported": 1}
    assert not Totp.objects.exists()
    assert person(alice.email).account().email_key == alice.email


def test_an_app_of_another_system_completes_logins(api: Api, tmp_path: Path) -> None:
    secret = base64.b32encode(b"ten bytes!").decode()

    import_file(write_rows(tmp_path / "users.ndjson", [row(totp={"secret": secret.lower()})]))

    assert complete_totp(api, person("alice@example.com"), App(secret)).status == 200


@pytest.mark.parametrize("handle", [None, b"the id of the other system"])
def test_a_passkey_of_another_system_is_a_second_factor(api: Api, tmp_path: Path, handle: bytes | None) -> None:
    credential = Credential(key=Es256(), user_handle=handle or b"unknown", count=7)
    authenticator = Authenticator(credentials=[credential], is_backup_eligible=True)
    given = passkey_of(credential, **({"user_handle": bytes_to_base64url(handle)} if handle else {}))
    import_file(write_rows(tmp_path / "users.ndjson", [row(passkeys=[given])]))
    alice = person("alice@example.com")

    assert complete(api, pause(alice), authenticator).status == 200

    [passkey] = Passkey.objects.all()
    assert (passkey.sign_count, passkey.is_backup_eligible, passkey.learns_backup) == (8, True, False)
    authenticator.is_backup_eligible = False
    assert complete(api, pause(alice), authenticator).status == 401
    assert log_in_alone(api, authenticator).status == 401


def test_a_passkey_with_its_handle_can_sign_in_alone(api: Api, tmp_path: Path) -> None:
    credential = Credential(key=Es256(), user_handle=b"handle")
    given = passkey_of(
        credential, user_handle=bytes_to_base64url(b"handle"), signs_in_alone=True, backup_eligible=False
    )
    import_file(write_rows(tmp_path / "users.ndjson", [row(passkeys=[given], email_verified=True)]))

    authenticator = Authenticator(credentials=[credential])
    assert log_in_alone(api, authenticator, user_handle=b"other").status == 401
    assert log_in_alone(api, authenticator).status == 200


def test_two_accounts_never_share_an_identity_or_a_passkey(tmp_path: Path) -> None:
    identity = {"issuer": GOOGLE, "subject": "4711"}
    passkey = passkey_of(Credential(key=Es256(), user_handle=b"x"))
    import_file(write_rows(tmp_path / "first.ndjson", [row(identities=[identity], passkeys=[passkey])]))
    path = write_rows(
        tmp_path / "second.ndjson",
        [
            row("bob", identities=[identity]),
            row("carol", passkeys=[passkey]),
            row("dave", identities=[{"issuer": GOOGLE, "subject": "1"}]),
            row("eve", identities=[{"issuer": GOOGLE, "subject": "1"}]),
        ],
    )

    code, counts, _ = run("import", path)

    assert (code, counts) == (3, {"imported": 1, "refused": 3})
    assert sorted(refusals(path)) == [
        (1, "identities: another account has one of them."),
        (2, "passkeys: another account has one of them."),
        (4, "The row has the same identities as the row 3."),
    ]


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"totp": {"secret": "short"}}, "totp.secret: must be base32 of at least 80 bits."),
        ({"totp": {"secret": "A" * 32, "digits": 8}}, "totp: The digits must be 6."),
        ({"totp": {"secret": "A" * 32, "algorithm": "SHA256"}}, "totp: The algorithm must be SHA1."),
        ({"totp": []}, "totp: must be an object."),
        ({"passkeys": [{"rp_id": "other.example"}]}, "passkeys[0]: The passkey is not of the domain localhost"),
        ({"passkeys": [{"rp_id": RP_ID, "credential_id": "!"}]}, "passkeys[0].credential_id: must be base64url"),
        (
            {"passkeys": [{"rp_id": RP_ID, "credential_id": "AAAA", "public_key": "AAAA"}]},
            "passkeys[0].public_key: can never verify a signature.",
        ),
        ({"identities": [{"issuer": "google", "subject": "1"}]}, "identities[0].issuer: must be a URL."),
        (
            {"identities": [{"issuer": "https://id.example", "subject": "1"}]},
            "identities[0].issuer: no provider of the settings has this issuer.",
        ),
        ({"identities": [{"issuer": GOOGLE, "subject": "1"}] * 2}, "identities: has the same identity twice."),
        ({"other_factors": ["sms"]}, "other_factors: 'sms' cannot be moved."),
        ({"recovery_codes": {"key": "AAAA", "codes": []}}, "recovery_codes.key: must have 32 bytes."),
    ],
)
def test_a_part_that_cannot_be_moved_refuses_the_row(tmp_path: Path, members: dict[str, Any], reason: str) -> None:
    path = write_rows(tmp_path / "users.ndjson", [row(**members)])

    code, _, _ = run("import", path)

    assert code == 3
    [(_, said)] = refusals(path)
    assert said.startswith(reason)


def test_without_a_key_no_factor_is_stored(settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}
    passkey = passkey_of(Credential(key=Es256(), user_handle=b"x"))
    path = write_rows(tmp_path / "users.ndjson", [row(totp={"secret": "A" * 32}), row("bob", passkeys=[passkey])])

    code, _, _ = run("import", path)

    assert code == 3
    assert all("ENCRYPTION_KEY is unset" in reason for _, reason in refusals(path))
    assert import_file(path, "--drop-factors") == {"imported": 2}


def test_a_factor_of_the_site_is_named_and_not_moved(alice: Person, bob: Person, tmp_path: Path) -> None:
    card = Card()
    with registered(card):
        give(card, alice)
        rows = export(tmp_path / "users.ndjson")

    assert [
        (each["email"], each.get("other_factors")) for each in sorted(rows, key=lambda each: str(each["email"]))
    ] == [
        ("alice@example.com", ["card"]),
        ("bob@example.com", None),
    ]


def test_the_tenants_of_microsoft_share_a_provider(tmp_path: Path) -> None:
    issuer = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    import_file(
        write_rows(tmp_path / "users.ndjson", [row(id=number(1), identities=[{"issuer": issuer, "subject": "s"}])])
    )

    assert Identity.objects.get().provider == "microsoft"
